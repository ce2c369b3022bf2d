import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { SEED } from '@platform/testing/seed';
import { bitGraph, bruteForce } from '@platform/argumentation/brute-force.fixture';
import { GroupCounter } from './dependence/group-counter.ts';
import { attackKind, buildFramework } from './interpretations/framework.ts';
import { correctedInvestigations } from './fixtures/corrected.arbitrary.fixture.ts';
import { claimId, investigations } from './fixtures/investigation.arbitrary.fixture.ts';
import { judge, NOW } from './fixtures/investigation.fixture.ts';
import { buildModel } from './model/build-model.ts';
import type { Claim } from './model/model.ts';
import { expectedProbability } from '@platform/subjective-logic';
import { covers } from '@platform/testing/covers';
import { soak } from '@platform/testing/soak';
import { AGREE, CONFLICT, relation } from './model/statements.ts';
import { leadingClaim } from './verdict/verdict.ts';
import { findDependence } from './dependence/source-dependence.ts';
import type { InvestigationInput, InvestigationResult } from './contract/types.ts';
import { validate } from './contract/validate.ts';
import { Warnings } from './contract/warnings.ts';
import { weighClaims } from './weighing/weighing.ts';
import type { Weighed } from './weighing/weighing.ts';

fc.configureGlobal({ seed: SEED });

const RUNS = { numRuns: soak(400) };
const DAY = 86_400_000;

/** Everything of a result but its warnings. */
function numbersOf({ warnings: _warnings, ...rest }: InvestigationResult): unknown {
  return rest;
}

