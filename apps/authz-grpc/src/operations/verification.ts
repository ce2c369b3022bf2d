import type { Caller } from '../admission/caller.ts';
import { permitAnyone, permitRoot } from '../admission/permit.ts';
import type { Deps } from '../ports.ts';
import { digestOf, newOneTimeToken } from '../identity/one-time-token.ts';
import { markVerified } from '../store/users.ts';
import { readEmail, readWithin } from './names.ts';
import { userNotFound } from './not-found.ts';

export type VerificationType = 'email_verification' | 'password_reset' | 'email_change';

export const VERIFICATION_HOURS = 24;
export const VERIFICATION_HOURS_MAX = 720;

/**
 * A token that proves control of an address once it comes back, so it is told to the mailer alone: the system root's
 * operation. Unused tokens of the user and type end. Throws ACCESS_DENIED, USER_NOT_FOUND, INVALID_ARGUMENT, limits.
 */
export async function createEmailVerificationToken(
  deps: Pick<Deps, 'admission' | 'write' | 'now'>,
  caller: Caller,
  input: {
    readonly userId: string;
    readonly email: string;
    readonly type: VerificationType;
    readonly expirationHours?: number | undefined;
  },
): Promise<{ readonly token: string; readonly expiresAt: Date }> {
  await permitRoot(deps, caller);
  const hours = readWithin(
    input.expirationHours ?? VERIFICATION_HOURS,
    1,
    VERIFICATION_HOURS_MAX,
    'expiration_hours',
  );
  const email = readEmail(input.email, 'email');
  const token = newOneTimeToken();
  const expiresAt = new Date(deps.now().getTime() + hours * 3_600_000);
  await deps.write(async (sql) => {
    // The user's row is locked, so that of two tokens made at once only the later one stays.
    const { rows } = await sql.query('SELECT 1 FROM users WHERE id = $1 FOR UPDATE', [input.userId]);
    if (rows.length === 0) throw userNotFound();
    await sql.query('DELETE FROM verification_tokens WHERE user_id = $1 AND type = $2 AND used_at IS NULL', [
      input.userId,
      input.type,
    ]);
    await sql.query(
      'INSERT INTO verification_tokens (token_hash, user_id, email, type, expires_at) VALUES ($1, $2, $3, $4, $5)',
      [digestOf(token), input.userId, email, input.type, expiresAt],
    );
  });
  return { token, expiresAt };
}

/** The user and address a token stood for, used up now; null when it is unknown, used, expired or of another type. */
export async function validateEmailVerificationToken(
  deps: Pick<Deps, 'admission' | 'database' | 'now'>,
  caller: Caller,
  input: { readonly token: string; readonly type: VerificationType },
): Promise<{ readonly userId: string; readonly email: string } | null> {
  await permitAnyone(deps, caller);
  // One conditional statement: of any number of concurrent tries exactly one finds the token unused.
  const { rows } = await deps.database.query<{ userId: string; email: string }>(
    `UPDATE verification_tokens SET used_at = $3
     WHERE token_hash = $1 AND type = $2 AND used_at IS NULL AND expires_at > $3
     RETURNING user_id AS "userId", email`,
    [digestOf(input.token), input.type, deps.now()],
  );
  return rows[0] ?? null;
}

/** Throws ACCESS_DENIED to all but the system root, USER_NOT_FOUND, limits. */
export async function markEmailVerified(
  deps: Pick<Deps, 'admission' | 'database'>,
  caller: Caller,
  userId: string,
): Promise<void> {
  await permitRoot(deps, caller);
  if (!(await markVerified(deps.database, userId))) throw userNotFound();
}
