import { randomBytes } from 'node:crypto';
import { insertDefaultQuotas } from '../default-quotas.ts';
import type { Deps } from '../ports.ts';
import { entityKey } from '../state/entities.ts';

/**
 * Creates the system root at first start, by the settings, and returns its password if that had to be made up; null in
 * every other case. Replicas that start at once make one between them. Errors: INVALID_ARGUMENT for a common password.
 */
export async function ensureRootUser(
  deps: Pick<Deps, 'database' | 'stores' | 'write' | 'passwords' | 'config' | 'now' | 'newId'>,
): Promise<string | null> {
  return deps.database.exclusively('authz root user', async () => {
    if ((await deps.stores.users.findRootId()) !== null) return null;
    const given = deps.config.rootPassword;
    const password = given ?? randomBytes(18).toString('base64url');
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
