import { parseArgs } from 'node:util';
import { SettingsError } from '@platform/service-kit';
import type { Config } from '../config.ts';
import { buildDeps, openLogger } from '../deps.ts';
import { ACTIONS } from '../rules/scopes.ts';
import { MintKey, mintKey } from '../operations/keys.ts';

/**
 * Makes a key with the right of whoever can open the database, for installations without authz-grpc. Prints the key alone on
 * stdout. An embedded database must not be in use.
 */
export async function createKey(config: Config, args: string[]): Promise<number> {
  const { values } = parseArgs({
    args,
    options: {
      owner: { type: 'string' },
      name: { type: 'string', default: 'operator' },
      scopes: { type: 'string', default: ACTIONS.join(' ') },
      'expires-in-days': { type: 'string' },
    },
  });
  if (!values.owner) throw new SettingsError('--owner: name the tenant');
  const days = values['expires-in-days'];
  const input = MintKey.parse({
    name: values.name,
    scopes: values.scopes,
    ...(days === undefined ? {} : { expires_in_days: Number(days) }),
  });
  // Nothing is counted here, and the key is to stand alone on the output whether Redis answers or not.
  const settings = { ...config.settings, DOCSTORE_LOG_LEVEL: 'error' as const, REDIS_URL: undefined };
  const deps = await buildDeps({ ...config, settings }, openLogger(settings));
  try {
    const operator = {
      owner: values.owner,
      subject: 'operator',
      scopes: ACTIONS.map((action) => ({ action, prefix: null })),
      expiresAt: null,
    };
    const { key } = await mintKey(deps, operator, input);
    process.stdout.write(`${key}\n`);
    return 0;
  } finally {
    await deps.close();
  }
}
