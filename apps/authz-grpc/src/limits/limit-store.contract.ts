import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { covers } from '@platform/testing/covers';
import { isPending, type LimitStore, type AcquireResult, type AcquireRequest } from './limit-store.ts';

/**
 * Two handles on one limit store, as two replicas hold them; for the one in process they are the same
 * object.
 */
export interface GatePair {
  readonly one: LimitStore;
  readonly other: LimitStore;
}

/** Calls of one tenant: what was seen of an entity in one part of a store says nothing in another. */
const nothing: AcquireRequest = { home: 'tenant', expectVersions: [], rates: [], quotas: [] };

async function currentVersion(limits: LimitStore, key: string): Promise<string> {
  const reply = await limits.tryAcquire({ ...nothing, expectVersions: [[key, '']] });
  if (reply.kind !== 'stale') throw new Error(`expected a version, got ${reply.kind}`);
  return reply.versions.get(key) as string;
}

/** What every limit store promises. */
export function limitStoreContract(name: string, open: () => Promise<GatePair>): void {
  describe(`limit store: ${name}`, () => {
    let one: LimitStore;
    let other: LimitStore;
    beforeAll(async () => {
      ({ one, other } = await open());
    });
    afterAll(async () => {
      await one.close();
      await other.close();
    });

    it('the limit store admits a call that has seen the current versions, on either replica', async () => {
      const key = randomUUID();
      const version = await currentVersion(one, key);
      expect(await other.tryAcquire({ ...nothing, expectVersions: [[key, version]] })).toEqual({
        kind: 'acquired',
      });
    });

    it('the limit store holds as many versions as a batch over domains with many superiors reads', async () => {
      const keys = Array.from({ length: 10_000 }, () => randomUUID());
      const asked = await one.tryAcquire({ ...nothing, expectVersions: keys.map((key) => [key, '']) });
      if (asked.kind !== 'stale') throw new Error(`expected versions, got ${asked.kind}`);
      expect(asked.versions.size).toBe(10_000);
      expect(await other.tryAcquire({ ...nothing, expectVersions: [...asked.versions] })).toEqual({
        kind: 'acquired',
      });
      const last = keys.at(-1) as string;
      await one.commitInvalidation(await one.beginInvalidation([last]));
      const stale = await other.tryAcquire({ ...nothing, expectVersions: [...asked.versions] });
      expect(stale.kind === 'stale' && [...stale.versions.keys()]).toEqual([last]);
    });

    it('the limit store returns every stale version at once and takes nothing', async () => {
      covers('AUTHZ-G.1');
      const [fresh, old, counter] = [randomUUID(), randomUUID(), randomUUID()];
      await one.seed(counter, { used: 0, epoch: 1 });
      const version = await currentVersion(one, fresh);
      const current = await currentVersion(one, old);
      const quotas = [{ key: counter, calls: 1, epoch: 1, capacity: 5 }];
      const expectVersions: AcquireRequest['expectVersions'] = [
        [fresh, version],
        [old, 'of yesterday'],
      ];
      expect(await one.tryAcquire({ ...nothing, expectVersions, quotas })).toEqual({
        kind: 'stale',
        versions: new Map([[old, current]]),
      });
      expect(await one.usage([counter])).toEqual([{ used: 0, epoch: 1 }]);
    });

    it('beginInvalidation ends the old version on every replica, and commitInvalidation ends the pending one', async () => {
      covers('AUTHZ-G.2');
      const key = randomUUID();
      const before = await currentVersion(one, key);
      const mark = await one.beginInvalidation([key]);
      const during = await currentVersion(other, key);
      expect(isPending(during)).toBe(true);
      expect((await other.tryAcquire({ ...nothing, expectVersions: [[key, before]] })).kind).toBe('stale');
      await one.commitInvalidation(mark);
      const after = await currentVersion(other, key);
      expect(isPending(after)).toBe(false);
      expect(new Set([before, during, after]).size).toBe(3);
    });

    it('the limit store keeps the mark of a second writer when the first commits its own, and ends the version of the first', async () => {
      covers('AUTHZ-G.2');
      const key = randomUUID();
      const first = await one.beginInvalidation([key]);
      const second = await other.beginInvalidation([key]);
      await one.commitInvalidation(first);
      expect(await currentVersion(one, key)).toContain(second.version);
      await other.commitInvalidation(second);
      const settled = await currentVersion(one, key);
      await one.commitInvalidation(first);
      expect(await currentVersion(one, key)).not.toBe(settled);
    });

    it('the limit store asks for counters it does not know, and seeds them once', async () => {
      const key = randomUUID();
      const request: AcquireRequest = { ...nothing, quotas: [{ key, calls: 1, epoch: 1, capacity: 10 }] };
      expect(await one.tryAcquire(request)).toEqual({ kind: 'uninitialized', keys: [key] });
      await one.seed(key, { used: 8, epoch: 1 });
      await other.seed(key, { used: 0, epoch: 1 });
      expect(await other.tryAcquire(request)).toEqual({ kind: 'acquired' });
      expect(await one.usage([key, randomUUID()])).toEqual([{ used: 9, epoch: 1 }, null]);
    });

    it('the limit store starts a counter of an earlier epoch from zero', async () => {
      covers('AUTHZ-Q.2');
      const key = randomUUID();
      await one.seed(key, { used: 10, epoch: 1 });
      const take = { key, calls: 2, capacity: 10 };
      expect((await one.tryAcquire({ ...nothing, quotas: [{ ...take, epoch: 1 }] })).kind).toBe(
        'quota_exhausted',
      );
      expect((await one.tryAcquire({ ...nothing, quotas: [{ ...take, epoch: 2 }] })).kind).toBe('acquired');
      expect(await one.usage([key])).toEqual([{ used: 2, epoch: 2 }]);
    });

    it('the limit store counts a call of an earlier epoch in the current one, and never returns to an earlier epoch', async () => {
      covers('AUTHZ-Q.2');
      const [key, empty] = [randomUUID(), randomUUID()];
      await one.seed(key, { used: 10, epoch: 1 });
      await one.seed(empty, { used: 0, epoch: 2 });
      const take = (id: string, epoch: number) =>
        one.tryAcquire({ ...nothing, quotas: [{ key: id, calls: 1, epoch, capacity: 3 }] });
      expect((await take(key, 2)).kind).toBe('acquired');
      // It read its states before a refresh and enters behind it.
      expect((await take(key, 1)).kind).toBe('acquired');
      expect((await take(empty, 1)).kind).toBe('acquired');
      expect(await one.usage([key, empty])).toEqual([
        { used: 2, epoch: 2 },
        { used: 1, epoch: 2 },
      ]);
      expect((await take(key, 2)).kind).toBe('acquired');
      for (const epoch of [1, 2]) expect((await take(key, epoch)).kind).toBe('quota_exhausted');
    });

    it('the limit store takes from all counters or from none', async () => {
      covers('AUTHZ-Q.3');
      const [full, free] = [randomUUID(), randomUUID()];
      await one.seed(full, { used: 3, epoch: 1 });
      await one.seed(free, { used: 0, epoch: 1 });
      const quotas = [
        { key: free, calls: 1, epoch: 1, capacity: 10 },
        { key: full, calls: 1, epoch: 1, capacity: 3 },
      ];
      expect(await one.tryAcquire({ ...nothing, quotas })).toEqual({ kind: 'quota_exhausted', key: full });
      expect(await one.usage([free, full])).toEqual([
        { used: 0, epoch: 1 },
        { used: 3, epoch: 1 },
      ]);
    });

    it('the limit store takes nothing for a call of none, and refuses it where none is left', async () => {
      covers('AUTHZ-Q.4');
      const key = randomUUID();
      await one.seed(key, { used: 2, epoch: 1 });
      const take = async (calls: number, epoch = 1) =>
        (await one.tryAcquire({ ...nothing, quotas: [{ key, calls, epoch, capacity: 3 }] })).kind;
      expect(await take(0)).toBe('acquired');
      expect(await one.usage([key])).toEqual([{ used: 2, epoch: 1 }]);
      expect(await take(1)).toBe('acquired');
      expect(await take(0)).toBe('quota_exhausted');
      expect(await take(0, 2)).toBe('acquired');
      expect(await take(3, 2)).toBe('acquired');
      expect(await take(0, 2)).toBe('quota_exhausted');
    });

    it('the limit store grants exactly 10,500 of 20,000 concurrent takes on 10,000 and an overage of 500, over two replicas', async () => {
      covers('AUTHZ-Q.1');
      const key = randomUUID();
      await one.seed(key, { used: 0, epoch: 1 });
      const quotas = [{ key, calls: 1, epoch: 1, capacity: 10_500 }];
      const replies: Promise<AcquireResult>[] = [];
      for (let i = 0; i < 20_000; i += 1)
        replies.push((i % 2 === 0 ? one : other).tryAcquire({ ...nothing, quotas }));
      const kinds = (await Promise.all(replies)).map(({ kind }) => kind);
      expect(kinds.filter((kind) => kind === 'acquired')).toHaveLength(10_500);
      expect(kinds.filter((kind) => kind === 'quota_exhausted')).toHaveLength(9_500);
    });

    it('the limit store never admits more than the limit in one window, and returns the delay until the next call', async () => {
      covers('AUTHZ-L.1');
      // A thousandth of the window outlives the test, so no arrival falls due meanwhile and the count is
      // exact.
      const rate = { key: randomUUID(), limit: 1_000, windowMs: 10 * 86_400_000 };
      const replies: Promise<AcquireResult>[] = [];
      for (let i = 0; i < 3_000; i += 1)
        replies.push((i % 2 === 0 ? one : other).tryAcquire({ ...nothing, rates: [rate] }));
      const settled = await Promise.all(replies);
      expect(settled.filter(({ kind }) => kind === 'acquired')).toHaveLength(1_000);
      const refused = settled.find((reply) => reply.kind === 'rate_limited');
      expect(refused).toMatchObject({ key: rate.key });
      expect((refused as { retryAfterMs: number }).retryAfterMs).toBeGreaterThan(0);
      expect((refused as { retryAfterMs: number }).retryAfterMs).toBeLessThanOrEqual(
        rate.windowMs / rate.limit,
      );
    });

    it('the limit store takes neither rate nor quota when either is refused', async () => {
      covers('AUTHZ-Q.4');
      const [counter, rate] = [randomUUID(), { key: randomUUID(), limit: 1, windowMs: 3_600_000 }];
      await one.seed(counter, { used: 5, epoch: 1 });
      const full = [{ key: counter, calls: 1, epoch: 1, capacity: 5 }];
      const free = [{ key: counter, calls: 1, epoch: 1, capacity: 9 }];
      expect((await one.tryAcquire({ ...nothing, rates: [rate], quotas: full })).kind).toBe(
        'quota_exhausted',
      );
      expect((await one.tryAcquire({ ...nothing, rates: [rate], quotas: free })).kind).toBe('acquired');
      expect((await one.tryAcquire({ ...nothing, rates: [rate], quotas: free })).kind).toBe('rate_limited');
      expect(await one.usage([counter])).toEqual([{ used: 6, epoch: 1 }]);
    });
  });
}
