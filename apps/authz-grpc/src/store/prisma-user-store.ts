import { readPlace } from '../pages.ts';
import { isStorable } from '../text.ts';
import { orNameTaken } from './prisma-name-taken.ts';
import type { StoreClient } from './prisma-store-client.ts';
import type { UserRow, UserStore } from './user-store.ts';

const NAME_TAKEN = ['a user of this name exists', 'username'] as const;

/** One statement reads a user and the keys, so that both are of one moment. `$1` is the present moment. */
const COLUMNS = `u.id, u.username, u.email, u.active, u.email_verified AS "emailVerified", u.is_root AS "isRoot",
  u.created_at AS "createdAt", u.version,
  ARRAY(SELECT c.jti::text FROM credentials c WHERE c.subject_id = u.id AND c.type = 'api_key' AND c.revoked_at IS NULL
        AND c.expires_at > $1::timestamptz ORDER BY c.issued_at, c.jti) AS "apiKeyIds"`;

/** Prisma cannot lock rows. */
const LOCK = {
  share: 'SELECT 1 FROM users WHERE id = $1::uuid FOR SHARE',
  update: 'SELECT 1 FROM users WHERE id = $1::uuid FOR UPDATE',
} as const;
const LOCK_WITH_PASSWORD = {
  share: 'SELECT 1 FROM users WHERE id = $1::uuid AND password_hash IS NOT DISTINCT FROM $2::text FOR SHARE',
  update:
    'SELECT 1 FROM users WHERE id = $1::uuid AND password_hash IS NOT DISTINCT FROM $2::text FOR UPDATE',
} as const;

/** An address that changes loses its verification in the same statement, whatever it was before. */
const UPDATE = `UPDATE users SET version = version + 1, username = COALESCE($2::text, username),
  password_hash = COALESCE($4::text, password_hash), active = COALESCE($5::bool, active),
  keys_lease = CASE WHEN $6::bool THEN gen_random_uuid() ELSE keys_lease END,
  email_verified = email_verified AND COALESCE($3::text = email, true), email = COALESCE($3::text, email)
  WHERE id = $1::uuid RETURNING 1`;

const VERIFIED = { emailVerified: true, version: { increment: 1 } } as const;

export function createUserStore({ prisma, sql }: StoreClient): UserStore {
  return {
    async insert(data) {
      await orNameTaken(prisma.user.create({ data }), ...NAME_TAKEN);
    },
    async find(id, now) {
      const rows = await sql<UserRow>(`SELECT ${COLUMNS} FROM users u WHERE u.id = $2::uuid`, now, id);
      return rows[0] ?? null;
    },
    async findId(username) {
      if (!isStorable(username)) return null;
      return (await prisma.user.findFirst({ where: { username }, select: { id: true } }))?.id ?? null;
    },
    async findLogin(username) {
      if (!isStorable(username)) return null;
      const select = { id: true, passwordHash: true, active: true } as const;
      return prisma.user.findFirst({ where: { username }, select });
    },
    findRootId: async () =>
      (await prisma.user.findFirst({ where: { isRoot: true }, select: { id: true } }))?.id ?? null,
    async list(tenantId, now, { after, limit }) {
      const place = after === null ? null : readPlace(after);
      return sql<UserRow>(
        `SELECT ${COLUMNS} FROM users u
         WHERE ($2::uuid IS NULL
             OR EXISTS (SELECT 1 FROM associations a WHERE a.user_id = u.id AND a.tenant_id = $2::uuid))
           AND ($3::timestamptz IS NULL OR (u.created_at, u.id) > ($3::timestamptz, $4::uuid))
         ORDER BY u.created_at, u.id LIMIT $5::int8`,
        now,
        tenantId,
        place?.createdAt ?? null,
        place?.id ?? null,
        limit,
      );
    },
    exists: async (id) => (await prisma.user.count({ where: { id } })) === 1,
    async update(id, { username, email, passwordHash, active, endsKeys = false }) {
      const values = [id, username ?? null, email ?? null, passwordHash ?? null, active ?? null, endsKeys];
      return (await orNameTaken(sql(UPDATE, ...values), ...NAME_TAKEN)).length === 1;
    },
    markVerified: async (id) => (await prisma.user.updateMany({ where: { id }, data: VERIFIED })).count === 1,
    remove: async (id) => (await prisma.user.deleteMany({ where: { id } })).count === 1,
    async lock(id, mode, passwordHash) {
      const rows =
        passwordHash === undefined
          ? await sql(LOCK[mode], id)
          : await sql(LOCK_WITH_PASSWORD[mode], id, passwordHash);
      return rows.length === 1;
    },
  };
}
