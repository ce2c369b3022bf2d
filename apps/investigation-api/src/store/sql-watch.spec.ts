import { randomUUID } from 'node:crypto';
import { fileURLToPath } from 'node:url';
import { beforeAll, describe, expect, it } from '@jest/globals';
import { suiteDatabase } from '@platform/database/migrated';
import { covers } from '@platform/testing/covers';
import { createPrisma } from './prisma.ts';
import type { SessionStore } from './session-store.ts';
import { at, json, judge, newSession } from './sessions.fixture.ts';
import { createSqlSessionStore } from './sql-session-store.ts';
import { createSqlWatchStore } from './sql-watch.ts';
import type { ChangedDocument, ChangedPolicies, FollowedChanges } from '../model/followed-event.ts';
import { DOCUMENTS_FEED, type NewSubscription, type WatchOutcomes, type WatchStore } from './watch-store.ts';

const MIGRATIONS = fileURLToPath(new URL('../../../../prisma/investigation/migrations', import.meta.url));
const LIMITS = { perUser: 2, perTenant: 4 };

type Given = Partial<Pick<NewSubscription, 'webhookUrl' | 'documentsSince' | 'policies'>>;
const subscription = (given: Given = {}) => ({
  id: randomUUID(),
  subscriberId: 'owner',
  lease: null,
  request: json({ rules: ['leading_changed'] }),
  webhookUrl: null,
  secret: given.webhookUrl === undefined ? null : 'whsec_AAAA',
  documentsSince: null,
  policies: null,
  now: at(0),
  ...given,
});
const fired = (subscriptionId: string): WatchOutcomes => ({
  subscriptionId,
  remembered: { state: 'remembered', dueAt: null },
  events: [{ id: randomUUID(), rule: 'leading_changed', body: '{}', at: at(1) }],
});

