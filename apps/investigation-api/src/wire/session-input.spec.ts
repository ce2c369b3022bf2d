import { describe, expect, it } from '@jest/globals';
import { DomainError } from '@platform/error-contracts';
import { covers } from '@platform/testing/covers';
import { PANE_IDS } from '@platform/viewer';
import { ENTITY_FAMILIES } from './entity-kinds.ts';
import { RequestBody } from './request-body.ts';
import type { SessionInputName } from './session-input.ts';
import { readSessionInput } from './session-input.ts';

const claim = (id: string, more: object = {}) => ({
  id,
  actor_id: 'a',
  predicate: 'p',
  value: 'yes',
  content: 'It is.',
  ...more,
});
const NO_UNKNOWN_FIELDS = { names: [], total: 0 };
const CLAIMS = ENTITY_FAMILIES.find(({ kind }) => kind === 'claims')!;
const sent = (value: unknown, fromUrl: Record<string, string> = {}, bodyField: string | null = null) =>
  new RequestBody(
    new TextEncoder().encode(typeof value === 'string' ? value : JSON.stringify(value)),
    fromUrl,
    bodyField,
  );

function problemsOf(name: SessionInputName, input: unknown): string[] {
  try {
    readSessionInput(name, input, CLAIMS);
  } catch (error) {
    if (error instanceof DomainError && error.kind === 'unprocessable') return error.message.split('\n');
    throw error;
  }
  return [];
}

