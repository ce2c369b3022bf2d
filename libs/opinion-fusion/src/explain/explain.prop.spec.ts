import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { SEED } from '@platform/testing/seed';
import { covers } from '@platform/testing/covers';
import { soak } from '@platform/testing/soak';
import { analyze } from '../analyze.ts';
import { contestedInvestigations } from '../fixtures/contested.arbitrary.fixture.ts';
import { copiedInvestigation } from './copied.fixture.ts';
import { investigations } from '../fixtures/investigation.arbitrary.fixture.ts';
import { sequences } from '../fixtures/sequences.arbitrary.fixture.ts';
import { NOW } from '../fixtures/investigation.fixture.ts';
import type { InvestigationInput, InvestigationResult } from '../contract/types.ts';
import { answersOf, meets, regionOf } from '../compare/answers.ts';
import { referenceAnswer } from '../reference/reference.fixture.ts';
import { auditClaims } from './audit-claims.ts';
import { explain, explainAll } from './explain.ts';
import type { VerdictExplanation, VerdictWithout } from './explanation.ts';
import { isOtherwise } from './leads-other.ts';

fc.configureGlobal({ seed: SEED });

const RUNS = { numRuns: soak(50, 10) };
/**
 * Sources that agree on one question: of two experts each alone carries the verdict, so only the loss of both
 * changes it.
 */
const agreeing = (source_type: string, ...ids: string[]): InvestigationInput => ({
  research_question: '',
  actors: ids.map((id) => ({ id, name: id, source_type })),
  subjects: [{ id: 's', name: 's', subject_type: 'thing' }],
  claims: ids.map((id) => ({
    id: `of-${id}`,
    actor_id: id,
    subject_id: 's',
    predicate: 'is',
    value: 'true',
    content: '',
  })),
  evidence: [],
});
/** Verdicts that no removal, one and two removals change: random cases rarely hold all three. */
const BY_SIZE = [agreeing('Anonymous', 'a'), agreeing('Expert', 'a'), agreeing('Expert', 'a', 'b')];
/** Enough for every search on inputs of this size to end by itself. */
const PLENTY = 1e9;

/** Few sources on one question, each of one scope and time, so that its answers often stand apart. */
const places = fc.constantFrom(
  {},
  { scope: 'north' },
  { scope: 'south' },
  { event_start_time: '2000-01-01', event_end_time: '2005-01-01' },
  { event_start_time: '2005-01-01', event_end_time: '2010-01-01' },
  { event_start_time: '2003-01-01', event_end_time: '2007-01-01' },
);
const inPlaces: fc.Arbitrary<InvestigationInput> = fc
  .constantFrom(['yes', 'no'], ['red', 'blue'], ['yes', 'no', 'partly'])
  .chain((values) =>
    fc.array(
      fc.record({
        value: fc.constantFrom(...values),
        place: places,
        source_type: fc.constantFrom('Regulator', 'Regulator', 'Journalist', 'Expert'),
        valence: fc.constantFrom('Supports', 'Supports', 'Supports', 'Refutes'),
      }),
      { minLength: 2, maxLength: 6 },
    ),
  )
  .map((said) => {
    const input = agreeing('Expert', ...said.map((_, index) => `a${index}`));
    const actors = input.actors.map((one, i) => ({ ...one, source_type: said[i]!.source_type }));
    const claims = input.claims.map((one, i) => ({
      ...one,
      value: said[i]!.value,
      valence: said[i]!.valence,
      ...said[i]!.place,
    }));
    return { ...input, actors, claims, dependence: 'declared' };
  });

const anyInvestigation = fc.oneof(
  inPlaces,
  investigations({ claimsMax: 10 }),
  contestedInvestigations(),
  fc.oneof(sequences(), contestedInvestigations()).map((input) => ({ ...input, dependence: 'declared' })),
  sequences(),
);

const judged = (input: InvestigationInput) => analyze(input, { now: NOW }) as InvestigationResult;

