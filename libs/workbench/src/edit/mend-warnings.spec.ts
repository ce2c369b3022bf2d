import { describe, expect, it } from '@jest/globals';
import {
  analyze,
  groupWarnings,
  type InvestigationInput,
  type InvestigationResult,
} from '@platform/opinion-fusion';
import { investigations } from '@platform/opinion-fusion/fixtures';
import { covers } from '@platform/testing/covers';
import { SEED } from '@platform/testing/seed';
import fc from 'fast-check';
import { applied, type ItemEdit } from './edits.ts';
import { mendWarnings, type WarningMend } from './mend-warnings.ts';

fc.configureGlobal({ seed: SEED });

const NOW = new Date('2026-01-01T00:00:00.000Z');
const judge = (input: InvestigationInput) => analyze(input, { now: NOW }) as InvestigationResult;
const mended = (input: InvestigationInput, { items }: WarningMend) => applied(input, items() as ItemEdit[]);
const repeatsOf = ({ warnings }: InvestigationResult) =>
  warnings.filter((text) => text.includes(' of the same actor and was dropped.'));
const sharedOf = ({ warnings }: InvestigationResult) =>
  warnings.filter((text) => text.includes(' and count as independent; '));

const claim = (id: string, actor: string, more: object = {}) => ({
  id,
  actor_id: actor,
  subject_id: 's1',
  predicate: 'open',
  value: 'true',
  content: 'open: true',
  ...more,
});
const asked = (claims: readonly object[], more: object = {}) =>
  ({
    research_question: 'Is it open?',
    actors: ['herald', 'post', 'sun', 'mail', 'echo', 'argus'].map((id) => ({
      id,
      name: `The ${id}`,
      source_type: 'Journalist',
    })),
    subjects: [{ id: 's1', name: 'North bridge', subject_type: 'structure' }],
    claims,
    ...more,
  }) as unknown as InvestigationInput;

/** Investigations in which some claims are said again later. */
const repeating = fc
  .tuple(investigations(), fc.array(fc.nat(), { minLength: 1, maxLength: 4 }))
  .map(([input, picks]) => {
    const again =
      input.claims.length === 0 ? [] : picks.map((pick) => input.claims[pick % input.claims.length]!);
    const claims = again.map((said, index) => ({
      ...said,
      id: `z${index}`,
      supersedes_claim_id: undefined,
      relationships: undefined,
      assertion_time: `2025-12-0${index + 1}T00:00:00Z`,
      corroboration_events: [],
    }));
    const evidence = claims.map(({ id }) => ({
      id: `ev-${id}`,
      claim_id: id,
      content: 'x',
      valence: 'Supports',
    }));
    return {
      ...input,
      claims: [...input.claims, ...claims],
      evidence: [...(input.evidence ?? []), ...evidence],
    };
  });

describe('what mends warnings of claims and sources that repeat one another', () => {
  covers('INV-B.42');

  it('removing repeats ends their warnings and changes no verdict', () => {
    fc.assert(
      fc.property(repeating, (input) => {
        const before = judge(input);
        const mend = mendWarnings(repeatsOf(before), input, input);
        fc.pre(mend !== null);
        const after = judge(mended(input, mend));
        expect(repeatsOf(after)).toEqual([]);
        expect(after.subject_results).toEqual(before.subject_results);
      }),
      { numRuns: 100 },
    );
  });

  it('what referred to a repeat refers to the claim that is kept, which never refers to itself', () => {
    const input = asked(
      [
        claim('c1', 'herald', { assertion_time: '2025-05-01T00:00:00Z' }),
        claim('c2', 'herald', { assertion_time: '2025-05-02T00:00:00Z', supersedes_claim_id: 'c0' }),
        claim('c0', 'herald', { value: 'false', assertion_time: '2025-04-01T00:00:00Z' }),
        claim('m1', 'post', { subject_id: undefined, target_claim_id: 'c2', valence: 'Refutes' }),
      ],
      { evidence: [{ id: 'e1', claim_id: 'c2', content: 'a photo', valence: 'Supports' }] },
    );
    const mend = mendWarnings(['Claim `c2` repeats `c1` of the same actor and was dropped.'], input, input)!;
    expect([mend.label, mend.done]).toEqual(['Remove the repeat', '1\u00a0repeat removed']);
    const { claims, evidence } = mended(input, mend);
    expect(claims.map(({ id }) => id)).toEqual(['c1', 'c0', 'm1']);
    expect(claims[0]!.relationships).toEqual([{ relationship_type: 'supersedes', target_claim_id: 'c0' }]);
    expect(claims[2]!.target_claim_id).toBe('c1');
    expect(evidence![0]!.claim_id).toBe('c1');
  });

  it('a repeat that says something else by now stays', () => {
    const input = asked([claim('c1', 'herald'), claim('c2', 'herald')]);
    const now = asked([claim('c1', 'herald'), claim('c2', 'herald', { value: 'false' })]);
    expect(mendWarnings(repeatsOf(judge(input)), input, now)).toBeNull();
    expect(mendWarnings(['Claim `c9` was asserted after it.'], input, input)).toBeNull();
  });

  it('sources that share a quote count once: the later ones repeat the one that spoke first, however many', () => {
    const said = { quote: 'It opens at noon.' };
    const ids = ['herald', 'post', 'sun', 'mail', 'echo', 'argus'];
    const input = asked(
      ids.map((id, index) =>
        claim(`c${index}`, id, {
          ...said,
          assertion_time: `2025-05-0${id === 'sun' ? 1 : index + 2}T00:00:00Z`,
        }),
      ),
    );
    const warnings = sharedOf(judge(input));
    expect(warnings).toHaveLength(1);
    const mend = mendWarnings(warnings, input, input)!;
    expect(mend.label).toBe('Count once: 5\u00a0sources repeat “The sun”');
    const after = mended(input, mend);
    expect(sharedOf(judge(after))).toEqual([]);
    expect(after.actors.map(({ id, depends_on }) => [id, depends_on ?? []])).toEqual(
      ids.map((id) => [id, id === 'sun' ? [] : ['sun']]),
    );
    expect(mendWarnings(warnings, input, after)).toBeNull();
  });
});

