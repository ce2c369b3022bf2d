import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { covers } from '@platform/testing/covers';
import { SEED } from '@platform/testing/seed';
import { soak } from '@platform/testing/soak';
import { analyze } from '../analyze.ts';
import { contestedInvestigations } from '../fixtures/contested.arbitrary.fixture.ts';
import { correctedInvestigations } from '../fixtures/corrected.arbitrary.fixture.ts';
import { investigations } from '../fixtures/investigation.arbitrary.fixture.ts';
import { sequences } from '../fixtures/sequences.arbitrary.fixture.ts';
import { NOW } from '../fixtures/investigation.fixture.ts';
import { reference } from './reference.fixture.ts';
import type { InvestigationInput, InvestigationResult } from '../contract/types.ts';

fc.configureGlobal({ seed: SEED });

const RUNS = { numRuns: soak(200) };

/** What the engine words freely, and what the reference does not model. */
const WORDING = new Set([
  'suggestion',
  'conditions',
  'description',
  'recommendation',
  'synthesis',
  'warnings',
  'engine_version',
  'source_dependence',
  'all_values',
  'all_denials',
  'disputed_apart',
  'more_tied_values',
  'supporting_source_count',
  'opposing_source_count',
  'superseded',
]);

/** The kinds of warnings, by their words. */
const KINDS: Readonly<Record<string, RegExp>> = {
  clamped: /; it was moved to /,
  implausible: / does not suit a source of type /,
  'investigation half-life': /^The investigation's decay_half_life_days /,
  'claim half-life': /^The decay_half_life_days of claim /,
  'law on a prediction': /; no prediction is a law\.$/,
  'from the future': / lies in the future and was treated as now, /,
  late: / was asserted after |, which was not asserted by /,
  duplicate: / of the same actor and was dropped\.$/,
  'relationships truncated': / relationships; the first 50 are kept\.$/,
  'missing superseded': /; nothing was superseded\.$/,
  'missing target': /; the relationship was ignored\.$/,
  'supersession in a circle': / in a circle; this supersession was ignored\.$/,
  'own corroboration': /comes from the author of the claim and was ignored\.$/,
  'early corroboration': /is dated before the claim was asserted and was ignored\.$/,
  'late corroboration': /is dated after the time of the analysis and was ignored\.$/,
  'corroborations truncated': / corroborations; the latest 100 are kept\.$/,
  stranger: /; it counts as dependent\.$/,
  copy: /; it is weighed like it\.$/,
  floor: /, below the credibility floor, and counts for nothing\.$/,
  distinction: /^Distinction `\w+` was dropped/,
  inference: /^Inference `\w+` was dropped/,
  'interpretations not listed': / interpretations of .* are not\.$/,
};

/** Cautions change no number; the reference leaves them out. */
const CAUTION =
  /is held by no accepted claim| counts for nothing now, because |has the most weight but is less likely|differ only in |are kept apart| contradicts itself on |matches no predicate|may be one question|looks like a number or a date|^Age has left |^The estimate of |^There is no estimate of |^Estimates of numbers |^The numbers on |was read in | itself; this has no effect|which was asserted later; |no assertion_time|counts as an answer that contradicts|was read as text, which contradicts|were read as years, which contradict|was read as the (?:number|date) | was kept in its place; |; if the actor came back to it, /;

function counted(warnings: readonly string[]): Record<string, number> {
  const dues: Record<string, number> = {};
  for (const warning of warnings) {
    if (CAUTION.test(warning)) continue;
    const kind = Object.keys(KINDS).find((name) => KINDS[name]!.test(warning)) ?? warning;
    dues[kind] = (dues[kind] ?? 0) + 1;
  }
  return dues;
}

/** Where two results differ: numbers beyond 1e-9 (of their size, above 1), everything else exactly. */
function differences(engine: unknown, expected: unknown, path = ''): string[] {
  if (typeof engine === 'number' && typeof expected === 'number') {
    const isNear = Math.abs(engine - expected) <= 1e-9 * Math.max(1, Math.abs(expected));
    return isNear ? [] : [`${path}: engine ${engine}, reference ${expected}`];
  }
  if (isObject(engine) && isObject(expected)) {
    const keys = new Set([...Object.keys(engine), ...Object.keys(expected)]);
    return [...keys]
      .filter((key) => !WORDING.has(key))
      .flatMap((key) => differences(engine[key], expected[key], `${path}.${key}`));
  }
  if (Object.is(engine, expected)) return [];
  return [`${path}: engine ${JSON.stringify(engine)}, reference ${JSON.stringify(expected)}`];
}

const isObject = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null;

function compare(input: InvestigationInput): string[] {
  const declared = { ...input, dependence: 'declared' };
  const expected = reference(declared, NOW);
  const engine = analyze(declared, { now: NOW }) as InvestigationResult;
  const summary = analyze({ ...declared, summary_mode: true }, { now: NOW });
  return [
    ...differences(counted(engine.warnings), expected.dues, 'warnings'),
    ...differences(engine, expected.full, 'full'),
    ...differences(summary, expected.summary, 'summary'),
  ];
}

