import type { Sql } from '@platform/database';
import { isStorable } from '../text.ts';
import { orNameTaken } from './name-taken.ts';

export interface UserRow {
  readonly id: string;
  readonly username: string;
  readonly email: string;
  readonly active: boolean;
  readonly emailVerified: boolean;
  readonly isRoot: boolean;
  /** API keys that are neither revoked nor expired, oldest first. */
  readonly apiKeyIds: readonly string[];
}

export interface NewUser {
  readonly id: string;
  readonly username: string;
  readonly email: string;
  readonly passwordHash: string | null;
  readonly emailVerified?: boolean;
  readonly isRoot?: boolean;
  readonly createdAt: Date;
}

/** `$1` is the present moment. */
const COLUMNS = `u.id, u.username, u.email, u.active, u.email_verified AS "emailVerified", u.is_root AS "isRoot",
  ARRAY(SELECT c.jti::text FROM credentials c WHERE c.subject_id = u.id AND c.type = 'api_key' AND c.revoked_at IS NULL
        AND c.expires_at > $1 ORDER BY c.issued_at, c.jti) AS "apiKeyIds"`;

const NAME_TAKEN = ['a user of this name exists', 'username'] as const;

/** Throws NAME_TAKEN. */
export async function insertUser(sql: Sql, user: NewUser): Promise<void> {
  await orNameTaken(
    sql.query(
      `INSERT INTO users (id, username, email, password_hash, email_verified, is_root, created_at)
       VALUES ($1, $2, $3, $4, $5, $6, $7)`,
      [
        user.id,
        user.username,
        user.email,
        user.passwordHash,
        user.emailVerified ?? false,
        user.isRoot ?? false,
        user.createdAt,
      ],
    ),
    ...NAME_TAKEN,
  );
}

export async function findUser(sql: Sql, id: string, now: Date): Promise<UserRow | null> {
  const { rows } = await sql.query<UserRow>(`SELECT ${COLUMNS} FROM users u WHERE u.id = $2`, [now, id]);
  return rows[0] ?? null;
}

export async function isUser(sql: Sql, id: string): Promise<boolean> {
  return (await sql.query('SELECT 1 FROM users WHERE id = $1', [id])).rows.length === 1;
}

export async function findUserId(sql: Sql, username: string): Promise<string | null> {
  if (!isStorable(username)) return null;
  const { rows } = await sql.query<{ id: string }>('SELECT id FROM users WHERE username = $1', [username]);
  return rows[0]?.id ?? null;
}

/** All users, or the members of one tenant, by name. */
export async function listUserRows(sql: Sql, tenantId: string | null, now: Date): Promise<UserRow[]> {
  const members = tenantId === null ? '' : 'JOIN associations a ON a.user_id = u.id AND a.tenant_id = $2';
  const { rows } = await sql.query<UserRow>(
    `SELECT ${COLUMNS} FROM users u ${members} ORDER BY u.username`,
    tenantId === null ? [now] : [now, tenantId],
  );
  return rows;
}

export async function findLogin(
  sql: Sql,
  username: string,
): Promise<{ id: string; passwordHash: string | null; active: boolean } | null> {
  if (!isStorable(username)) return null;
  const { rows } = await sql.query<{
    id: string;
    passwordHash: string | null;
    active: boolean;
  }>('SELECT id, password_hash AS "passwordHash", active FROM users WHERE username = $1', [username]);
  return rows[0] ?? null;
}

/** Undefined fields stay as they are. False when there is no such user. Throws NAME_TAKEN. */
export async function updateUserRow(
  sql: Sql,
  id: string,
  change: {
    readonly username?: string | undefined;
    readonly email?: string | undefined;
    readonly passwordHash?: string | undefined;
    readonly active?: boolean | undefined;
  },
): Promise<boolean> {
  const { rowCount } = await orNameTaken(
    sql.query(
      `UPDATE users SET username = COALESCE($2, username), password_hash = COALESCE($4, password_hash),
              active = COALESCE($5, active), email_verified = email_verified AND COALESCE($3 = email, true),
              email = COALESCE($3, email)
       WHERE id = $1`,
      [id, change.username ?? null, change.email ?? null, change.passwordHash ?? null, change.active ?? null],
    ),
    ...NAME_TAKEN,
  );
  return rowCount === 1;
}

export async function deleteUserRow(sql: Sql, id: string): Promise<boolean> {
  return (await sql.query('DELETE FROM users WHERE id = $1', [id])).rowCount === 1;
}

export async function markVerified(sql: Sql, id: string): Promise<boolean> {
  return (await sql.query('UPDATE users SET email_verified = true WHERE id = $1', [id])).rowCount === 1;
}