const changesOf = ({ warnings }: InvestigationResult) =>
  warnings.filter((text) => text.includes(' contradicts itself on '));
const on = (day: number) => ({ assertion_time: `2025-11-0${day}T00:00:00Z` });

describe('what mends warnings of a source that changed what it says', () => {
  covers('INV-B.80');

  it('the last statement of a source replaces the earlier ones, however many sources and statements', () => {
    const input = asked([
      claim('r1', 'herald', { value: '12', ...on(1) }),
      claim('r2', 'herald', { value: '40', ...on(3) }),
      claim('b1', 'post', { value: '12', ...on(1) }),
      claim('b2', 'post', { value: '40', ...on(4), supersedes_claim_id: 'x1' }),
      claim('b3', 'post', { value: '19', ...on(2) }),
      claim('x1', 'post', { value: '7', scope: 'north', ...on(1) }),
      claim('a1', 'sun', { value: '40', ...on(3) }),
    ]);
    const before = judge(input);
    expect(groupWarnings(changesOf(before)).map(({ sentences }) => sentences.length)).toEqual([2]);
    const [herald] = changesOf(before);
    expect(mendWarnings([herald!], input, input)!.label).toBe(
      'Update: what “The herald” said last replaces what it said before',
    );
    const mend = mendWarnings(changesOf(before), input, input)!;
    expect([mend.label, mend.done]).toEqual([
      'Update: what 2\u00a0sources said last replaces what they said before',
      'Noted that what 2\u00a0sources said last replaces what they said before',
    ]);
    const after = mended(input, mend);
    expect(after.claims.map(({ id, supersedes_claim_id: replaced }) => [id, replaced ?? null])).toEqual([
      ['r1', null],
      ['r2', 'r1'],
      ['b1', null],
      ['b2', 'x1'],
      ['b3', null],
      ['x1', null],
      ['a1', null],
    ]);
    expect(after.claims[3]!.relationships).toEqual([
      { relationship_type: 'supersedes', target_claim_id: 'b3' },
      { relationship_type: 'supersedes', target_claim_id: 'b1' },
    ]);
    expect(changesOf(judge(after))).toEqual([]);
    expect(mendWarnings(changesOf(before), input, after)).toBeNull();
  });

  it('a source that came back to what it said first replaces only what it said between', () => {
    const input = asked([
      claim('r1', 'herald', { value: '40', ...on(1) }),
      claim('r2', 'herald', { value: '12', ...on(2) }),
      claim('r3', 'herald', { value: '40', ...on(3) }),
    ]);
    const after = mended(input, mendWarnings(changesOf(judge(input)), input, input)!);
    expect(after.claims.map(({ supersedes_claim_id: replaced }) => replaced ?? null)).toEqual([
      null,
      null,
      'r2',
    ]);
    const { warnings, subject_results } = judge(after);
    expect(warnings.filter((text) => text.includes('contradicts itself'))).toEqual([]);
    expect(subject_results[0]!.leading_value).toBe('40');
  });

  it.each([
    ['two last statements at one time', [on(1), on(2), on(2)], {}],
    ['a statement without time', [on(1), on(2), {}], {}],
    [
      'the last statement after the time asked about',
      [on(1), on(2), on(5)],
      { as_of: '2025-11-03T00:00:00Z' },
    ],
  ])('%s: only what was said before is replaced, or nothing', (_, times, more) => {
    const input = asked(
      times.map((time, index) => claim(`r${index}`, 'herald', { value: `${index + 10}`, ...time })),
      more,
    );
    const warnings = changesOf(judge(input));
    expect(warnings).toHaveLength(1);
    const mend = mendWarnings(warnings, input, input);
    const replaced = mend && mended(input, mend).claims.map(({ supersedes_claim_id: id }) => id ?? null);
    expect(replaced).toEqual('as_of' in more ? [null, 'r0', null] : null);
  });

  it('what changed since the judgement is left as it is', () => {
    const input = asked([claim('r1', 'herald', on(1)), claim('r2', 'herald', { value: 'false', ...on(2) })]);
    const now = asked([claim('r1', 'herald', on(1)), claim('r2', 'herald', { value: 'false', ...on(1) })]);
    expect(changesOf(judge(input))).toHaveLength(1);
    expect(mendWarnings(changesOf(judge(input)), input, now)).toBeNull();
  });

  it('whatever was said when, what is mended is not warned of again, and what replaces was said later', () => {
    const said = fc.tuple(
      fc.constantFrom('herald', 'post'),
      fc.integer({ min: 10, max: 40 }),
      fc.integer({ min: 1, max: 9 }),
    );
    fc.assert(
      fc.property(fc.array(said, { minLength: 2, maxLength: 12 }), (all) => {
        const input = asked(
          all.map(([actor, value, day], index) =>
            claim(`c${index}`, actor, { value: `${value}`, ...on(day) }),
          ),
        );
        const warnings = changesOf(judge(input));
        const mendable = warnings.filter((text) => mendWarnings([text], input, input) !== null);
        fc.pre(mendable.length > 0);
        const after = judge(mended(input, mendWarnings(warnings, input, input)!));
        expect(changesOf(after)).toHaveLength(warnings.length - mendable.length);
        expect(after.warnings.filter((text) => text.includes('was asserted later'))).toEqual([]);
      }),
      { numRuns: 100 },
    );
  });
});
