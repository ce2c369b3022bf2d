import { afterEach, describe, expect, it, jest } from '@jest/globals';
import { SEED } from '@platform/testing/seed';
import { covers } from '@platform/testing/covers';
import fc from 'fast-check';
import type { z } from 'zod';
import { analyst, judged, record, service, type Call } from './outcomes.fixture.ts';
import type { ApplySourceRecordsResponse, SourceRecord } from './wire/outcome-schema.ts';

fc.configureGlobal({ seed: SEED });

type Applied = z.output<typeof ApplySourceRecordsResponse>;
type Records = z.output<typeof SourceRecord>[];

describe('records of sources', () => {
  afterEach(() => void jest.restoreAllMocks());

  it('the record of a source joins sessions by kind and name, and starts from the declared reliability', async () => {
    covers('INV-O.5');
    const call = await analyst('names');
    for (const [id, name] of [
      ['one', 'The Daily'],
      ['two', ' the  daily '],
    ] as const) {
      const session = await judged(call, id, { [name]: ['red'] });
      await record(call, session, 'q0', id === 'one' ? 'red' : 'blue');
    }
    const records = (await call('GET', '/source-records?name_filter=DAILY')).json as Records;
    expect(records).toMatchObject([
      { source_type: 'Journalist', statements: 2, right: 1, declared_reliability: 0.7 },
    ]);
    // Ten statements of 0.7 and two of which one was right.
    expect(records[0]!.reliability.mean).toBeCloseTo((7 + 1) / 12, 12);
    expect((await call('GET', '/source-records?name_filter=weekly')).json).toEqual([]);
  });

  it('the record of a source changes a session only when it is applied, and never unasked what the session states', async () => {
    covers('INV-O.6', 'INV-O.18');
    const call = await analyst('apply');
    const past = await judged(call, 'past', { Daily: ['red', 'red'], Weekly: ['blue', 'blue'] });
    await record(call, past, 'q0', 'red');
    await record(call, past, 'q1', 'red');
    const next = await judged(call, 'next', { daily: ['up'], Weekly: ['down'], Monthly: ['up'] });
    const stated = { id: 'a1', name: 'Weekly', source_type: 'Journalist', base_reliability: 0.9 };
    await call('PATCH', next, { actors: [stated] });
    const apply = async (body?: object) =>
      (await call('POST', `${next}/source-records`, body)).json as Applied;
    expect(await apply()).toEqual({ session_id: 'next', applied: [], put_back: [], kept: 3 });
    const owners = [{ owner_id: 'apply-analyst', outcomes: 2, statements: 2 }];
    const known = { statements: 2, right: 2, owners };
    expect(await apply({ statements_min: 2 })).toEqual({
      session_id: 'next',
      applied: [{ actor_id: 'a0', name: 'daily', before: null, base_reliability: 9 / 12, ...known }],
      put_back: [],
      kept: 2,
    });
    expect(await apply({ statements_min: 2, replace: true })).toMatchObject({
      applied: [{ actor_id: 'a1', before: 0.9, base_reliability: 7 / 12 }],
    });
    expect((await call('GET', `${next}/actors/a1`)).json).toEqual({
      ...stated,
      base_reliability: 7 / 12,
      reliability_record: { right: 0, statements: 2, base_reliability: 7 / 12 },
    });
  });

  const recordOf = async (call: Call) => ((await call('GET', '/source-records')).json as Records)[0]!;

  it('a record that was applied, judged with and recorded again counts no statement twice', async () => {
    covers('INV-O.13');
    const call = await analyst('again');
    const expert = { actors: [{ id: 'a0', name: 'Expert', source_type: 'Expert' }] };
    const first = await judged(call, 'first', { Expert: Array<string>(10).fill('wrong') }, expert);
    for (let round = 0; round < 3; round++) {
      for (let question = 0; question < 10; question++) await record(call, first, `q${question}`, 'right');
      const { declared_reliability: declared, reliability, statements } = await recordOf(call);
      expect(statements).toBe(10);
      expect(declared).toBeCloseTo(0.85, 12);
      expect(reliability.mean).toBeCloseTo(0.425, 12);
      await call('POST', `${first}/source-records`, { replace: true });
      await call('POST', `${first}/judge`);
    }
    const second = await judged(call, 'second', { Expert: ['right'] }, expert);
    await call('POST', `${second}/source-records`);
    await call('POST', `${second}/judge`);
    await record(call, second, 'q0', 'right');
    expect((await recordOf(call)).reliability.mean).toBeCloseTo((8.5 + 1) / 21, 12);
  });

  it('a record is that of the distinct statements and the reliability declared last, however often records are applied', async () => {
    covers('INV-O.13');
    let tenants = 0;
    // So large that the statement stays the leading value after its record was applied.
    const declaration = fc.option(fc.double({ min: 0.6, max: 0.98, noNaN: true }), {
      nil: 'apply' as const,
    });
    await fc.assert(
      fc.asyncProperty(
        fc.array(fc.boolean(), { minLength: 1, maxLength: 3 }),
        fc.array(declaration, { minLength: 1, maxLength: 4 }),
        async (wasRight, steps) => {
          const call = await analyst(`rounds-${++tenants}`);
          const session = await judged(call, 'one', { Daily: wasRight.map((is) => (is ? 'red' : 'blue')) });
          let declared = 0.7;
          for (const step of [declared, ...steps]) {
            if (step === 'apply')
              await call('POST', `${session}/source-records`, { replace: true, statements_min: 1 });
            else {
              const actor = { id: 'a0', name: 'Daily', source_type: 'Journalist', base_reliability: step };
              await call('PATCH', session, { actors: [actor] });
              declared = step;
            }
            await call('POST', `${session}/judge`);
            for (const question of wasRight.keys()) await record(call, session, `q${question}`, 'red');
            const { declared_reliability: kept, reliability } = await recordOf(call);
            expect(kept).toBeCloseTo(declared, 12);
            const right = wasRight.filter(Boolean).length;
            expect(reliability.mean).toBeCloseTo((10 * declared + right) / (10 + wasRight.length), 12);
          }
        },
      ),
      { numRuns: 10 },
    );
  });

  it('the record of a source is found in whatever spelling a session has its kind', async () => {
    covers('INV-O.5');
    const call = await analyst('kinds');
    const actors = [{ id: 'a0', name: 'Daily', source_type: 'social-media' }];
    const session = await judged(call, 'past', { Daily: ['red'] }, { actors });
    await record(call, session, 'q0', 'red');
    expect((await call('GET', '/source-records')).json).toMatchObject([{ source_type: 'SocialMedia' }]);
    expect((await call('POST', `${session}/source-records`, { statements_min: 1 })).json).toMatchObject({
      applied: [{ actor_id: 'a0', statements: 1 }],
    });
  });

  it('what a stranger recorded bends no record, also of an administrator who may read every session', async () => {
    covers('INV-O.14', 'INV-O.15');
    const [stranger, victim] = [await analyst('bent', 'stranger'), await analyst('bent', 'victim')];
    const questions = Array<string>(8).fill('invented');
    const bait = await judged(stranger, 'bait', { 'Harbor Gazette': questions });
    for (const question of questions.keys()) await record(stranger, bait, `q${question}`, 'other');
    const session = await judged(victim, 'own', { 'harbor gazette': ['open'] });
    // As with a policy that lets the caller read everything.
    jest.spyOn(service.deps.permissions, 'hasPolicies').mockReturnValue(true);
    jest
      .spyOn(service.deps.permissions, 'decide')
      .mockImplementation(async (_caller, _action, sessions) => sessions.map(() => 'allowed'));
    const apply = async (body: object) =>
      (await victim('POST', `${session}/source-records`, body)).json as Applied;
    expect((await victim('GET', '/source-records')).json).toEqual([]);
    expect(await apply({ replace: true })).toMatchObject({ applied: [], put_back: [], kept: 1 });
    // Asked for, they count, and the response says whose they are.
    const owners = [{ owner_id: 'stranger', outcomes: 8, statements: 8 }];
    expect((await victim('GET', '/source-records?mine=false')).json).toMatchObject([
      { statements: 8, owners },
    ]);
    const bent = await apply({ mine: false });
    expect(bent).toMatchObject({
      applied: [{ actor_id: 'a0', before: null, statements: 8, right: 0, owners }],
    });
    const put_back = [{ actor_id: 'a0', before: bent.applied[0]!.base_reliability, base_reliability: null }];
    expect(await apply({})).toMatchObject({ applied: [], put_back, kept: 0 });
    expect((await victim('GET', `${session}/actors/a0`)).json).not.toHaveProperty('base_reliability');
    expect(await apply({})).toMatchObject({ applied: [], put_back: [], kept: 1 });
  });

  it('a number whose record is gone, or has too few statements, is put back to what the session stated', async () => {
    covers('INV-O.16', 'INV-O.18');
    const call = await analyst('gone');
    const past = await judged(call, 'past', { Daily: ['red', 'red'], Weekly: ['blue', 'blue'] });
    const outcomes = [await record(call, past, 'q0', 'red'), await record(call, past, 'q1', 'red')];
    const next = await judged(call, 'next', { Daily: ['up'], Weekly: ['down'] });
    const stated = { id: 'a1', name: 'Weekly', source_type: 'Journalist', base_reliability: 0.9 };
    await call('PATCH', next, { actors: [stated] });
    const numbers = async () =>
      (
        (await call('GET', next)).json as { payload: { actors: { base_reliability?: number }[] } }
      ).payload.actors.map(({ base_reliability }) => base_reliability);
    const apply = async (body: object) =>
      (await call('POST', `${next}/source-records`, body)).json as Applied;
    await apply({ statements_min: 2, replace: true });
    expect(await numbers()).toEqual([9 / 12, 7 / 12]);
    // One outcome less: numbers of records follow it unasked.
    await call('DELETE', `${past}/outcomes/${outcomes[0]!.id}`);
    await apply({ statements_min: 1 });
    expect(await numbers()).toEqual([8 / 11, 7 / 11]);
    expect(await apply({ statements_min: 2 })).toMatchObject({
      applied: [],
      put_back: [
        { actor_id: 'a0', before: 8 / 11, base_reliability: null },
        { actor_id: 'a1', before: 7 / 11, base_reliability: 0.9 },
      ],
      kept: 0,
    });
    expect(await numbers()).toEqual([undefined, 0.9]);
    expect((await call('GET', `${next}/actors/a1`)).json).toEqual(stated);
    await apply({ statements_min: 1, replace: true });
    await call('DELETE', `${past}/outcomes/${outcomes[1]!.id}`);
    await apply({ replace: true });
    expect(await numbers()).toEqual([undefined, 0.9]);
  });

  /** A source with a record, sent to a session by each way in; which sources it names, and the response. */
  const WAYS: Record<string, (call: Call, session: string, actor: Sent) => Promise<unknown>> = {
    'PATCH of the session': async (call, session, actor) =>
      (await call('PATCH', session, { actors: [actor] })).json,
    'PUT of the source': async (call, session, actor) =>
      (await call('PUT', `${session}/actors/${actor.id}`, actor)).json,
    'PATCH of the session that spells the field with an escape': async (call, session, actor) =>
      (await call('PATCH', session, JSON.stringify({ actors: [actor] }).replace('_record', '\\u005frecord')))
        .json,
    'the tool update_session': (call, session, actor) =>
      tool(call, 'update_investigation_session', session, { actors: [actor] }),
    'the tool upsert_investigation_actor': (call, session, actor) =>
      tool(call, 'upsert_investigation_actor', session, { actor }),
  };
  const OTHER = { id: 'other', name: 'Other', source_type: 'Expert' };
  type Sent = { id: string; name: string; source_type: string } & Record<string, unknown>;

  async function tool(call: Call, name: string, session: string, more: object): Promise<unknown> {
    const params = { name, arguments: { session_id: session.split('/')[2], ...more } };
    const { json } = await call('POST', '/mcp?toolsets=all', {
      jsonrpc: '2.0',
      id: 1,
      method: 'tools/call',
      params,
    });
    return json;
  }
  const actorsOf = async (call: Call, session: string) =>
    ((await call('GET', session)).json as { payload: { actors: Sent[] } }).payload.actors;

  it.each(Object.keys(WAYS))(
    'a record of a source that the register did not write is dropped with a warning by %s, and one that it wrote is kept',
    async (way) => {
      covers('INV-O.19');
      const call = await analyst(`way-${Object.keys(WAYS).indexOf(way)}`);
      const past = await judged(call, 'past', { Daily: ['red'] });
      await record(call, past, 'q0', 'red');
      const session = await judged(call, 'next', { Daily: ['up'], Weekly: ['up'] });
      await call('POST', `${session}/source-records`, { statements_min: 1 });
      const [own, weekly] = await actorsOf(call, session);
      expect(own).toHaveProperty('reliability_record');
      const said = await WAYS[way]!(call, session, own!);
      const isEscaped = way.includes('escape');
      expect(JSON.stringify(said).includes('reliability_record of the source')).toBe(isEscaped);
      if (!isEscaped) expect((await actorsOf(call, session))[0]).toEqual(own);
      for (const [actor, base_reliability, counts] of [
        [weekly!, 0.99, { right: 100, statements: 100 }],
        [weekly!, own!['base_reliability'], { right: 1, statements: 1 }],
        [own!, own!['base_reliability'], { right: 9, statements: 9 }],
      ] as const) {
        const reliability_record = { ...counts, base_reliability };
        const refused = await WAYS[way]!(call, session, { ...actor, base_reliability, reliability_record });
        expect(JSON.stringify(refused)).toContain(
          JSON.stringify(`reliability_record of the source "${actor.id}" was left out`).slice(1, -1),
        );
        const kept = (await actorsOf(call, session)).find(({ id }) => id === actor.id)!;
        const { reliability_record: _, ...rest } = actor;
        expect(kept).toEqual({ ...rest, base_reliability });
      }
    },
  );

  it('a new session holds no record of a source, and says whose were dropped', async () => {
    covers('INV-O.19');
    const call = await analyst('forged');
    const reliability_record = { right: 100, statements: 100, base_reliability: 0.9 };
    const forged = { ...OTHER, base_reliability: 0.9, reliability_record };
    const payload = { research_question: 'q', actors: [forged], subjects: [], claims: [] };
    const { json } = await call('POST', '/sessions', { name: 'n', session_id: 'n', payload });
    expect((json as { warnings: string[] }).warnings).toEqual([
      expect.stringMatching(/^reliability_record of the source "other" was left out/),
    ]);
    expect(await actorsOf(call, '/sessions/n')).toEqual([{ ...OTHER, base_reliability: 0.9 }]);
  });

  it('a record with more right statements than statements is refused by the name of the field', async () => {
    covers('INV-O.20');
    const call = await analyst('more-right');
    const session = await judged(call, 'one', { Daily: ['red'] });
    const reliability_record = { right: 5, statements: 3, base_reliability: 0.9 };
    expect(await call('PUT', `${session}/actors/other`, { ...OTHER, reliability_record })).toMatchObject({
      status: 422,
      json: { error: 'reliability_record.right: must be at most statements, 3, not 5' },
    });
  });

  it('a number of a record that was stored and that no register wrote is put back with its record', async () => {
    covers('INV-O.21');
    const call = await analyst('stored');
    const session = await judged(call, 'one', { Daily: ['red'], Weekly: ['red'] });
    const forged = { ...(await actorsOf(call, session))[0]!, base_reliability: 0.99 };
    const reliability_record = { right: 100, statements: 100, base_reliability: 0.99 };
    // As a release before stored it.
    await service.deps.sessions.update(
      { tenantId: 'stored', sessionId: 'one' },
      {
        upserts: [{ kind: 'actors', id: 'a0', body: JSON.stringify({ ...forged, reliability_record }) }],
        payloadBytesMax: 1_000_000,
        now: new Date(),
      },
    );
    expect((await call('POST', `${session}/source-records`)).json).toMatchObject({
      put_back: [{ actor_id: 'a0', before: 0.99, base_reliability: null }],
      kept: 1,
    });
    const { base_reliability: _, ...rest } = forged;
    expect((await actorsOf(call, session))[0]).toEqual(rest);
  });
});
