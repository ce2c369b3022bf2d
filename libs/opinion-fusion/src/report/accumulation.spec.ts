import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { SEED } from '@platform/testing/seed';
import { covers } from '@platform/testing/covers';
import { investigations } from '../fixtures/investigation.arbitrary.fixture.ts';
import { correctedInvestigations } from '../fixtures/corrected.arbitrary.fixture.ts';
import { claim, evidenceOf, investigation, judge, meta } from '../fixtures/investigation.fixture.ts';
import type { ClaimInput, DistinctionInput, InvestigationInput } from '../contract/types.ts';

fc.configureGlobal({ seed: SEED });

const distinction = (argument_a: string, argument_b: string): DistinctionInput => ({
  id: 'd1',
  argument_a,
  argument_b,
  feature: 'light',
  condition_a: 'by day',
  condition_b: 'by night',
});

function conclusions(claims: ClaimInput[], ties: DistinctionInput[], more: Partial<InvestigationInput> = {}) {
  return judge(investigation(claims, { distinctions: ties, ...more })).accumulative_analysis
    ?.conditional_conclusions;
}

describe('distinctions', () => {
  it('distinctions over one subject and predicate yield two conclusions', () => {
    covers('INV-R10.3', 'RM-8.5', 'RM-8.6', 'INV-F.AccumulativeAnalysis.conditional_conclusions');
    const claims = [
      claim('c1', 'a', 'red'),
      claim('c2', 'b', 'blue'),
      claim('c3', 'c', 'blue'),
      claim('c4', 'd', 'red'),
      claim('c5', 'e', 'green'),
      claim('c6', 'f', 'x', {
        scope: 'z',
        relationships: [{ relationship_type: 'complements', target_claim_id: 'c2' }],
      }),
    ];
    const [first, second] = conclusions(claims, [distinction('c1', 'c2')])!;
    expect(first).toMatchObject({ distinction_id: 'd1', condition: 'by day', favored_claim_id: 'c1' });
    expect(second).toMatchObject({ distinction_id: 'd1', condition: 'by night', favored_claim_id: 'c2' });
    expect(evidenceOf(first!.opinion)).toEqual({ r: expect.closeTo(1.6), s: expect.closeTo(0.8) });
    expect(evidenceOf(second!.opinion)).toEqual({ r: expect.closeTo(1.6), s: expect.closeTo(0.8) });
    expect(first!.expected_probability).toBeCloseTo(
      first!.opinion.support + 0.5 * first!.opinion.uncertainty,
      12,
    );
  });

  it('a conditional conclusion states the chance of the favored value under its condition', () => {
    covers('RM-11.20');
    const claims = [claim('c1', 'a', 'red'), claim('c2', 'b', 'blue'), claim('c3', 'c', 'blue')];
    const [first, second] = conclusions(claims, [distinction('c1', 'c2')])!;
    const alone = (kept: ClaimInput[]) => judge(investigation(kept)).subject_results[0]!;
    expect(first!.calibrated_probability).toBe(alone([claims[0]!]).calibrated_probability);
    expect(second!.calibrated_probability).toBe(alone(claims.slice(1)).calibrated_probability);
  });

  it('distinctions over different predicates or subjects are accepted and inert', () => {
    covers('INV-R10.4');
    const claims = [claim('c1', 'a', 'red'), claim('c2', 'b', 'blue', { predicate: 'size' })];
    const result = judge(investigation(claims, { distinctions: [distinction('c1', 'c2')] }));
    expect(result.warnings).toEqual([]);
    expect(result).not.toHaveProperty('accumulative_analysis');
  });

  const CORRECTION = claim('c3', 'a', 'blue', { supersedes_claim_id: 'c1' });
  it.each([
    ['corrected by its own source', [CORRECTION], 0.6],
    [
      'whose correction was corrected',
      [{ ...CORRECTION, value: 'green' }, claim('c4', 'a', 'blue', { supersedes_claim_id: 'c3' })],
      0.6,
    ],
    ['below the credibility floor', [], 0.05],
  ])('a distinction with a claim %s is dropped with a warning', (_, more, base_reliability) => {
    covers('INV-V.207');
    const claims = [claim('c1', 'a', 'red'), claim('c2', 'b', 'blue'), ...more];
    for (const tie of [distinction('c1', 'c2'), distinction('c2', 'c1')]) {
      const input = investigation(claims, { distinctions: [tie] });
      const actors = input.actors.map((one) => (one.id === 'a' ? { ...one, base_reliability } : one));
      const result = judge({ ...input, actors });
      expect(result).not.toHaveProperty('accumulative_analysis');
      expect(result.warnings).toContainEqual(
        expect.stringMatching(/^Distinction `d1` was dropped: claim `c1` /),
      );
    }
  });

  it('every distinction over one question has conclusions of claims that are heard, or a warning', () => {
    covers('INV-V.207');
    fc.assert(
      fc.property(fc.oneof(investigations(), correctedInvestigations()), fc.nat(2), (base, step) => {
        const ids = base.claims.map(({ id }) => id);
        const ties = ids.map((id, index) => ({
          ...distinction(id, ids[(index + 1 + step) % ids.length]!),
          id: `t${index}`,
        }));
        const result = judge({ ...base, summary_mode: false, distinctions: ties });
        const analyses = new Map(result.claim_analyses.map((one) => [one.claim_id, one]));
        const ranked = new Map(result.ranked_claims.map((one) => [one.claim_id, one]));
        const told = result.accumulative_analysis?.conditional_conclusions ?? [];
        for (const { favored_claim_id: id } of told)
          expect(analyses.get(id)).not.toHaveProperty('below_credibility_floor');
        for (const { id, argument_a, argument_b } of ties) {
          const [a, b] = [ranked.get(argument_a), ranked.get(argument_b)];
          if (!a?.subject_id || !b || a === b || a.subject_id !== b.subject_id || a.predicate !== b.predicate)
            continue;
          const isDropped = result.warnings.some((one) =>
            one.startsWith(`Distinction \`${id}\` was dropped`),
          );
          expect(told.filter((one) => one.distinction_id === id)).toHaveLength(isDropped ? 0 : 2);
        }
      }),
      { numRuns: 100 },
    );
  });

  it('distinctions of a claim from itself, or with a retracted claim, are dropped', () => {
    covers('INV-R10.5', 'RM-8.7');
    const claims = [
      claim('c1', 'a', 'red'),
      claim('c2', 'a', 'RED'),
      claim('c3', 'b', 'x', { epistemic_status: 'retracted' }),
    ];
    for (const tie of [distinction('c1', 'c1'), distinction('c1', 'c2'), distinction('c3', 'c1')]) {
      const result = judge(investigation(claims, { distinctions: [tie] }));
      expect(
        result.warnings.filter((warning) => warning.startsWith('Distinction `d1` was dropped')),
      ).toHaveLength(1);
      expect(result).not.toHaveProperty('accumulative_analysis');
    }
  });

  it('each side of a distinction concludes what the engine would without the claims behind the other side', () => {
    covers('RM-8.6');
    fc.assert(
      fc.property(investigations(), (input) => {
        const result = judge(input);
        for (const conclusion of result.accumulative_analysis?.conditional_conclusions ?? []) {
          const tie = input.distinctions!.find((entry) => entry.id === conclusion.distinction_id)!;
          const kept = (id: string) => {
            // A copy of a superseded claim repeats it, too, and is not dropped.
            const drop = result.warnings
              .map((text) => /^Claim `(\w+)` repeats `(\w+)` .* was dropped/.exec(text))
              .find((match) => match?.[1] === id);
            return drop?.[2] ?? id;
          };
          expect([kept(tie.argument_a), kept(tie.argument_b)]).toContain(conclusion.favored_claim_id);
          const { support, opposition, uncertainty } = conclusion.opinion;
          expect(support + opposition + uncertainty).toBeCloseTo(1, 12);
        }
      }),
      { numRuns: 200 },
    );
  });

  it('distinctions exclude a meta-claim on one side that refines the other', () => {
    covers('RM-8.6');
    const claims = [
      claim('c1', 'a', 'red'),
      claim('c2', 'b', 'blue'),
      meta('m1', 'c', 'c1', 'Refutes', {
        relationships: [{ relationship_type: 'refines', target_claim_id: 'c2' }],
      }),
    ];
    const [first, second] = conclusions(claims, [distinction('c1', 'c2')])!;
    expect(evidenceOf(first!.opinion)).toEqual({ r: expect.closeTo(0.8), s: 0 });
    expect(evidenceOf(second!.opinion)).toEqual({ r: expect.closeTo(0.8), s: 0 });
  });

  it('distinctions exclude what depends on the other side: its metas, its evidence, inferences from it', () => {
    covers('RM-8.6');
    const claims = [
      claim('c1', 'a', 'red'),
      claim('c2', 'b', 'blue'),
      meta('m1', 'c', 'c2', 'Supports'),
      claim('c3', 'b', 'green'),
    ];
    const [first] = conclusions(claims, [distinction('c1', 'c2')], {
      inferences: [
        {
          id: 'i1',
          subject_id: 's1',
          predicate: 'colour',
          premise_claim_ids: ['c2'],
          rule_type: 'default',
          rule_param: 'd',
        },
      ],
      evidence: [{ id: 'e1', claim_id: 'c2', content: '', valence: 'Supports' }],
    })!;
    // Without c2 its author no longer contradicts their own c3.
    expect(evidenceOf(first!.opinion)).toEqual({ r: expect.closeTo(0.8), s: expect.closeTo(0.8) });
  });

  // Reading all distinctions anew for each of them would take minutes for these, and hours for those that a
  // request can hold.
  it('distinctions are concluded from in as many steps as there are distinctions, also where all separate the same two claims', () => {
    const many = Array.from({ length: 100_000 }, (_, i) => ({ ...distinction('c1', 'c2'), id: `d${i}` }));
    const found = conclusions([claim('c1', 'a', 'red'), claim('c2', 'b', 'blue')], many)!;
    expect(found).toHaveLength(200_000);
    expect(new Set(found.map(({ opinion }) => JSON.stringify(opinion))).size).toBe(1);
    expect(found.slice(-2).map(({ favored_claim_id }) => favored_claim_id)).toEqual(['c1', 'c2']);
  });
});
