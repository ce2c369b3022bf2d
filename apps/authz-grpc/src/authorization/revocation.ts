import { AuthzError, hasReason } from '@platform/error-contracts';
import type { Caller } from './caller.ts';
import type { Decide, DecisionRunner } from './decision-runner.ts';

/** Metadata that marks a question of a request that ends a credential or takes access back. */
export const REVOCATION_PURPOSE = ['x-purpose', 'revocation'] as const;

/** Questions that one session may ask free of quota, at once and per minute. */
const FREE_RATE = { limit: 100, windowMs: 60_000 } as const;

/**
 * `runDecision` for a question of a revocation: for the session of a user it takes no quota and nothing of
 * the tenant's rate, up to FREE_RATE of that session; beyond that, and for other credentials, it is a
 * question as any other. Each session has its own rate, so that no leaked key and no other session can use
 * up the owner's. Throws as `runDecision`.
 */
export async function decideRevocation<T>(
  { runDecision }: Pick<DecisionRunner, 'runDecision'>,
  caller: Caller,
  decide: Decide<T>,
): Promise<T> {
  if (caller.use !== 'session' || caller.resource !== undefined) return runDecision(decide);
  try {
    return await runDecision((reading) => {
      const plan = decide(reading);
      // A service account gets any number of tokens, where a session of a user costs a password.
      if (reading.get('subject', caller.subjectId)?.kind !== 'user') return plan;
      return { result: plan.result, rates: [{ key: `revocation:${caller.jti}`, ...FREE_RATE }] };
    });
  } catch (error) {
    if (!hasReason(error, 'RATE_LIMITED')) throw error;
    return runDecision(decide).catch((refusal: unknown) => {
      // The next free question comes sooner than the next cycle of the quota.
      throw hasReason(refusal, 'QUOTA_EXHAUSTED') ? tooMany(error.retryAfterSeconds ?? 1) : refusal;
    });
  }
}

function tooMany(retryAfterSeconds: number): AuthzError {
  const message = `more than ${FREE_RATE.limit} free calls a minute of this session, and the quota is used up`;
  return new AuthzError('RATE_LIMITED', message, { retryAfterSeconds });
}
