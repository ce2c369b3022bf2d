import { randomUUID } from 'node:crypto';
import { fileURLToPath } from 'node:url';
import { beforeAll, describe, expect, it } from '@jest/globals';
import { suiteDatabase } from '@platform/database/migrated';
import fc from 'fast-check';
import { SEED } from '@platform/testing/seed';
import { covers } from '@platform/testing/covers';
import { soak } from '@platform/testing/soak';
import type { SessionUpdated } from './session-store.ts';
import type { NaiveListed, NaiveSession } from './naive-sessions.fixture.ts';
import { holderKey, naiveList, naivePayload, naiveUpdate } from './naive-sessions.fixture.ts';
import { at, change, entity, json, newSession, payloadOf } from './sessions.fixture.ts';
import type { EntityRef } from '../model/entity.ts';
import { ROLES, type Role } from '../model/role.ts';
import type { SessionChange, SessionQuery, SessionRef, SessionStore } from './session-store.ts';
import { createSqlSessionStore } from './sql-session-store.ts';

fc.configureGlobal({ seed: SEED });

const MIGRATIONS = fileURLToPath(new URL('../../../../prisma/investigation/migrations/', import.meta.url));
const KINDS = ['actors', 'claims'] as const;

/** A request of a caller: PATCH, PUT of an item (a change of one item), or DELETE of an item. */
type Write = { readonly patch: Partial<SessionChange> } | { readonly remove: EntityRef };

/** Few ids, so that writes meet. */
const ref: fc.Arbitrary<EntityRef> = fc.record({
  kind: fc.constantFrom(...KINDS),
  id: fc.constantFrom('a', 'b', 'c', 'd', '\0', '\ud800'),
});
const item = fc
  .tuple(ref, fc.oneof(fc.nat(9), fc.string({ unit: 'binary', maxLength: 8 })))
  .map(([{ kind, id }, value]) => entity(kind, id, { value }));
const move = fc
  .tuple(ref, ref, fc.boolean())
  .map(([moved, { id }, isLast]) => ({ ...moved, before: isLast ? null : id }));
const isSame = (a: EntityRef, b: EntityRef) => a.kind === b.kind && a.id === b.id;
const write: fc.Arbitrary<Write> = fc.oneof(
  {
    weight: 3,
    arbitrary: fc.record({
      patch: fc.record(
        {
          upserts: fc.uniqueArray(item, { maxLength: 5, comparator: isSame }),
          removals: fc.array(ref, { maxLength: 3 }),
          moves: fc.array(move, { maxLength: 4 }),
          settings: fc.dictionary(
            fc.constantFrom('domain', 'research_question', '__proto__'),
            fc.constantFrom(null, 1, 'x\0'),
          ),
        },
        { requiredKeys: [] },
      ),
    }),
  },
  { weight: 2, arbitrary: item.map((given) => ({ patch: { upserts: [given] } })) },
  { weight: 1, arbitrary: ref.map((remove) => ({ remove })) },
);

const outcomeOf = (outcome: SessionUpdated | string) =>
  typeof outcome === 'string' ? outcome : outcome.outcome;

function* permutations<T>(items: readonly T[]): Generator<T[]> {
  if (items.length === 0) yield [];
  for (const [index, first] of items.entries()) {
    for (const rest of permutations(items.toSpliced(index, 1))) yield [first, ...rest];
  }
}

function applyNaive(session: NaiveSession, write: Write): { session: NaiveSession; outcome: string } {
  if ('patch' in write) return { session: naiveUpdate(session, write.patch), outcome: 'updated' };
  const isThere = session.entities.some((entity) => isSame(entity, write.remove));
  return {
    session: naiveUpdate(session, { removals: [write.remove] }),
    outcome: isThere ? 'deleted' : 'no_entity',
  };
}

/** Where some order of the writes leads that has these outcomes and this payload; null when none does. */
function explain(
  before: NaiveSession,
  writes: readonly Write[],
  outcomes: readonly string[],
  payload: string,
) {
  for (const order of permutations([...writes.keys()])) {
    let session = before;
    const isRight = order.every((index) => {
      const applied = applyNaive(session, writes[index]!);
      ({ session } = applied);
      return applied.outcome === outcomes[index];
    });
    if (isRight && JSON.stringify(naivePayload(session)) === payload) return session;
  }
  return null;
}