/**
 * The input without some claims and all that names them as its subject: the evidence on them and the
 * meta-claims on them.
 */
function without(input: InvestigationInput, ids: Iterable<string>): InvestigationInput {
  const out = new Set(ids);
  for (const id of out) for (const claim of input.claims) if (claim.target_claim_id === id) out.add(claim.id);
  return {
    ...input,
    claims: input.claims.filter(({ id }) => !out.has(id)),
    evidence: (input.evidence ?? []).filter((item) => !out.has(item.claim_id)),
  };
}

/**
 * What judging the rest of an input says about the answer explained; null where copying could be found, which
 * the reference does not look for, and something of another scope or time leads.
 */
function verdictOn(one: VerdictExplanation, input: InvestigationInput, rest: InvestigationInput) {
  if (input.dependence === 'declared') {
    const { whole, remaining } = referenceAnswer(input, rest, NOW, one);
    // Where a claim of a longer time leads what is said in that of the answer, the answer is kept.
    return isOtherwise(whole, one) ? null : remaining;
  }
  const { subject_id, predicate } = one;
  const found = judged(rest).subject_results.find(
    (entry) => entry.subject_id === subject_id && entry.predicate === predicate,
  );
  const isLeftOut =
    found && one.leading_claim_id !== null && !meets(answersOf(found)[0]!, { region: regionOf(one) });
  if (isLeftOut) return null;
  const nothing = { truth_status: 'Neither', expected_probability: 0.5, leading_value: null } as const;
  const { truth_status, expected_probability, leading_value, tied, denied }: VerdictWithout =
    found ?? nothing;
  return { truth_status, expected_probability, leading_value, tied, denied };
}

function expectNear(actual: number, expected: number): void {
  expect(Math.abs(actual - expected)).toBeLessThanOrEqual(1e-12 * Math.max(1, Math.abs(expected)));
}

function expectSame(
  actual: Pick<VerdictWithout, 'truth_status' | 'expected_probability' | 'leading_value' | 'tied' | 'denied'>,
  fresh: ReturnType<typeof verdictOn>,
): void {
  if (!fresh) return;
  const { truth_status, leading_value, tied, denied } = actual;
  expect({ ...fresh, truth_status, leading_value, tied, denied }).toEqual(fresh);
  expectNear(actual.expected_probability, fresh.expected_probability);
}

/** Claims and their repetitions by what one removal takes: the sets of ids that the brute force combines. */
function removable(input: InvestigationInput): string[][] {
  const repetitions = new Map(
    auditClaims(input, { now: NOW }).map((audit) => [audit.claim_id, audit.repetition_ids]),
  );
  return [...repetitions].map(([id, others]) => [id, ...others]);
}

/** Whether judging the rest gives another answer than the one explained. */
function changes(one: VerdictExplanation, input: InvestigationInput, rest: InvestigationInput): boolean {
  const fresh = verdictOn(one, input, rest);
  return fresh !== null && isOtherwise(fresh, one);
}

/** Whether some set of `size` claims, repetitions included, changes the status, each set judged afresh. */
function someSetChanges(input: InvestigationInput, explanation: VerdictExplanation, size: number): boolean {
  const units = removable(input);
  const from = (start: number, chosen: string[], left: number): boolean => {
    if (left === 0) return changes(explanation, input, without(input, chosen));
    for (let i = start; i < units.length; i += 1)
      if (units[i]!.length <= left && from(i + 1, [...chosen, ...units[i]!], left - units[i]!.length))
        return true;
    return false;
  };
  return from(0, [], size);
}

