import { randomUUID } from 'node:crypto';
import { fileURLToPath } from 'node:url';
import { beforeAll, describe, expect, it } from '@jest/globals';
import { suiteDatabase } from '@platform/database/migrated';
import { covers } from '@platform/testing/covers';
import type { Holder } from '../model/role.ts';
import { recordKey } from '../model/written-record.ts';
import type { NewOutcome, OutcomeStore, StoredStatement } from './outcome-store.ts';
import { createPrisma } from './prisma.ts';
import type { SessionsAmong, SessionStore } from './session-store.ts';
import { at, json, newSession } from './sessions.fixture.ts';
import { createSqlOutcomeStore } from './sql-outcomes.ts';
import { createSqlSessionStore } from './sql-session-store.ts';

const COUNTS = { right: 1, statements: 2 };

const MIGRATIONS = fileURLToPath(new URL('../../../../prisma/investigation/migrations', import.meta.url));

const said = (name: string, wasRight: boolean, more: Partial<StoredStatement> = {}): StoredStatement => ({
  name,
  sourceType: 'Journalist',
  reliability: 0.7,
  wasRight,
  ...more,
});

function outcome(statements: StoredStatement[] | null, more: Partial<NewOutcome> = {}): NewOutcome {
  return {
    id: randomUUID(),
    body: json({ nul: '\0 é' }),
    knownAt: at(1),
    recordedAt: at(2),
    forecast:
      statements === null
        ? null
        : { text: json({ said: 1 }), chance: 0.8, wasRight: true, domain: 'Ne\0ws', statements },
    ...more,
  };
}