describe('what creates a session', () => {
  it('a created session has an empty investigation and no id unless given', () => {
    covers('INV-F.CreateSessionRequest.payload');
    const read = {
      session_id: null,
      name: 'n',
      settings: { research_question: '' },
      entities: [],
      unknownFields: NO_UNKNOWN_FIELDS,
      warnings: [],
    };
    expect(readSessionInput('create_session', { name: 'n' })).toEqual(read);
    expect(readSessionInput('create_session', { name: 'n', payload: null, session_id: null })).toEqual(read);
  });

  it('a created session keeps 64 KiB of fields that no investigation has, and more are refused by name', () => {
    covers('PLAT-F.23');
    const payloadOf = (extra: object) => ({
      name: 'n',
      payload: { research_question: 'q', actors: [], subjects: [], claims: [], ...extra },
    });
    // [["notes","…"]]
    const fits = 'x'.repeat(64 * 1024 - '[["notes",""]]'.length);
    expect(problemsOf('create_session', sent(payloadOf({ notes: fits })))).toEqual([]);
    expect(problemsOf('create_session', sent(payloadOf({ notes: `${fits}x` })))).toEqual([
      'payload: fields that an investigation does not have take 65537 bytes, at most 65536 are kept: leave out `notes`',
    ]);
    const many = Object.fromEntries(Array.from({ length: 100_000 }, (_, index) => [`key${index}`, 0]));
    expect(problemsOf('create_session', sent(payloadOf(many)))[0]).toMatch(/leave out `key0`, `key1`/);
  });

  it('an item keeps 64 KiB of fields that its kind does not have, in a session and by itself', () => {
    covers('PLAT-F.23');
    const words = (path: string) =>
      `${path}: fields that it does not have take 65537 bytes, at most 65536 are kept: leave out \`notes\``;
    const notes = 'x'.repeat(64 * 1024 - '[["notes",""]]'.length);
    for (const [more, problems] of [
      [{ notes }, []],
      [{ notes: `${notes}x` }, [words('payload.claims[0]')]],
    ] as const) {
      const payload = { research_question: 'q', actors: [], subjects: [], claims: [claim('a', more)] };
      expect(problemsOf('create_session', sent({ name: 'n', payload }))).toEqual(problems);
    }
    const upsert = { session_id: 's', claim: claim('a', { notes: `${notes}x` }) };
    expect(() => readSessionInput('upsert_entity', upsert, CLAIMS)).toThrow(words('claim'));
  });

  it('fields that the objects of an item do not have count among those that the item does not have', () => {
    covers('PLAT-F.23');
    const many = Object.fromEntries(Array.from({ length: 30_000 }, (_, index) => [`key${index}`, 0]));
    const selector = { exact: 'x' };
    const source = { document: 'd', selector };
    for (const [more, named] of [
      [{ source: { ...source, ...many } }, 'source.key0'],
      [{ source: { ...source, selector: { ...selector, ...many } } }, 'source.selector.key0'],
      [{ corroboration_events: [{ actor_id: 'a', time: '2024', ...many }] }, 'corroboration_events[0].key0'],
      [
        { relationships: [{ relationship_type: 'refines', target_claim_id: 'b', ...many }] },
        'relationships[0].key0',
      ],
    ] as const) {
      const upsert = { session_id: 's', claim: claim('a', more) };
      expect(() => readSessionInput('upsert_entity', upsert, CLAIMS)).toThrow(`leave out \`${named}\`,`);
    }
    const few = { session_id: 's', claim: claim('a', { source: { ...source, note: 'kept' } }) };
    expect(() => readSessionInput('upsert_entity', few, CLAIMS)).not.toThrow();
  });

  it('a created session keeps the order of items and unknown fields', () => {
    const payload = {
      research_question: 'q',
      actors: [],
      subjects: [],
      claims: [claim('b', { extra: [1] }), claim('a')],
      evidence: null,
      mine: { x: 1 },
    };
    expect(readSessionInput('create_session', { name: 'n', payload })).toMatchObject({
      settings: { research_question: 'q', mine: { x: 1 } },
      entities: [
        { kind: 'claims', id: 'b', body: JSON.stringify(claim('b', { extra: [1] })) },
        { kind: 'claims', id: 'a', body: JSON.stringify(claim('a')) },
      ],
    });
  });

  it.each([
    [{ name: '' }, 'name: must not be empty or white space alone'],
    [{ name: 'x'.repeat(2001) }, 'name: must have at most 2000 characters'],
    [{ name: 'a\0b' }, 'name: must not contain the character U+0000'],
    [{ name: '\ud800' }, 'name: must be well-formed Unicode: it holds a lone surrogate'],
    [{}, 'name: is required: give a string'],
    [{ name: 7 }, 'name: must be a string'],
    [{ name: 'n', session_id: '' }, 'session_id: must not be empty'],
    [{ name: 'n', session_id: '\0' }, 'session_id: must not contain the character U+0000'],
    [{ name: 'n', session_id: '..' }, 'session_id: must not be `.` or `..`, which no URL can name'],
    [{ name: 'n', payload: [] }, 'payload: must be an object, not an array'],
    [null, '$: must be an object'],
  ])('creating a session is refused: %j', (input, problem) => {
    covers('INV-S.25');
    expect(problemsOf('create_session', input)).toEqual([problem]);
  });

  it('a created session may have a name of 2000 characters outside the basic plane', () => {
    covers('INV-S.25', 'INV-F.CreateSessionRequest.name');
    expect(problemsOf('create_session', { name: '😀'.repeat(2000) })).toEqual([]);
    expect(problemsOf('create_session', { name: '😀'.repeat(2001) })).toHaveLength(1);
  });

  it("every problem of a session's payload is named, duplicate ids included", () => {
    const payload = { actors: [{ id: 'a' }], subjects: [], claims: [claim('')] };
    expect(problemsOf('create_session', { name: 'n', payload }).map((line) => line.split(':')[0])).toEqual([
      'payload.research_question',
      'payload.actors[0].name',
      'payload.actors[0].source_type',
      'payload.claims[0].id',
    ]);
    const twice = {
      research_question: '',
      actors: [],
      subjects: [],
      claims: [claim('a'), claim('b'), claim('a')],
    };
    expect(problemsOf('create_session', { name: 'n', payload: twice })).toEqual([
      'payload.claims[2].id: stands already at payload.claims[0], ids are unique in a list',
    ]);
  });
});

describe('what updates a session', () => {
  it('an update of a session names what it changes and nothing else', () => {
    covers(
      'INV-F.UpdateSessionRequest.scalars',
      'INV-F.UpdateSessionRequest.removals',
      'INV-F.UpdateSessionRequest.moves',
    );
    const moves = [{ kind: 'claims', id: 'c', before: null }];
    const input = {
      domain: null,
      claims: [claim('c')],
      remove_actor_ids: ['x', ''],
      moves,
      name: null,
      unknown: 1,
    };
    expect(readSessionInput('update_session', { session_id: 's', ...input })).toEqual({
      session_id: 's',
      settings: { domain: null },
      upserts: [{ kind: 'claims', id: 'c', body: JSON.stringify(claim('c')) }],
      removals: [
        { kind: 'actors', id: 'x' },
        { kind: 'actors', id: '' },
      ],
      moves,
      unknownFields: { names: ['unknown'], total: 1 },
      warnings: [],
    });
  });

  it.each([
    [
      { claims: [claim('a'), { id: 'b' }] },
      ['claims[1].actor_id', 'claims[1].predicate', 'claims[1].value', 'claims[1].content'],
    ],
    [{ research_question: null }, ['research_question']],
    [{ domain: 'Cooking', decay_half_life_days: 'long' }, ['domain', 'decay_half_life_days']],
    [{ remove_claim_ids: ['a', 7] }, ['remove_claim_ids[1]']],
    [{ claims: [claim('a'), claim('a')] }, ['claims[1].id']],
    [{ actors: {} }, ['actors']],
    [{ name: '' }, ['name']],
  ])('updating a session is refused: %j', (input, paths) => {
    expect(
      problemsOf('update_session', sent(input, { session_id: 's' })).map((line) => line.split(':')[0]),
    ).toEqual(paths);
  });
});

