import type { Sql } from '@platform/database';

/** An answer as it is sent. `body` is a value to be sent as JSON, or null for none. */
export interface StoredAnswer {
  readonly status: number;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string | null;
}

/** What is known of an Idempotency-Key: ours to work on, answered, used for another request, or being worked on. */
export type Reservation =
  | { readonly kind: 'reserved'; readonly at: Date }
  | { readonly kind: 'answered'; readonly answer: StoredAnswer }
  | { readonly kind: 'other_request' }
  | { readonly kind: 'in_flight'; readonly retryAfterSeconds: number };

/** How long an answer is replayed. */
const ANSWER_HOURS = 24;
/** After this long a request that has not answered is taken to have died with its process. */
const LEASE_SECONDS = 60;

/** Reserves `key`; of requests that ask at once one is given `reserved`. Keys older than a day count as unused. */
export async function reserveKey(
  sql: Sql,
  owner: string,
  key: string,
  fingerprint: Uint8Array,
  now: Date,
): Promise<Reservation> {
  const { rowCount } = await sql.query(
    `INSERT INTO idempotent_answers AS a (owner, key, fingerprint, created_at) VALUES ($1, $2, $3, $4::timestamptz)
     ON CONFLICT (owner, key) DO UPDATE
       SET fingerprint = EXCLUDED.fingerprint, status = NULL, headers = NULL, body = NULL, created_at = EXCLUDED.created_at
       WHERE a.created_at < EXCLUDED.created_at - interval '${ANSWER_HOURS} hours'
         OR (a.status IS NULL AND a.created_at < EXCLUDED.created_at - interval '${LEASE_SECONDS} seconds')
     RETURNING key`,
    [owner, key, fingerprint, now],
  );
  if (rowCount === 1) return { kind: 'reserved', at: now };
  const { rows } = await sql.query<{
    fingerprint: Uint8Array;
    status: number | null;
    headers: Record<string, string>;
    body: string | null;
    createdAt: Date;
  }>(
    'SELECT fingerprint, status, headers, body, created_at AS "createdAt" FROM idempotent_answers WHERE owner = $1 AND key = $2',
    [owner, key],
  );
  const row = rows[0];
  // The other request failed and gave the key back between the two statements.
  if (row === undefined) return { kind: 'in_flight', retryAfterSeconds: 1 };
  if (Buffer.compare(row.fingerprint, fingerprint) !== 0) return { kind: 'other_request' };
  if (row.status !== null) {
    return { kind: 'answered', answer: { status: row.status, headers: row.headers, body: row.body } };
  }
  // Most are done soon; three times what it has taken so far outlasts the lease of a dead one in few tries.
  const age = (now.getTime() - row.createdAt.getTime()) / 1000;
  const wait = Math.ceil(Math.min(3 * age, LEASE_SECONDS - age));
  return { kind: 'in_flight', retryAfterSeconds: Math.max(1, wait) };
}

/** Stores the answer under a key reserved at `at`; false when another request has taken the key over since. */
export async function storeAnswer(
  sql: Sql,
  owner: string,
  key: string,
  at: Date,
  answer: StoredAnswer,
): Promise<boolean> {
  const { rowCount } = await sql.query(
    `UPDATE idempotent_answers SET status = $4, headers = $5::jsonb, body = $6
     WHERE owner = $1 AND key = $2 AND created_at = $3 AND status IS NULL`,
    [owner, key, at, answer.status, JSON.stringify(answer.headers), answer.body],
  );
  return rowCount === 1;
}

/** Gives a key reserved at `at` back: the request failed and changed nothing, so it may be sent again. */
export async function releaseKey(sql: Sql, owner: string, key: string, at: Date): Promise<void> {
  await sql.query(
    'DELETE FROM idempotent_answers WHERE owner = $1 AND key = $2 AND created_at = $3 AND status IS NULL',
    [owner, key, at],
  );
}

/** Deletes answers that are no longer replayed. */
export async function forgetOldAnswers(sql: Sql, now: Date): Promise<void> {
  await sql.query(
    `DELETE FROM idempotent_answers WHERE created_at < $1::timestamptz - interval '${ANSWER_HOURS} hours'`,
    [now],
  );
}
