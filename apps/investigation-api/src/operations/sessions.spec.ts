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
  ['a predicate in another spelling', { claims: [{ ...claim, id: 'd', predicate: 'P ' }] }],
  [
    'a scope in another spelling',
    { claims: ['adults', 'Adults'].map((scope) => ({ ...claim, id: scope, scope })) },
  ],
  [
    'competence for no predicate',
    { actors: [{ id: 'a', name: 'A', source_type: 'Expert', competence: { P: 1 } }] },
  ],
  [
    'an inference from no claim',
    {
      inferences: [
        { id: 'i', subject_id: 's', predicate: 'p', premise_claim_ids: ['x'], rule_type: 'default' },
      ],
    },
  ],
  [
    'a distinction of no claim',
    {
      distinctions: [
        { id: 'd', argument_a: 'c', argument_b: 'x', feature: 'f', condition_a: 'a', condition_b: 'b' },
      ],
    },
  ],
  ['a claim that supersedes none', { claims: [{ ...claim, supersedes_claim_id: 'x' }] }],
  [
    'a relationship to no claim',
    {
      claims: [
        { ...claim, id: 'd', relationships: [{ relationship_type: 'refines', target_claim_id: 'x' }] },
      ],
    },
  ],
  [
    'a corroboration by no actor',
    { claims: [{ ...claim, corroboration_events: [{ time: '2020-01-01', actor_id: 'x' }] }] },
  ],
];
const ITEMS: readonly (readonly [path: string, list: string])[] = [
  ['actors', 'actors'],
  ['claims', 'claims'],
  ['evidence', 'evidence'],
  ['inferences', 'inferences'],
  ['distinctions', 'distinctions'],
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

  it.each(MISTAKES)(
    'a session is made with the warnings that judging would return: %s',
    async (what, change) => {
      covers('INV-S.54');
      if (what.startsWith('the removal')) return;
      const session_id = `s${(count += 1)}`;
      const lists = change as Record<string, { readonly id: string }[]>;
      const added = Object.entries(lists).map(([list, items]) => {
        const ids = new Set(items.map(({ id }) => id));
        const before = ((SOUND as unknown as typeof lists)[list] ?? []).filter(({ id }) => !ids.has(id));
        return [list, [...before, ...items]];
      });
      const payload = { ...SOUND, ...Object.fromEntries(added) };
      const { json } = await send('POST', '/sessions', { name: 'n', session_id, payload });
      expect(json.warnings).toEqual((await send('PATCH', `/sessions/${session_id}`, {})).json.warnings);
      expect(json.warnings).toHaveLength(1);
    },
  );

  it.each(MISTAKES)(
    'an item is put with the warnings that judging would return: %s',
    async (_what, change) => {
      covers('INV-S.55');
      const session = await newSession();
      for (const [path, list] of ITEMS)
        for (const item of ((change as Record<string, { id: string }[]>)[list] ?? []).slice(0, -1))
          await send('PUT', `${session}/${path}/${item.id}`, item);
      for (const [path, list] of ITEMS) {
        const item = (change as Record<string, { id: string }[]>)[list]?.at(-1);
        if (item === undefined) continue;
        const { json } = await send('PUT', `${session}/${path}/${item.id}`, item);
        expect(json).toEqual({ ...item, warnings: [expect.any(String)] });
        expect((await send('PATCH', session, {})).json.warnings).toEqual(json.warnings);
      }
    },
  );

  it('an item is put without warnings of other items', async () => {
    covers('INV-S.55');
    const session = await newSession();
    const lost = { ...claim, id: 'lost', actor_id: 'ghost', actr_id: 'a', predicate: 'P ' };
    await send('PUT', `${session}/claims/lost`, lost);
    expect(
      (await send('PUT', `${session}/claims/d`, { ...claim, id: 'd', value: 'w' })).json,
    ).not.toHaveProperty('warnings');
  });

  it('a change of a session warns of a claim whose time lies in the future', async () => {
    covers('INV-S.54');
    const late = { claims: [{ ...claim, assertion_time: '2205-01-01' }] };
    expect((await send('PATCH', await newSession(), late)).json.warnings).toEqual([
      expect.stringMatching(/^The assertion_time 2205-01-01\S* of claim `c` lies in the future/),
    ]);
  });

  it('what is unknown is warned of next to what refers to nothing', async () => {
    covers('INV-S.54');
    const session = await newSession();
    const both = { claims: [{ ...claim, actor_id: 'ghost', actr_id: 'a' }] };
    expect((await send('PATCH', session, both)).json.warnings).toEqual([
      expect.stringContaining('names no actor'),
      expect.stringContaining('actr_id'),
    ]);
  });

  it('an item of a large session is put with the warnings of its form, and told to be checked no further', async () => {
    covers('INV-S.55');
    const session = await newSession();
    const content = 'x'.repeat(10_000);
    for (let part = 0; part < 11; part += 1) {
      const claims = Array.from({ length: 10 }, (_, n) => ({ ...claim, id: `${part}-${n}`, content }));
      expect(await send('PATCH', session, { claims })).toMatchObject({ status: 200 });
    }
    const odd = { ...claim, id: 'odd', actor_id: 'ghost', actr_id: 'a' };
    const { json } = await send('PUT', `${session}/claims/odd`, odd);
    expect(json.warnings).toEqual([
      expect.stringContaining('actr_id'),
      expect.stringContaining('too large to be checked'),
    ]);
  });

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
      claims: [claim, { ...claim, id: 'd', value: 'x' }, { ...claim, id: 'e', value: 'y' }],
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

  it('a change of a session, and the put of an item, names the items that others took the place of, and no correction', async () => {
    covers('INV-Q.96');
    const session = await newSession();
    const corrected = await send('PATCH', session, { claims: [{ ...claim, content: 'corrected' }] });
    expect(corrected.json.warnings).toEqual([]);
    const actors = [{ id: 'b', name: 'Coroner', source_type: 'Expert' }];
    const other = { ...claim, actor_id: 'b', value: '29', content: '29 died.' };
    const { warnings } = (await send('PATCH', session, { actors, claims: [other] })).json;
    expect(warnings).toEqual([
      'Replaced by another one: claim `c` was “v” by `a` on `p` of `s`. Where both are meant, give the new one a new id and add the old one again.',
    ]);
    const many = (name: string) =>
      Array.from({ length: 7 }, (_, n) => ({ id: `a${n}`, name: `${name} ${n}`, source_type: 'Expert' }));
    await send('PATCH', session, { actors: many('Herald') });
    const [first, ...rest] = (await send('PATCH', session, { actors: many('Times') })).json.warnings;
    expect(rest).toEqual([]);
    expect(first).toMatch(/^Replaced by another one: actor `a0` was “Herald 0”; .*“Herald 4”; and 2 more\. /);
    const put = await send('PUT', `${session}/claims/c`, claim);
    expect(put.json.warnings[0]).toContain('claim `c` was “29” by `b`');
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