describe.each(['Postgres', 'PGlite'] as const)('the outcome store on %s', (kind) => {
  const database = suiteDatabase(kind, MIGRATIONS);
  let sessions: SessionStore;
  let store: OutcomeStore;
  beforeAll(() => {
    const prisma = createPrisma(database);
    sessions = createSqlSessionStore(database, prisma);
    store = createSqlOutcomeStore(database);
  });

  const own = (tenantId: string) => ({ tenantId, sessionIds: null, ownerId: 'owner' });
  const records = async (tenantId: string) =>
    (await store.sourceRecords(own(tenantId), { limit: 50, offset: 0 })).map(
      ({ name, statements, right }) => [name, right, statements],
    );

  it(`outcomes on ${kind} come back to the byte, last recorded first, and end with their session`, async () => {
    covers('INV-O.1');
    const ref = await newSession(sessions);
    const [first, second] = [outcome(null), outcome([said('A', true)], { recordedAt: at(3) })];
    for (const one of [first, second]) expect(await store.putOutcome(ref, one)).toBe('recorded');
    const { forecast, ...rest } = second;
    expect(await store.listOutcomes(ref, { limit: 5, offset: 0 })).toEqual([
      { ...rest, forecast: forecast!.text },
      { ...first, forecast: null },
    ]);
    expect(await store.deleteOutcome(ref, 'no-uuid')).toBe(false);
    expect(await store.deleteOutcome(ref, first.id)).toBe(true);
    expect(await store.deleteOutcome(ref, first.id)).toBe(false);
    await sessions.deleteSession(ref);
    expect(await store.listOutcomes(ref, { limit: 5, offset: 0 })).toEqual([]);
    expect(await records(ref.tenantId)).toEqual([]);
    expect(await store.putOutcome(ref, first)).toBe('no_session');
  });

  it(`what sources of a session on ${kind} were declared as is known under each number that a record gave, of that session alone`, async () => {
    covers('INV-O.13');
    const [ref, other] = [await newSession(sessions), await newSession(sessions)];
    const declaredOf = async (where: typeof ref, ...of: [string, number][]) => {
      const declared = await store.declaredReliabilities(where);
      return of.map(([actorId, reliability]) => declared.of(actorId, reliability));
    };
    const versionOf = async () => (await sessions.readSession(ref))!.version;
    const before = await versionOf();
    await store.noteApplied(ref, []);
    expect(await versionOf()).toBe(before);
    await store.noteApplied(ref, [
      { actorId: "a'\0", applied: 0.4, declared: 0.85, isStated: false, ...COUNTS },
    ]);
    await store.noteApplied(ref, [
      { actorId: "a'\0", applied: 0.3, declared: 0.85, isStated: false, ...COUNTS },
      { actorId: 'b', applied: 0, declared: 0.5, isStated: true, ...COUNTS },
    ]);
    expect(await declaredOf(ref, ["a'\0", 0.4], ["a'\0", 0.3], ["a'\0", 0.31], ['b', 0.4])).toEqual([
      0.85, 0.85, 0.31, 0.4,
    ]);
    const noted = await store.declaredReliabilities(ref);
    expect(noted.records).toContain(recordKey('b', { ...COUNTS, base_reliability: 0 }));
    expect(noted.records).toHaveLength(3);
    expect([noted.before("a'\0", 0.4), noted.before('b', 0), noted.before('b', 0.4)]).toEqual([
      null,
      0.5,
      undefined,
    ]);
    // Judgements move a number into their range.
    expect(await declaredOf(ref, ['b', 0.01], ['b', 0])).toEqual([0.5, 0.5]);
    expect(await declaredOf(other, ["a'\0", 0.4])).toEqual([0.4]);
    expect(JSON.stringify(await sessions.readSession(ref))).not.toContain('0.85');
    await sessions.deleteSession(ref);
    expect(await declaredOf(ref, ["a'\0", 0.4])).toEqual([0.4]);
  });

  it(`an outcome on ${kind} that is recorded again leaves nothing of what it taught before`, async () => {
    covers('INV-O.1');
    const ref = await newSession(sessions);
    const id = randomUUID();
    await store.putOutcome(ref, outcome([said('A', true), said('B', false), said('C', false)], { id }));
    await store.putOutcome(ref, outcome([said('B', true)], { id }));
    expect(await records(ref.tenantId)).toEqual([['B', 1, 1]]);
    await store.putOutcome(ref, outcome(null, { id }));
    expect(await records(ref.tenantId)).toEqual([]);
    expect(await store.scoredForecasts(own(ref.tenantId), 9)).toEqual({ outcomes: 1, forecasts: [] });
  });

  it(`records of sources on ${kind} join by kind and name, without case and runs of spaces, whatever the names hold`, async () => {
    covers('INV-O.5');
    const ref = await newSession(sessions);
    await store.putOutcome(
      ref,
      outcome([
        said('The  ΣΊΣΥΦΟΣ', true, { reliability: 0.6 }),
        said('the σίσυφος ', false, { reliability: 0.8 }),
        said('the σίσυφος', true, { sourceType: 'Expert' }),
        said('nul \0 \ud800', true),
      ]),
    );
    const scope = own(ref.tenantId);
    const [joined, ...others] = await store.sourceRecords(scope, { limit: 9, offset: 0 });
    expect(joined).toMatchObject({ sourceType: 'Journalist', statements: 2, right: 1, reliability: 0.7 });
    expect(others).toHaveLength(2);
    const named = await store.sourceRecords(scope, { nameFilter: 'Σίσυφος', limit: 9, offset: 0 });
    expect(named).toHaveLength(2);
    const asked = [
      { name: 'THE ΣΊΣΥΦΟΣ', sourceType: 'Expert' },
      { name: 'nobody', sourceType: 'Expert' },
    ];
    expect(await store.recordsOf(scope, asked)).toMatchObject([{ statements: 1, right: 1 }, null]);
  });

  it(`the reports on ${kind} count the sessions that are asked about, and no other tenant's`, async () => {
    covers('INV-O.4', 'INV-O.15');
    const [ref, other] = [await newSession(sessions), await newSession(sessions)];
    const foreign = { tenantId: ref.tenantId, sessionId: 'of a colleague' };
    await newSession(sessions, { ref: foreign, ownerId: 'colleague' });
    for (const one of [ref, other, foreign]) await store.putOutcome(one, outcome([said('A', true)]));
    const { tenantId } = ref;
    const holder = { userId: 'owner', lease: 'l' };
    const forecast = { chance: 0.8, wasRight: true, domain: 'Ne\0ws' };
    expect(await store.scoredForecasts(own(tenantId), 9)).toEqual({ outcomes: 1, forecasts: [forecast] });
    expect(await store.sessionsWithOutcomes(tenantId, holder, 9)).toEqual([
      { sessionId: 'of a colleague', ownerId: 'colleague', role: null },
      { sessionId: 'session', ownerId: 'owner', role: null },
    ]);
    const among = { exact: ['none'], prefixes: ['of%'] };
    const colleague = { userId: 'colleague', lease: 'c' };
    const sought = { sessionId: 'of a colleague', ownerId: 'colleague', role: null };
    const withOutcomes = (as: Holder, more: Partial<SessionsAmong>) =>
      store.sessionsWithOutcomes(tenantId, as, 9, { ...among, ...more });
    expect(await withOutcomes(holder, {})).toHaveLength(1);
    for (const more of [{ prefixes: ['of a'] }, { exact: ['of a colleague'] }])
      expect(await withOutcomes(holder, more)).toContainEqual(sought);
    expect(await withOutcomes(colleague, {})).toEqual([sought]);
    await sessions.putMember(foreign, { userId: 'owner', role: 'read', lease: 'l', now: at(1) });
    expect(await withOutcomes(holder, {})).toContainEqual({ ...sought, role: 'read' });
    const scope = { tenantId, ownerId: 'owner', sessionIds: ['session', 'of a colleague'] };
    expect(await store.scoredForecasts(scope, 9)).toMatchObject({ outcomes: 2 });
    const [record] = await store.sourceRecords(scope, { limit: 9, offset: 0 });
    expect(record).toMatchObject({
      statements: 2,
      reliability: 0.7,
      owners: ['colleague', 'owner'].map((ownerId) => ({ ownerId, outcomes: 1, statements: 1 })),
    });
    expect((await store.sourceRecords({ ...scope, sessionIds: [] }, { limit: 9, offset: 0 })).length).toBe(0);
  });
});