describe.each(['Postgres', 'PGlite'] as const)('the watch store on %s', (kind) => {
  const database = suiteDatabase(kind, MIGRATIONS);
  let sessions: SessionStore;
  let store: WatchStore;
  beforeAll(() => {
    sessions = createSqlSessionStore(database, createPrisma(database));
    store = createSqlWatchStore(database);
  });

  const numbersOf = async (id: string) =>
    (await store.listEvents(id, { after: 0, limit: 50 })).map(({ number }) => number);
  const taken = async (now: Date, until: Date) => (await store.takeChange(now, until))!;

  it(`a judgement on ${kind} that a replica took and never finished is looked at by another, once`, async () => {
    covers('INV-WATCH.2');
    const ref = await newSession(sessions);
    const made = subscription();
    expect(await store.subscribe(ref, made, LIMITS)).toBe('subscribed');
    await store.finishChange(await taken(at(1), at(2)), [], at(1));
    const judgementId = await judge(sessions, ref, at(3));

    const dead = await taken(at(4), at(60));
    expect(dead.judgement?.id).toBe(judgementId);
    expect(await store.takeChange(at(59), at(100))).toBeNull();
    const heir = await taken(at(60), at(120));
    expect(heir).toEqual({ ...dead, attempts: 2 });
    expect(await store.finishChange(heir, [fired(made.id)], at(61))).toBe(true);
    // The first one was only slow: what it hands in now would be a second event.
    expect(await store.finishChange(dead, [fired(made.id)], at(62))).toBe(false);
    expect(await numbersOf(made.id)).toEqual([1]);
    expect(await store.takeChange(at(1_000), at(2_000))).toBeNull();
  });

  it(`judgements of one session on ${kind} are looked at in their order, one at a time`, async () => {
    covers('INV-WATCH.2');
    const ref = await newSession(sessions);
    await store.subscribe(ref, subscription(), LIMITS);
    await store.finishChange(await taken(at(1), at(2)), [], at(1));
    const [first, second] = [await judge(sessions, ref, at(3)), await judge(sessions, ref, at(4))];
    const one = await taken(at(5), at(60));
    expect(one.judgement?.id).toBe(first);
    expect(await store.takeChange(at(6), at(60))).toBeNull();
    await store.finishChange(one, [], at(7));
    const two = await taken(at(8), at(60));
    expect(two.judgement?.id).toBe(second);
    await store.finishChange(two, [], at(9));
  });

  it(`a delivery on ${kind} that is put off takes no attempt, and is due when it was put off to`, async () => {
    covers('INV-WATCH.24');
    const ref = await newSession(sessions);
    const made = subscription({ webhookUrl: 'https://example.org/' });
    await store.subscribe(ref, made, LIMITS);
    await store.finishChange(await taken(at(1), at(2)), [fired(made.id)], at(2));
    const options = { limit: 5, withoutTenants: [], withoutSubscriptions: [] };
    for (const second of [3, 40, 80]) {
      const [delivery] = await store.takeDeliveries(at(second), at(second + 20), options);
      expect(delivery).toMatchObject({ attempts: 1 });
      await store.postponeDelivery(delivery!, at(second + 30), 'suspended');
    }
    expect(await store.takeDeliveries(at(109), at(130), options)).toEqual([]);
    const [due] = await store.takeDeliveries(at(110), at(130), options);
    await store.finishDelivery(due!, { deliveredAt: at(111), nextAttemptAt: null, problem: null });
    expect(await store.listEvents(made.id, { after: 0, limit: 5 })).toMatchObject([
      { delivery: 'delivered', attempts: 1, problem: null },
    ]);
    await sessions.deleteSession(ref);
  });

  it(`a delivery on ${kind} that a replica took and never finished is sent under its id by another`, async () => {
    covers('INV-WATCH.2', 'INV-WATCH.3');
    const ref = await newSession(sessions);
    const made = subscription({ webhookUrl: 'https://example.org/' });
    await store.subscribe(ref, made, LIMITS);
    await store.finishChange(await taken(at(1), at(2)), [fired(made.id)], at(2));
    const options = { limit: 5, withoutTenants: [], withoutSubscriptions: [] };
    const [dead] = await store.takeDeliveries(at(3), at(60), options);
    expect(await store.takeDeliveries(at(59), at(100), options)).toEqual([]);
    const [heir] = await store.takeDeliveries(at(60), at(120), options);
    expect(heir).toEqual({ ...dead, attempts: 2 });
    await store.finishDelivery(heir!, { deliveredAt: at(61), nextAttemptAt: null, problem: null });
    await store.finishDelivery(dead!, { deliveredAt: null, nextAttemptAt: null, problem: 'late' });
    expect(await store.listEvents(made.id, { after: 0, limit: 5 })).toMatchObject([
      { delivery: 'delivered', problem: null, attempts: 2 },
    ]);
    expect(await store.oldestUndelivered()).toBeNull();
    expect(await store.forgetEvents(at(2))).toBeGreaterThan(0);
    expect(await numbersOf(made.id)).toEqual([]);
  });

  it(`a subscription on ${kind} that is paused while a replica looks at a judgement keeps nothing of it`, async () => {
    covers('INV-WATCH.15');
    const ref = await newSession(sessions);
    const made = subscription({ webhookUrl: 'https://example.org/' });
    await store.subscribe(ref, made, LIMITS);
    await store.finishChange(await taken(at(1), at(2)), [], at(1));
    const judgementId = await judge(sessions, ref, at(3));
    const change = await taken(at(4), at(60));
    expect(await store.pause(ref, 'stranger', made.id, { isPaused: true, now: at(5) })).toBe(false);
    expect(await store.pause(ref, 'owner', made.id, { isPaused: true, now: at(5) })).toBe(true);
    expect(await store.finishChange(change, [fired(made.id)], at(6))).toBe(true);
    expect(await numbersOf(made.id)).toEqual([]);
    // Nothing of it is due, no matter how late it is.
    expect(await store.nextDue()).toBeNull();
    await store.pause(ref, 'owner', made.id, { isPaused: false, now: at(7) });
    await store.pause(ref, 'owner', made.id, { isPaused: false, now: at(8) });
    const again = await taken(at(9), at(60));
    expect(again.judgement?.id).toBe(judgementId);
    expect(await store.finishChange(again, [fired(made.id)], at(9))).toBe(true);
    expect(await numbersOf(made.id)).toEqual([1]);
    await store.pause(ref, 'owner', made.id, { isPaused: true, now: at(10) });
    const options = { limit: 5, withoutTenants: [], withoutSubscriptions: [] };
    expect(await store.takeDeliveries(at(11), at(60), options)).toEqual([]);
    expect([await store.nextDue(), await store.oldestUndelivered()]).toEqual([null, null]);
    await store.unsubscribe(ref, 'owner', made.id);
  });

  it.each(['before', 'during'] as const)(
    `a subscription on ${kind} that is paused %s its first look keeps what it compares with, and fires nothing`,
    async (order) => {
      covers('INV-WATCH.50');
      const ref = await newSession(sessions);
      const first = await judge(sessions, ref, at(0));
      const made = subscription();
      await store.subscribe(ref, made, LIMITS);
      const pause = () => store.pause(ref, 'owner', made.id, { isPaused: true, now: at(1) });
      if (order === 'before') await pause();
      const base = await taken(at(2), at(60));
      if (order === 'during') await pause();
      expect(base).toMatchObject({ judgement: { id: first }, subscriptions: [{ id: made.id, state: null }] });
      expect(await store.finishChange(base, [{ ...fired(made.id), events: [] }], at(3))).toBe(true);
      await judge(sessions, ref, at(4));
      const meanwhile = await taken(at(5), at(60));
      expect(meanwhile.subscriptions).toEqual([]);
      await store.finishChange(meanwhile, [], at(5));
      await store.pause(ref, 'owner', made.id, { isPaused: false, now: at(6) });
      const resumed = await taken(at(7), at(60));
      expect(resumed.subscriptions).toMatchObject([{ id: made.id, state: 'remembered' }]);
      await store.finishChange(resumed, [], at(8));
      await store.unsubscribe(ref, 'owner', made.id);
    },
  );

  it(`a subscription on ${kind} that resumes before a replica looks at the judgements of its pause looks at the last one alone`, async () => {
    covers('INV-WATCH.38');
    const ref = await newSession(sessions);
    const made = subscription({ webhookUrl: 'https://example.org/' });
    await store.subscribe(ref, made, LIMITS);
    await store.finishChange(await taken(at(1), at(2)), [], at(1));
    await store.pause(ref, 'owner', made.id, { isPaused: true, now: at(3) });
    await judge(sessions, ref, at(4));
    const last = await judge(sessions, ref, at(5));
    await store.pause(ref, 'owner', made.id, { isPaused: false, now: at(6) });
    const next = await judge(sessions, ref, at(7));
    const looks: (string | undefined)[] = [];
    for (const _ of ['of the pause', 'last of it', 'resumed', 'next']) {
      const change = await taken(at(8), at(60));
      if (change.subscriptions.length > 0) looks.push(change.judgement?.id);
      await store.finishChange(change, [], at(8));
    }
    expect(looks).toEqual([last, next]);
    await store.unsubscribe(ref, 'owner', made.id);
  });

  const changed = (document: string, version: number): ChangedDocument => ({
    document,
    filename: document,
    type: 'written',
    version,
    at: at(version).toISOString(),
    sequence: 10 + version,
  });
  const documents = (...items: ChangedDocument[]): FollowedChanges => ({ rule: 'document_changed', items });
  /** A subscription that listens for the documents of a judgement. */
  async function listening(quoted: { document: string; version: number | null }[], since = 10) {
    const ref = await newSession(sessions);
    const made = subscription({ documentsSince: since });
    await store.subscribe(ref, made, LIMITS);
    const learn = async (documents: typeof quoted) => {
      const remembered = { state: 'remembered', dueAt: null, documents };
      const outcomes = [{ subscriptionId: made.id, remembered, events: [] }];
      expect(await store.finishChange(await taken(at(5), at(60)), outcomes, at(5))).toBe(true);
    };
    await learn(quoted);
    const next = async () => (await store.takeChange(at(1_000), at(2_000)))?.changes ?? null;
    return { ref, made, learn, next, tenantId: ref.tenantId };
  }

  it(`changes of documents on ${kind} are read by one replica at a time, and told once by whichever keeps them first`, async () => {
    covers('INV-WATCH.16');
    const { tenantId, ref, made, next } = await listening([{ document: 'a', version: 1 }]);
    expect(await store.takeFollow(tenantId, DOCUMENTS_FEED, at(1), at(60))).toBe(10);
    expect(await store.takeFollow(tenantId, DOCUMENTS_FEED, at(59), at(100))).toBeNull();
    // A sign of life keeps it. After the last one the replica has died, or was slow: both hand in a page.
    expect(await store.renewFollow(tenantId, DOCUMENTS_FEED, at(60), at(62))).toBe(true);
    expect(await store.takeFollow(tenantId, DOCUMENTS_FEED, at(61), at(100))).toBeNull();
    expect(await store.takeFollow(tenantId, DOCUMENTS_FEED, at(62), at(100))).toBe(10);
    expect(await store.renewFollow(tenantId, DOCUMENTS_FEED, at(62), at(200))).toBe(false);
    const page = { since: 10, last: 12, changes: documents(changed('a', 2), changed('b', 5)) };
    expect(await store.keepChanges(tenantId, DOCUMENTS_FEED, page, at(61))).toBe(true);
    expect(await store.keepChanges(tenantId, DOCUMENTS_FEED, page, at(62))).toBe(false);
    expect(await next()).toEqual(documents(changed('a', 2)));
    expect(await next()).toBeNull();
    expect(await store.takeFollow(tenantId, DOCUMENTS_FEED, at(63), at(100))).toBe(12);
    // Nobody listens any more, and the next who does begins anew, without waiting for who read before.
    await store.unsubscribe(ref, 'owner', made.id);
    expect(await store.takeFollow(tenantId, DOCUMENTS_FEED, at(200), at(300))).toBeNull();
    await store.subscribe(ref, subscription({ documentsSince: 40 }), LIMITS);
    expect(await store.takeFollow(tenantId, DOCUMENTS_FEED, at(64), at(300))).toBe(40);
    // Who cannot read a page gives it back.
    await store.keepChanges(tenantId, DOCUMENTS_FEED, { since: 40, last: 40, changes: null }, at(65));
    expect(await store.takeFollow(tenantId, DOCUMENTS_FEED, at(65), at(300))).toBe(40);
    await sessions.eraseTenant(tenantId);
    expect(
      await store.keepChanges(tenantId, DOCUMENTS_FEED, { since: 40, last: 41, changes: null }, at(66)),
    ).toBe(false);
    await sessions.deleteSession(ref);
  });

  it(`a document on ${kind} that changed while a judgement was made is told to those who learn of it by that judgement`, async () => {
    covers('INV-WATCH.16');
    const { tenantId, ref, learn, next } = await listening([{ document: 'a', version: 1 }]);
    // A deletion has the version that it removed.
    const deleted = { ...changed('gone', 4), type: 'deleted' as const };
    const changes = documents(changed('seen', 4), changed('missed', 4), changed('unknown', 4), deleted);
    await store.keepChanges(tenantId, DOCUMENTS_FEED, { since: 10, last: 14, changes }, at(3));
    expect(await next()).toBeNull();
    await judge(sessions, ref, at(4));
    await learn([
      { document: 'seen', version: 4 },
      { document: 'missed', version: 3 },
      { document: 'unknown', version: null },
      { document: 'gone', version: 4 },
    ]);
    expect(await next()).toEqual(documents(deleted, changed('missed', 4)));
    // Who subscribes later is not told about what was before.
    const late = { ...subscription({ documentsSince: 14 }), now: at(6) };
    await store.subscribe(ref, late, LIMITS);
    const remembered = { state: null, dueAt: null, documents: [{ document: 'missed', version: 3 }] };
    const outcomes = [{ subscriptionId: late.id, remembered, events: [] }];
    expect(await store.finishChange(await taken(at(7), at(60)), outcomes, at(7))).toBe(true);
    expect(await next()).toBeNull();
    await sessions.deleteSession(ref);
  });

  it(`a subscription on ${kind} is not told of a document's change from before it was made that is read after`, async () => {
    covers('INV-WATCH.16');
    const quoted = [
      { document: 'a', version: 1 },
      { document: 'b', version: 1 },
    ];
    const early = await listening(quoted, 10);
    const late = { ...subscription({ documentsSince: 13 }), now: at(6) };
    await store.subscribe(early.ref, late, LIMITS);
    const learn = async (documents: typeof quoted) => {
      const remembered = { state: null, dueAt: null, documents };
      const outcomes = [{ subscriptionId: late.id, remembered, events: [] }];
      await store.finishChange(await taken(at(7), at(60)), outcomes, at(7));
    };
    await learn(quoted);
    const told = async () => {
      const changes: [string, FollowedChanges | null][] = [];
      for (let one; (one = await store.takeChange(at(1_000), at(2_000)));) {
        changes.push([one.subscriptions[0]!.id, one.changes]);
        await store.finishChange(one, [], at(1_000));
      }
      return new Map(changes);
    };
    const keep = (since: number, last: number, ...items: ChangedDocument[]) =>
      store.keepChanges(early.tenantId, DOCUMENTS_FEED, { since, last, changes: documents(...items) }, at(8));
    // All are read late; those with version 4 alone were made after the later subscription.
    await keep(10, 14, changed('a', 3), changed('b', 4), changed('before', 2), changed('behind', 4));
    expect(await told()).toEqual(
      new Map([
        [early.made.id, documents(changed('a', 3), changed('b', 4))],
        [late.id, documents(changed('b', 4))],
      ]),
    );
    // A judgement that quotes further documents does not tell it of the earlier change either.
    await judge(sessions, early.ref, at(4));
    await learn([
      { document: 'before', version: 1 },
      { document: 'behind', version: 1 },
    ]);
    expect(await told()).toEqual(new Map([[late.id, documents(changed('behind', 4))]]));
    await sessions.deleteSession(early.ref);
  });

  it(`a feed on ${kind} that goes back, as a store restored from a backup does, is told of from there`, async () => {
    covers('INV-WATCH.16', 'INV-WATCH.19');
    const { tenantId, ref, learn, next } = await listening([{ document: 'a', version: 1 }], 40);
    const lost = documents({ ...changed('lost', 9), sequence: 41 });
    await store.keepChanges(tenantId, DOCUMENTS_FEED, { since: 40, last: 41, changes: lost }, at(6));
    await store.keepChanges(tenantId, DOCUMENTS_FEED, { since: 41, last: 11, changes: documents() }, at(7));
    const page = { since: 11, last: 12, changes: documents(changed('a', 2)) };
    await store.keepChanges(tenantId, DOCUMENTS_FEED, page, at(8));
    expect(await next()).toEqual(page.changes);
    // What was changed after the backup is no change of what is there now.
    await judge(sessions, ref, at(4));
    await learn([{ document: 'lost', version: 1 }]);
    expect(await next()).toBeNull();
    await sessions.deleteSession(ref);

    const policies = await newSession(sessions);
    const made = subscription({ policies: { domainId: 'root', since: 7 } });
    await store.subscribe(policies, made, LIMITS);
    await store.finishChange(await taken(at(1), at(2)), [], at(1));
    const keep = (since: number, last: number, changes: FollowedChanges | null) =>
      store.keepChanges(policies.tenantId, 'root', { since, last, changes }, at(3));
    await keep(7, 4, null);
    const set = { domain_id: 'root', version: 5, author_id: 'u', message: '', digest: '', at: '' };
    await keep(4, 5, { rule: 'policies_changed', items: [set] });
    expect(await next()).toEqual({ rule: 'policies_changed', items: [set] });
    await sessions.deleteSession(policies);
  });

  it(`changes on ${kind} that nobody can be asked about hold up no judgement, and judgements hold up no changes`, async () => {
    covers('INV-WATCH.16');
    const { tenantId, ref, next } = await listening([{ document: 'a', version: 1 }]);
    await store.keepChanges(
      tenantId,
      DOCUMENTS_FEED,
      { since: 10, last: 11, changes: documents(changed('a', 2)) },
      at(3),
    );
    await store.keepChanges(
      tenantId,
      DOCUMENTS_FEED,
      { since: 11, last: 12, changes: documents(changed('a', 3)) },
      at(3),
    );
    expect(await next()).toEqual(documents(changed('a', 2)));
    // The second change waits for the first, which is taken.
    expect(await next()).toBeNull();
    const judgementId = await judge(sessions, ref, at(4));
    expect((await taken(at(5), at(60))).judgement?.id).toBe(judgementId);
    await sessions.deleteSession(ref);
  });

  it(`a change on ${kind} that is being told while its subscription is paused waits for it to resume`, async () => {
    covers('INV-WATCH.15');
    const { tenantId, ref, made } = await listening([{ document: 'a', version: 1 }]);
    await store.keepChanges(
      tenantId,
      DOCUMENTS_FEED,
      { since: 10, last: 11, changes: documents(changed('a', 2)) },
      at(3),
    );
    const change = await taken(at(4), at(60));
    await store.pause(ref, 'owner', made.id, { isPaused: true, now: at(5) });
    const outcomes = [{ subscriptionId: made.id, events: fired(made.id).events }];
    expect(await store.finishChange(change, outcomes, at(6))).toBe(false);
    await store.keepChanges(
      tenantId,
      DOCUMENTS_FEED,
      { since: 11, last: 12, changes: documents(changed('a', 3)) },
      at(7),
    );
    expect(await store.takeChange(at(100), at(200))).toBeNull();
    expect(await store.nextDue()).toBeNull();
    await store.pause(ref, 'owner', made.id, { isPaused: false, now: at(100) });
    const all = [await taken(at(101), at(200)), await taken(at(101), at(200))];
    expect(all.map(({ changes }) => changes)).toEqual(
      expect.arrayContaining([documents(changed('a', 3)), null]),
    );
    await sessions.deleteSession(ref);
  });

  it(`new policies on ${kind} are told to those who listen for their domain, from the version that it had on`, async () => {
    covers('INV-WATCH.19', 'INV-WATCH.15');
    const ref = await newSession(sessions);
    const { tenantId } = ref;
    const sets = (...versions: number[]): FollowedChanges => ({
      rule: 'policies_changed',
      items: versions.map((version): ChangedPolicies => {
        return {
          domain_id: 'root',
          version,
          author_id: 'u',
          message: '',
          digest: '',
          at: at(version).toISOString(),
        };
      }),
    });
    const [early, late, other] = [
      subscription({ policies: { domainId: 'root', since: 2 } }),
      subscription({ policies: { domainId: 'root', since: 3 } }),
      subscription({ policies: { domainId: 'other', since: 1 } }),
    ];
    for (const one of [early, late, other]) {
      await store.subscribe(ref, one, { perUser: 9, perTenant: 9 });
      await store.finishChange(await taken(at(1), at(2)), [], at(1));
    }
    expect(await store.listPolicyFeeds(tenantId)).toEqual(['other', 'root']);
    expect(await store.takeFollow(tenantId, DOCUMENTS_FEED, at(1), at(60))).toBeNull();
    expect(await store.takeFollow(tenantId, 'root', at(1), at(60))).toBe(2);
    expect(await store.takeFollow(tenantId, 'other', at(1), at(60))).toBe(1);
    const page = { since: 2, last: 4, changes: sets(3, 4) };
    expect(await store.keepChanges(tenantId, 'root', page, at(2))).toBe(true);
    expect(await store.keepChanges(tenantId, 'root', page, at(2))).toBe(false);
    const told = new Map<string, unknown>();
    for (let count = 0; count < 2; count++) {
      const change = await taken(at(100), at(200));
      told.set(change.subscriptions[0]!.id, change.changes);
      await store.finishChange(change, [], at(100));
    }
    expect(told).toEqual(
      new Map([
        [early.id, sets(3, 4)],
        [late.id, sets(4)],
      ]),
    );
    // Every set that was written while it was paused is told when it resumes.
    await store.pause(ref, 'owner', late.id, { isPaused: true, now: at(101) });
    await store.unsubscribe(ref, 'owner', early.id);
    await store.keepChanges(tenantId, 'root', { since: 4, last: 5, changes: sets(5) }, at(102));
    await store.keepChanges(tenantId, 'root', { since: 5, last: 6, changes: sets(6) }, at(103));
    expect(await store.takeChange(at(110), at(200))).toBeNull();
    await store.pause(ref, 'owner', late.id, { isPaused: false, now: at(111) });
    const resumed = [await taken(at(112), at(200)), await taken(at(112), at(200))];
    expect(resumed.map(({ changes }) => changes)).toEqual(expect.arrayContaining([sets(5, 6), null]));
    await sessions.deleteSession(ref);
  });

  it(`subscriptions on ${kind} are limited by user and by tenant, and end with their session`, async () => {
    covers('INV-WATCH.6', 'INV-WATCH.49');
    const ref = await newSession(sessions);
    const [first, second, third] = [subscription(), subscription(), subscription()];
    expect(await store.subscribe(ref, first, LIMITS)).toBe('subscribed');
    expect(await store.subscribe(ref, second, LIMITS)).toBe('subscribed');
    expect(await store.subscribe(ref, third, LIMITS)).toBe('too_many');
    const ofColleague = { ...subscription(), subscriberId: 'colleague' };
    expect(await store.subscribe(ref, ofColleague, LIMITS)).toBe('subscribed');
    const other = await newSession(sessions, { ref: { ...ref, sessionId: 'other' } });
    expect(await store.subscribe(other, third, LIMITS)).toBe('subscribed');
    expect(await store.subscribe(other, subscription(), LIMITS)).toBe('too_many');
    expect(await store.unsubscribe(ref, 'stranger', first.id)).toBe(false);
    expect(await store.unsubscribe(ref, 'owner', 'no-uuid')).toBe(false);
    await sessions.deleteSession(ref);
    await sessions.deleteSession(other);
    expect(await store.listSubscriptions(ref, 'owner')).toEqual([]);
    expect(await store.subscribe(ref, first, LIMITS)).toBe('no_session');
    expect(await store.takeChange(at(1_000), at(2_000))).toBeNull();
  });
});
