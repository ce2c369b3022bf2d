import { randomBytes } from 'node:crypto';
import type { Database } from '@platform/database';
import { insertDefaultQuotas } from '../default-quotas.ts';
import { SettingsError } from '@platform/service-kit';
import type { Config } from '../config.ts';
import { entityKey } from '../model/entities.ts';
import type { Write } from '../state/write.ts';
import type { Stores } from '../store/stores.ts';
import type { Passwords } from './passwords.ts';

/**
 * Creates the system root at first start, by the settings, and returns its password if that had to be made
 * up; null in every other case. Replicas that start at once make one between them. Errors: INVALID_ARGUMENT
 * for a common password.
 */
export async function ensureRootUser(deps: {
  readonly database: Pick<Database, 'exclusively'>;
  readonly stores: Stores;
  readonly write: Write;
  readonly passwords: Passwords;
  readonly config: Config;
  readonly now: () => Date;
  readonly newId: () => string;
}): Promise<string | null> {
  return deps.database.exclusively('authz root user', async () => {
    if ((await deps.stores.users.findRootId()) !== null) return null;
    const given = deps.config.rootPassword;
    const password = given ?? newPassword();
    const passwordHash = await deps.passwords.hash(password);
    const id = deps.newId();
    const username = deps.config.rootUsername;
    await deps.write(async (stores, touch) => {
      await stores.users.insert({
        id,
        username,
        email: `${username}@localhost`,
        passwordHash,
        isRoot: true,
        createdAt: deps.now(),
      });
      await insertDefaultQuotas(stores, deps.config, id, ['user_plane']);
      touch(entityKey('subject', id));
    });
    return given === undefined ? password : null;
  });
}

/**
 * Gives the system root the password of the settings, or one that is made up and returned, as an operator
 * with the database may: its sessions, API keys and one-time tokens end. Null when the settings had the
 * password. Errors: SettingsError when no first start has made the root, INVALID_ARGUMENT for a common
 * password.
 */
export async function resetRootUser(deps: {
  readonly stores: Stores;
  readonly write: Write;
  readonly passwords: Passwords;
  readonly config: Config;
  readonly now: () => Date;
}): Promise<string | null> {
  const id = await deps.stores.users.findRootId();
  if (id === null)
    throw new SettingsError('there is no system root yet: `serve` makes it at its first start');
  const given = deps.config.rootPassword;
  const password = given ?? newPassword();
  const passwordHash = await deps.passwords.hash(password);
  await deps.write(async ({ users, credentials, verifications }, touch) => {
    await users.update(id, { passwordHash, active: true });
    const revoked = await credentials.revokeAll(id, deps.now());
    await verifications.removeUnused(id);
    touch(entityKey('subject', id), ...revoked.map((jti) => entityKey('credential', jti)));
  });
  return given === undefined ? password : null;
}

const newPassword = () => randomBytes(18).toString('base64url');
