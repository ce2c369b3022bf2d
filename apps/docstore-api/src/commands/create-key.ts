import { parseArgs } from 'node:util';
import { UsageError, type Command } from '@platform/service-kit';
import type { Config } from '../config.ts';
import { createDeps } from '../deps.ts';
import { ACTIONS } from '../rules/scopes.ts';
import { MintKey, mintKey } from '../operations/keys.ts';

/**
 * Creates a key with the rights of anyone who can open the database, for installations without authz-grpc.
 * Prints the key alone on stdout. An embedded database must not be in use.
 */
export const createKey: Command<Config> = {
  usage: '--owner <tenant> [--name …] [--scopes …] [--expires-in-days n]',
  help: "create a key with the operator's rights; it is printed once",
  async run(config, args) {
    const { values } = parseArgs({
      args,
      options: {
        owner: { type: 'string' },
        name: { type: 'string', default: 'operator' },
        scopes: { type: 'string', default: ACTIONS.join(' ') },
        'expires-in-days': { type: 'string' },
      },
    });
    if (!values.owner) throw new UsageError('--owner: name the tenant');
    const days = values['expires-in-days'];
    const input = MintKey.parse({
      name: values.name,
      scopes: values.scopes,
      ...(days === undefined ? {} : { expires_in_days: Number(days) }),
    });
    // This command counts nothing, so it needs no Redis, and its only output is the key.
    const deps = await createDeps({ ...config, redisUrl: undefined, logLevel: 'error' });
    try {
      const operator = {
        owner: values.owner,
        subject: 'operator',
        mintsAs: null,
        scopes: ACTIONS.map((action) => ({ action, prefix: null })),
        expiresAt: null,
        leases: [],
      };
      const { key } = await mintKey(deps, operator, input);
      process.stdout.write(`${key}\n`);
      return 0;
    } finally {
      await deps.close();
    }
  },
};
