import { randomBytes } from 'node:crypto';
import type { Deps } from '../ports.ts';
import { entityKey } from '../state/entities.ts';
import { insertQuotas } from '../store/quotas.ts';
import { insertUser } from '../store/users.ts';

/**
 * Creates the system root at first start, by the settings, and returns its password if that had to be made up; null in
 * every other case. Replicas that start at once make one between them. Errors: INVALID_ARGUMENT for a common password.
 */
export async function ensureRootUser(
  deps: Pick<Deps, 'database' | 'write' | 'passwords' | 'config' | 'now' | 'newId'>,
): Promise<string | null> {
  return deps.database.exclusively('authz root user', async () => {
    const { rows } = await deps.database.query('SELECT 1 FROM users WHERE is_root');
    if (rows.length > 0) return null;
    const given = deps.config.AUTHZ_ROOT_PASSWORD;
    const password = given ?? randomBytes(18).toString('base64url');
    const passwordHash = await deps.passwords.hash(password);
    const id = deps.newId();
    const username = deps.config.AUTHZ_ROOT_USERNAME;
    await deps.write(async (sql, touch) => {
      await insertUser(sql, {
        id,
        username,
        email: `${username}@localhost`,
        passwordHash,
        isRoot: true,
        createdAt: deps.now(),
      });
      await insertQuotas(sql, deps.config, id, ['user_plane']);
      touch(entityKey('subject', id));
    });
    return given === undefined ? password : null;
  });
}
