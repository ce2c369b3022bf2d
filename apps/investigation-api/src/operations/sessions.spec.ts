import { beforeAll, describe, expect, it } from '@jest/globals';
import { covers } from '@platform/testing/covers';
import { suiteService } from '../suite-service.fixture.ts';
import { ValidationResponse } from '../wire/session-schema.ts';

const service = suiteService('analysis');
let token: string;
beforeAll(async () => {
  token = await service.sign({ tenant_id: 'tenant', sub: 'owner' }, 'at+jwt');
});

interface Answer {
  readonly warnings: string[];
  readonly error: string;
}

async function send(method: string, path: string, body?: unknown): Promise<{ status: number; json: Answer }> {
  const response = await fetch(`${service.url}/api/v1${path}`, {
    method,
    headers: {
      authorization: `Bearer ${token}`,
      ...(body === undefined ? {} : { 'content-type': 'application/json' }),
    },
    body: body === undefined ? undefined : JSON.stringify(body),
  });
  return { status: response.status, json: (await response.json()) as Answer };
}

const claim = { id: 'c', actor_id: 'a', subject_id: 's', predicate: 'p', value: 'v', content: 'c' };
const SOUND = {
  research_question: 'q',
  actors: [{ id: 'a', name: 'A', source_type: 'Expert' }],
  subjects: [{ id: 's', name: 'S', subject_type: 't' }],
  claims: [claim],
};

let count = 0;
async function newSession(): Promise<string> {
  const session_id = `s${(count += 1)}`;
  await send('POST', '/sessions', { name: 'n', session_id, payload: SOUND });
  return `/sessions/${session_id}`;
}

/** Changes that are stored, and that judging refuses or warns of. */
const MISTAKES: [what: string, change: object][] = [
  ['a claim of an unknown actor', { claims: [{ ...claim, actor_id: 'ghost' }] }],
  ['a claim about an unknown subject', { claims: [{ ...claim, subject_id: 'ghost' }] }],
  ['a claim about nothing', { claims: [{ ...claim, subject_id: null }] }],
  ['a claim about itself', { claims: [{ ...claim, subject_id: null, target_claim_id: 'c' }] }],
  [
    'an event that ends before it starts',
    { claims: [{ ...claim, event_start_time: '2026-02', event_end_time: '2026-01' }] },
  ],
  [
    'evidence for an unknown claim',
    { evidence: [{ id: 'e', claim_id: '?', content: '', valence: 'Supports' }] },
  ],
  ['the removal of an actor in use', { remove_actor_ids: ['a'] }],
  ['the removal of a subject in use', { remove_subject_ids: ['s'] }],
  ['a field that claims do not have', { claims: [{ ...claim, actr_id: 'a' }] }],
];

describe('a change of a session', () => {
  covers('INV-S.31');
  it.each(MISTAKES)(
    'a change of a session returns the warnings that judging would return: %s',
    async (_what, change) => {
      const session = await newSession();
      const { status, json } = await send('PATCH', session, change);
      expect([status, json.warnings.length]).toEqual([200, 1]);
      const judged = await send('POST', `${session}/judge`, {});
      if (judged.status === 422) expect(json.warnings).toEqual(judged.json.error.split('\n'));
      else expect((judged.json as unknown as { result: Answer }).result.warnings).toEqual(json.warnings);
    },
  );

  it.each([
    [
      { remove_claims_ids: ['c'] },
      'Unknown field `remove_claims_ids` was ignored: name it `remove_claim_ids`.',
    ],
    [{ remove_claims: ['c'] }, 'Unknown field `remove_claims` was ignored: name it `remove_claim_ids`.'],
    [{ claim: [] }, 'Unknown field `claim` was ignored: name it `claims`.'],
    [{ question: '?' }, 'Unknown field `question` was ignored: name it `research_question`.'],
    [{ whatever: 1 }, 'Unknown field `whatever` was ignored.'],
    [{ remove_claim_ids: ['ghost'] }, 'Nothing to remove: the session has no claims `ghost`.'],
  ])('a change of a session warns about what had no effect: %j', async (change, warning) => {
    const session = await newSession();
    expect((await send('PATCH', session, change)).json.warnings).toEqual([warning]);
  });

  it('a change of a session counts what it added, replaced and removed, and warns of nothing when all is well', async () => {
    const session = await newSession();
    const { json } = await send('PATCH', session, {
      claims: [claim, { ...claim, id: 'd' }, { ...claim, id: 'e' }],
      remove_claim_ids: ['c'],
    });
    expect(json).toEqual({
      session_id: session.slice('/sessions/'.length),
      status: 'updated',
      added: 2,
      replaced: 0,
      removed: 1,
      version: expect.any(String),
      warnings: [],
    });
  });

  it('a change of a session names a few of very many problems', async () => {
    const session = await newSession();
    const claims = Array.from({ length: 100 }, (_, n) => ({ ...claim, id: `c${n}`, actor_id: 'ghost' }));
    const { warnings } = (await send('PATCH', session, { claims })).json;
    expect([warnings.length, warnings.at(-1)]).toEqual([21, 'and 80 more: validate the session']);
  });
});

describe('a validation', () => {
  covers('INV-S.32');
  it('validating a session returns what its judgement would, and keeps nothing', async () => {
    for (const [, change] of [...MISTAKES, ['nothing', {}] as const]) {
      const session = await newSession();
      await send('PATCH', session, change);
      const { json } = await send('POST', `${session}/validate`);
      const validation = ValidationResponse.parse(json);
      expect((await send('GET', `${session}/judgements`)).json).toEqual([]);
      const { status, json: judged } = await send('POST', `${session}/judge`, {});
      expect(validation.is_valid).toBe(status === 200);
      if (validation.is_valid)
        expect(validation.warnings).toEqual((judged as unknown as { result: Answer }).result.warnings);
      else
        expect(validation.problems.map(({ path, message }) => `${path}: ${message}`)).toEqual(
          judged.error.split('\n'),
        );
    }
  });

  it('validating an investigation returns what its analysis would', async () => {
    const sound = await send('POST', '/investigations/validate', SOUND);
    expect(sound).toEqual({
      status: 200,
      json: { is_valid: true, problems: [], problem_count: 0, warnings: [] },
    });
    const dangling = { ...SOUND, actors: [] };
    const { json } = await send('POST', '/investigations/validate', dangling);
    const refused = await send('POST', '/investigations/analyze', dangling);
    expect(json).toMatchObject({ is_valid: false, problem_count: 1 });
    const { problems } = ValidationResponse.parse(json);
    expect(problems.map(({ path, message }) => `${path}: ${message}`).join('\n')).toBe(refused.json.error);
  });
});
