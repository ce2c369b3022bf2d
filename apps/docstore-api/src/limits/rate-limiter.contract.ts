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
      fast = await limiterOf({ perMinute: 60, burst: 6 });
    });
    afterAll(async () => {
      for (const limiter of opened) await limiter.close();
    });

    const secondsOf = async (limiter: RateLimiter, subject: string, request = 'same') =>
      (await limiter.take(subject, request)).seconds;

    it('the rate limiter lets a burst through and refuses the next, however many ask at once', async () => {
      covers('DOC-E.rate_limited');
      const subject = randomUUID();
      const verdicts = await Promise.all(Array.from({ length: 100 }, () => secondsOf(slow, subject)));
      expect(verdicts.filter((verdict) => verdict === 0)).toHaveLength(60);
      for (const verdict of verdicts.filter((seconds) => seconds !== 0))
        expect(verdict).toBeGreaterThanOrEqual(1);
    });

    it('the rate limiter counts each subject alone', async () => {
      for (let n = 0; n < 7; n++) expect(await secondsOf(fast, randomUUID())).toBe(0);
    });

    it('the rate limiter tells each refused request a time at which it is let through, no matter who asks meanwhile', async () => {
      covers('DOC-E.retry_after', 'DOC-D.54');
      const subject = randomUUID();
      const told = new Map<string, number>();
      for (let n = 0; told.size < 4; n++) {
        const { seconds, isReserved } = await fast.take(subject, `early ${n}`);
        if (seconds > 0) told.set(`early ${n}`, seconds);
        expect(isReserved).toBe(seconds > 0);
      }
      let waited = 0;
      for (const [request, seconds] of told) {
        await wait((seconds - waited) * 1000);
        waited = seconds;
        for (let n = 0; n < 7; n++) await fast.take(subject, `late ${n} ${request}`);
        expect([request, await secondsOf(fast, subject, request)]).toEqual([request, 0]);
      }
    });

    it('the rate limiter gives a request as many places as it was refused', async () => {
      covers('DOC-D.54');
      const subject = randomUUID();
      const seconds: number[] = [];
      while (seconds.length < 3) {
        const told = await secondsOf(fast, subject);
        if (told > 0) seconds.push(told);
      }
      await wait(seconds.at(-1)! * 1000);
      for (let n = 0; n < 7; n++) await fast.take(subject, `late ${n}`);
      for (let n = 0; n < 3; n++) expect(await secondsOf(fast, subject)).toBe(0);
    });

    it('the rate limiter keeps no place beyond the longest that it plans ahead', async () => {
      covers('DOC-D.54');
      const limiter = await limiterOf({ perMinute: 2, burst: 3 });
      const subject = randomUUID();
      const verdicts = [];
      for (let n = 0; n < 7; n++) verdicts.push(await limiter.take(subject, `${n}`));
      expect(verdicts.map(({ isReserved }) => isReserved)).toEqual([
        false,
        false,
        false,
        true,
        true,
        false,
        false,
      ]);
      expect(verdicts[6]!.seconds).toBe(verdicts[5]!.seconds);
    });

    it('the rate limiter reserves and keeps places for requests that another limiter refused', async () => {
      covers('DOC-D.54');
      const subject = randomUUID();
      expect(await fast.reserve(subject, 'reserved', 2)).toEqual({ seconds: 2, isReserved: true });
      expect(await secondsOf(fast, subject, 'taken')).toBe(0);
      await fast.keep(subject, 'taken', 2);
      await wait(2000);
      for (let n = 0; n < 7; n++) await fast.take(subject, `late ${n}`);
      for (const request of ['reserved', 'taken'])
        expect([request, await secondsOf(fast, subject, request)]).toEqual([request, 0]);
    });

    it('the rate limiter never refuses the sustained rate', async () => {
      covers('DOC-L.3');
      const limiter = await limiterOf({ perMinute: 600, burst: 1 });
      const subject = randomUUID();
      for (let request = 0; request < 12; request++) {
        expect(await secondsOf(limiter, subject)).toBe(0);
        await wait(100 + 5);
      }
    });
  });
}