describe('the engine against a second reading of the reasoning model', () => {
  it('the engine equals the reference on investigations where many rules meet', () => {
    covers('RM-1.4', 'RM-11.130', 'RM-11.160');
    fc.assert(
      fc.property(contestedInvestigations(), (input) => {
        expect(compare(input)).toEqual([]);
      }),
      RUNS,
    );
  });

  it('the engine equals the reference where sources correct themselves, repeat and come back', () => {
    covers('RM-2.34', 'RM-2.35', 'RM-11.172', 'RM-11.126', 'RM-11.154');
    fc.assert(
      fc.property(correctedInvestigations(), (input) => {
        expect(compare(input)).toEqual([]);
      }),
      { numRuns: soak(1_000) },
    );
  });

  it('the engine equals the reference on investigations that touch every rule', () => {
    covers('RM-1.4', 'RM-11.115', 'RM-11.153', 'RM-11.156', 'RM-11.158', 'RM-11.163');
    fc.assert(
      fc.property(investigations({ claimsMax: 11 }), (input) => {
        expect(compare(input)).toEqual([]);
      }),
      RUNS,
    );
  });

  it('the engine equals the reference where sources state values one after another', () => {
    covers('RM-11.256');
    fc.assert(
      fc.property(sequences(), (input) => {
        expect(compare(input)).toEqual([]);
      }),
      { numRuns: soak(500) },
    );
  });

  it('new ids of claims change nothing but which of tied values is named first, distinctions included', () => {
    covers('RM-11.208');
    fc.assert(
      fc.property(investigations({ claimsMax: 9 }), (input) => {
        // Of duplicates and superseding claims ids decide by contract: there are none of them here.
        const renamed = (id: string) =>
          id.replace(/^c(\d+)$/, (_, digits: string) => `c${99 - Number(digits)}`);
        const plain = input.claims
          .filter(({ target_claim_id: target }) => !target)
          .map((one, i) => ({
            ...one,
            actor_id: 'abcdef'[i % 6]!,
            scope: i < 6 ? null : 'indoors',
            predicate: 'size',
            subject_id: 's1',
            relationships: [],
            supersedes_claim_id: null,
          }));
        const base = {
          ...input,
          claims: plain as InvestigationInput['claims'],
          evidence: [],
          inferences: [],
          dependence: 'declared',
        };
        const other = {
          ...base,
          claims: base.claims.map((one) => ({ ...one, id: renamed(one.id) })),
          distinctions: base.distinctions!.map((one) => ({
            ...one,
            argument_a: renamed(one.argument_a),
            argument_b: renamed(one.argument_b),
          })),
        };
        const told = (of: InvestigationInput) =>
          (analyze(of, { now: NOW }) as InvestigationResult).subject_results.map((verdict) => ({
            ...verdict,
            leading_value: verdict.tied ? null : verdict.leading_value,
            ...(verdict.tied && { source_count: 0, independent_source_count: 0 }),
            supporting_source_count: verdict.tied ? 0 : verdict.supporting_source_count,
            opposing_source_count: verdict.tied ? 0 : verdict.opposing_source_count,
            rival_values: verdict.rival_values.map(({ value }) => value).toSorted(),
          }));
        expect(differences(told(other), told(base))).toEqual([]);
      }),
      RUNS,
    );
  });

  it.each([
    [
      'eight digits may be dates',
      '20240517|20240518|20230101|20240599|2024-05-17|2024-05|2024|20,240,517|$5|red',
    ],
    ['years are inexact', '1850|1900|1903|1926|c. 1926|circa 1900|about 1905|1926-05|1,900|1850 km|~1900 km'],
  ])('the engine equals the reference where %s', (_, spellings) => {
    covers('RM-11.186', 'RM-11.390');
    const values = spellings.split('|');
    const valued = investigations({ claimsMax: 14 }).chain((input) =>
      fc.tuple(...input.claims.map(() => fc.constantFrom(...values))).map((stated) => ({
        ...input,
        claims: input.claims.map((one, i) => ({ ...one, value: stated[i]!, predicate: 'size' })),
      })),
    );
    fc.assert(
      fc.property(valued, (input) => {
        expect(compare(input)).toEqual([]);
      }),
      { numRuns: soak(1_000) },
    );
  });

  it('the engine equals the reference where many unidentified sources say different things', () => {
    covers('RM-11.206');
    const value = fc.constantFrom('red', 'blue', 'green', '5', '5.2', '5.4', '7', 'yes', '2024', '2024-05');
    const scattered = investigations({ claimsMax: 14 }).chain((input) =>
      fc.tuple(...input.claims.map(() => value)).map((values) => ({
        ...input,
        actors: input.actors.map((one, i) =>
          i === 0 ? one : { ...one, source_type: 'Anonymous', base_reliability: null },
        ),
        claims: input.claims.map((one, i) => ({ ...one, value: values[i]!, predicate: 'size' })),
      })),
    );
    fc.assert(
      fc.property(scattered, (input) => {
        expect(compare(input)).toEqual([]);
      }),
      RUNS,
    );
  });
});
