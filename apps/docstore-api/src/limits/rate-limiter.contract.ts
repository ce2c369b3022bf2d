import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { covers } from '@platform/testing/covers';
import type { Rate, RateLimiter } from './rate-limiter.ts';

/**
 * The promises of `RateLimiter`, for every implementation. `wait` lets time pass for it: a real clock sleeps,
 * one that is a parameter is set forward.
 */
export function rateLimiterContract(
  name: string,
  open: (rate: Rate) => Promise<RateLimiter>,
  wait: (ms: number) => Promise<void>,
): void {
  describe(`rate limiter ${name}`, () => {
    const opened: RateLimiter[] = [];
    const limiterOf = async (rate: Rate) => {
      const limiter = await open(rate);
      opened.push(limiter);
      return limiter;
    };
    let slow: RateLimiter;
    let fast: RateLimiter;
    beforeAll(async () => {
      slow = await limiterOf({ perMinute: 1, burst: 60 });
      fast = await limiterOf({ perMinute: 60, burst: 2 });
    });
    afterAll(async () => {
      for (const limiter of opened) await limiter.close();
    });

    it('the rate limiter lets a burst through and refuses the next, however many ask at once', async () => {
      covers('DOC-E.rate_limited');
      const subject = randomUUID();
      const verdicts = await Promise.all(Array.from({ length: 100 }, () => slow.take(subject)));
      expect(verdicts.filter((verdict) => verdict === 0)).toHaveLength(60);
      for (const verdict of verdicts.filter((seconds) => seconds !== 0))
        expect(verdict).toBeGreaterThanOrEqual(1);
    });

    it('the rate limiter counts each subject alone', async () => {
      expect(await fast.take(randomUUID())).toBe(0);
      expect(await fast.take(randomUUID())).toBe(0);
      expect(await fast.take(randomUUID())).toBe(0);
    });

    it('the rate limiter returns a true delay, and a refusal costs nothing', async () => {
      covers('DOC-E.retry_after');
      const subject = randomUUID();
      /** Takes until it is refused, however fast time passes, and gives the wait told. */
      const untilRefused = async () => {
        for (;;) {
          const seconds = await fast.take(subject);
          if (seconds !== 0) return seconds;
        }
      };
      for (let round = 0; round < 2; round++) {
        let seconds = 0;
        for (let asked = 0; asked < 5; asked++) seconds = await untilRefused();
        expect(seconds).toBe(1);
        await wait(seconds * 1000);
        expect(await fast.take(subject)).toBe(0);
      }
    });

    it('the rate limiter never refuses the sustained rate', async () => {
      covers('DOC-L.3');
      const limiter = await limiterOf({ perMinute: 600, burst: 1 });
      const subject = randomUUID();
      for (let request = 0; request < 12; request++) {
        expect(await limiter.take(subject)).toBe(0);
        await wait(100 + 5);
      }
    });
  });
}
