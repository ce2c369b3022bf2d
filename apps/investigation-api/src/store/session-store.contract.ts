import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import type {
  Entity,
  EntityKind,
  NewSession,
  SessionChange,
  SessionQuery,
  SessionRef,
  SessionStore,
} from './session-store.ts';
import { ENTITY_KINDS } from './session-store.ts';

const START = Date.parse('2026-01-01T00:00:00Z');
/** A time by its number. */
export const at = (milliseconds: number) => new Date(START + milliseconds);

export function entity(kind: EntityKind, id: string, more: Record<string, unknown> = {}): Entity {
  return { kind, id, body: JSON.stringify({ id, ...more }) };
}

export const json = (value: unknown) => new TextEncoder().encode(JSON.stringify(value));
const ids = (list: string | null) => (JSON.parse(list!) as { id: string }[]).map(({ id }) => id);

/** Makes a session of its own tenant; what matters to a test is given. */
export async function newSession(store: SessionStore, given: Partial<NewSession> = {}): Promise<SessionRef> {
  const ref = given.ref ?? { tenantId: randomUUID(), sessionId: 'session' };
  const session = { ref, ownerId: 'owner', name: 'Name', settings: {}, entities: [], now: at(0), ...given };
  expect(await store.create(session)).toBe('created');
  return ref;
}

export function change(given: Partial<SessionChange>): SessionChange {
  return { payloadBytesMax: 2 ** 30, now: at(1), ...given };
}