describe('what must always hold', () => {
  it('opinions sum to 1 and nothing is NaN', () => {
    covers('RM-9.1', 'RM-9.10', 'RM-1.1', 'INV-R0.3');
    fc.assert(
      fc.property(investigations(), (input) => {
        const result = judge(input);
        expect(JSON.stringify(result)).not.toMatch(/NaN|Infinity/);
        const opinions = [
          ...result.subject_results.map((entry) => entry.confidence),
          ...result.claim_analyses,
          ...(result.accumulative_analysis?.conditional_conclusions.map((entry) => entry.opinion) ?? []),
        ];
        for (const { support, opposition, uncertainty } of opinions) {
          expect(Math.abs(support + opposition + uncertainty - 1)).toBeLessThanOrEqual(1e-12);
          for (const part of [support, opposition, uncertainty]) expect(part >= 0 && part <= 1).toBe(true);
        }
        for (const analysis of result.claim_analyses) {
          expect(analysis.temporal_decay_factor >= 0 && analysis.temporal_decay_factor <= 1).toBe(true);
          expect(analysis.freshness_score >= 0 && analysis.freshness_score <= 1).toBe(true);
        }
      }),
      RUNS,
    );
  });

  it('the order of the lists changes nothing and the same input gives the same bytes', () => {
    covers('RM-0.5', 'RM-9.4', 'RM-0.4');
    const shuffled = investigations().chain((input) =>
      fc
        .tuple(
          fc.shuffledSubarray(input.claims, { minLength: input.claims.length }),
          fc.shuffledSubarray(input.actors, { minLength: input.actors.length }),
          fc.shuffledSubarray(input.evidence!, { minLength: input.evidence!.length }),
          fc.shuffledSubarray(input.inferences!, { minLength: input.inferences!.length }),
        )
        .map(
          ([claims, actors, evidence, inferences]) =>
            [input, { ...input, claims, actors, evidence, inferences }] as const,
        ),
    );
    fc.assert(
      fc.property(shuffled, ([input, other]) => {
        expect(JSON.stringify(judge(other))).toBe(JSON.stringify(judge(input)));
      }),
      RUNS,
    );
  });

  it('a later exact copy under a later id changes nothing but warnings', () => {
    covers('RM-9.5');
    const copied = fc
      .oneof(investigations(), correctedInvestigations())
      .filter((input) => input.claims.some((claim) => claim.epistemic_status !== 'retracted'));
    fc.assert(
      fc.property(copied, fc.nat(), (input, pick) => {
        const candidates = input.claims.filter((claim) => claim.epistemic_status !== 'retracted');
        const copy = { ...candidates[pick % candidates.length]!, id: 'zz' };
        expect(numbersOf(judge({ ...input, claims: [...input.claims, copy] }))).toEqual(
          numbersOf(judge(input)),
        );
      }),
      RUNS,
    );
  });

  it('the evidence of bare claims fades to (0, 0, 1) with age', () => {
    covers('RM-9.6');
    fc.assert(
      fc.property(investigations(), (input) => {
        const claims = input.claims.map((claim) => ({
          ...claim,
          assertion_time: '1990-01-01T00:00:00Z',
          corroboration_events: [],
          decay_half_life_days: 1,
        }));
        for (const { support, opposition, uncertainty } of judge({ ...input, claims }).claim_analyses) {
          expect(support).toBeCloseTo(0, 12);
          expect(opposition).toBeCloseTo(0, 12);
          expect(uncertainty).toBeCloseTo(1, 12);
        }
      }),
      RUNS,
    );
  });

  it('retracting a claim leaves the others the numbers they have without it and what hangs on it', () => {
    covers('RM-9.7', 'RM-11.159');
    fc.assert(
      fc.property(
        fc.oneof(investigations(), correctedInvestigations()).filter((input) => input.claims.length > 0),
        fc.nat(),
        (input, pick) => {
          const id = claimId(pick % input.claims.length);
          const gone = new Set([id]);
          for (const claim of input.claims)
            if (claim.target_claim_id && gone.has(claim.target_claim_id)) gone.add(claim.id);
          const retracted = judge({
            ...input,
            claims: input.claims.map((claim) =>
              claim.id === id ? { ...claim, epistemic_status: 'retracted' } : claim,
            ),
          });
          const without = judge({
            ...input,
            claims: input.claims.filter((claim) => !gone.has(claim.id)),
            evidence: input.evidence!.filter((item) => !gone.has(item.claim_id)),
          });
          const kept = retracted.claim_analyses.filter((analysis) => !gone.has(analysis.claim_id));
          expect(kept).toEqual(without.claim_analyses);
          for (const verdict of without.subject_results) {
            const same = retracted.subject_results.find(
              (entry) => entry.subject_id === verdict.subject_id && entry.predicate === verdict.predicate,
            );
            // A retracted claim still says what kind of answer its question has.
            expect({ ...same, no_value_counts: undefined }).toEqual({
              ...verdict,
              no_value_counts: undefined,
            });
          }
        },
      ),
      RUNS,
    );
  });

  it('shifting all times and now together changes no number', () => {
    covers('RM-9.9');
    const times = /"(\d{4}-\d{2}-\d{2}T[\d:.]+Z)"/g;
    const noEvents = (input: InvestigationInput): InvestigationInput => ({
      ...input,
      claims: input.claims.map(({ event_start_time: _s, event_end_time: _e, ...claim }) => claim),
    });
    fc.assert(
      fc.property(investigations().map(noEvents), fc.integer({ min: -5000, max: 5000 }), (input, days) => {
        const shift = (text: string) => new Date(Date.parse(text) + days * DAY).toISOString();
        const shifted = JSON.parse(
          JSON.stringify(input).replace(times, (_, text: string) => `"${shift(text)}"`),
        ) as InvestigationInput;
        const later = JSON.stringify(numbersOf(judge(shifted, new Date(NOW.getTime() + days * DAY))));
        const unshifted = later.replace(
          times,
          (_, text: string) => `"${new Date(Date.parse(text) - days * DAY).toISOString()}"`,
        );
        expect(JSON.parse(unshifted)).toEqual(JSON.parse(JSON.stringify(numbersOf(judge(input)))));
      }),
      RUNS,
    );
  });

  it('a bare claim by a new independent actor never moves P the wrong way while the leading claim stays', () => {
    covers('RM-9.2', 'RM-9.3');
    let agreed = 0;
    let conflicted = 0;
    fc.assert(
      fc.property(
        investigations().filter((input) => input.claims.length > 0),
        fc.constantFrom(
          'as the leading claim',
          'as the leading claim',
          'never said before',
          'red',
          'blue',
          '100',
          '94',
          'true',
          'never said before',
        ),
        fc.boolean(),
        (input, said, denies) => {
          const before = leadOf(weigh(input));
          if (before === null) return;
          const { subject_id, predicate, value, valence, scope, event_start_time, event_end_time } =
            before.leading.input;
          const asLeading = said === 'as the leading claim';
          const newcomer = {
            id: 'zz',
            actor_id: 'new',
            subject_id,
            predicate,
            content: '',
            scope,
            event_start_time,
            event_end_time,
            value: asLeading ? value : said,
            valence: asLeading && !denies ? valence : denies ? 'Refutes' : undefined,
          };
          const weighed = weigh({
            ...input,
            // Anonymous: heard, but seldom the loudest, so that the leading claim stays.
            actors: [...input.actors, { id: 'new', name: 'New', source_type: 'Anonymous' }],
            claims: [...input.claims, newcomer],
          });
          const after = leadOf(weighed)!;
          if (before.leading.id !== after.leading.id) return;
          const groupOf = (claim: Claim) => weighed.groupOf[claim.index]!;
          const is = relation(groupOf(weighed.model.claimById.get('zz')!), groupOf(after.leading));
          if (is === AGREE) {
            agreed += 1;
            expect(after.P).toBeGreaterThanOrEqual(before.P - 1e-12);
          }
          if (is === CONFLICT) {
            conflicted += 1;
            expect(after.P).toBeLessThanOrEqual(before.P + 1e-12);
          }
        },
      ),
      { ...RUNS, numRuns: soak(1_500, 500) },
    );
    expect(Math.min(agreed, conflicted)).toBeGreaterThan(2);
  });

  it('every interpretation is conflict-free, admissible and maximal, by brute force', () => {
    covers('RM-9.8', 'RM-7.2');
    fc.assert(
      fc.property(investigations({ claimsMax: 11 }), (input) => {
        const weighed = weigh(input);
        const scratch = {
          nodeIndexOf: new Int32Array(weighed.weighings.length),
          tally: new GroupCounter(weighed.classes),
        };
        const analyses = judge(input).conflict_analysis;
        for (const pair of weighed.pairs) {
          const analysis = analyses.find(
            (entry) => entry.subject_id === pair.subject.id && entry.predicate === pair.predicate,
          )!;
          const { claims } = buildFramework(pair, weighed, scratch);
          const attacks = claims.flatMap((a, i) =>
            claims.flatMap((b, j): [number, number][] => (attackKind(a, b, weighed) ? [[i, j]] : [])),
          );
          const expected = claims.length === 0 ? [] : bruteForce(bitGraph(claims.length, attacks)).preferred;
          const got = analysis.alternative_interpretations.map((ids) => ids.join(' ')).sort();
          expect(analysis.is_exact).toBe(true);
          expect(got).toEqual(expected.map((set) => set.map((i) => claims[i]!.id).join(' ')).sort());
        }
      }),
      RUNS,
    );
  });
});

function weigh(input: InvestigationInput): Weighed {
  const warnings = new Warnings();
  const model = buildModel(validate(input, warnings), NOW.getTime(), warnings);
  return weighClaims(
    model,
    (pairs, reliability) => findDependence(model, pairs, reliability, warnings).classes,
    () => null,
    warnings,
  );
}

/**
 * The leading claim of the first pair that has one, and the probability of what it states; null when nothing
 * leads.
 */
function leadOf(weighed: Weighed): { leading: Claim; P: number } | null {
  for (const pair of weighed.pairs) {
    const leading = leadingClaim(pair, weighed);
    if (leading) return { leading, P: expectedProbability(weighed.weighings[leading.index]!.opinion) };
  }
  return null;
}