describe('an item that is put', () => {
  const url = { session_id: 's', claim_id: 'c' };
  const { id: _id, ...unnamed } = claim('c');

  it('an item takes its id from the URL, or has the same', () => {
    for (const item of [claim('c'), unnamed]) {
      const read = readSessionInput('upsert_entity', sent(item, url, 'claim'), CLAIMS);
      expect(JSON.parse(read.shown)).toEqual(claim('c'));
      expect(read).toEqual({
        session_id: 's',
        item: { kind: 'claims', id: 'c' },
        upserts: [{ kind: 'claims', id: 'c', body: read.shown }],
        shown: read.shown,
        warnings: [],
      });
    }
    expect(problemsOf('upsert_entity', sent(claim('d'), url, 'claim'))).toEqual([
      'id: "d" is not the id in the URL',
    ]);
  });

  it('a tool receives an item as a member', () => {
    const read = readSessionInput('upsert_entity', { session_id: 's', claim: claim('c') }, CLAIMS);
    expect(read.upserts).toMatchObject([{ id: 'c' }]);
    expect(problemsOf('upsert_entity', { session_id: 's', claim: { ...claim('c'), value: 1 } })).toEqual([
      'claim.value: must be a string, not `1`: send it as text, in double quotes',
    ]);
    expect(problemsOf('upsert_entity', { session_id: 's' })).toEqual([
      'claim: must be an object, not nothing',
    ]);
    expect(problemsOf('upsert_entity', { claim: claim('c') })).toEqual([
      'session_id: is required: give a string',
    ]);
  });
});

describe('a body', () => {
  it.each([
    ['{', 'not valid JSON'],
    ['', 'not valid JSON'],
    ['{"a":1,"a":2}', 'a: key `a` stands twice in one object'],
    ['7', '$: must be an object'],
  ])('a body of %j is refused', (text, problem) => {
    expect(problemsOf('judge_session', sent(text, { session_id: 's' })).join()).toContain(problem);
  });

  it('the body of a judgement has one property; the session is in the URL', () => {
    covers('INV-S.12', 'INV-F.JudgeOverride.summary_mode');
    expect(readSessionInput('judge_session', sent({}, { session_id: 's' }))).toEqual({ session_id: 's' });
    expect(readSessionInput('judge_session', { session_id: 's', summary_mode: null })).toEqual({
      session_id: 's',
      summary_mode: null,
    });
    for (const extra of ['session_id', 'x'])
      expect(problemsOf('judge_session', sent({ [extra]: 's' }, { session_id: 's' }))).toEqual([
        `${extra}: is not a property known here`,
      ]);
  });

  it('a share is public only when its body says so', () => {
    covers('INV-F.SetShareRequest.public', 'INV-F.SetShareRequest.preferred_pane');
    expect(readSessionInput('put_share', sent({}, { session_id: 's' }))).toEqual({
      session_id: 's',
      public: false,
    });
    expect(
      problemsOf('put_share', sent({ preferred_pane: 'map', public: 'yes' }, { session_id: 's' })),
    ).toEqual(['public: must be a boolean', `preferred_pane: must be one of ${PANE_IDS.join(', ')}`]);
  });

  it('how a share is presented has limits, which its errors name', () => {
    covers('INV-F.SetShareRequest.answer_finding', 'INV-F.SetShareRequest.patterns');
    const said = {
      answer_finding: { subject_id: 's' },
      patterns: { p: 'no place', q: '{subject} is {valeu}' },
      byline: ' ',
      publisher: 'x'.repeat(201),
    };
    expect(problemsOf('put_share', sent(said, { session_id: 's' }))).toEqual([
      'answer_finding.predicate: is required: give a string',
      'patterns.p: must contain {subject}',
      'patterns.q: may have no place but {subject} and {value}',
      'byline: must not be empty or white space alone',
      'publisher: must have at most 200 characters',
    ]);
    const cleared = { answer_finding: null, patterns: null, byline: null, publisher: null, contact: null };
    expect(problemsOf('put_share', sent(cleared, { session_id: 's' }))).toEqual([]);
  });
});
