import { createHash } from 'node:crypto';
import { AuthzError } from '@platform/error-contracts';
import type { LimitStore } from '../limits/limit-store.ts';
import { createLoginProofCheck } from './login-proof.ts';
import { networkOf } from './network.ts';

/** One try at a password. */
export interface LoginAttempt {
  readonly username: string;
  readonly password: string;
  readonly address: string;
  readonly proof?: string | undefined;
}

/**
 * Slows down guessing and flooding, over all replicas. Only failures count. Past the limit every further
 * guess costs a proof of work that is bound to the guess; a caller who knows the password pays for one. So
 * nobody who merely knows a name keeps its owner out, from whichever address. Unknown accounts are throttled
 * like known ones.
 */
export interface Throttle {
  /** Before the password is looked at. Throws PROOF_REQUIRED, with the bits in the details. */
  begin(attempt: LoginAttempt): Promise<void>;
  /** Counts a login that failed. */
  failed(attempt: LoginAttempt): Promise<void>;
  /** Before something is created that needs no account. Throws RATE_LIMITED with the time to wait. */
  create(address: string): Promise<void>;
}

const WINDOW_MS = 60_000;
/** An account may fail this many times its limit from all addresses, as may an address over all accounts. */
const SHARED_FACTOR = 10;
/**
 * A proof takes 2^18 hashes on average, half a second of a slow core; each doubling of the failures doubles
 * it.
 */
const PROOF_BITS_MIN = 18;
const PROOF_BITS_MAX = 24;

export function createThrottle(
  limits: LimitStore,
  options: {
    /** Failures per minute, account and address; creations per minute and address. */
    readonly attemptsPerMinute: number;
    readonly now: () => Date;
    readonly onRefused?: () => void;
  },
): Throttle {
  const { attemptsPerMinute, now, onRefused } = options;
  const isProof = createLoginProofCheck(now);
  /** Failures are counted per window: a counter of an earlier one begins anew. */
  const epoch = () => Math.floor(now().getTime() / WINDOW_MS);

  function countersOf({ username, address }: LoginAttempt) {
    const [account, host] = [digest(username), digest(networkOf(address))];
    return [
      { key: `failed:${account}:${host}`, limit: attemptsPerMinute },
      { key: `failed-account:${account}`, limit: attemptsPerMinute * SHARED_FACTOR },
      { key: `failed-address:${host}`, limit: attemptsPerMinute * SHARED_FACTOR },
    ];
  }

  return {
    async begin(attempt) {
      const counters = countersOf(attempt);
      const usages = await limits.usage(counters.map(({ key }) => key));
      const excess = Math.max(
        ...counters.map(({ limit }, index) => {
          const usage = usages[index];
          return usage == null || usage.epoch < epoch() ? 0 : usage.used / limit;
        }),
      );
      if (excess < 1) return;
      const bits = Math.min(PROOF_BITS_MAX, PROOF_BITS_MIN + Math.floor(Math.log2(excess)));
      if (attempt.proof !== undefined && isProof(attempt, attempt.proof, bits)) return;
      onRefused?.();
      throw new AuthzError(
        'PROOF_REQUIRED',
        `too many failed logins: send a \`proof\` of ${bits} bits, or try again in a minute`,
        {
          details: { proof: String(bits) },
          retryAfterSeconds: Math.ceil(((epoch() + 1) * WINDOW_MS - now().getTime()) / 1000),
        },
      );
    },
    async failed(attempt) {
      const present = epoch();
      const quotas = countersOf(attempt).map(({ key }) => ({
        key,
        calls: 1,
        epoch: present,
        capacity: Number.MAX_SAFE_INTEGER,
      }));
      const request = { expectVersions: [], rates: [], quotas };
      const reply = await limits.tryAcquire(request);
      if (reply.kind !== 'uninitialized') return;
      await Promise.all(reply.keys.map((key) => limits.seed(key, { used: 0, epoch: present })));
      await limits.tryAcquire(request);
    },
    async create(address) {
      const key = `create:${digest(networkOf(address))}`;
      const rates = [{ key, limit: attemptsPerMinute, windowMs: WINDOW_MS }];
      const reply = await limits.tryAcquire({ expectVersions: [], quotas: [], rates });
      if (reply.kind !== 'rate_limited') return;
      onRefused?.();
      throw new AuthzError('RATE_LIMITED', 'too many users or tenants from this address, try again later', {
        retryAfterSeconds: reply.retryAfterMs / 1000,
      });
    },
  };
}

/** Names are of any length and secret enough not to stand in Redis. */
function digest(text: string): string {
  return createHash('sha256').update(text).digest('base64url').slice(0, 22);
}
