import type { Command } from '@platform/service-kit';
import { operatorRow } from '../audit/call-record.ts';
import type { Config } from '../config.ts';
import { createDeps } from '../deps.ts';
import { resetRootUser } from '../identity/root-user.ts';

/**
 * Lets an operator with the database back in after the root password was lost. Goes through the shared
 * counters, so that running replicas refuse the old sessions at once; without Redis, seconds later.
 */
export const resetRoot: Command<Config> = {
  help: 'give the system root AUTHZ_ROOT_PASSWORD, or a password that is printed; its sessions and keys end, within 5 seconds without Redis',
  async run(config) {
    const deps = await createDeps(config);
    try {
      const password = await resetRootUser(deps);
      const rootId = await deps.stores.users.findRootId();
      await deps.audit.record([operatorRow(deps, 'ResetRoot', `users/${rootId ?? ''}`)]);
      const shown = password === null ? 'AUTHZ_ROOT_PASSWORD' : password;
      process.stdout.write(`the password of \`${config.rootUsername}\` is now ${shown}\n`);
    } finally {
      await deps.close();
    }
  },
};
