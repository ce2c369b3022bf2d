import { describe, expect, it } from '@jest/globals';
import { covers } from '@platform/testing/covers';
import type { LeaseState } from './authority.ts';
import { createLeases, eraseDeletedTenants, rememberTenants } from './leases.ts';

const STATE = (status: LeaseState['status']): LeaseState => ({ status, tenantDeletedAt: null });
const DAY_MS = 24 * 3_600_000;

/** Leases over a scripted authz-grpc and a clock that the test moves. */
function setUp() {
  const world = { at: 0, status: 'active' as LeaseState['status'], isDown: false, isReadOnly: false };
  const asked: string[][] = [];
  const recorded: [string, string, boolean][] = [];
  const leases = createLeases({
    ask: async (wanted) => {
      asked.push([...wanted]);
      if (world.isDown) throw new Error('unavailable');
      return wanted.map(() => STATE(world.status));
    },
    record: {
      async record(...entry) {
        if (world.isReadOnly) throw new Error('read-only');
        recorded.push(entry);
      },
    },
    now: () => world.at,
  });
  const isActive = (lease = 'l', wasActive = true) => leases.isActive({ owner: 't', lease, wasActive });
  return { world, asked, recorded, isActive };
}
const settle = () => new Promise((resolve) => setTimeout(resolve, 5));

describe('leases', () => {
  it('an ended lease is inactive at once where its end cannot be recorded', async () => {
    covers('DOC-D.40', 'INV-A.6');
    const { world, isActive } = setUp();
    Object.assign(world, { status: 'ended', isReadOnly: true });
    expect(await isActive()).toBe(false);
    world.at += 60_000;
    expect(await isActive()).toBe(false);
  });

  it('an ended lease is inactive within five seconds, however often it is asked about', async () => {
    covers('DOC-D.40', 'INV-A.6');
    for (const step of [50, 400, 1_000, 2_500, 3_999, 4_500, 60_000]) {
      const { world, isActive } = setUp();
      expect(await isActive()).toBe(true);
      world.status = 'ended';
      const endedAt = world.at;
      for (;;) {
        world.at += step;
        const served = await isActive();
        await settle();
        if (!served) break;
        expect(world.at - endedAt).toBeLessThan(5_000);
      }
    }
  });

  it('a lease that is used all the time is asked about once in a while, and never waited for', async () => {
    const { world, asked, isActive } = setUp();
    await isActive();
    for (world.at = 0; world.at < 60_000; world.at += 100) {
      const calls = asked.length;
      const serving = isActive();
      // A waiting request would have sent its question and have no response by now.
      expect(await Promise.race([serving, Promise.resolve().then(() => Promise.resolve('late'))])).toBe(true);
      await settle();
      expect(asked.length).toBeLessThanOrEqual(calls + 1);
    }
    expect(asked.length).toBeLessThan(60_000 / 1_500 + 2);
  });

  it('leases of one turn of the event loop are asked about in one call, at most a hundred in each', async () => {
    const { asked, isActive } = setUp();
    await Promise.all(Array.from({ length: 150 }, (_, index) => isActive(`l${index}`)));
    expect(asked.map(({ length }) => length)).toEqual([100, 50]);
  });

  it('while authz-grpc is unavailable the last known state holds, and nobody waits for it twice a second', async () => {
    const { world, asked, isActive } = setUp();
    world.isDown = true;
    expect([await isActive('a'), await isActive('b', false)]).toEqual([true, false]);
    expect(asked.length).toBe(1);
    world.at = 1_100;
    expect(await isActive('a')).toBe(true);
    expect(asked.length).toBe(2);
    Object.assign(world, { isDown: false, status: 'suspended', at: 2_200 });
    expect(await isActive('a')).toBe(false);
    Object.assign(world, { isDown: true, at: 60_000 });
    expect([await isActive('a'), await isActive('a', false)]).toEqual([false, false]);
  });

  it('a state that changed is recorded once', async () => {
    const { world, recorded, isActive } = setUp();
    await isActive();
    expect(recorded).toEqual([]);
    Object.assign(world, { status: 'suspended', at: 10_000 });
    await isActive();
    Object.assign(world, { status: 'active', at: 20_000 });
    await isActive('l', false);
    expect(recorded).toEqual([
      ['t', 'l', false],
      ['t', 'l', true],
    ]);
  });

  it('a tenant is remembered once it was saved, and again after a failure', async () => {
    const saved: string[] = [];
    let isDown = true;
    const remember = rememberTenants(async (tenantId) => {
      if (isDown) throw new Error('unavailable');
      saved.push(tenantId);
    });
    await expect(remember('t', 'l')).rejects.toThrow('unavailable');
    isDown = false;
    await remember('t', 'l');
    await remember('t', 'l');
    expect(saved).toEqual(['t']);
  });
});

describe('erasure', () => {
  it('erasure removes the tenants whose deletion is on record and old enough, and keeps those that authz-grpc does not know', async () => {
    covers('DOC-D.41', 'INV-A.7');
    const now = new Date('2026-03-01T00:00:00Z');
    const ago = (days: number) => new Date(now.getTime() - days * DAY_MS);
    const deletions: Record<string, Date | null> = { young: ago(29.99), due: ago(30), unknown: null };
    const tenants = Object.keys(deletions)
      .sort()
      .map((owner) => ({ owner, lease: owner }));
    const calls: string[] = [];
    const erased = await eraseDeletedTenants({
      ask: async (leases) => leases.map((lease) => ({ status: 'ended', tenantDeletedAt: deletions[lease]! })),
      record: {
        listTenants: async (after, limit) => tenants.filter(({ owner }) => owner > after).slice(0, limit),
        forget: async (owner) => void calls.push(`forget ${owner}`),
      },
      erase: async (owner) => void calls.push(`erase ${owner}`),
      now,
      afterDays: 30,
    });
    expect([erased, calls]).toEqual([['due'], ['erase due', 'forget due']]);
  });
});