const NAMES = [
  'alpha',
  'Alpha',
  'ALPHA beta',
  'ß',
  'Straße',
  'İ',
  'ΣΟΦΟΣ',
  '100%',
  'a_b',
  'a\\b',
  '\uFFFD',
  '😀',
  'x'.repeat(600),
];
const holder = fc.record({
  userId: fc.constantFrom('o1', 'o2', 'o3'),
  lease: fc.constantFrom('l1', 'l2', null),
});
const invited = fc.record({
  userId: fc.constantFrom('o1', 'o2', 'o3'),
  lease: fc.constantFrom('l1', 'l2'),
  role: fc.constantFrom(...ROLES),
});
const listed = fc.record({
  tenantId: fc.constantFrom('t1', 't1', 't1', 't2'),
  idStart: fc.constantFrom('a', 'A', 'a%', 'a_', 'ä\\'),
  ownerId: fc.constantFrom('o1', 'o1', 'o1', 'o2'),
  name: fc.oneof(
    fc.constantFrom(...NAMES),
    fc.constantFrom('1', '2', 'Z', 'é').map((end) => 'X'.repeat(600) + end),
  ),
  created: fc.nat(5),
  updated: fc.nat(5),
  judged: fc.option(fc.nat(5)),
  invited: fc.array(invited, { maxLength: 3 }),
});
const query: fc.Arbitrary<Omit<SessionQuery, 'tenantId'>> = fc.record(
  {
    ownerId: fc.constantFrom('o1', 'o1', null),
    hasResult: fc.boolean(),
    nameFilter: fc.constantFrom(
      '',
      'a',
      'ALPHA',
      'ss',
      'ß',
      'i',
      'σ',
      'ς',
      '%',
      '_',
      '\\',
      '😀',
      'alpha beta',
      'xxx',
      'xé',
    ),
    sort: fc.constantFrom('updated_at', 'created_at', 'name'),
    updatedAfter: fc.nat(8).map(at),
    updatedBefore: fc.nat(8).map(at),
    holder,
    among: fc.record({
      exact: fc.subarray(['a 1', 'A 2', 'a% 3', 'a_ 4', 'b']),
      prefixes: fc.subarray(['a', 'A ', 'a%', 'a_', 'ä\\', 'b'], { maxLength: 2 }),
    }),
    limit: fc.integer({ min: 1, max: 12 }),
    offset: fc.nat(14),
  },
  { requiredKeys: ['ownerId', 'holder', 'sort', 'limit', 'offset'] },
);

describe.each([
  ['Postgres', soak(100, 20)],
  ['PGlite', soak(40, 8)],
] as const)('the session store on %s', (kind, numRuns) => {
  const database = suiteDatabase(kind, MIGRATIONS);
  let store: SessionStore;
  beforeAll(() => {
    store = createSqlSessionStore(database);
  });

  it('the session store orders parallel PATCHes, PUTs and DELETEs: each batch is explained by one after the other', async () => {
    covers('INV-S.7', 'INV-S.8', 'INV-S.15');
    const run = (session: SessionRef, write: Write): Promise<string> =>
      'patch' in write
        ? store.update(session, change(write.patch)).then(outcomeOf)
        : store.deleteEntity(session, write.remove, at(1));
    const batches = fc.array(fc.array(write, { minLength: 1, maxLength: 4 }), { minLength: 1, maxLength: 5 });
    await fc.assert(
      fc.asyncProperty(batches, async (given) => {
        const session = await newSession(store);
        let known: NaiveSession = { settings: {}, entities: [] };
        for (const writes of given) {
          const outcomes = await Promise.all(writes.map((write) => run(session, write)));
          const payload = (await payloadOf(store, session))!;
          const next = explain(known, writes, outcomes, payload);
          if (next === null) throw new Error(`no order of ${JSON.stringify(writes)} gives ${payload}`);
          known = next;
        }
      }),
      { numRuns, verbose: 1 },
    );
  });

  it('the session store lists what a brute-force reading of the parameters lists', async () => {
    await fc.assert(
      fc.asyncProperty(
        fc.array(listed, { minLength: 5, maxLength: 25 }),
        fc.array(query, { minLength: 30, maxLength: 30 }),
        async (sessions, queries) => {
          const run = randomUUID();
          const created: NaiveListed[] = [];
          for (const [index, { tenantId, idStart, ownerId, name, ...given }] of sessions.entries()) {
            const session = { tenantId: `${run} ${tenantId}`, sessionId: `${idStart} ${index}` };
            await newSession(store, { ref: session, ownerId, name, now: at(given.created) });
            await store.update(session, change({ now: at(given.updated) }));
            const id = randomUUID();
            if (given.judged !== null) {
              const judgement = { id, judgedAt: at(given.judged), durationMs: null, revision: 0 };
              await store.saveJudgement(session, { ...judgement, inputSnapshot: json(1), result: json(1) });
            }
            // The last invitation of a user stands.
            const roles = new Map<string, Role>();
            for (const { userId, lease, role } of given.invited) {
              for (const other of ['l1', 'l2']) roles.delete(holderKey({ userId, lease: other }));
              roles.set(holderKey({ userId, lease }), role);
              await store.putMember(session, { userId, lease, role, now: at(0) });
            }
            created.push({
              ...session,
              roles,
              ownerId,
              name,
              createdAt: at(given.created),
              updatedAt: at(Math.max(given.created, given.updated)),
              judgedAt: given.judged === null ? null : at(given.judged),
              claimCount: 0,
              lastJudgementId: given.judged === null ? null : id,
              answer: null,
            });
          }
          for (const given of queries) {
            const asked = { tenantId: `${run} t1`, ...given };
            expect(await store.list(asked)).toEqual(naiveList(created, asked));
          }
        },
      ),
      { numRuns: numRuns / 4, verbose: 1 },
    );
  });
});
