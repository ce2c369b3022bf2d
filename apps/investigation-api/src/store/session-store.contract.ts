import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { covers } from '@platform/testing/covers';
import { bytesOf, PIECE_BYTES, textOf, type TextPieces } from '../model/text-pieces.ts';
import { judgementsContract } from './judgements.contract.ts';
import type { SessionQuery, SessionRef, SessionStore } from './session-store.ts';
import { ENTITY_KINDS } from '@platform/opinion-fusion';
import {
  at,
  change,
  entity,
  itemOf,
  json,
  judge,
  listOf,
  newSession,
  payloadOf,
} from './sessions.fixture.ts';
import { membersContract } from './members.contract.ts';
import { sharesContract } from './shares.contract.ts';

const ids = (list: string | null) => (JSON.parse(list!) as { id: string }[]).map(({ id }) => id);

/**
 * The promises of `SessionStore`, for every database it runs on. `open` gives a store on a migrated database.
 */
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
        holder: { userId: 'owner', lease: null },
        sort: 'updated_at',
        limit: 50,
        offset: 0,
        ...query,
      });

    it('the session store erases all of a tenant, and nothing of another one', async () => {
      covers('INV-A.7');
      const [ref, other] = [await newSession(store, {}), await newSession(store, {})];
      await judge(store, ref, at(1));
      await store.eraseTenant(ref.tenantId);
      expect([await store.readHead(ref), await store.readJudgement(ref, 'latest')]).toEqual([
        null,
        'no_session',
      ]);
      expect(await store.readHead(other)).not.toBeNull();
    });

    it('the session store returns a long text in pieces, wherever its characters begin', async () => {
      covers('PLAT-F.24');
      for (const shift of ['', '-', '--', '---']) {
        const body = json({ id: 'c', long: shift + '橋🙂éa'.repeat(PIECE_BYTES / 4) });
        const ref = await newSession(store, { entities: [{ kind: 'claims', id: 'c', body }] });
        const item = await store.readEntity(ref, { kind: 'claims', id: 'c' });
        const session = await store.readSession(ref);
        const texts: readonly [TextPieces, string][] = [
          [(item as { body: TextPieces }).body, body],
          [(await store.listEntities(ref, 'claims'))!, `[${body}]`],
          [session!.payload, (await payloadOf(store, ref))!],
        ];
        for (const [pieces, text] of texts) {
          expect(textOf(pieces) === text).toBe(true);
          expect(pieces.length).toBe(Math.ceil(bytesOf(pieces) / PIECE_BYTES));
          expect(Math.max(...pieces.map(({ length }) => length))).toBeLessThan(PIECE_BYTES + 4);
        }
        expect(session!.head).toEqual(await store.readHead(ref));
      }
    });

    it('the session store returns what was stored, in its order, and to the byte', async () => {
      const body = '{ "id":"c",  "weight": 1.50, "x": "\\u0000 \\ud800 \u{10FFFF} é \uFEFF" }';
      const ref = await newSession(store, {
        settings: { research_question: 'why\0?', domain: null, odd: { a: [1.5, 'é'] } },
        entities: [entity('claims', 'z'), { kind: 'claims', id: 'c', body }, entity('actors', 'a')],
      });
      expect(await payloadOf(store, ref)).toBe(
        `{"research_question":"why\\u0000?","domain":null,"odd":{"a":[1.5,"é"]},"actors":[{"id":"a"}],"subjects":[],` +
          `"claims":[{"id":"z"},${body}],"evidence":[],"inferences":[],"distinctions":[]}`,
      );
      expect(await itemOf(store, ref, { kind: 'claims', id: 'c' })).toBe(body);
      expect(await listOf(store, ref, 'claims')).toBe(`[{"id":"z"},${body}]`);
      expect(await listOf(store, ref, 'evidence')).toBe('[]');
      expect(await store.readSession(ref)).toEqual({
        head: await store.readHead(ref),
        version: expect.any(String),
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
        revision: 0,
        judgedRevision: 0,
      });
    });

    it('an empty session is an empty investigation', async () => {
      const ref = await newSession(store);
      expect(JSON.parse((await payloadOf(store, ref))!)).toEqual(
        Object.fromEntries(ENTITY_KINDS.map((kind) => [kind, []])),
      );
    });

    it('the session store accepts an id once in a tenant, regardless of its owner, of any length and any Unicode', async () => {
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
        expect(await listOf(store, ref, 'actors')).toBe('[]');
        await newSession(store, { ref: { tenantId: randomUUID(), sessionId } });
      }
    });

    it('the session store lets exactly one of many creations of an id win', async () => {
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
      expect(JSON.parse((await payloadOf(store, ref))!)).toMatchObject({
        n: winner,
        actors: [{ id: `${winner}` }],
      });
    });

    it('lists count the claims of a session after every kind of write', async () => {
      covers('INV-S.39');
      const three = ['a', 'b', 'c'].map((id) => entity('claims', id));
      const ref = await newSession(store, { entities: [...three, entity('actors', 'a')] });
      const counted = async () => (await list(ref)).map(({ claimCount }) => claimCount);
      expect(await counted()).toEqual([3]);
      const more = [entity('claims', 'a', { again: true }), entity('claims', 'd'), entity('actors', 'b')];
      await store.update(ref, change({ upserts: more }));
      expect(await counted()).toEqual([4]);
      const gone = [
        { kind: 'claims', id: 'b' },
        { kind: 'claims', id: 'unknown' },
        { kind: 'actors', id: 'b' },
      ] as const;
      await store.update(ref, change({ upserts: [entity('claims', 'e')], removals: gone }));
      expect(await counted()).toEqual([4]);
      await store.deleteEntity(ref, { kind: 'claims', id: 'e' }, at(2));
      await store.deleteEntity(ref, { kind: 'actors', id: 'a' }, at(2));
      expect(await counted()).toEqual([3]);
      await store.update(ref, change({ name: 'Renamed' }));
      expect(await counted()).toEqual([3]);
    });

    /** A judged session, and the same session as another tenant names it. */
    async function ofAnother() {
      const mine = await newSession(store, { entities: [entity('claims', 'c')] });
      await judge(store, mine, at(1));
      return { mine, ref: { ...mine, tenantId: randomUUID() } };
    }

    it('a session of another tenant is not there to be read', async () => {
      const { ref } = await ofAnother();
      expect(await store.readHead(ref)).toBeNull();
      expect(await payloadOf(store, ref)).toBeNull();
      expect(await store.readSession(ref)).toBeNull();
      expect(await list(ref)).toEqual([]);
      expect(await itemOf(store, ref, { kind: 'claims', id: 'c' })).toBe('no_session');
      expect(await listOf(store, ref, 'claims')).toBeNull();
      expect(await store.listJudgements(ref)).toBeNull();
      expect(await store.readJudgement(ref, 'latest')).toBe('no_session');
      expect(await store.readShare(ref)).toBe('no_session');
    });

    it('a session of another tenant is not there to be written, and stays as it was', async () => {
      const { mine, ref } = await ofAnother();
      expect(await store.update(ref, change({ name: 'x' }))).toBe('no_session');
      expect(await store.deleteEntity(ref, { kind: 'claims', id: 'c' }, at(1))).toBe('no_session');
      const judgement = {
        id: randomUUID(),
        judgedAt: at(2),
        revision: 0,
        durationMs: null,
        inputSnapshot: json(1),
        result: json(1),
      };
      expect(await store.saveJudgement(ref, judgement)).toBe(false);
      expect(await store.setInterpretation(ref, 'x', at(1))).toBe('no_session');
      const share = {
        slug: 's',
        preferredPane: 'mesh',
        isPublic: true,
        version: null,
        now: at(1),
        newShareUuid: randomUUID(),
      };
      expect(await store.putShare(ref, share)).toBe('no_session');
      expect(await store.deleteSession(ref)).toBe(false);
      expect(await store.listJudgements(mine)).toHaveLength(1);
    });

    describe('update', () => {
      it('update adds items behind the last and replaces in place, list by list', async () => {
        covers('INV-S.7');
        const ref = await newSession(store, {
          entities: [
            entity('claims', 'a'),
            entity('actors', 'a'),
            entity('claims', 'b'),
            entity('claims', 'c'),
          ],
        });
        const upserts = [entity('claims', 'd'), entity('claims', 'b', { n: 2 }), entity('claims', 'e')];
        expect(await store.update(ref, change({ upserts }))).toMatchObject({ outcome: 'updated' });
        expect(await listOf(store, ref, 'claims')).toBe(
          '[{"id":"a"},{"id":"b","n":2},{"id":"c"},{"id":"d"},{"id":"e"}]',
        );
        expect(await listOf(store, ref, 'actors')).toBe('[{"id":"a"}]');
      });

      it('update removes after merging, and what is not there without complaint', async () => {
        covers('INV-S.8');
        const ref = await newSession(store, { entities: [entity('claims', 'a'), entity('claims', 'b')] });
        const upserts = [entity('claims', 'c'), entity('claims', 'b', { n: 2 }), entity('actors', 'b')];
        const removals = ['b', 'c', 'nothing'].map((id) => ({ kind: 'claims' as const, id }));
        expect(await store.update(ref, change({ upserts, removals }))).toMatchObject({ outcome: 'updated' });
        expect(await listOf(store, ref, 'claims')).toBe('[{"id":"a"}]');
        expect(await listOf(store, ref, 'actors')).toBe('[{"id":"b"}]');
        // What was removed and comes again stands last.
        await store.update(ref, change({ upserts: [entity('claims', 'd'), entity('claims', 'b')] }));
        expect(ids(await listOf(store, ref, 'claims'))).toEqual(['a', 'd', 'b']);
      });

      it('update moves last, also what it adds itself, and what is added later stands behind', async () => {
        covers('INV-F.UpdateSessionRequest.moves');
        const ref = await newSession(store, {
          entities: ['a', 'b', 'c', 'd'].map((id) => entity('claims', id)),
        });
        const move = (id: string, before: string | null) => ({ kind: 'claims' as const, id, before });
        await store.update(ref, change({ removals: [{ kind: 'claims', id: 'a' }] }));
        await store.update(ref, change({ upserts: [entity('claims', 'a')], moves: [move('a', 'b')] }));
        expect(ids(await listOf(store, ref, 'claims'))).toEqual(['a', 'b', 'c', 'd']);
        const moves = [
          move('d', 'b'),
          move('a', 'd'),
          move('b', null),
          move('nothing', 'a'),
          move('c', 'no'),
        ];
        await store.update(ref, change({ upserts: [entity('actors', 'x')], moves }));
        expect(ids(await listOf(store, ref, 'claims'))).toEqual(['a', 'd', 'c', 'b']);
        await store.update(ref, change({ upserts: [entity('claims', 'e')] }));
        expect(ids(await listOf(store, ref, 'claims'))).toEqual(['a', 'd', 'c', 'b', 'e']);
      });

      it('update replaces the settings given and leaves the others, name and items alone', async () => {
        const ref = await newSession(store, {
          settings: { research_question: 'q', domain: 'News', summary_mode: true },
          entities: [entity('claims', 'a')],
        });
        await store.update(ref, change({ settings: { domain: null, odd: 'é\0', summary_mode: undefined } }));
        expect(JSON.parse((await payloadOf(store, ref))!)).toMatchObject({
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

      it('update sets the time of the last change, which clocks a little apart do not decrease', async () => {
        covers('INV-S.57');
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
        await judge(store, ref, at(80));
        await store.setInterpretation(ref, 'x', at(90));
        expect((await store.readHead(ref))?.updatedAt).toEqual(at(60));
      });

      it('a change after one by a clock that was a day ahead has its own time', async () => {
        covers('INV-S.57');
        const ref = await newSession(store, { entities: [entity('claims', 'a')] });
        const day = 24 * 3_600_000;
        await store.update(ref, change({ now: at(day), name: 'ahead' }));
        await store.update(ref, change({ now: at(2), name: 'back' }));
        expect((await store.readHead(ref))?.updatedAt).toEqual(at(2));
        await store.update(ref, change({ now: at(day), name: 'ahead' }));
        await store.deleteEntity(ref, { kind: 'claims', id: 'a' }, at(3));
        expect((await store.readHead(ref))?.updatedAt).toEqual(at(3));
      });

      it('update keeps the payload within the byte limit exactly, and lets an oversized one shrink', async () => {
        const ref = await newSession(store, {
          settings: { research_question: 'é' },
          entities: [entity('claims', 'a')],
        });
        const size = async () => Buffer.byteLength((await payloadOf(store, ref))!);
        const before = await size();
        const added = entity('claims', 'b', { text: 'é'.repeat(100) });
        const payloadBytesMax = before + Buffer.byteLength(added.body) + 1;
        const grow = (bytes: number) =>
          store.update(ref, change({ upserts: [added], payloadBytesMax: bytes, name: 'grown' }));
        // Every list may have one comma fewer than items.
        expect(await grow(payloadBytesMax - 1 - 1)).toBe('too_large');
        expect(await size()).toBe(before);
        expect((await store.readHead(ref))?.name).toBe('Name');
        expect(await grow(payloadBytesMax + ENTITY_KINDS.length)).toMatchObject({ outcome: 'updated' });
        expect(await size()).toBe(payloadBytesMax);
        const shrink = { upserts: [entity('claims', 'b')], payloadBytesMax: 1 };
        expect(await store.update(ref, change(shrink))).toMatchObject({ outcome: 'updated' });
        expect(
          await store.update(ref, change({ settings: { research_question: 'ée' }, payloadBytesMax: 1 })),
        ).toBe('too_large');
        expect(await store.update(ref, change({ name: 'same size', payloadBytesMax: 1 }))).toMatchObject({
          outcome: 'updated',
        });
      });

      it('update refuses a change of another version, and lets one of two changes of the same version win', async () => {
        covers('INV-S.46');
        const ref = await newSession(store, { entities: [entity('claims', 'a')] });
        const versionOf = async () => (await store.readSession(ref))!.version;
        const first = await versionOf();
        const outcomes = await Promise.all(
          ['b', 'c'].map((id) =>
            store.update(ref, change({ upserts: [entity('claims', id)], version: first })),
          ),
        );
        const won = outcomes.filter((outcome) => outcome !== 'conflict');
        expect([outcomes.length, won]).toEqual([
          2,
          [expect.objectContaining({ version: await versionOf() })],
        ]);
        expect(ids(await listOf(store, ref, 'claims'))).toHaveLength(2);
        await store.deleteEntity(ref, { kind: 'claims', id: 'a' }, at(2));
        const stale = change({ name: 'stale', version: (won[0] as { version: string }).version });
        expect(await store.update(ref, stale)).toBe('conflict');
        expect((await store.readHead(ref))?.name).toBe('Name');
        expect(await store.update(ref, change({ name: 'fresh', version: await versionOf() }))).toMatchObject({
          outcome: 'updated',
        });
      });

      it('update accepts ids and texts of a megabyte', async () => {
        const id = 'é'.repeat(500_000);
        const ref = await newSession(store, {
          entities: [entity('claims', id, { content: '\0'.repeat(1_000_000) })],
        });
        await store.update(
          ref,
          change({ upserts: [entity('claims', `${id}.`), entity('claims', id, { n: 2 })] }),
        );
        expect(ids(await listOf(store, ref, 'claims'))).toEqual([id, `${id}.`]);
        expect(await itemOf(store, ref, { kind: 'claims', id })).toBe(JSON.stringify({ id, n: 2 }));
      });

      it('update reports which upserts replaced an item and which removals named none', async () => {
        const ref = await newSession(store, { entities: [entity('claims', 'a'), entity('actors', 'b')] });
        const upserts = [entity('claims', 'a', { n: 1 }), entity('claims', 'new'), entity('claims', 'brief')];
        const removals = (['b', 'a', 'brief', 'ghost'] as const).map((id) => ({
          kind: id === 'b' || id === 'a' ? ('actors' as const) : ('claims' as const),
          id,
        }));
        expect(await store.update(ref, change({ upserts, removals }))).toEqual({
          outcome: 'updated',
          added: 1,
          replaced: 1,
          removed: 1,
          version: expect.any(String),
          missing: [
            { kind: 'actors', id: 'a' },
            { kind: 'claims', id: 'ghost' },
          ],
          missingCount: 2,
          changed: [
            {
              kind: 'claims',
              was: entity('claims', 'a').body,
              now: entity('claims', 'a', { n: 1 }).body,
            },
          ],
          payloadBytes: expect.any(Number),
        });
      });

      it('update compares the first 50 replaced items, but for those that stayed and very long ones', async () => {
        covers('INV-Q.96');
        const items = (count: number, n: number) => [
          entity('claims', 'same'),
          entity('claims', 'long', { n, text: 'x'.repeat(9000) }),
          ...Array.from({ length: count }, (_, at) => entity('actors', `a${at}`, { n })),
        ];
        const ref = await newSession(store, { entities: items(60, 0) });
        const updated = await store.update(ref, change({ upserts: items(60, 1) }));
        const [before, after] = [items(50, 0).slice(2), items(50, 1).slice(2)];
        expect(updated).toMatchObject({
          changed: before.map(({ kind, body }, at) => ({ kind, was: body, now: after[at]!.body })),
        });
      });

      it('a session of several chunks is written whole, changed whole, and counted exactly', async () => {
        covers('PLAT-F.22');
        const names = (from: number, to: number) =>
          Array.from({ length: to - from }, (_, n) => `c${from + n}`);
        const text = 'ä"\u{1f600}'.repeat(40_000);
        const claims = (from: number, to: number) =>
          names(from, to).map((id) => entity('claims', id, { text }));
        const ref = await newSession(store, { entities: [entity('actors', 'a'), ...claims(0, 8)] });
        const countOf = async () => (await list(ref))[0]!.claimCount;
        expect([ids(await listOf(store, ref, 'claims')), await countOf()]).toEqual([names(0, 8), 8]);
        const size = Buffer.byteLength((await payloadOf(store, ref))!);
        const grown = { upserts: claims(4, 12), removals: [{ kind: 'claims' as const, id: 'c0' }] };
        expect(await store.update(ref, change({ ...grown, payloadBytesMax: size + 2 }))).toBe('too_large');
        expect(ids(await listOf(store, ref, 'claims'))).toEqual(names(0, 8));
        expect(await store.update(ref, change(grown))).toMatchObject({ added: 4, replaced: 4, removed: 1 });
        expect([ids(await listOf(store, ref, 'claims')), await countOf()]).toEqual([names(1, 12), 11]);
      });

      it('update keeps all of 100 claims that 100 parallel changes add', async () => {
        covers('INV-S.15');
        const ref = await newSession(store);
        const claims = Array.from({ length: 100 }, (_, n) => `c${n}`);
        const outcomes = await Promise.all(
          claims.map((id) =>
            store.update(ref, change({ upserts: [entity('claims', id)], settings: { [id]: true } })),
          ),
        );
        for (const outcome of outcomes) expect(outcome).toMatchObject({ outcome: 'updated' });
        const payload = JSON.parse((await payloadOf(store, ref))!) as Record<string, unknown>;
        expect((payload.claims as { id: string }[]).map(({ id }) => id).sort()).toEqual([...claims].sort());
        expect(Object.keys(payload).filter((key) => key.startsWith('c') && key !== 'claims')).toHaveLength(
          100,
        );
      });

      it('update shows readers no half of a change', async () => {
        covers('INV-S.15');
        const stamped = (n: number) => ({
          settings: { n },
          name: `${n}`,
          upserts: Array.from({ length: 20 }, (_, item) => entity('claims', `c${item}`, { n })),
        });
        const ref = await newSession(store, { ...stamped(0), entities: stamped(0).upserts });
        let isWriting = true;
        let reads = 0;
        const writing = (async () => {
          // However slow the reader is, it reads between writes.
          for (let n = 1; n <= 30 || reads < 2; n++) await store.update(ref, change(stamped(n)));
          isWriting = false;
        })();
        while (isWriting) {
          const { head, payload } = (await store.readSession(ref))!;
          const { n, claims } = JSON.parse(textOf(payload)) as { n: number; claims: { n: number }[] };
          expect(new Set([Number(head.name), ...claims.map((claim) => claim.n)])).toEqual(new Set([n]));
          reads++;
        }
        await writing;
      });
    });

    it('the session store deletes one item, and reports when there is none', async () => {
      const ref = await newSession(store, { entities: [entity('claims', 'a'), entity('actors', 'a')] });
      expect(await store.deleteEntity(ref, { kind: 'claims', id: 'a' }, at(1))).toBe('deleted');
      expect(await store.deleteEntity(ref, { kind: 'claims', id: 'a' }, at(1))).toBe('no_entity');
      expect(await itemOf(store, ref, { kind: 'claims', id: 'a' })).toBe('no_entity');
      expect(await itemOf(store, ref, { kind: 'actors', id: 'a' })).toBe('{"id":"a"}');
    });

    it('the session store deletes a session with all that belongs to it, and frees the id', async () => {
      const ref = await newSession(store, { entities: [entity('claims', 'a')] });
      const other = await newSession(store, {
        ref: { ...ref, sessionId: 'other' },
        entities: [entity('claims', 'a')],
      });
      const judgementId = await judge(store, ref, at(1));
      const shareUuid = randomUUID();
      const share = { slug: 's', preferredPane: 'mesh', isPublic: true, snapshot: json(1), now: at(1) };
      await store.putShare(ref, { ...share, version: null, newShareUuid: shareUuid });
      expect(await store.deleteSession(ref)).toBe(true);
      expect(await store.deleteSession(ref)).toBe(false);
      expect(await store.readPublicShare(shareUuid)).toBeNull();
      expect(await store.listShares(ref.tenantId, 'owner')).toEqual([]);
      await newSession(store, { ref });
      expect(await listOf(store, ref, 'claims')).toBe('[]');
      expect(await store.readJudgement(ref, judgementId)).toBe('no_judgement');
      expect(await store.readHead(ref)).toMatchObject({ judgedAt: null, lastJudgementId: null });
      expect(await store.readShare(ref)).toBe('no_share');
      expect(await listOf(store, other, 'claims')).toBe('[{"id":"a"}]');
    });

    judgementsContract(() => store);
    sharesContract(() => store);
    membersContract(() => store);

    it('the session store finds all sessions by a time that no database can write', async () => {
      const ref = await newSession(store);
      for (const time of ['0000-01-01T00:00:00+01:00', '0000-06-01T00:00:00Z']) {
        expect(await list(ref, { updatedAfter: new Date(time) })).toHaveLength(1);
        expect(await list(ref, { updatedBefore: new Date(time) })).toEqual([]);
      }
      const late = new Date('9999-12-31T23:59:59-10:00');
      expect(await list(ref, { updatedAfter: late })).toEqual([]);
      expect(await list(ref, { updatedBefore: late })).toHaveLength(1);
    });

    it('the session store finds no name by text that no name can hold, and reads % and _ literally', async () => {
      const ref = await newSession(store, { name: '100% of_it \\ "Straße" İ ΣΟΦΟΣ \uFFFD' });
      for (const nameFilter of ['\0', '\ud800', '1%0', 'of-it', 'x_']) {
        expect([nameFilter, await list(ref, { nameFilter })]).toEqual([nameFilter, []]);
      }
      for (const nameFilter of ['', '0% OF_', '\\', '"stra', 'σοφος', 'ΟΦΟΣ', 'i\u0307']) {
        expect([nameFilter, (await list(ref, { nameFilter })).length]).toEqual([nameFilter, 1]);
      }
    });

    it('the session store finds a part of a long name wherever it stands, once', async () => {
      const ref = await newSession(store, { name: `${'a'.repeat(499)}bc${'d'.repeat(98)}e` });
      for (const sort of ['updated_at', 'created_at', 'name'] as const) {
        for (const nameFilter of ['aab', 'abcd', 'cdd', 'DE', 'd'])
          expect([nameFilter, (await list(ref, { nameFilter, sort })).length]).toEqual([nameFilter, 1]);
        expect(await list(ref, { nameFilter: 'ea', sort })).toEqual([]);
      }
    });
  });
}
