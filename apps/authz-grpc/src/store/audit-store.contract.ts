import { randomUUID } from 'node:crypto';
import { beforeAll, describe, expect, it } from '@jest/globals';
import { covers } from '@platform/testing/covers';
import { verifyChain } from '../audit/verify-chain.ts';
import type { AuditEvent } from '../model/audit-event.ts';
import { unpackChecks } from '../model/packed-checks.ts';
import type { AuditFilter, AuditPartitions, AuditReader, AuditStore } from './audit-store.ts';

const DAY_MS = 86_400_000;
export const NOON = Date.parse('2026-03-10T12:00:00Z');

/** Decisions of one tenant, a millisecond apart. */
export function events(tenantId: string, count: number, time = NOON): AuditEvent[] {
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
    outcome: '',
    operation: '',
    detail: '',
  }));
}

/** What the suite runs against: an empty, migrated database of one kind. */
export interface AuditUnderTest {
  /** A store as another replica has it. */
  newStore(): AuditStore;
  readonly reader: AuditReader;
  readonly partitions: AuditPartitions;
  /** Changes rows as no part of the service does. */
  query(sql: string, values: readonly unknown[]): Promise<unknown>;
}

/** What every store of audit rows does. */
export function auditStoreContract(open: () => AuditUnderTest): void {
  describe('the store of audit rows', () => {
    beforeAll(() => open().partitions.maintain({ now: NOON, retentionDays: 10 }));

    it('two writers on the same tenants fork no chain and lose no row', async () => {
      covers('AUTHZ-U.5');
      const tenants = [randomUUID(), randomUUID()];
      const writers = [open().newStore(), open().newStore()];
      await Promise.all(
        writers.map(async (writer) => {
          for (let i = 0; i < 20; i += 1) await writer.append(tenants.flatMap((tenant) => events(tenant, 3)));
        }),
      );
      for (const tenant of tenants) {
        expect(await verifyChain(open().reader, tenant)).toMatchObject({
          tenantId: tenant,
          rows: 120,
          broken: null,
        });
      }
    });

    it('rows that are long together are one chain, and none of them is stored when one cannot be', async () => {
      covers('AUTHZ-K.19');
      const tenant = randomUUID();
      const writer = open().newStore();
      const long = (last: string) =>
        events(tenant, 12).map((event, i) => ({
          ...event,
          detail: i === 11 ? last : `{"a":"${'x'.repeat(500_000)}"}`,
        }));
      await expect(writer.append(long('no text of Postgres: \0'))).rejects.toThrow();
      await writer.append(long('{}'));
      await writer.append(events(tenant, 1));
      expect(await verifyChain(open().reader, tenant)).toMatchObject({ rows: 13, broken: null });
    });

    it('an event appended again, as after a lost response, is stored once', async () => {
      const tenant = randomUUID();
      const batch = events(tenant, 3);
      const writer = open().newStore();
      await writer.append(batch);
      await open()
        .newStore()
        .append([...batch, ...events(tenant, 1)]);
      expect((await verifyChain(open().reader, tenant)).rows).toBe(4);
    });

    it('audit rows store every text unchanged', async () => {
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
        outcome: texts[i] as string,
        operation: texts[i] as string,
        detail: texts[i] as string,
      }));
      await open().newStore().append(batch);
      const stored = await open().reader.find({ tenantId: tenant, limit: 99 });
      expect(stored.reverse()).toMatchObject(batch);
      expect((await verifyChain(open().reader, tenant)).broken).toBeNull();
    });

    it('decided checks are read whole, newest first, whatever their texts hold and however long they are', async () => {
      covers('AUTHZ-C.5');
      const tenant = randomUUID();
      const domainId = randomUUID();
      const texts = [
        '\u0001',
        '\u0001\u0001',
        'a\u0001\u0002',
        '\u0001\u0002\u0001',
        '"',
        '\\',
        '\n',
        'ü😀',
        '',
      ];
      const append = (details: readonly string[]) =>
        open()
          .newStore()
          .append(
            events(tenant, details.length).map((event, i) => ({
              ...event,
              domainId,
              subject: texts[i % texts.length] as string,
              action: texts[(i * 2) % texts.length] as string,
              detail: details[i] as string,
            })),
          );
      const read = async () => {
        const found: string[] = [];
        for (let beforeSequence: number | null = null; ;) {
          const place = { after: new Date(0), before: new Date(NOON + DAY_MS), beforeSequence, limit: 5 };
          const slice = await open().reader.decided({ tenantId: tenant, except: [randomUUID()], ...place });
          if (slice === null) return found;
          const checks = [...unpackChecks(slice.checks)];
          expect(checks).toHaveLength(slice.rows);
          found.push(
            ...checks.map(({ subject, action, detail }) => JSON.stringify([subject, action, detail.length])),
          );
          beforeSequence = slice.sequence;
        }
      };
      const short = texts.map((_, i) => (i === 3 ? '' : '{"versions":{}}'));
      const told = (details: readonly string[]) =>
        details.map((detail, i) =>
          JSON.stringify([texts[i % texts.length], texts[(i * 2) % texts.length], detail.length]),
        );
      await append(short);
      expect((await read()).reverse()).toEqual(told(short));
      // Three of them are more than one slice holds.
      const long = texts.map((_, i) =>
        i % 2 === 0 ? `{"versions":{},"more":"${'x'.repeat(5_000_000)}"}` : '{}',
      );
      await append(long);
      expect((await read()).reverse()).toEqual([...told(short), ...told(long)]);
    });

    it('decided checks are those of searches as well, of before too, but no plan and no search without items', async () => {
      covers('AUTHZ-A.19', 'AUTHZ-A.20');
      const tenant = randomUUID();
      const domainId = randomUUID();
      const rows: [string, boolean][] = [
        ['{"versions":{},"search":"resources"}', true],
        ['{"search":"subjects"}', true],
        ['{"search":"subjects"}', false],
        ['{"search":"plan"}', true],
        ['{"search":"actions","listed":0,"versions":{}}', false],
        ['{"search":"plan","listed":0,"versions":{}}', true],
      ];
      const batch = events(tenant, rows.length).map((event, i) => {
        const [detail, decision] = rows[i]!;
        return { ...event, domainId, detail, decision };
      });
      await open().newStore().append(batch);
      const slice = await open().reader.decided({
        tenantId: tenant,
        except: [],
        after: new Date(0),
        before: new Date(NOON + DAY_MS),
        beforeSequence: null,
        limit: 10,
      });
      const details = [...unpackChecks(slice!.checks)].map(({ detail }) => detail);
      expect(details.reverse()).toEqual([rows[0]![0], rows[1]![0]]);
    });

    it('rows of checks, changes and logins are told apart by their operation and outcome', async () => {
      covers('AUTHZ-U.6');
      const tenant = randomUUID();
      const kinds = ['', 'PutDomainPolicies', 'Login', ''];
      const batch = events(tenant, 4).map((event, i) => ({
        ...event,
        operation: kinds[i] as string,
        outcome: i === 3 ? 'DOMAIN_NOT_ACCESSIBLE' : '',
      }));
      await open().newStore().append(batch);
      const ids = async (filter: Partial<AuditFilter>) =>
        (await open().reader.find({ tenantId: tenant, limit: 9, ...filter })).map(({ id }) => id);
      const [check, change, login, refused] = batch.map(({ id }) => id);
      expect(await ids({ kind: 'check' })).toEqual([refused, check]);
      expect(await ids({ kind: 'change' })).toEqual([change]);
      expect(await ids({ kind: 'login' })).toEqual([login]);
      expect(await ids({ operation: 'Login' })).toEqual([login]);
      expect(await ids({ refused: true })).toEqual([refused]);
      expect(await ids({ refused: false, kind: 'check' })).toEqual([check]);
    });

    it.each(['outcome', 'operation', 'detail'])(
      'a row whose %s is altered or taken away breaks the chain',
      async (column) => {
        covers('AUTHZ-U.6', 'AUTHZ-U.5');
        for (const value of ["'other'", 'NULL']) {
          const tenant = randomUUID();
          await open()
            .newStore()
            .append(events(tenant, 3).map((event) => ({ ...event, [column]: 'as it was' })));
          await open().query(
            `UPDATE audit_events SET ${column} = ${value} WHERE tenant_id = $1 AND sequence = 2`,
            [tenant],
          );
          expect((await verifyChain(open().reader, tenant)).broken).toEqual({
            sequence: 2,
            why: 'row altered',
          });
        }
      },
    );

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
      await open().newStore().append(events(tenant, 5));
      await open().query(sql, [tenant]);
      expect((await verifyChain(open().reader, tenant)).broken).toEqual({ sequence: 3, why });
    });

    it('a chain whose end was cut off together with its head holds by itself, and not to a head noted before', async () => {
      covers('AUTHZ-U.5', 'PLAT-O.15');
      const tenant = randomUUID();
      await open().newStore().append(events(tenant, 5));
      const { head } = await open().reader.chain(tenant);
      expect((await verifyChain(open().reader, tenant, head)).broken).toBeNull();
      await open().query('DELETE FROM audit_events WHERE tenant_id = $1 AND sequence > 3', [tenant]);
      await open().query(
        `UPDATE audit_chains SET sequence = 3, hash = (SELECT hash FROM audit_events WHERE tenant_id = $1 AND
         sequence = 3) WHERE tenant_id = $1`,
        [tenant],
      );
      expect((await verifyChain(open().reader, tenant)).broken).toBeNull();
      const noted = async () => (await verifyChain(open().reader, tenant, head)).broken;
      expect(await noted()).toEqual({ sequence: 5, why: 'head gone' });
      // Other rows in place of those that were cut off.
      await open().newStore().append(events(tenant, 4));
      expect((await verifyChain(open().reader, tenant)).broken).toBeNull();
      expect(await noted()).toEqual({ sequence: 5, why: 'head replaced' });
    });

    it('old days go with their partition, and the chain holds from its anchor on', async () => {
      const tenant = randomUUID();
      const writer = open().newStore();
      await writer.append(events(tenant, 4));
      await writer.append(events(tenant, 2, NOON + DAY_MS));
      const dropped = await open().partitions.maintain({ now: NOON + 11 * DAY_MS, retentionDays: 10 });
      expect(dropped).toEqual(['audit_events_20260310']);
      expect(await verifyChain(open().reader, tenant)).toMatchObject({
        tenantId: tenant,
        rows: 2,
        broken: null,
      });
      expect(await open().reader.find({ tenantId: tenant, limit: 9 })).toHaveLength(2);
    });

    it('an old day that goes while the chain is walked is no missing row', async () => {
      covers('AUTHZ-U.5');
      const tenant = randomUUID();
      const writer = open().newStore();
      // Days of their own: the partitions of other tests may be gone.
      const from = NOON + 30 * DAY_MS;
      await open().partitions.maintain({ now: from, retentionDays: 10 });
      await writer.append(events(tenant, 4, from));
      await writer.append(events(tenant, 2, from + DAY_MS));
      const { reader, partitions } = open();
      let isGone = false;
      const walked: AuditReader = {
        ...reader,
        async rows(...args) {
          // Between where the chain begins and its rows.
          if (!isGone) await partitions.maintain({ now: from + 11 * DAY_MS, retentionDays: 10 });
          isGone = true;
          return reader.rows(...args);
        },
      };
      expect(await verifyChain(walked, tenant)).toMatchObject({ tenantId: tenant, rows: 2, broken: null });
    });

    it('a noted head that retention took is not missed, and one that the chain begins behind is compared', async () => {
      covers('PLAT-O.15');
      const tenant = randomUUID();
      // After every other test that has days: this removes them all.
      const writer = open().newStore();
      const from = NOON + 60 * DAY_MS;
      await open().partitions.maintain({ now: from, retentionDays: 10 });
      await writer.append(events(tenant, 2, from));
      const heads = [(await open().reader.chain(tenant)).head];
      await writer.append(events(tenant, 1, from));
      heads.push((await open().reader.chain(tenant)).head);
      await writer.append(events(tenant, 1, from + DAY_MS));
      await open().partitions.maintain({ now: from + 11 * DAY_MS, retentionDays: 10 });
      for (const head of heads) expect((await verifyChain(open().reader, tenant, head)).broken).toBeNull();
      const other = { ...heads[1]!, hash: heads[0]!.hash };
      expect((await verifyChain(open().reader, tenant, other)).broken).toEqual({
        sequence: 3,
        why: 'head replaced',
      });
    });
  });
}