/** The promises of `SessionStore`, for every database it runs on. `open` gives a store on a migrated database. */
export function sessionStoreContract(
  name: string,
  open: () => Promise<SessionStore>,
  close: () => Promise<void>,
): void {
  describe(`session store on ${name}`, () => {
    let store: SessionStore;
    beforeAll(async () => {
      store = await open();
    });
    afterAll(close);

    const list = (ref: SessionRef, query: Partial<SessionQuery> = {}) =>
      store.list({
        tenantId: ref.tenantId,
        ownerId: 'owner',
        sort: 'updated_at',
        limit: 50,
        offset: 0,
        ...query,
      });
    const judge = async (ref: SessionRef, judgedAt: Date, result: unknown = {}, id = randomUUID()) => {
      const judgement = {
        id,
        judgedAt,
        durationMs: 7,
        inputSnapshot: json({ in: id }),
        result: json(result),
      };
      expect(await store.saveJudgement(ref, judgement)).toBe(true);
      return id;
    };

    it('gives back what was stored, in its order, and to the byte', async () => {
      const body = '{ "id":"c",  "weight": 1.50, "x": "\\u0000 \\ud800 \u{10FFFF} é \uFEFF" }';
      const ref = await newSession(store, {
        settings: { research_question: 'why\0?', domain: null, odd: { a: [1.5, 'é'] } },
        entities: [entity('claims', 'z'), { kind: 'claims', id: 'c', body }, entity('actors', 'a')],
      });
      expect(await store.readPayload(ref)).toBe(
        `{"research_question":"why\\u0000?","domain":null,"odd":{"a":[1.5,"é"]},"actors":[{"id":"a"}],"subjects":[],` +
          `"claims":[{"id":"z"},${body}],"evidence":[],"inferences":[],"distinctions":[]}`,
      );
      expect(await store.readEntity(ref, { kind: 'claims', id: 'c' })).toEqual({ body });
      expect(await store.listEntities(ref, 'claims')).toBe(`[{"id":"z"},${body}]`);
      expect(await store.listEntities(ref, 'evidence')).toBe('[]');
      expect(await store.readSession(ref)).toEqual({
        head: await store.readHead(ref),
        payload: await store.readPayload(ref),
        lastResult: null,
      });
      expect(await store.readHead(ref)).toEqual({
        sessionId: ref.sessionId,
        ownerId: 'owner',
        name: 'Name',
        createdAt: at(0),
        updatedAt: at(0),
        judgedAt: null,
        interpretation: null,
        interpretationUpdatedAt: null,
        lastJudgementId: null,
      });
    });

    it('an empty session is an empty investigation', async () => {
      const ref = await newSession(store);
      expect(JSON.parse((await store.readPayload(ref))!)).toEqual(
        Object.fromEntries(ENTITY_KINDS.map((kind) => [kind, []])),
      );
    });

    it('takes an id once in a tenant, whoever owns it, of any length and any Unicode', async () => {
      for (const sessionId of ['s', '', 'ä/% ?#👩‍👩‍👧', 'x'.repeat(1_000_000)]) {
        const ref = await newSession(store, { ref: { tenantId: randomUUID(), sessionId } });
        const again = {
          ref,
          ownerId: 'other',
          name: 'B',
          settings: {},
          entities: [entity('actors', 'a')],
          now: at(9),
        };
        expect(await store.create(again)).toBe('taken');
        expect(await store.readHead(ref)).toMatchObject({ sessionId, ownerId: 'owner', name: 'Name' });
        expect(await store.listEntities(ref, 'actors')).toBe('[]');
        await newSession(store, { ref: { tenantId: randomUUID(), sessionId } });
      }
    });

    it('lets exactly one of many creations of an id win', async () => {
      const ref = { tenantId: randomUUID(), sessionId: 'raced' };
      const outcomes = await Promise.all(
        Array.from({ length: 20 }, (_, n) =>
          store.create({
            ref,
            ownerId: `${n}`,
            name: 'N',
            settings: { n },
            entities: [entity('actors', `${n}`)],
            now: at(n),
          }),
        ),
      );
      expect(outcomes.filter((outcome) => outcome === 'created')).toHaveLength(1);
      const winner = outcomes.indexOf('created');
      expect(JSON.parse((await store.readPayload(ref))!)).toMatchObject({
        n: winner,
        actors: [{ id: `${winner}` }],
      });
    });

    it('a session of another tenant is not there for any operation', async () => {
      const mine = await newSession(store, { entities: [entity('claims', 'c')] });
      await judge(mine, at(1));
      const ref = { ...mine, tenantId: randomUUID() };
      expect(await store.readHead(ref)).toBeNull();
      expect(await store.readPayload(ref)).toBeNull();
      expect(await store.readSession(ref)).toBeNull();
      expect(await list(ref)).toEqual([]);
      expect(await store.update(ref, change({ name: 'x' }))).toBe('no_session');
      expect(await store.readEntity(ref, { kind: 'claims', id: 'c' })).toBe('no_session');
      expect(await store.listEntities(ref, 'claims')).toBeNull();
      expect(await store.deleteEntity(ref, { kind: 'claims', id: 'c' }, at(1))).toBe('no_session');
      const judgement = {
        id: randomUUID(),
        judgedAt: at(2),
        durationMs: null,
        inputSnapshot: json(1),
        result: json(1),
      };
      expect(await store.saveJudgement(ref, judgement)).toBe(false);
      expect(await store.listJudgements(ref)).toBeNull();
      expect(await store.readJudgement(ref, 'latest')).toBe('no_session');
      expect(await store.setInterpretation(ref, 'x', at(1))).toBe('no_session');
      expect(await store.readShare(ref)).toBe('no_session');
      const share = {
        slug: 's',
        preferredPane: 'mesh',
        isPublic: true,
        now: at(1),
        newShareUuid: randomUUID(),
      };
      expect(await store.putShare(ref, share)).toBeNull();
      expect(await store.deleteSession(ref)).toBe(false);
      expect(await store.listJudgements(mine)).toHaveLength(1);
    });

    describe('update', () => {
      it('adds items behind the last and replaces in place, list by list (INV-S.7)', async () => {
        const ref = await newSession(store, {
          entities: [
            entity('claims', 'a'),
            entity('actors', 'a'),
            entity('claims', 'b'),
            entity('claims', 'c'),
          ],
        });
        const upserts = [entity('claims', 'd'), entity('claims', 'b', { n: 2 }), entity('claims', 'e')];
        expect(await store.update(ref, change({ upserts }))).toBe('updated');
        expect(await store.listEntities(ref, 'claims')).toBe(
          '[{"id":"a"},{"id":"b","n":2},{"id":"c"},{"id":"d"},{"id":"e"}]',
        );
        expect(await store.listEntities(ref, 'actors')).toBe('[{"id":"a"}]');
      });

      it('removes after merging, and what is not there without complaint (INV-S.8)', async () => {
        const ref = await newSession(store, { entities: [entity('claims', 'a'), entity('claims', 'b')] });
        const upserts = [entity('claims', 'c'), entity('claims', 'b', { n: 2 }), entity('actors', 'b')];
        const removals = ['b', 'c', 'nothing'].map((id) => ({ kind: 'claims' as const, id }));
        expect(await store.update(ref, change({ upserts, removals }))).toBe('updated');
        expect(await store.listEntities(ref, 'claims')).toBe('[{"id":"a"}]');
        expect(await store.listEntities(ref, 'actors')).toBe('[{"id":"b"}]');
        // What was removed and comes again stands last.
        await store.update(ref, change({ upserts: [entity('claims', 'd'), entity('claims', 'b')] }));
        expect(ids(await store.listEntities(ref, 'claims'))).toEqual(['a', 'd', 'b']);
      });

      it('replaces the settings given and leaves the others, name and items alone', async () => {
        const ref = await newSession(store, {
          settings: { research_question: 'q', domain: 'News', summary_mode: true },
          entities: [entity('claims', 'a')],
        });
        await store.update(ref, change({ settings: { domain: null, odd: 'é\0', summary_mode: undefined } }));
        expect(JSON.parse((await store.readPayload(ref))!)).toMatchObject({
          research_question: 'q',
          domain: null,
          odd: 'é\0',
          claims: [{ id: 'a' }],
        });
        expect((await store.readHead(ref))?.name).toBe('Name');
        await store.update(ref, change({ name: 'Renamed' }));
        expect((await store.readHead(ref))?.name).toBe('Renamed');
        expect(await list(ref, { nameFilter: 'RENAMED' })).toHaveLength(1);
        expect(await list(ref, { nameFilter: 'name' })).toHaveLength(1);
      });

      it('tells when it changed last, which never goes back', async () => {
        const ref = await newSession(store);
        await store.update(ref, change({ now: at(50), upserts: [entity('claims', 'a')] }));
        await store.update(ref, change({ now: at(20), name: 'late' }));
        expect(await store.readHead(ref)).toMatchObject({
          createdAt: at(0),
          updatedAt: at(50),
          name: 'late',
        });
        await store.deleteEntity(ref, { kind: 'claims', id: 'a' }, at(60));
        expect((await store.readHead(ref))?.updatedAt).toEqual(at(60));
        await store.deleteEntity(ref, { kind: 'claims', id: 'a' }, at(70));
        await judge(ref, at(80));
        await store.setInterpretation(ref, 'x', at(90));
        expect((await store.readHead(ref))?.updatedAt).toEqual(at(60));
      });

      it('keeps the payload within the bytes allowed, to a comma, and lets what is too large shrink', async () => {
        const ref = await newSession(store, {
          settings: { research_question: 'é' },
          entities: [entity('claims', 'a')],
        });
        const size = async () => Buffer.byteLength((await store.readPayload(ref))!);
        const before = await size();
        const added = entity('claims', 'b', { text: 'é'.repeat(100) });
        const payloadBytesMax = before + Buffer.byteLength(added.body) + 1;
        const grow = (bytes: number) =>
          store.update(ref, change({ upserts: [added], payloadBytesMax: bytes, name: 'grown' }));
        // Every list may have one comma fewer than items.
        expect(await grow(payloadBytesMax - 1 - 1)).toBe('too_large');
        expect(await size()).toBe(before);
        expect((await store.readHead(ref))?.name).toBe('Name');
        expect(await grow(payloadBytesMax + ENTITY_KINDS.length)).toBe('updated');
        expect(await size()).toBe(payloadBytesMax);
        const shrink = { upserts: [entity('claims', 'b')], payloadBytesMax: 1 };
        expect(await store.update(ref, change(shrink))).toBe('updated');
        expect(
          await store.update(ref, change({ settings: { research_question: 'ée' }, payloadBytesMax: 1 })),
        ).toBe('too_large');
        expect(await store.update(ref, change({ name: 'same size', payloadBytesMax: 1 }))).toBe('updated');
      });

      it('takes ids and texts of a megabyte', async () => {
        const id = 'é'.repeat(500_000);
        const ref = await newSession(store, {
          entities: [entity('claims', id, { content: '\0'.repeat(1_000_000) })],
        });
        await store.update(
          ref,
          change({ upserts: [entity('claims', `${id}.`), entity('claims', id, { n: 2 })] }),
        );
        expect(ids(await store.listEntities(ref, 'claims'))).toEqual([id, `${id}.`]);
        expect(await store.readEntity(ref, { kind: 'claims', id })).toEqual({
          body: JSON.stringify({ id, n: 2 }),
        });
      });

      it('keeps all of 100 claims that 100 parallel changes add (INV-S.15)', async () => {
        const ref = await newSession(store);
        const claims = Array.from({ length: 100 }, (_, n) => `c${n}`);
        const outcomes = await Promise.all(
          claims.map((id) =>
            store.update(ref, change({ upserts: [entity('claims', id)], settings: { [id]: true } })),
          ),
        );
        expect(new Set(outcomes)).toEqual(new Set(['updated']));
        const payload = JSON.parse((await store.readPayload(ref))!) as Record<string, unknown>;
        expect((payload.claims as { id: string }[]).map(({ id }) => id).sort()).toEqual([...claims].sort());
        expect(Object.keys(payload).filter((key) => key.startsWith('c') && key !== 'claims')).toHaveLength(
          100,
        );
      });

      it('shows no reader half of a change (INV-S.15)', async () => {
        const stamped = (n: number) => ({
          settings: { n },
          name: `${n}`,
          upserts: Array.from({ length: 20 }, (_, item) => entity('claims', `c${item}`, { n })),
        });
        const ref = await newSession(store, { ...stamped(0), entities: stamped(0).upserts });
        let isWriting = true;
        const writing = (async () => {
          for (let n = 1; n <= 30; n++) await store.update(ref, change(stamped(n)));
          isWriting = false;
        })();
        let reads = 0;
        while (isWriting) {
          const { head, payload } = (await store.readSession(ref))!;
          const { n, claims } = JSON.parse(payload) as { n: number; claims: { n: number }[] };
          expect(new Set([Number(head.name), ...claims.map((claim) => claim.n)])).toEqual(new Set([n]));
          reads++;
        }
        await writing;
        expect(reads).toBeGreaterThan(1);
      });
    });

    it('deletes one item, and tells when there is none', async () => {
      const ref = await newSession(store, { entities: [entity('claims', 'a'), entity('actors', 'a')] });
      expect(await store.deleteEntity(ref, { kind: 'claims', id: 'a' }, at(1))).toBe('deleted');
      expect(await store.deleteEntity(ref, { kind: 'claims', id: 'a' }, at(1))).toBe('no_entity');
      expect(await store.readEntity(ref, { kind: 'claims', id: 'a' })).toBe('no_entity');
      expect(await store.readEntity(ref, { kind: 'actors', id: 'a' })).toEqual({ body: '{"id":"a"}' });
    });

    it('deletes a session with all that belongs to it, and the id is free again', async () => {
      const ref = await newSession(store, { entities: [entity('claims', 'a')] });
      const other = await newSession(store, {
        ref: { ...ref, sessionId: 'other' },
        entities: [entity('claims', 'a')],
      });
      const judgementId = await judge(ref, at(1));
      const shareUuid = randomUUID();
      const share = { slug: 's', preferredPane: 'mesh', isPublic: true, snapshot: json(1), now: at(1) };
      await store.putShare(ref, { ...share, newShareUuid: shareUuid });
      expect(await store.deleteSession(ref)).toBe(true);
      expect(await store.deleteSession(ref)).toBe(false);
      expect(await store.readPublicShare(shareUuid)).toBeNull();
      expect(await store.listShares(ref.tenantId, 'owner')).toEqual([]);
      await newSession(store, { ref });
      expect(await store.listEntities(ref, 'claims')).toBe('[]');
      expect(await store.readJudgement(ref, judgementId)).toBe('no_judgement');
      expect(await store.readHead(ref)).toMatchObject({ judgedAt: null, lastJudgementId: null });
      expect(await store.readShare(ref)).toBe('no_share');
      expect(await store.listEntities(other, 'claims')).toBe('[{"id":"a"}]');
    });

    describe('judgements', () => {
      it('are listed latest first, read by id and as the latest, whichever was saved last (INV-S.11, INV-S.13)', async () => {
        const ref = await newSession(store);
        expect(await store.listJudgements(ref)).toEqual([]);
        expect(await store.readJudgement(ref, 'latest')).toBe('no_judgement');
        const saved: [string, number][] = [];
        for (const time of [20, 40, 10, 40, 30])
          saved.push([await judge(ref, at(time), { time, nul: '\0é' }), time]);
        const expected = saved.sort(([a, x], [b, y]) => y - x || (a < b ? 1 : -1));
        expect(await store.listJudgements(ref)).toEqual(
          expected.map(([id, time]) => ({ id, judgedAt: at(time), durationMs: 7 })),
        );
        const [latest] = expected[0]!;
        const record = { id: latest, judgedAt: at(40), durationMs: 7, inputSnapshot: `{"in":"${latest}"}` };
        expect(await store.readJudgement(ref, 'latest')).toEqual({
          ...record,
          result: '{"time":40,"nul":"\\u0000é"}',
        });
        for (const [id, time] of saved) {
          expect(await store.readJudgement(ref, id)).toMatchObject({ id, judgedAt: at(time) });
        }
        expect(await store.readHead(ref)).toMatchObject({ judgedAt: at(40), lastJudgementId: latest });
        expect(await store.readSession(ref)).toMatchObject({ lastResult: '{"time":40,"nul":"\\u0000é"}' });
      });

      it('belong to their session alone; what is no UUID names none', async () => {
        const ref = await newSession(store);
        const id = await judge(ref, at(1));
        const other = await newSession(store, { ref: { ...ref, sessionId: 'other' } });
        expect(await store.readJudgement(other, id)).toBe('no_judgement');
        expect(await store.readJudgement(ref, id.toUpperCase())).toMatchObject({ id });
        for (const bad of ['', 'x', "'", `${id}0`])
          expect(await store.readJudgement(ref, bad)).toBe('no_judgement');
      });

      it('may have no duration', async () => {
        const ref = await newSession(store);
        const judgement = { id: randomUUID(), judgedAt: at(1), inputSnapshot: json(1), result: json(null) };
        await store.saveJudgement(ref, { ...judgement, durationMs: null });
        expect(await store.readJudgement(ref, 'latest')).toMatchObject({ durationMs: null, result: 'null' });
      });

      it('keep the input as it was judged when the session changes (INV-S.11)', async () => {
        const ref = await newSession(store, { entities: [entity('claims', 'a')] });
        const payload = (await store.readPayload(ref))!;
        const inputSnapshot = new TextEncoder().encode(payload);
        await store.saveJudgement(ref, {
          id: randomUUID(),
          judgedAt: at(1),
          durationMs: 1,
          inputSnapshot,
          result: json(1),
        });
        await store.update(ref, change({ removals: [{ kind: 'claims', id: 'a' }] }));
        expect(await store.readJudgement(ref, 'latest')).toMatchObject({ inputSnapshot: payload });
      });
    });

    it('sets and clears an interpretation, once the session was judged (INV-S.14)', async () => {
      const ref = await newSession(store);
      expect(await store.setInterpretation(ref, 'early', at(1))).toBe('never_judged');
      expect(await store.readHead(ref)).toMatchObject({
        interpretation: null,
        interpretationUpdatedAt: null,
      });
      await judge(ref, at(2));
      const text = 'line\nNUL \0 lone \ud800 👩‍👩‍👧 "quoted"';
      expect(await store.setInterpretation(ref, text, at(3))).toBe('set');
      expect(await store.readHead(ref)).toMatchObject({
        interpretation: text,
        interpretationUpdatedAt: at(3),
      });
      expect(await store.setInterpretation(ref, null, at(4))).toBe('set');
      expect(await store.readHead(ref)).toMatchObject({
        interpretation: null,
        interpretationUpdatedAt: at(4),
      });
    });

    describe('shares', () => {
      const put = { slug: 'slug', preferredPane: 'mesh', isPublic: true, now: at(5) };

      it('freeze what they show until they are frozen anew, under the same uuid (INV-S.18, INV-S.19)', async () => {
        const ref = await newSession(store, { entities: [entity('claims', 'a')] });
        const shareUuid = randomUUID();
        expect(await store.readShare(ref)).toBe('no_share');
        const made = await store.putShare(ref, {
          ...put,
          snapshot: json({ v: 1, nul: '\0' }),
          newShareUuid: shareUuid,
        });
        const share = {
          shareUuid,
          sessionId: ref.sessionId,
          sessionName: 'Name',
          slug: 'slug',
          preferredPane: 'mesh',
          isPublic: true,
          snapshotTakenAt: at(5),
          updatedAt: at(5),
        };
        expect(made).toEqual(share);
        expect(await store.readShare(ref)).toEqual(share);
        const frozen = {
          slug: 'slug',
          preferredPane: 'mesh',
          snapshot: '{"v":1,"nul":"\\u0000"}',
          snapshotTakenAt: at(5),
          updatedAt: at(5),
        };
        expect(await store.readPublicShare(shareUuid)).toEqual(frozen);
        expect(await store.readPublicShare(shareUuid.toUpperCase())).toEqual(frozen);
        await store.update(ref, change({ name: 'Renamed', removals: [{ kind: 'claims', id: 'a' }] }));
        await judge(ref, at(6));
        expect(await store.readPublicShare(shareUuid)).toEqual(frozen);
        const again = {
          ...put,
          slug: 'other',
          snapshot: json({ v: 2 }),
          now: at(7),
          newShareUuid: randomUUID(),
        };
        expect(await store.putShare(ref, again)).toEqual({
          ...share,
          sessionName: 'Renamed',
          slug: 'other',
          snapshotTakenAt: at(7),
          updatedAt: at(7),
        });
        expect(await store.readPublicShare(shareUuid)).toEqual({
          ...frozen,
          slug: 'other',
          snapshot: '{"v":2}',
          snapshotTakenAt: at(7),
          updatedAt: at(7),
        });
      });

      it('are seen by anyone while public, and hidden otherwise (INV-S.20, INV-S.21)', async () => {
        const ref = await newSession(store);
        const newShareUuid = randomUUID();
        await store.putShare(ref, { ...put, isPublic: false, newShareUuid });
        expect(await store.readShare(ref)).toMatchObject({ isPublic: false, snapshotTakenAt: null });
        await store.putShare(ref, { ...put, newShareUuid });
        expect(await store.readPublicShare(newShareUuid)).toBeNull();
        await store.putShare(ref, { ...put, snapshot: json(1), newShareUuid });
        expect(await store.readPublicShare(newShareUuid)).toMatchObject({ snapshot: '1' });
        await store.putShare(ref, { ...put, isPublic: false, now: at(9), newShareUuid });
        expect(await store.readPublicShare(newShareUuid)).toBeNull();
        expect(await store.readShare(ref)).toMatchObject({
          isPublic: false,
          snapshotTakenAt: at(5),
          updatedAt: at(9),
        });
        for (const unknown of [randomUUID(), '', 'x', "'", '%']) {
          expect(await store.readPublicShare(unknown)).toBeNull();
        }
      });

      it('are listed of one owner, last changed first', async () => {
        const ref = await newSession(store, { name: 'First' });
        const second = await newSession(store, { ref: { ...ref, sessionId: 'second' }, name: 'Second' });
        const others = await newSession(store, { ref: { ...ref, sessionId: 'others' }, ownerId: 'other' });
        await store.putShare(ref, { ...put, now: at(1), newShareUuid: randomUUID() });
        await store.putShare(second, { ...put, now: at(2), isPublic: false, newShareUuid: randomUUID() });
        await store.putShare(others, { ...put, now: at(3), newShareUuid: randomUUID() });
        const names = async () =>
          (await store.listShares(ref.tenantId, 'owner')).map(({ sessionName }) => sessionName);
        expect(await names()).toEqual(['Second', 'First']);
        await store.putShare(ref, { ...put, now: at(4), newShareUuid: randomUUID() });
        expect(await names()).toEqual(['First', 'Second']);
      });

      it('are one of a session, however many make it at once', async () => {
        const ref = await newSession(store);
        const made = await Promise.all(
          Array.from({ length: 10 }, (_, n) =>
            store.putShare(ref, { ...put, slug: `s${n}`, snapshot: json(n), newShareUuid: randomUUID() }),
          ),
        );
        expect(new Set(made.map((share) => share!.shareUuid)).size).toBe(1);
        const { slug, snapshot } = (await store.readPublicShare(made[0]!.shareUuid))!;
        expect(slug).toBe(`s${snapshot}`);
      });
    });

    it('finds no name by what no name can hold, and takes % and _ as they are', async () => {
      const ref = await newSession(store, { name: '100% of_it \\ "Straße" İ ΣΟΦΟΣ \uFFFD' });
      for (const nameFilter of ['\0', '\ud800', '1%0', 'of-it', 'x_']) {
        expect([nameFilter, await list(ref, { nameFilter })]).toEqual([nameFilter, []]);
      }
      for (const nameFilter of ['', '0% OF_', '\\', '"stra', 'σοφος', 'ΟΦΟΣ', 'i\u0307']) {
        expect([nameFilter, (await list(ref, { nameFilter })).length]).toEqual([nameFilter, 1]);
      }
    });

    it('finds a part of a long name wherever it stands, once', async () => {
      const ref = await newSession(store, { name: `${'a'.repeat(499)}bc${'d'.repeat(98)}e` });
      for (const sort of ['updated_at', 'created_at', 'name'] as const) {
        for (const nameFilter of ['aab', 'abcd', 'cdd', 'DE', 'd'])
          expect([nameFilter, (await list(ref, { nameFilter, sort })).length]).toEqual([nameFilter, 1]);
        expect(await list(ref, { nameFilter: 'ea', sort })).toEqual([]);
      }
    });
  });
}
