import { randomUUID } from 'node:crypto';
import { fileURLToPath } from 'node:url';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { migrate, openDatabase, type Database, type Sql } from '@platform/database';
import { startPostgres, type Postgres } from '@platform/testing';
import { covers } from '@platform/testing/covers';
import type { AuditEvent } from './audit-event.ts';
import { createAuditStore } from './audit-store.ts';
import { maintainPartitions } from './partitions.ts';
import { findAuditEvents, verifyChain } from './read-audit.ts';

const DAY_MS = 86_400_000;
const NOON = Date.parse('2026-03-10T12:00:00Z');

function events(tenantId: string, count: number, time = NOON): AuditEvent[] {
  return Array.from({ length: count }, (_, i) => ({
    id: randomUUID(),
    time: time + i,
    tenantId,
    domainId: randomUUID(),
    subject: `subject "${i}" 'ü'`,
    action: 'read',
    object: 'svc://x/\\',
    decision: i % 2 === 0,
    matchedPolicy: 'p',
    callerId: randomUUID(),
    latencyMicros: i,
    policyVersion: 3,
  }));
}

describe.each(['pglite', 'postgres'])('audit rows on %s', (kind) => {
  let postgres: Postgres | null = null;
  let database: Database;
  beforeAll(async () => {
    if (kind === 'postgres') postgres = await startPostgres();
    const url = postgres === null ? 'pglite:memory://' : await postgres.createDatabase();
    database = await openDatabase(url, { embeddedFolder: '' });
    await migrate(database, fileURLToPath(new URL('../../../../prisma/authz/migrations/', import.meta.url)));
    await maintainPartitions(database, { now: NOON, retentionDays: 10 });
  });
  afterAll(async () => {
    await database.close();
    await postgres?.stop();
  });

  it('two writers on the same tenants fork no chain and lose no row', async () => {
    covers('AUTHZ-U.5');
    const tenants = [randomUUID(), randomUUID()];
    const writers = [createAuditStore(database), createAuditStore(database)];
    await Promise.all(
      writers.map(async (writer) => {
        for (let i = 0; i < 20; i += 1) await writer.append(tenants.flatMap((tenant) => events(tenant, 3)));
      }),
    );
    for (const tenant of tenants) {
      expect(await verifyChain(database, tenant)).toEqual({ tenantId: tenant, rows: 120, broken: null });
    }
  });

  it('an event appended again, as after a lost answer, is stored once', async () => {
    const tenant = randomUUID();
    const batch = events(tenant, 3);
    const writer = createAuditStore(database);
    await writer.append(batch);
    await createAuditStore(database).append([...batch, ...events(tenant, 1)]);
    expect((await verifyChain(database, tenant)).rows).toBe(4);
  });

  it('stores every text as it was', async () => {
    const tenant = randomUUID();
    const texts = [
      'NULL',
      '{a,b}',
      'a,b',
      '"',
      '\\',
      '\\"',
      "'",
      ' x ',
      '\n\t',
      '$1',
      'ü😀',
      '',
      'x'.repeat(10_000),
    ];
    const batch = events(tenant, texts.length).map((event, i) => ({
      ...event,
      subject: texts[i] as string,
      action: texts[i] as string,
      object: texts[i] as string,
      matchedPolicy: texts[i] as string,
    }));
    await createAuditStore(database).append(batch);
    const stored = await findAuditEvents(database, { tenantId: tenant, limit: 99 });
    expect(stored.reverse()).toMatchObject(batch);
    expect((await verifyChain(database, tenant)).broken).toBeNull();
  });

  it.each([
    [
      'altered',
      'UPDATE audit_events SET decision = NOT decision WHERE tenant_id = $1 AND sequence = 3',
      'row altered',
    ],
    ['removed', 'DELETE FROM audit_events WHERE tenant_id = $1 AND sequence = 3', 'row missing'],
    ['cut off', 'DELETE FROM audit_events WHERE tenant_id = $1 AND sequence >= 3', 'row missing'],
  ])('a row %s breaks the chain there', async (_name, sql, why) => {
    covers('AUTHZ-U.5');
    const tenant = randomUUID();
    await createAuditStore(database).append(events(tenant, 5));
    await database.query(sql, [tenant]);
    expect((await verifyChain(database, tenant)).broken).toEqual({ sequence: 3, why });
  });

  it('old days go with their partition, and the chain holds from its anchor on', async () => {
    const tenant = randomUUID();
    const writer = createAuditStore(database);
    await writer.append(events(tenant, 4));
    await writer.append(events(tenant, 2, NOON + DAY_MS));
    const dropped = await maintainPartitions(database, { now: NOON + 11 * DAY_MS, retentionDays: 10 });
    expect(dropped).toEqual(['audit_events_20260310']);
    expect(await verifyChain(database, tenant)).toEqual({ tenantId: tenant, rows: 2, broken: null });
    expect(await findAuditEvents(database, { tenantId: tenant, limit: 9 })).toHaveLength(2);
  });

  it('an old day that goes while the chain is walked is no missing row', async () => {
    covers('AUTHZ-U.5');
    const tenant = randomUUID();
    const writer = createAuditStore(database);
    // Days of their own: the partitions of other tests may be gone.
    const from = NOON + 30 * DAY_MS;
    await maintainPartitions(database, { now: from, retentionDays: 10 });
    await writer.append(events(tenant, 4, from));
    await writer.append(events(tenant, 2, from + DAY_MS));
    let asked = 0;
    const walked: Sql = {
      ...database,
      async query(...args) {
        asked += 1;
        // Between where the chain begins and its rows.
        if (asked === 2) await maintainPartitions(database, { now: from + 11 * DAY_MS, retentionDays: 10 });
        return database.query(...args);
      },
    };
    expect(await verifyChain(walked, tenant)).toEqual({ tenantId: tenant, rows: 2, broken: null });
  });
});

