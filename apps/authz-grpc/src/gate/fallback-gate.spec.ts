import { afterEach, describe, expect, it } from '@jest/globals';
import { createLogger } from '@platform/service-kit';
import { covers } from '@platform/testing/covers';
import { createFallbackGate } from './fallback-gate.ts';
import type { QuotaUsage } from '../model/quota.ts';
import type { Gate } from './gate.ts';
import { createMemoryGate } from './memory-gate.ts';

const logger = createLogger({ service: 'test', level: 'silent' });
const KEY = 'data_plane:1';

/** A shared gate that goes away and comes back, with its counters or, like a Redis started empty, without. */
function losable() {
  let inner = createMemoryGate();
  let isAway = false;
  /** Told of each method before it is passed on. */
  let before: (method: string) => unknown = () => undefined;
  const passing = <K extends Exclude<keyof Gate, 'isAway'>>(method: K) =>
    (async (...args: unknown[]) => {
      if (isAway) throw new Error('away');
      await before(method);
      const reply = await (inner[method] as (...args: unknown[]) => Promise<unknown>)(...args);
      if (isAway) throw new Error('away before it answered');
      return reply;
    }) as unknown as Gate[K];
  const gate: Gate = {
    enter: passing('enter'),
    pend: passing('pend'),
    settle: passing('settle'),
    seed: passing('seed'),
    usage: passing('usage'),
    isAway: () => false,
    close: async () => undefined,
  };
  return {
    gate,
    leave: () => void (isAway = true),
    comeBack: () => void (isAway = false),
    lose: () => void (inner = createMemoryGate()),
    intercept: (told: typeof before) => void (before = told),
  };
}

let opened: Gate[] = [];
afterEach(async () => {
  await Promise.all(opened.map((gate) => gate.close()));
  opened = [];
});

function open(shared: Gate, replicas = 1): Gate {
  const gate = createFallbackGate(shared, { replicas, logger, onReturn: () => undefined });
  opened.push(gate);
  return gate;
}

/**
 * Makes calls until one is refused, as admission does over a store that holds `stored`, and counts those that
 * entered.
 */
async function useUp(gate: Gate, stored: QuotaUsage, { capacity = 10, epoch = 1, most = 100 } = {}) {
  let granted = 0;
  while (granted < most) {
    const reply = await gate.enter({ seen: [], rates: [], takes: [{ key: KEY, calls: 1, epoch, capacity }] });
    if (reply.kind === 'unseeded') await gate.seed(KEY, stored);
    else if (reply.kind === 'entered') granted += 1;
    else break;
  }
  return granted;
}

const untilBack = async (gate: Gate) => {
  while (gate.isAway()) await new Promise((resolve) => setTimeout(resolve, 20));
};

describe('quotas while the shared gate is unavailable', () => {
  it('quotas continue from what the store holds, shared among the replicas, while the shared gate is unavailable', async () => {
    covers('AUTHZ-G.6');
    const { gate, leave } = losable();
    leave();
    expect(await useUp(open(gate), { used: 4, epoch: 1 })).toBe(6);
    expect(await useUp(open(gate, 2), { used: 4, epoch: 1 })).toBe(3);
    // The figure of an earlier cycle counts no more.
    expect(await useUp(open(gate), { used: 10, epoch: 1 }, { epoch: 2 })).toBe(10);
  });

  it.each([
    ['one that was hung, with its counters', false],
    ['one that was started empty', true],
  ])('quotas are taken from the shared counters once the gate is back: %s', async (_what, isLost) => {
    covers('AUTHZ-G.6');
    const { gate, leave, comeBack, lose } = losable();
    const [one, other] = [open(gate, 2), open(gate, 2)];
    const stored: QuotaUsage = { used: 2, epoch: 1 };
    expect(await useUp(one, stored, { most: 0 })).toBe(0);
    await one.seed(KEY, stored);
    leave();
    expect(await useUp(one, stored, { most: 3 })).toBe(3);
    expect(await useUp(other, stored)).toBe(4);
    if (isLost) lose();
    comeBack();
    await Promise.all([untilBack(one), untilBack(other)]);
    expect(await one.usage([KEY])).toEqual([{ used: 9, epoch: 1 }]);
    expect(await useUp(one, stored)).toBe(1);
  });

  it('quotas are flushed once although the gate becomes unavailable again meanwhile', async () => {
    const { gate, leave, comeBack, intercept } = losable();
    const one = open(gate);
    const stored: QuotaUsage = { used: 0, epoch: 1 };
    leave();
    expect(await useUp(one, stored, { most: 3 })).toBe(3);
    let isFirst = true;
    intercept((method) => {
      if (method !== 'enter' || !isFirst) return;
      isFirst = false;
      leave();
      setTimeout(comeBack, 300);
    });
    comeBack();
    await untilBack(one);
    expect(await one.usage([KEY])).toEqual([{ used: 3, epoch: 1 }]);
  });

  it('quotas are not reset by counts of a cycle that has ended', async () => {
    const { gate, leave, comeBack } = losable();
    const [one, other] = [open(gate), open(gate)];
    leave();
    expect(await useUp(one, { used: 0, epoch: 1 }, { most: 3 })).toBe(3);
    comeBack();
    await other.seed(KEY, { used: 5, epoch: 2 });
    await untilBack(one);
    expect(await one.usage([KEY])).toEqual([{ used: 5, epoch: 2 }]);
  });

  it('quotas are exact for calls that arrive during a flush', async () => {
    const { gate, leave, comeBack, intercept } = losable();
    const one = open(gate);
    const stored: QuotaUsage = { used: 0, epoch: 1 };
    leave();
    expect(await useUp(one, stored, { most: 6 })).toBe(6);
    const meanwhile: Promise<number>[] = [];
    intercept((method) => {
      if (method === 'usage') meanwhile.push(useUp(one, stored));
    });
    comeBack();
    await untilBack(one);
    intercept(() => undefined);
    const later = await useUp(one, stored);
    const granted = await Promise.all(meanwhile);
    expect(granted.length).toBeGreaterThan(0);
    expect(granted.reduce((sum, calls) => sum + calls, later)).toBe(4);
  });
});

describe('writes while the shared gate is unavailable', () => {
  it('writes are announced although they end while the shared gate comes back, and calls continue', async () => {
    const { gate, leave, comeBack, intercept } = losable();
    const one = open(gate);
    const stampOf = async (key: string) => {
      const reply = await gate.enter({ seen: [[key, '']], rates: [], takes: [] });
      return reply.kind === 'stale' ? reply.stamps.get(key) : undefined;
    };
    const before = [await stampOf('user:1'), await stampOf('user:2')];
    leave();
    await one.settle(await one.pend(['user:1']));
    const late = await one.pend(['user:2']);
    expect(await useUp(one, { used: 0, epoch: 1 }, { most: 2 })).toBe(2);
    // The write ends, and a call comes, while the counts are told.
    const meanwhile: Promise<number>[] = [];
    intercept(async (method) => {
      if (method !== 'usage' || meanwhile.length > 0) return;
      meanwhile.push(useUp(one, { used: 0, epoch: 1 }, { most: 3 }));
      await one.settle(late);
    });
    comeBack();
    await untilBack(one);
    expect(await Promise.all(meanwhile)).toEqual([3]);
    expect(await one.usage([KEY])).toEqual([{ used: 5, epoch: 1 }]);
    expect(await stampOf('user:1')).not.toBe(before[0]);
    expect(await stampOf('user:2')).not.toBe(before[1]);
  });
});
