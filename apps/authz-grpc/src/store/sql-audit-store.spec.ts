import { randomUUID } from 'node:crypto';
import { fileURLToPath } from 'node:url';
import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { migrate, openDatabase, type Database, type Sql } from '@platform/database';
import { startPostgres, type Postgres } from '@platform/testing';
import { covers } from '@platform/testing/covers';
import { turnsOf } from '@platform/testing/event-loop';
import { verifyChain } from '../audit/verify-chain.ts';
import { events, NOON } from './audit-store.contract.ts';
import { createAuditPartitions } from './sql-audit-partitions.ts';
import { createAuditReader } from './sql-audit-reader.ts';
import { createAuditStore } from './sql-audit-store.ts';

const DAY_MS = 86_400_000;

describe('audit rows, when another process holds what they wait for', () => {
  let postgres: Postgres;
  let database: Database;
  beforeEach(async () => {
    postgres = await startPostgres();
    database = await openDatabase(await postgres.createDatabase(), { embeddedFolder: '' });
    await migrate(database, fileURLToPath(new URL('../../../../prisma/authz/migrations/', import.meta.url)));
    await createAuditPartitions(database).maintain({ now: NOON, retentionDays: 10 });
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

  it('audit rows are written although another replica takes the same chains in the other order', async () => {
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
      expect(await verifyChain(createAuditReader(database), tenant)).toMatchObject({
        tenantId: tenant,
        rows: 2,
        broken: null,
      });
    }
  });

  it('long rows are made ready over several turns of the event loop, two mebibytes for each statement', async () => {
    covers('AUTHZ-K.19');
    const tenant = randomUUID();
    const statements: { turns: number; size: number }[] = [];
    let answeredIn = 0;
    /** Notes how many turns begin between a response of the database and the next statement. */
    const watched = (sql: Sql, turn: () => number): Sql => ({
      ...sql,
      async query<Row>(...args: Parameters<Sql['query']>) {
        const size = (args[1] ?? []).reduce<number>((sum, value) => sum + String(value).length, 0);
        if (args[2] === 'audit append') statements.push({ turns: turn() - answeredIn, size });
        const result = await sql.query<Row>(...args);
        answeredIn = turn();
        return result;
      },
    });
    const detail = `{"a":[${Array.from({ length: 200 }, () => `"${'x'.repeat(98)}"`).join()}]}`;
    await turnsOf((turn) =>
      createAuditStore({
        ...database,
        ...watched(database, turn),
        transaction: (work, options) => database.transaction((sql) => work(watched(sql, turn)), options),
      }).append(events(tenant, 400).map((event) => ({ ...event, detail }))),
    );
    expect(statements.length).toBeGreaterThan(3);
    expect(Math.max(...statements.map(({ size }) => size))).toBeLessThan(2.2 * 1024 * 1024);
    expect(Math.max(...statements.map(({ turns }) => turns))).toBeGreaterThan(0);
    expect(await verifyChain(createAuditReader(database), tenant)).toMatchObject({ rows: 400, broken: null });
  });

  it('audit rows are written while an old day is removed', async () => {
    covers('AUTHZ-U.5');
    const [tenant, other] = [randomUUID(), randomUUID()];
    for (const id of [tenant, other]) await createAuditStore(database).append(events(id, 1));
    const now = NOON + 11 * DAY_MS;
    let dropped: Promise<string[]> | undefined;
    let appended: Promise<void> | undefined;
    await database.transaction(async (rival) => {
      // Retention stops in the midst of the chains, and a check comes.
      await lockHead(rival, other);
      dropped = createAuditPartitions(database).maintain({ now, retentionDays: 10 });
      await untilBlocked(1);
      appended = createAuditStore(database).append(events(tenant, 1, now));
      appended.catch(() => undefined);
      await untilBlocked(2);
    });
    await appended;
    expect(await dropped).toEqual(['audit_events_20260310']);
    expect(await verifyChain(createAuditReader(database), tenant)).toMatchObject({
      tenantId: tenant,
      rows: 1,
      broken: null,
    });
  });
});
