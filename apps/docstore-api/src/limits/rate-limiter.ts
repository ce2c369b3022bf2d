/** How many requests a credential may make. */
export interface Rate {
  /** Sustained, > 0. */
  readonly perMinute: number;
  /** Requests that may come at one instant after a quiet time, ≥ 1. */
  readonly burst: number;
}

/** What a limiter says to a request. */
export interface RateVerdict {
  /** 0 = go ahead; else whole seconds, ≥ 1, to wait before the same request is sent again. */
  readonly seconds: number;
  /** Whether a place is kept for the request from then on, so that it will be let through. */
  readonly isReserved: boolean;
}

export const GO_AHEAD: RateVerdict = { seconds: 0, isReserved: false };

/**
 * Counts requests per subject. A request that is refused is given a place: the rest of the subject's requests
 * come before it or behind it, and the same `request` (a text that says which one) is let through when its
 * time has come. Places are given up to a minute ahead and kept for half a minute; who is refused beyond that
 * is told a time and has no place.
 */
export interface RateLimiter {
  /** Takes one request from the subject's allowance, or the place that was kept for it. */
  take(subject: string, request: string): Promise<RateVerdict>;
  /** Gives `request` a place at least `seconds` ahead, as another limiter has refused it until then. */
  reserve(subject: string, request: string, seconds: number): Promise<RateVerdict>;
  /** Keeps the place of a request that was taken, as another limiter has refused it for `seconds`. */
  keep(subject: string, request: string, seconds: number): Promise<void>;
  /** Whether what replicas count together is out of reach, so that this one counts alone. */
  isRedisUnavailable(): boolean;
  close(): Promise<void>;
}
