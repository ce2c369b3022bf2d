import { describe, expect, it } from '@jest/globals';
import { covers } from '@platform/testing/covers';
import { randomCode } from '../browser/random-code.ts';
import { namelessProblems, newIds, problemsOf, readDraft } from './draft.ts';
import { payloadChange } from './payload-change.ts';

describe('a form', () => {
  covers('INV-B.1');
  it('a form leaves out what is empty, reads numbers and dates, and keeps what the table lacks', () => {
    expect(
      readDraft('ClaimInput', {
        id: 'c1',
        value: '12',
        scope: '',
        decay_half_life_days: ' 90 ',
        relationships: [],
        assertion_time: '2026-01-02',
        note: '',
      }),
    ).toEqual({
      id: 'c1',
      value: '12',
      decay_half_life_days: 90,
      assertion_time: '2026-01-02T00:00:00Z',
      note: '',
    });
    expect(readDraft('InferenceInput', { premise_claim_ids: ['', 'c1'] })).toEqual({
      premise_claim_ids: ['c1'],
    });
  });

  it('a form names each field that is wrong, including those of parts', () => {
    const claim = readDraft('ClaimInput', {
      id: 'c1',
      actor_id: 'a1',
      predicate: 'p',
      value: 'v',
      content: 'w',
      decay_half_life_days: 'soon',
      relationships: [{ relationship_type: 'refines', target_claim_id: '' }],
    });
    expect(problemsOf('ClaimInput', claim).map(({ path }) => path)).toEqual([
      'decay_half_life_days',
      'relationships[0].target_claim_id',
    ]);
  });

  it('a form keeps a competence without a predicate, and reports that the predicate is missing', () => {
    const source = readDraft('ActorInput', { id: 'a1', competence: { '': '0.5' } });
    expect(source).toEqual({ id: 'a1', competence: { '': 0.5 } });
    expect(namelessProblems('ActorInput', source).map(({ path }) => path)).toEqual(['competence[""]']);
    expect(namelessProblems('ActorInput', { competence: { p: 1 } })).toEqual([]);
  });

  it('a new item gets an id that is not taken and that nobody counts to', () => {
    covers('INV-Q.95');
    const codes = ['x', 'y', 'y', 'z'].values();
    const next = newIds('c', new Set(['c-x']), () => codes.next().value!);
    expect([next(), next()]).toEqual(['c-y', 'c-z']);
    expect(randomCode()).toMatch(/^[0-9a-hjkmnp-tv-z]{5}$/);
  });
});

describe('an edited investigation', () => {
  it('an edited investigation is sent as its differences', () => {
    const before = {
      research_question: 'why?',
      domain: 'News',
      actors: [
        { id: 'a1', name: 'A' },
        { id: 'a2', name: 'B' },
      ],
      subjects: [],
      claims: [],
    };
    const after = {
      research_question: 'why?',
      actors: [
        { id: 'a1', name: 'A' },
        { id: 'a3', name: 'C' },
      ],
      subjects: [],
      claims: [],
    };
    expect(payloadChange(before, after)).toEqual({
      actors: [{ id: 'a3', name: 'C' }],
      remove_actor_ids: ['a2'],
      domain: null,
    });
    expect(payloadChange(after, after)).toEqual({});
  });
});
