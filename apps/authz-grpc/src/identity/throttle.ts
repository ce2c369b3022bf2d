import { createHash } from 'node:crypto';
import { AuthzError } from '@platform/error-contracts';
import type { Gate } from '../gate/gate.ts';

/** Slows down guessing, per account and per address, over all replicas. Never locks: waiting always helps. */
export interface Throttle {
  /** Throws RATE_LIMITED with the time to wait. Unknown accounts are throttled like known ones. */
  attempt(account: string, address: string): Promise<void>;
}

/** Many people may share one address. */
const ACCOUNTS_PER_ADDRESS = 10;

export function createThrottle(
  gate: Gate,
  attemptsPerMinute: number,
  onRefused: () => void = () => undefined,
): Throttle {
  const window = { windowMs: 60_000 };
  return {
    async attempt(account, address) {
      const reply = await gate.enter({
        seen: [],
        takes: [],
        rates: [
          { key: `account:${digest(account)}`, limit: attemptsPerMinute, ...window },
          { key: `address:${digest(address)}`, limit: attemptsPerMinute * ACCOUNTS_PER_ADDRESS, ...window },
        ],
      });
      if (reply.kind === 'rate_limited') {
        onRefused();
        throw new AuthzError('RATE_LIMITED', 'too many attempts, try again later', {
          retryAfterSeconds: reply.retryAfterMs / 1000,
        });
      }
    },
  };
}

/** Names are of any length and secret enough not to stand in Redis. */
function digest(text: string): string {
  return createHash('sha256').update(text).digest('base64url').slice(0, 22);
}