describe('explanations of verdicts', () => {
  it('there is one for each verdict, its contributions add up to r and s, and these are the opinion', () => {
    covers('INV-X.1', 'INV-X.2');
    let contributions = 0;
    fc.assert(
      fc.property(anyInvestigation, (input) => {
        const { subject_results } = judged(input);
        const explanations = explainAll(input, { now: NOW, budget: 0 });
        expect(explanations.length).toBe(subject_results.length);
        explanations.forEach((one, i) => {
          expect(one).toMatchObject({
            subject_id: subject_results[i]!.subject_id,
            predicate: subject_results[i]!.predicate,
            leading_value: subject_results[i]!.leading_value,
            truth_status: subject_results[i]!.truth_status,
            expected_probability: subject_results[i]!.expected_probability,
            confidence: subject_results[i]!.confidence,
          });
          contributions += one.contributions.length;
          const sum = (side: string) =>
            one.contributions.reduce((total, c) => total + (c.side === side ? c.counted : 0), 0);
          expectNear(sum('support'), one.r);
          expectNear(sum('opposition'), one.s);
          const total = one.r + one.s + one.prior_weight;
          expectNear(one.r / total, one.confidence.support);
          expectNear(one.s / total, one.confidence.opposition);
          expectNear(one.prior_weight / total, one.confidence.uncertainty);
        });
      }),
      { ...RUNS, numRuns: 4 * RUNS.numRuns },
    );
    expect(contributions).toBeGreaterThan(4 * RUNS.numRuns);
  });

  it('a verdict counts the actors of the claims and meta-claims that its reasons list with weight, by side', () => {
    covers('RM-11.191', 'RM-11.193');
    const seen = { meta_claim: 0, voice: 0 };
    fc.assert(
      fc.property(anyInvestigation, (input) => {
        const { subject_results } = judged(input);
        explainAll(input, { now: NOW, budget: 0 }).forEach(({ contributions }, i) => {
          const actors = (side: string) =>
            contributions.filter(
              (one) =>
                one.side === side &&
                one.offered > 0 &&
                one.route in seen &&
                (one.counted > 0 ||
                  one.outcome === 'dependent' ||
                  one.outcome === 'raises_target' ||
                  (one.outcome === 'distinguished' && one.route === 'voice')),
            );
          for (const { route } of contributions) if (route in seen) seen[route as keyof typeof seen] += 1;
          const count = (side: string) => new Set(actors(side).map(({ actor_id }) => actor_id)).size;
          const {
            superseded,
            tied,
            supporting_source_count: ours,
            opposing_source_count: theirs,
          } = subject_results[i]!;
          const reasons = [count('support'), count('opposition')];
          const counts = [
            ours + (superseded?.supporting_source_count ?? 0),
            theirs + (superseded?.opposing_source_count ?? 0),
          ];
          // Of values that are tied it is not told who is superseded, and those are not counted either.
          if (tied && !superseded)
            expect(counts.every((one, side) => one <= reasons[side]!) && counts).toEqual(counts);
          else expect(counts).toEqual(reasons);
        });
      }),
      { ...RUNS, numRuns: 4 * RUNS.numRuns },
    );
    expect(seen.meta_claim).toBeGreaterThan(0);
  });

  it('what a contribution offers is the product of its factors, and all of it, a share or nothing counts', () => {
    covers('INV-X.2', 'RM-11.194');
    fc.assert(
      fc.property(anyInvestigation, (input) => {
        for (const { contributions } of explainAll(input, { now: NOW, budget: 0 })) {
          for (const { offered, counted, outcome, factors } of contributions) {
            expectNear(
              factors.reduce((product, { value }) => product * value, 1),
              offered,
            );
            if (outcome === 'counted') expect(counted).toBe(offered);
            else if (outcome === 'capped' || outcome === 'discounted') expect(counted).toBeLessThan(offered);
            else expect(counted).toBe(0);
          }
        }
      }),
      { ...RUNS, numRuns: 4 * RUNS.numRuns },
    );
  });

  it('every claim on a pair contributes or is unrelated', () => {
    covers('INV-X.2');
    fc.assert(
      fc.property(anyInvestigation, (input) => {
        const kept = judged(input).claim_analyses.map(({ claim_id }) => claim_id);
        const inputOf = new Map(input.claims.map((claim) => [claim.id, claim]));
        for (const one of explainAll(input, { now: NOW, budget: 0 })) {
          const voices = one.contributions.filter(({ route }) => route === 'voice').map((c) => c.claim_id!);
          const onPair = kept.filter((id) => {
            const claim = inputOf.get(id)!;
            return claim.subject_id === one.subject_id && claim.predicate === one.predicate;
          });
          expect([...voices, ...one.unrelated_claim_ids].sort()).toEqual(onPair);
        }
      }),
      RUNS,
    );
  });

  it.each([
    ['of any investigation', anyInvestigation, 2 * RUNS.numRuns],
    ['where scopes and times have answers of their own', inPlaces, 20 * RUNS.numRuns],
  ])(
    'a verdict without a source is what judging the rest says about the same answer, %s',
    (_, of, numRuns) => {
      covers('INV-X.4', 'RM-11.364');
      let rows = 0;
      fc.assert(
        fc.property(of, (input) => {
          for (const one of explainAll(input, { now: NOW, budget: PLENTY })) {
            expect(one.without_source_is_complete).toBe(true);
            for (const row of one.without_source) {
              rows += 1;
              expect(row.is_exact).toBe(true);
              const own = input.claims.filter((claim) => claim.actor_id === row.actor_id);
              const ids = own.map(({ id }) => id);
              expectSame(row, verdictOn(one, input, without(input, ids)));
              expect(row.flips).toBe(isOtherwise(row, one));
            }
          }
        }),
        { ...RUNS, numRuns },
      );
      expect(rows).toBeGreaterThan(numRuns);
    },
  );

  it('the smallest change makes the answer another, by a fresh analysis, and no smaller one does, by trying all', () => {
    covers('INV-X.3');
    const sizes = new Map<number, number>();
    const few = fc.oneof(
      investigations({ claimsMax: 7 }),
      contestedInvestigations().filter(({ claims }) => claims.length <= 8),
      inPlaces,
    );
    fc.assert(
      fc.property(few, (input) => {
        for (const one of explainAll(input, { now: NOW, budget: PLENTY })) {
          const change = one.smallest_change;
          const size = change?.claim_ids.length ?? removable(input).flat().length + 1;
          sizes.set(change ? size : 0, (sizes.get(change ? size : 0) ?? 0) + 1);
          if (change) {
            expect(change.is_exact).toBe(true);
            const rest = {
              ...input,
              claims: input.claims.filter(({ id }) => !change.removed_claim_ids.includes(id)),
              evidence: input.evidence!.filter((item) => !change.removed_claim_ids.includes(item.claim_id)),
            };
            expectSame(change, verdictOn(one, input, rest));
            expect(isOtherwise(change, one)).toBe(true);
          }
          for (let smaller = 1; smaller < size; smaller += 1)
            expect(someSetChanges(input, one, smaller)).toBe(false);
        }
      }),
      { ...RUNS, examples: BY_SIZE.map((input): [InvestigationInput] => [input]) },
    );
    expect([0, 1, 2].filter((size) => !sizes.has(size))).toEqual([]);
  });

  it('a short budget yields bounds that say so and hold', () => {
    covers('INV-X.3', 'INV-X.4');
    fc.assert(
      fc.property(anyInvestigation, fc.integer({ min: 0, max: 60 }), (input, budget) => {
        for (const one of explainAll(input, { now: NOW, budget })) {
          const change = one.smallest_change;
          if (change && change.claim_ids.length > 0) {
            const fresh = verdictOn(one, input, without(input, change.removed_claim_ids));
            expectSame(change, fresh);
            expect(isOtherwise(change, one)).toBe(true);
          }
          const full = explain(input, { ...one, now: NOW, budget: PLENTY })!;
          if (change === null) expect(full.smallest_change).toBeNull();
          else if (full.smallest_change === null) expect(change.claim_ids).toEqual([]);
          else if (change.is_exact)
            expect(change.claim_ids.length).toBe(full.smallest_change.claim_ids.length);
        }
      }),
      RUNS,
    );
  });

  it('where copying can be found, removals find it anew', () => {
    covers('INV-X.3', 'INV-X.4');
    let detected = 0;
    fc.assert(
      fc.property(copiedInvestigation(), (input) => {
        const one = explain(input, { now: NOW, subject_id: 's0', predicate: 'value', budget: PLENTY / 1e4 })!;
        for (const row of one.without_source) {
          if (!row.is_exact) continue;
          const own = input.claims.filter((claim) => claim.actor_id === row.actor_id);
          expectSame(
            row,
            verdictOn(
              one,
              input,
              without(
                input,
                own.map(({ id }) => id),
              ),
            ),
          );
        }
        detected += judged(input).source_dependence.length;
        const change = one.smallest_change!;
        if (!change.dependence_as_found)
          expectSame(change, verdictOn(one, input, without(input, change.removed_claim_ids)));
      }),
      { ...RUNS, numRuns: 40 },
    );
    expect(detected).toBeGreaterThan(0);
  });

  it('every number of an audit follows from those before it', () => {
    covers('INV-X.5');
    fc.assert(
      fc.property(anyInvestigation, (input) => {
        const analyses = judged(input).claim_analyses;
        const audits = auditClaims(input, { now: NOW });
        expect(audits.map(({ claim_id }) => claim_id)).toEqual(analyses.map(({ claim_id }) => claim_id));
        audits.forEach(({ reliability, half_life, decay, freshness, weight }, i) => {
          const analysis = analyses[i]!;
          const { given, clamp_low, clamp_high, base } = reliability;
          if (given !== null) expect(base).toBe(Math.min(clamp_high, Math.max(clamp_low, given)));
          expectNear(base * reliability.competence * reliability.self_contradiction, reliability.effective);
          expect(reliability.below_floor).toBe(analysis.below_credibility_floor ?? false);

          const { status, override } = half_life;
          const isCut = status === 'superseded' || status === 'retracted';
          expectNear(
            override === null
              ? half_life.domain *
                  half_life.claim_type *
                  half_life.source_authority *
                  half_life.epistemic_status
              : override * (isCut ? half_life.epistemic_status : 1),
            half_life.effective_days,
          );
          expect(half_life.effective_days).toBe(analysis.effective_half_life_days);
          expectNear(
            half_life.effective_days === 0 ? 0 : 0.5 ** (decay.age_days / half_life.effective_days),
            decay.factor,
          );
          if (decay.origin !== null)
            expect(decay.age_days).toBe(
              Math.max(0, effectiveNow(input) - Date.parse(decay.origin)) / 86_400_000,
            );
          expect(decay.factor).toBe(analysis.temporal_decay_factor);
          expectNear(
            0.7 * freshness.decay + 0.2 * freshness.recency + 0.1 * freshness.status,
            freshness.score,
          );
          expect(freshness.score).toBe(analysis.freshness_score);

          const speaks = !reliability.below_floor && !weight.is_retracted;
          expectNear(
            speaks ? reliability.effective * decay.factor * weight.superseded * weight.refined : 0,
            weight.weight,
          );
          expectNear((2 * weight.weight) / (1 - reliability.effective), weight.cap);
          expectNear(Math.min(weight.weight * (1 + weight.supporting_evidence), weight.cap), weight.voice);
          expectNear(weight.r / (weight.r + weight.s + 2), analysis.support);
          expectNear(weight.s / (weight.r + weight.s + 2), analysis.opposition);
        });
      }),
      { ...RUNS, numRuns: 2 * RUNS.numRuns },
    );
  });
});

function effectiveNow({ as_of }: InvestigationInput): number {
  return Math.min(NOW.getTime(), as_of == null ? Infinity : Date.parse(as_of));
}
