import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { covers } from '@platform/testing/covers';
import { isPending, type Gate, type GateReply, type GateRequest } from './gate.ts';

/** Two handles on one gate, as two replicas hold them; for the in-process gate they are the same object. */
export interface GatePair {
  readonly one: Gate;
  readonly other: Gate;
}

const nothing: GateRequest = { seen: [], rates: [], takes: [] };

async function currentStamp(gate: Gate, key: string): Promise<string> {
  const reply = await gate.enter({ ...nothing, seen: [[key, '']] });
  if (reply.kind !== 'stale') throw new Error(`expected a stamp, got ${reply.kind}`);
  return reply.stamps.get(key) as string;
}

/** What every gate promises. */
export function gateContract(name: string, open: () => Promise<GatePair>): void {
  describe(`gate: ${name}`, () => {
    let one: Gate;
    let other: Gate;
    beforeAll(async () => {
      ({ one, other } = await open());
    });
    afterAll(async () => {
      await one.close();
      await other.close();
    });

    it('the gate admits a call that has seen the current versions, on either replica', async () => {
      const key = randomUUID();
      const stamp = await currentStamp(one, key);
      expect(await other.enter({ ...nothing, seen: [[key, stamp]] })).toEqual({ kind: 'entered' });
    });

    it('the gate holds as many versions as a batch over domains with many superiors reads', async () => {
      const keys = Array.from({ length: 10_000 }, () => randomUUID());
      const asked = await one.enter({ ...nothing, seen: keys.map((key) => [key, '']) });
      if (asked.kind !== 'stale') throw new Error(`expected stamps, got ${asked.kind}`);
      expect(asked.stamps.size).toBe(10_000);
      expect(await other.enter({ ...nothing, seen: [...asked.stamps] })).toEqual({ kind: 'entered' });
      const last = keys.at(-1) as string;
      await one.settle(await one.pend([last]));
      const stale = await other.enter({ ...nothing, seen: [...asked.stamps] });
      expect(stale.kind === 'stale' && [...stale.stamps.keys()]).toEqual([last]);
    });

    it('the gate returns every stale version at once and takes nothing', async () => {
      covers('AUTHZ-G.1');
      const [fresh, old, counter] = [randomUUID(), randomUUID(), randomUUID()];
      await one.seed(counter, { used: 0, epoch: 1 });
      const stamp = await currentStamp(one, fresh);
      const current = await currentStamp(one, old);
      const takes = [{ key: counter, calls: 1, epoch: 1, capacity: 5 }];
      const seen: GateRequest['seen'] = [
        [fresh, stamp],
        [old, 'of yesterday'],
      ];
      expect(await one.enter({ ...nothing, seen, takes })).toEqual({
        kind: 'stale',
        stamps: new Map([[old, current]]),
      });
      expect(await one.usage([counter])).toEqual([{ used: 0, epoch: 1 }]);
    });

    it('pend ends the old version on every replica, and settle ends the pending one', async () => {
      covers('AUTHZ-G.2');
      const key = randomUUID();
      const before = await currentStamp(one, key);
      const mark = await one.pend([key]);
      const during = await currentStamp(other, key);
      expect(isPending(during)).toBe(true);
      expect((await other.enter({ ...nothing, seen: [[key, before]] })).kind).toBe('stale');
      await one.settle(mark);
      const after = await currentStamp(other, key);
      expect(isPending(after)).toBe(false);
      expect(new Set([before, during, after]).size).toBe(3);
    });

    it('the gate keeps the mark of a second writer when the first settles, and ends the version of the first', async () => {
      covers('AUTHZ-G.2');
      const key = randomUUID();
      const first = await one.pend([key]);
      const second = await other.pend([key]);
      await one.settle(first);
      expect(await currentStamp(one, key)).toBe(second.stamp);
      await other.settle(second);
      const settled = await currentStamp(one, key);
      await one.settle(first);
      expect(await currentStamp(one, key)).not.toBe(settled);
    });

    it('the gate asks for counters it does not know, and seeds them once', async () => {
      const key = randomUUID();
      const request: GateRequest = { ...nothing, takes: [{ key, calls: 1, epoch: 1, capacity: 10 }] };
      expect(await one.enter(request)).toEqual({ kind: 'unseeded', keys: [key] });
      await one.seed(key, { used: 8, epoch: 1 });
      await other.seed(key, { used: 0, epoch: 1 });
      expect(await other.enter(request)).toEqual({ kind: 'entered' });
      expect(await one.usage([key, randomUUID()])).toEqual([{ used: 9, epoch: 1 }, null]);
    });

    it('the gate starts a counter of an earlier epoch from zero', async () => {
      covers('AUTHZ-Q.2');
      const key = randomUUID();
      await one.seed(key, { used: 10, epoch: 1 });
      const take = { key, calls: 2, capacity: 10 };
      expect((await one.enter({ ...nothing, takes: [{ ...take, epoch: 1 }] })).kind).toBe('quota_exhausted');
      expect((await one.enter({ ...nothing, takes: [{ ...take, epoch: 2 }] })).kind).toBe('entered');
      expect(await one.usage([key])).toEqual([{ used: 2, epoch: 2 }]);
    });

    it('the gate counts a call of an earlier epoch in the current one, and never returns to an earlier epoch', async () => {
      covers('AUTHZ-Q.2');
      const [key, empty] = [randomUUID(), randomUUID()];
      await one.seed(key, { used: 10, epoch: 1 });
      await one.seed(empty, { used: 0, epoch: 2 });
      const take = (id: string, epoch: number) =>
        one.enter({ ...nothing, takes: [{ key: id, calls: 1, epoch, capacity: 3 }] });
      expect((await take(key, 2)).kind).toBe('entered');
      // It read its states before a refresh and enters behind it.
      expect((await take(key, 1)).kind).toBe('entered');
      expect((await take(empty, 1)).kind).toBe('entered');
      expect(await one.usage([key, empty])).toEqual([
        { used: 2, epoch: 2 },
        { used: 1, epoch: 2 },
      ]);
      expect((await take(key, 2)).kind).toBe('entered');
      for (const epoch of [1, 2]) expect((await take(key, epoch)).kind).toBe('quota_exhausted');
    });

    it('the gate takes from all counters or from none', async () => {
      covers('AUTHZ-Q.3');
      const [full, free] = [randomUUID(), randomUUID()];
      await one.seed(full, { used: 3, epoch: 1 });
      await one.seed(free, { used: 0, epoch: 1 });
      const takes = [
        { key: free, calls: 1, epoch: 1, capacity: 10 },
        { key: full, calls: 1, epoch: 1, capacity: 3 },
      ];
      expect(await one.enter({ ...nothing, takes })).toEqual({ kind: 'quota_exhausted', key: full });
      expect(await one.usage([free, full])).toEqual([
        { used: 0, epoch: 1 },
        { used: 3, epoch: 1 },
      ]);
    });

    it('the gate grants exactly 10,500 of 20,000 concurrent takes on 10,000 and an overage of 500, over two replicas', async () => {
      covers('AUTHZ-Q.1');
      const key = randomUUID();
      await one.seed(key, { used: 0, epoch: 1 });
      const takes = [{ key, calls: 1, epoch: 1, capacity: 10_500 }];
      const replies: Promise<GateReply>[] = [];
      for (let i = 0; i < 20_000; i += 1)
        replies.push((i % 2 === 0 ? one : other).enter({ ...nothing, takes }));
      const kinds = (await Promise.all(replies)).map(({ kind }) => kind);
      expect(kinds.filter((kind) => kind === 'entered')).toHaveLength(10_500);
      expect(kinds.filter((kind) => kind === 'quota_exhausted')).toHaveLength(9_500);
    });

    it('the gate never admits more than the limit in one window, and returns the delay until the next call', async () => {
      covers('AUTHZ-L.1');
      // A thousandth of the window outlives the test, so no arrival falls due meanwhile and the count is
      // exact.
      const rate = { key: randomUUID(), limit: 1_000, windowMs: 10 * 86_400_000 };
      const replies: Promise<GateReply>[] = [];
      for (let i = 0; i < 3_000; i += 1)
        replies.push((i % 2 === 0 ? one : other).enter({ ...nothing, rates: [rate] }));
      const settled = await Promise.all(replies);
      expect(settled.filter(({ kind }) => kind === 'entered')).toHaveLength(1_000);
      const refused = settled.find((reply) => reply.kind === 'rate_limited');
      expect(refused).toMatchObject({ key: rate.key });
      expect((refused as { retryAfterMs: number }).retryAfterMs).toBeGreaterThan(0);
      expect((refused as { retryAfterMs: number }).retryAfterMs).toBeLessThanOrEqual(
        rate.windowMs / rate.limit,
      );
    });

    it('the gate takes neither rate nor quota when either is refused', async () => {
      covers('AUTHZ-Q.4');
      const [counter, rate] = [randomUUID(), { key: randomUUID(), limit: 1, windowMs: 3_600_000 }];
      await one.seed(counter, { used: 5, epoch: 1 });
      const full = [{ key: counter, calls: 1, epoch: 1, capacity: 5 }];
      const free = [{ key: counter, calls: 1, epoch: 1, capacity: 9 }];
      expect((await one.enter({ ...nothing, rates: [rate], takes: full })).kind).toBe('quota_exhausted');
      expect((await one.enter({ ...nothing, rates: [rate], takes: free })).kind).toBe('entered');
      expect((await one.enter({ ...nothing, rates: [rate], takes: free })).kind).toBe('rate_limited');
      expect(await one.usage([counter])).toEqual([{ used: 6, epoch: 1 }]);
    });
  });
}
