import { UsageError, type Command } from '@platform/service-kit';
import { operatorRow } from '../audit/call-record.ts';
import type { Config } from '../config.ts';
import { createDeps } from '../deps.ts';
import { retireKey } from '../identity/retire-key.ts';

/**
 * Takes a compromised signing key out, through the shared counters so that running replicas refuse its tokens
 * at once; without Redis, and in what they publish, they follow seconds later.
 */
export const retireSigningKeyCommand: Command<Config> = {
  usage: '<key id>',
  help: 'take a compromised signing key out: within 5 seconds no token that it signed is accepted, nor the key published; `platform signing-keys retire` returns when it is so',
  async run(config, [kid, ...more]) {
    if (kid === undefined || more.length > 0) throw new UsageError('retire-key takes one key id');
    const deps = await createDeps(config);
    try {
      await retireKey(deps, kid);
      await deps.audit.record([operatorRow(deps, 'RetireSigningKey', `signing-keys/${kid}`)]);
      process.stdout.write(`retired signing key ${kid}; services that run follow within 5 seconds\n`);
    } finally {
      await deps.close();
    }
  },
};
