import { randomUUID } from 'node:crypto';
import { beforeAll, describe, expect, it } from '@jest/globals';
import { covers } from '@platform/testing/covers';
import type { SessionStore } from './session-store.ts';
import { at, change, entity, json, judge, newSession, payloadOf } from './sessions.fixture.ts';

/** What a store promises of judgements and of the interpretation that follows them. */
export function judgementsContract(opened: () => SessionStore): void {
  let store: SessionStore;
  beforeAll(() => {
    store = opened();
  });

  describe('judgements', () => {
    it('judgements are under way at once are listed latest first, read by id and as the latest, whichever was saved last', async () => {
      covers('INV-S.11', 'INV-S.13');
      const ref = await newSession(store);
      expect(await store.listJudgements(ref)).toEqual([]);
      expect(await store.readJudgement(ref, 'latest')).toBe('no_judgement');
      const saved: [string, number][] = [];
      for (const time of [20, 40, 10, 40, 30])
        saved.push([await judge(store, ref, at(time), { time, nul: '\0é' }, 0), time]);
      const expected = saved.sort(([a, x], [b, y]) => y - x || (a < b ? 1 : -1));
      expect(await store.listJudgements(ref)).toEqual(
        expected.map(([id, time]) => ({ id, judgedAt: at(time), durationMs: 7 })),
      );
      const [latest] = expected[0]!;
      const record = {
        id: latest,
        judgedAt: at(40),
        durationMs: 7,
        inputSnapshot: `{"in":"${latest}"}`,
        quotes: null,
      };
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

    it('a judgement that was begun after another was kept is the latest, although its clock is behind', async () => {
      covers('INV-S.48');
      const ref = await newSession(store);
      const ids: string[] = [];
      for (const time of [5_000_000, 40, 10, 3_600_000, 30]) {
        ids.unshift(await judge(store, ref, at(time), { time }));
        const result = json({ time });
        expect((await store.listJudgements(ref))!.map(({ id }) => id)).toEqual(ids);
        expect(await store.readJudgement(ref, 'latest')).toMatchObject({ id: ids[0], result });
        expect(await store.readHead(ref)).toMatchObject({ judgedAt: at(time), lastJudgementId: ids[0] });
        expect(await store.readSession(ref)).toMatchObject({ lastResult: result });
        const listed = { tenantId: ref.tenantId, ownerId: 'owner', limit: 1, offset: 0 } as const;
        const holder = { userId: 'owner', lease: null };
        const [row] = await store.list({ ...listed, sort: 'updated_at', holder });
        expect(row).toMatchObject({ judgedAt: at(time), lastJudgementId: ids[0] });
      }
    });

    it('a judgement of what was changed since is not the latest, although it is kept last and its clock is ahead', async () => {
      covers('INV-S.48');
      const ref = await newSession(store);
      const { revision } = (await store.readHead(ref))!;
      await store.update(ref, change({ name: 'Corrected' }));
      const corrected = await judge(store, ref, at(2), {});
      await judge(store, ref, at(9_000_000), {}, revision);
      expect(await store.readHead(ref)).toMatchObject({ judgedAt: at(2), lastJudgementId: corrected });
    });

    it('judgements keep what became of their quotes, which is read by itself', async () => {
      covers('INV-Q.8');
      const ref = await newSession(store);
      expect(await store.readQuotes(ref, 'latest')).toBe('no_judgement');
      const id = randomUUID();
      const texts = { inputSnapshot: json(1), result: json(2), quotes: json({ verified: 1 }) };
      await store.saveJudgement(ref, { id, judgedAt: at(1), durationMs: null, revision: 0, ...texts });
      expect(await store.readJudgement(ref, id)).toMatchObject(texts);
      const quotes = { id, judgedAt: at(1), quotes: texts.quotes };
      expect(await store.readQuotes(ref, 'latest')).toEqual(quotes);
      expect(await store.readQuotes(ref, id)).toEqual(quotes);
      expect(await store.readQuotes({ ...ref, sessionId: 'other' }, id)).toBe('no_session');
    });

    it('a judgement is found in its own session alone, and by a UUID alone', async () => {
      const ref = await newSession(store);
      const id = await judge(store, ref, at(1));
      const other = await newSession(store, { ref: { ...ref, sessionId: 'other' } });
      expect(await store.readJudgement(other, id)).toBe('no_judgement');
      expect(await store.readJudgement(ref, id.toUpperCase())).toMatchObject({ id });
      for (const bad of ['', 'x', "'", `${id}0`])
        expect(await store.readJudgement(ref, bad)).toBe('no_judgement');
    });

    it('a judgement may have no duration', async () => {
      const ref = await newSession(store);
      const judgement = {
        id: randomUUID(),
        judgedAt: at(1),
        revision: 0,
        inputSnapshot: json(1),
        result: json(null),
      };
      await store.saveJudgement(ref, { ...judgement, durationMs: null });
      expect(await store.readJudgement(ref, 'latest')).toMatchObject({ durationMs: null, result: 'null' });
    });

    it('judgements keep the input as it was judged when the session changes', async () => {
      covers('INV-S.11');
      const ref = await newSession(store, { entities: [entity('claims', 'a')] });
      const payload = (await payloadOf(store, ref))!;
      await store.saveJudgement(ref, {
        id: randomUUID(),
        judgedAt: at(1),
        revision: 0,
        durationMs: 1,
        inputSnapshot: payload,
        result: json(1),
      });
      await store.update(ref, change({ removals: [{ kind: 'claims', id: 'a' }] }));
      expect(await store.readJudgement(ref, 'latest')).toMatchObject({ inputSnapshot: payload });
    });

    it('lists tell what the latest judgement answers, which is kept with it or added later', async () => {
      covers('INV-S.40');
      const ref = await newSession(store);
      const other = await newSession(store, { ref: { ...ref, sessionId: 'other' } });
      const listed = async () => {
        const query = {
          tenantId: ref.tenantId,
          ownerId: 'owner',
          holder: { userId: 'owner', lease: null },
          sort: 'name',
          limit: 9,
          offset: 0,
        } as const;
        const found = (await store.list(query)).find(({ sessionId }) => sessionId === ref.sessionId)!;
        return [found.lastJudgementId, found.answer];
      };
      expect(await listed()).toEqual([null, null]);
      const early = await judge(store, ref, at(1));
      expect(await listed()).toEqual([early, null]);
      await store.setAnswer(ref, early, '{"text":"Yes \\u0000"}');
      await store.setAnswer(other, early, 'of another session');
      expect(await listed()).toEqual([early, '{"text":"Yes \\u0000"}']);
      const id = randomUUID();
      const texts = { inputSnapshot: json(1), result: json(2), answer: 'null' };
      await store.saveJudgement(ref, { id, judgedAt: at(2), durationMs: null, revision: 0, ...texts });
      expect(await listed()).toEqual([id, 'null']);
      await store.setAnswer(ref, id, null);
      expect(await listed()).toEqual([id, null]);
    });
  });

  it('an interpretation is set and cleared once the session was judged', async () => {
    covers('INV-S.14');
    const ref = await newSession(store);
    expect(await store.setInterpretation(ref, 'early', at(1))).toBe('never_judged');
    expect(await store.readHead(ref)).toMatchObject({
      interpretation: null,
      interpretationUpdatedAt: null,
    });
    await judge(store, ref, at(2));
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
}
