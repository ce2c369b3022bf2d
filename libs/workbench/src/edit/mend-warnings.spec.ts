import { describe, expect, it } from '@jest/globals';
import { analyze, type InvestigationInput, type InvestigationResult } from '@platform/opinion-fusion';
import { investigations } from '@platform/opinion-fusion/fixtures';
import { covers } from '@platform/testing/covers';
import { SEED } from '@platform/testing/seed';
import fc from 'fast-check';
import { applied, type ItemEdit } from '../grid/edits.ts';
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
    } as InvestigationInput;
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
