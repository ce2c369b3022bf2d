/** How many requests a credential may make. */
export interface Rate {
  /** Sustained, > 0. */
  readonly perMinute: number;
  /** Requests that may come at one instant after a quiet time, ≥ 1. */
  readonly burst: number;
}

/**
 * 0 = go ahead; else whole seconds, ≥ 1, after which a request will be let through if no other comes first.
 */
export type RateVerdict = number;

/**
 * Counts requests per subject. One call takes one request from the subject's allowance, or none when it is
 * refused, so a caller who waits as long as they were told succeeds.
 */
export interface RateLimiter {
  take(subject: string): Promise<RateVerdict>;
  /** Whether what replicas count together is out of reach, so that this one counts alone. */
  isRedisAway(): boolean;
  close(): Promise<void>;
}
