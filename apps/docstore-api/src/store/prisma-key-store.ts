import { orSayAway, type Sql } from '@platform/database';
import type { PrismaClient } from '../generated/client.ts';
import type { KeyStore, StoredKey } from './key-store.ts';

/** Every request looks its key up, so that one statement goes to the database by `sql`, prepared. */
const FIND_MANY = `SELECT id, owner, name, scopes, secret_hash AS "secretHash", created_at AS "createdAt",
  expires_at AS "expiresAt", revoked_at AS "revokedAt" FROM api_keys WHERE id = ANY($1)`;

/** Of keys made at one moment each counts those there were before, so a few too many may come to be. */
const CREATE = `INSERT INTO api_keys (id, owner, name, scopes, secret_hash, created_at, expires_at, revoked_at)
  SELECT $1, $2::text, $3, $4, $5, $6, $7, $8
  WHERE (SELECT count(*) FROM api_keys WHERE owner = $2::text AND revoked_at IS NULL) < $9::int`;

/** Keys in the database; `sql` reaches the same one as `prisma`. */
export function createPrismaKeyStore(prisma: PrismaClient, sql: Sql): KeyStore {
  const { apiKey } = prisma.$extends({
    query: { $allOperations: ({ args, query }) => orSayAway(() => query(args)) },
  });
  return {
    async create({ id, owner, name, scopes, secretHash, createdAt, expiresAt, revokedAt }, keysMax) {
      const values = [id, owner, name, scopes, secretHash, createdAt, expiresAt, revokedAt, keysMax];
      return (await sql.query(CREATE, values)).rowCount === 1;
    },
    findMany: async (ids) => (await sql.query<StoredKey>(FIND_MANY, [ids], 'find-keys')).rows,
    find: (owner, id) => apiKey.findFirst({ where: { id, owner, revokedAt: null } }),
    list: (owner) =>
      apiKey.findMany({
        where: { owner, revokedAt: null },
        orderBy: [{ createdAt: 'desc' }, { id: 'desc' }],
      }),
    async replaceSecret(owner, id, secretHash) {
      const where = { id, owner, revokedAt: null };
      return (await apiKey.updateMany({ where, data: { secretHash: bytes(secretHash) } })).count === 1;
    },
    async revoke(owner, id, now) {
      const where = { id, owner, revokedAt: null };
      return (await apiKey.updateMany({ where, data: { revokedAt: now } })).count === 1;
    },
  };
}

/** Prisma wants bytes in a buffer of their own. */
function bytes(value: Uint8Array): Uint8Array<ArrayBuffer> {
  return new Uint8Array(value);
}
