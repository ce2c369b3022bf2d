import { randomUUID } from 'node:crypto';
import { fileURLToPath } from 'node:url';
import { beforeAll, describe, expect, it } from '@jest/globals';
import { createLeaseRecord, type LeaseRecord } from '@platform/authz-client';
import { suiteDatabase } from '@platform/database/migrated';
import { covers } from '@platform/testing/covers';
import { createPrisma } from '../store/prisma.ts';
import type { KeptByLease } from '../store/kept-by-lease.ts';
import type { SessionRef, SessionStore } from '../store/session-store.ts';
import { at, json, newSession } from '../store/sessions.fixture.ts';
import { createSqlSessionStore } from '../store/sql-session-store.ts';
import { createSqlWatchStore } from '../store/sql-watch.ts';
import type { WatchStore } from '../store/watch-store.ts';
import { sweepEnded } from './sweep-ended.ts';

const MIGRATIONS = fileURLToPath(new URL('../../../../prisma/investigation/migrations', import.meta.url));
const DAY_MS = 24 * 3_600_000;
const AFTER_DAYS = 30;

describe.each(['Postgres', 'PGlite'] as const)('the sweep of what is kept for users on %s', (kind) => {
  const database = suiteDatabase(kind, MIGRATIONS);
  let sessions: SessionStore;
  let store: WatchStore;
  let leases: LeaseRecord;
  beforeAll(() => {
    sessions = createSqlSessionStore(database, createPrisma(database));
    store = createSqlWatchStore(database);
    leases = createLeaseRecord(database);
  });

  /** What authz-grpc says; a lease that it does not know has ended. */
  const known = new Set<string>();
  const sweep = (days: number, swept: KeptByLease = store) =>
    sweepEnded({
      store: swept,
      ask: (asked) =>
        Promise.resolve(
          asked.map((lease) => ({
            status: known.has(lease) ? ('active' as const) : ('ended' as const),
            tenantDeletedAt: null,
          })),
        ),
      now: at(days * DAY_MS),
      afterDays: AFTER_DAYS,
    });
  async function subscribe(ref: SessionRef, lease: string | null) {
    known.add(lease ?? '');
    const subscription = {
      id: randomUUID(),
      subscriberId: lease ?? 'owner',
      lease,
      request: json({ rules: ['leading_changed'] }),
      webhookUrl: null,
      secret: null,
      documentsSince: null,
      policies: null,
      now: at(0),
    };
    expect(await store.subscribe(ref, subscription, { perUser: 99, perTenant: 99 })).toBe('subscribed');
  }
  async function newTenant() {
    const ref = await newSession(sessions);
    const tenantLease = randomUUID();
    known.add(tenantLease);
    await leases.saveTenant(ref.tenantId, tenantLease);
    return { ref, tenantLease };
  }
  const isKept = async (ref: SessionRef, subscriber: string) =>
    (await store.listSubscriptions(ref, subscriber)).length === 1;

  it(`a subscription on ${kind} is erased a while after its user has ended, and no other is`, async () => {
    covers('INV-WATCH.13');
    const { ref } = await newTenant();
    const [stays, leaves, returns] = [randomUUID(), randomUUID(), randomUUID()];
    for (const lease of [stays, leaves, returns, null]) await subscribe(ref, lease);
    // More than one call's worth.
    for (let n = 0; n < 60; n += 1) await subscribe(ref, randomUUID());
    expect(await sweep(0)).toBe(0);
    known.delete(leaves);
    known.delete(returns);
    expect(await sweep(1)).toBe(0);
    known.add(returns);
    expect(await sweep(AFTER_DAYS)).toBe(0);
    known.delete(returns);
    expect(await sweep(AFTER_DAYS + 2)).toBe(1);
    expect(await isKept(ref, leaves)).toBe(false);
    for (const subscriber of [stays, returns, 'owner']) expect(await isKept(ref, subscriber)).toBe(true);
  });

  it(`a subscription on ${kind} stays while authz-grpc does not know its tenant, and goes when the tenant is erased`, async () => {
    covers('INV-WATCH.13', 'INV-A.7');
    const { ref, tenantLease } = await newTenant();
    const lease = randomUUID();
    await subscribe(ref, lease);
    known.delete(lease);
    known.delete(tenantLease);
    for (const days of [100, 200, 300]) await sweep(days);
    expect(await isKept(ref, lease)).toBe(true);
    await sessions.eraseTenant(ref.tenantId);
    expect(await isKept(ref, lease)).toBe(false);
    expect(await store.listLeases('', 99)).not.toContainEqual(expect.objectContaining({ lease }));
  });

  it(`an invitation on ${kind} is erased a while after its user has ended, and no other is`, async () => {
    covers('INV-MEMBER.5');
    const { ref } = await newTenant();
    const [stays, leaves] = [randomUUID(), randomUUID()];
    for (const lease of [stays, leaves]) {
      known.add(lease);
      await sessions.putMember(ref, { userId: lease, role: 'read', lease, now: at(0) });
    }
    known.delete(leaves);
    expect(await sweep(1, sessions.invitations)).toBe(0);
    expect(await sweep(AFTER_DAYS, sessions.invitations)).toBe(0);
    expect(await sweep(AFTER_DAYS + 2, sessions.invitations)).toBe(1);
    expect((await sessions.listMembers(ref)).map(({ userId }) => userId)).toEqual([stays]);
  });
});
