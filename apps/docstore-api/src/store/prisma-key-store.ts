import { LEASE_IS_ACTIVE } from '@platform/authz-client';
import type { Sql } from '@platform/database';
import type { FoundKey, KeyStore, KeyWriter } from './key-store.ts';
import type { Prisma } from './prisma.ts';

// SQL: every request looks its key up, in one prepared statement for all that arrive together.
const FIND = `SELECT k.id, k.owner, k.name, k.scopes, k.secret_hash AS "secretHash", k.created_at AS "createdAt",
  k.expires_at AS "expiresAt", k.revoked_at AS "revokedAt", k.previous_hash AS "previousHash",
  k.previous_until AS "previousUntil", k.lease, k.minted_by AS "mintedBy",
  k.secret_leases AS "secretLeases", k.previous_leases AS "previousLeases", k.rotated_by AS "rotatedBy",
  k.rotated_at AS "rotatedAt", ARRAY(SELECT e.lease FROM leases e WHERE e.owner = k.owner AND NOT e.active
    AND (e.lease = ANY(k.secret_leases) OR e.lease = ANY(k.previous_leases))) AS "endedLeases",
  COALESCE(k.lease, l.lease) AS "servedBy", ${LEASE_IS_ACTIVE} AS "wasActive"
  FROM api_keys k LEFT JOIN leases l ON l.owner = k.owner
    AND CASE WHEN k.lease IS NULL THEN l.of_tenant ELSE l.lease = k.lease END`;
const FIND_MANY = `${FIND} WHERE k.id = ANY($1)`;
const LIVE = 'k.owner = $1 AND k.revoked_at IS NULL AND (k.expires_at IS NULL OR k.expires_at > $2)';
const FIND_LIVE = `${FIND} WHERE ${LIVE} AND k.id = $3`;
const LIST = `${FIND} WHERE ${LIVE} ORDER BY k.created_at DESC, k.id DESC LIMIT $3::int`;

// SQL: counts and inserts in one statement. Concurrent creates can exceed the limit slightly.
const CREATE = `INSERT INTO api_keys (id, owner, name, scopes, secret_hash, created_at, expires_at, revoked_at, lease,
    minted_by, secret_leases)
  SELECT $1, $2::text, $3, $4, $5, $6, $7, $8, $10::text, $11::text, $12::text[]
  WHERE (
    SELECT count(*) FROM api_keys
    WHERE owner = $2::text AND revoked_at IS NULL AND (expires_at IS NULL OR expires_at > $6)
  ) < $9::int`;

// SQL: may be part of the transaction that a response to an Idempotency-Key is stored in.
const REPLACE_SECRET = `UPDATE api_keys SET secret_hash = $3, previous_until = $4,
    secret_leases = $5, previous_leases = secret_leases, rotated_by = $6, rotated_at = $7, previous_hash = CASE WHEN $4::timestamptz IS NULL THEN NULL ELSE secret_hash END
  WHERE id = $2 AND owner = $1 AND revoked_at IS NULL`;

/** The writes of keys that a POST makes; `sql` may be a transaction. */
export function createSqlKeyWriter(sql: Sql): KeyWriter {
  return {
    async create(key, keysMax) {
      const { id, owner, name, scopes, secretHash, createdAt, expiresAt, revokedAt } = key;
      const values = [
        id,
        owner,
        name,
        scopes,
        secretHash,
        createdAt,
        expiresAt,
        revokedAt,
        keysMax,
        key.lease,
        key.mintedBy,
        key.secretLeases,
      ];
      return (await sql.query(CREATE, values)).rowCount === 1;
    },
    async replaceSecret(owner, id, { secretHash, previousUntil, secretLeases, rotatedBy, rotatedAt }) {
      const values = [owner, id, secretHash, previousUntil, secretLeases, rotatedBy, rotatedAt];
      return (await sql.query(REPLACE_SECRET, values)).rowCount === 1;
    },
  };
}

/** Keys in the database; `sql` reaches the same one as `prisma`. */
export function createPrismaKeyStore(prisma: Prisma, sql: Sql): KeyStore {
  const { apiKey } = prisma;
  return {
    ...createSqlKeyWriter(sql),
    findMany: async (ids) => (await sql.query<FoundKey>(FIND_MANY, [ids], 'find-keys')).rows,
    // SQL: which lease decides depends on the key's own.
    async find(owner, id, now) {
      return (await sql.query<FoundKey>(FIND_LIVE, [owner, now, id])).rows[0] ?? null;
    },
    async list(owner, now, limit) {
      return (await sql.query<FoundKey>(LIST, [owner, now, limit])).rows;
    },
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
