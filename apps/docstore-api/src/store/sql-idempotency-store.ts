import { RETRY_AFTER_SECONDS } from '@platform/error-contracts';
import type { Database, Sql } from '@platform/database';
import type {
  HeldKey,
  IdempotencyStore,
  Reservation,
  StoredResponse,
  UnitOfWork,
  Writers,
} from './idempotency-store.ts';
import type { Prisma } from './prisma.ts';

/** How long a response is replayed. */
const REPLAY_MS = 24 * 3600 * 1000;
/** After this long a request without a response is taken to have died with its process. */
const LEASE_MS = 60_000;

/** Responses in `database`, which `prisma` reaches too. `writersIn` makes the writers of a transaction. */
export function createSqlIdempotencyStore(
  database: Database,
  prisma: Prisma,
  writersIn: (sql: Sql) => Writers,
): IdempotencyStore {
  const { idempotentAnswer } = prisma;
  return {
    async reserve(owner, key, fingerprint, now): Promise<Reservation> {
      const replayedSince = new Date(now.getTime() - REPLAY_MS);
      const leasedSince = new Date(now.getTime() - LEASE_MS);
      // SQL: of requests that ask at once exactly one must get the key.
      const { rowCount } = await database.query(
        `INSERT INTO idempotent_answers AS a (owner, key, fingerprint, created_at) VALUES ($1, $2, $3, $4)
         ON CONFLICT (owner, key) DO UPDATE
           SET fingerprint = EXCLUDED.fingerprint, status = NULL, headers = NULL, body = NULL,
             created_at = EXCLUDED.created_at
           WHERE a.created_at < $5 OR (a.status IS NULL AND a.created_at < $6)
         RETURNING key`,
        [owner, key, fingerprint, now, replayedSince, leasedSince],
      );
      if (rowCount === 1) return { kind: 'reserved', held: { owner, key, at: now } };
      const row = await idempotentAnswer.findUnique({ where: { owner_key: { owner, key } } });
      // The other request failed and released the key between the two statements.
      if (row === null) return { kind: 'in_flight', retryAfterSeconds: RETRY_AFTER_SECONDS.conflict };
      if (Buffer.compare(row.fingerprint, fingerprint) !== 0) return { kind: 'other_request' };
      if (row.status !== null) {
        const headers = row.headers as Record<string, string>;
        return { kind: 'answered', response: { status: row.status, headers, body: row.body } };
      }
      // Most finish soon; three times the time taken so far reaches the end of a dead request's lease in few
      // tries.
      const ageMs = now.getTime() - row.createdAt.getTime();
      const wait = Math.ceil(Math.min(3 * ageMs, LEASE_MS - ageMs) / 1000);
      return { kind: 'in_flight', retryAfterSeconds: Math.max(1, wait) };
    },

    storeResponse: (held, response) => storeResponse(database, held, response),

    async release({ owner, key, at }) {
      await idempotentAnswer.deleteMany({ where: { owner, key, createdAt: at, status: null } });
    },

    begin: () =>
      new Promise<UnitOfWork>((begun, failed) => {
        const ended = database.transaction(
          (sql) =>
            new Promise<void>((resolve, reject) => {
              begun({
                writers: writersIn(sql),
                storeResponse: (held, response) => storeResponse(sql, held, response),
                commit() {
                  resolve();
                  return ended;
                },
                rollBack() {
                  reject(new Error('rolled back'));
                  return ended.catch(() => undefined);
                },
              });
            }),
        );
        ended.catch(failed);
      }),

    async forgetOld(now) {
      const createdAt = { lt: new Date(now.getTime() - REPLAY_MS) };
      await idempotentAnswer.deleteMany({ where: { createdAt } });
    },
  };
}

// SQL: may be part of the transaction of the write that the response reports.
async function storeResponse(
  sql: Sql,
  { owner, key, at }: HeldKey,
  { status, headers, body }: StoredResponse,
): Promise<boolean> {
  const { rowCount } = await sql.query(
    `UPDATE idempotent_answers SET status = $4, headers = $5::jsonb, body = $6
     WHERE owner = $1 AND key = $2 AND created_at = $3 AND status IS NULL`,
    [owner, key, at, status, JSON.stringify(headers), body],
  );
  return rowCount === 1;
}
