import { LEASE_IS_ACTIVE } from '@platform/authz-client';
import type { Sql } from '@platform/database';
import type { FoundKey, KeyStore, KeyWriter } from './key-store.ts';
import type { Prisma } from './prisma.ts';

// SQL: every request looks its key up, in one prepared statement for all that arrive together.
const FIND_MANY = `SELECT k.id, k.owner, k.name, k.scopes, k.secret_hash AS "secretHash", k.created_at AS "createdAt",
  k.expires_at AS "expiresAt", k.revoked_at AS "revokedAt", k.previous_hash AS "previousHash",
  k.previous_until AS "previousUntil", k.lease, COALESCE(k.lease, l.lease) AS "servedBy", ${LEASE_IS_ACTIVE} AS "wasActive"
  FROM api_keys k LEFT JOIN leases l ON l.owner = k.owner
    AND CASE WHEN k.lease IS NULL THEN l.of_tenant ELSE l.lease = k.lease END
  WHERE k.id = ANY($1)`;

// SQL: counts and inserts in one statement. Concurrent creates can exceed the limit slightly.
const CREATE = `INSERT INTO api_keys (id, owner, name, scopes, secret_hash, created_at, expires_at, revoked_at, lease)
  SELECT $1, $2::text, $3, $4, $5, $6, $7, $8, $10::text
  WHERE (
    SELECT count(*) FROM api_keys
    WHERE owner = $2::text AND revoked_at IS NULL AND (expires_at IS NULL OR expires_at > $6)
  ) < $9::int`;

// SQL: may be part of the transaction that a response to an Idempotency-Key is stored in.
const REPLACE_SECRET = `UPDATE api_keys SET secret_hash = $3, previous_until = $4,
    previous_hash = CASE WHEN $4::timestamptz IS NULL THEN NULL ELSE secret_hash END
  WHERE id = $2 AND owner = $1 AND revoked_at IS NULL`;

/** The writes of keys that a POST makes; `sql` may be a transaction. */
export function createSqlKeyWriter(sql: Sql): KeyWriter {
  return {
    async create({ id, owner, name, scopes, secretHash, createdAt, expiresAt, revokedAt, lease }, keysMax) {
      const values = [id, owner, name, scopes, secretHash, createdAt, expiresAt, revokedAt, keysMax, lease];
      return (await sql.query(CREATE, values)).rowCount === 1;
    },
    async replaceSecret(owner, id, { secretHash, previousUntil }) {
      return (await sql.query(REPLACE_SECRET, [owner, id, secretHash, previousUntil])).rowCount === 1;
    },
  };
}

/** Keys in the database; `sql` reaches the same one as `prisma`. */
export function createPrismaKeyStore(prisma: Prisma, sql: Sql): KeyStore {
  const { apiKey } = prisma;
  return {
    ...createSqlKeyWriter(sql),
    findMany: async (ids) => (await sql.query<FoundKey>(FIND_MANY, [ids], 'find-keys')).rows,
    find: (owner, id, now) => apiKey.findFirst({ where: { id, owner, ...live(now) } }),
    list: (owner, now, limit) =>
      apiKey.findMany({
        where: { owner, ...live(now) },
        orderBy: [{ createdAt: 'desc' }, { id: 'desc' }],
        take: limit,
      }),
    async revoke(owner, id, now) {
      const where = { id, owner, ...live(now) };
      return (await apiKey.updateMany({ where, data: { revokedAt: now } })).count === 1;
    },
    async erase(owner) {
      await apiKey.deleteMany({ where: { owner } });
    },
    async forgetDead(now) {
      await apiKey.deleteMany({ where: { OR: [{ revokedAt: { lte: now } }, { expiresAt: { lte: now } }] } });
    },
  };
}

/** The condition that a key is neither revoked nor expired at `now`. */
function live(now: Date) {
  return { revokedAt: null, OR: [{ expiresAt: null }, { expiresAt: { gt: now } }] };
}