describe('audit rows, when another process holds what they wait for', () => {
  let postgres: Postgres;
  let database: Database;
  beforeEach(async () => {
    postgres = await startPostgres();
    database = await openDatabase(await postgres.createDatabase(), { embeddedFolder: '' });
    await migrate(database, fileURLToPath(new URL('../../../../prisma/authz/migrations/', import.meta.url)));
    await maintainPartitions(database, { now: NOON, retentionDays: 10 });
  });
  afterEach(async () => {
    await database.close();
    await postgres.stop();
  });

  const lockHead = (sql: Sql, tenant: string) =>
    sql.query('SELECT 1 FROM audit_chains WHERE tenant_id = $1 FOR UPDATE', [tenant]);

  /** Resolves once that many statements wait for locks. */
  async function untilBlocked(count: number): Promise<void> {
    for (;;) {
      const { rows } = await database.query(
        `SELECT 1 FROM pg_stat_activity WHERE datname = current_database() AND wait_event_type = 'Lock'`,
      );
      if (rows.length >= count) return;
      await new Promise((resolve) => setImmediate(resolve));
    }
  }

  it('are written though another replica takes the same chains in the other order', async () => {
    covers('AUTHZ-U.5');
    const [first, second] = [randomUUID(), randomUUID()].sort() as [string, string];
    await createAuditStore(database).append([...events(first, 1), ...events(second, 1)]);
    let appended: Promise<void> | undefined;
    await database.transaction(async (rival) => {
      // Of the two, the store's transaction is the one to be ended.
      await rival.query("SET LOCAL deadlock_timeout = '1h'");
      await lockHead(rival, second);
      appended = createAuditStore(database).append([...events(first, 1), ...events(second, 1)]);
      appended.catch(() => undefined);
      await untilBlocked(1);
      await lockHead(rival, first);
    });
    await appended;
    for (const tenant of [first, second]) {
      expect(await verifyChain(database, tenant)).toEqual({ tenantId: tenant, rows: 2, broken: null });
    }
  });

  it('are written while an old day goes', async () => {
    covers('AUTHZ-U.5');
    const [tenant, other] = [randomUUID(), randomUUID()];
    for (const id of [tenant, other]) await createAuditStore(database).append(events(id, 1));
    const now = NOON + 11 * DAY_MS;
    let dropped: Promise<string[]> | undefined;
    let appended: Promise<void> | undefined;
    await database.transaction(async (rival) => {
      // Retention stops in the midst of the chains, and a check comes.
      await lockHead(rival, other);
      dropped = maintainPartitions(database, { now, retentionDays: 10 });
      await untilBlocked(1);
      appended = createAuditStore(database).append(events(tenant, 1, now));
      appended.catch(() => undefined);
      await untilBlocked(2);
    });
    await appended;
    expect(await dropped).toEqual(['audit_events_20260310']);
    expect(await verifyChain(database, tenant)).toEqual({ tenantId: tenant, rows: 1, broken: null });
  });
});
