import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { covers } from '@platform/testing/covers';
import { SEED } from '@platform/testing/seed';
import { soak } from '@platform/testing/soak';
import { UNIDENTIFIED } from '../contract/constants.ts';
import { parseTime } from '../contract/timestamp.ts';
import type {
  ClaimInput,
  EvidenceInput,
  InvestigationInput,
  RivalValue,
  SubjectResult,
} from '../contract/types.ts';
import { SOURCE_TYPES } from '../contract/vocabulary.ts';
import { contestedInvestigations } from '../fixtures/contested.arbitrary.fixture.ts';
import { correctedInvestigations } from '../fixtures/corrected.arbitrary.fixture.ts';
import { investigations } from '../fixtures/investigation.arbitrary.fixture.ts';
import { claim, investigation, judge } from '../fixtures/investigation.fixture.ts';
import { saysTheSame } from '../model/same-value.ts';

fc.configureGlobal({ seed: SEED });

/** So many sources of a type say a value, each by itself. */
type Camp = readonly [count: number, source_type: string, value: string];

/** One question on which camps of sources differ, all undated and of the usual reliability. */
function camps(...all: readonly Camp[]): InvestigationInput {
  const sides = all.flatMap(([count, source_type, value], camp) =>
    Array.from({ length: count }, (_, i) => ({ id: `a${camp}-${i}`, source_type, value })),
  );
  return investigation(
    sides.map(({ id, value }) => claim(`c${id}`, id, value)),
    { actors: sides.map(({ id, source_type }) => ({ id, name: id, source_type })) },
  );
}

const verdictOf = (...all: readonly Camp[]): SubjectResult => judge(camps(...all)).subject_results[0]!;

/** The chances of the values other than the leading one. */
const others = ({ rival_values: rivals, leading_value: leading }: SubjectResult) =>
  rivals
    .filter(({ value, apart }) => value !== leading && !apart)
    .map(({ calibrated_probability: chance }) => chance);

/**
 * The most that the chances of rivals sum to of which each excludes each other: of one scope, with an instant
 * in common, and with values that do not agree. Numbers that are near one another agree, but not all that are
 * near a third one.
 */
function mostOfExclusive({ rival_values: rivals }: SubjectResult): number {
  const excludes = (one: RivalValue, other: RivalValue) =>
    one.scope === other.scope &&
    startOf(one) < endOf(other) &&
    startOf(other) < endOf(one) &&
    !saysTheSame(one.value, other.value);
  const most = (rest: readonly RivalValue[]): number =>
    rest.reduce((high, one, at) => {
      const others = rest.slice(at + 1).filter((other) => excludes(one, other));
      return Math.max(high, one.calibrated_probability + most(others));
    }, 0);
  return most(rivals);
}

const startOf = (rival: RivalValue) => instant(rival.event_start_time) ?? -Infinity;
const endOf = (rival: RivalValue) => instant(rival.event_end_time) ?? Infinity;

const instant = (time?: string) => (time === undefined ? null : parseTime(time)!.ms);

const LESS_LIKELY = / is less likely than /;

/** Whether a value leads and is less likely than another one that sources give. */
const isOutranked = (verdict: SubjectResult) =>
  !verdict.tied && Math.max(0, ...others(verdict)) > verdict.calibrated_probability + 1e-9;

const inPercent = (chance: number) => Math.round(100 * chance);

describe('chances and weights', () => {
  it.each([
    ['a Regulator', 1, 4],
    ['a Regulator', 1, 5],
    ['three Regulators', 3, 30],
    ['three Regulators', 3, 500],
  ])('chances rank %s, who leads, before a crowd of unidentified sources (%d against %d)', (_, few, many) => {
    covers('RM-11.5', 'RM-11.9');
    for (const type of ['Anonymous', 'SocialMedia']) {
      const verdict = verdictOf([few, 'Regulator', 'red'], [many, type, 'blue']);
      expect(verdict.leading_value).toBe('red');
      expect(verdict.calibrated_probability).toBeGreaterThan(others(verdict)[0]!);
      expect(verdict.calibrated_probability).toBeGreaterThan(0.4);
    }
  });

  it('chances of what a crowd of unidentified sources says stay below very likely, whatever its size', () => {
    covers('RM-11.5', 'RM-11.9');
    const chanceOf = (size: number) =>
      verdictOf([1, 'Regulator', 'red'], [size, 'Anonymous', 'blue']).calibrated_probability;
    expect(chanceOf(40)).toBeLessThan(0.65);
    expect(chanceOf(500)).toBeLessThan(0.65);
  });

  it('chances rank one Regulator, who leads, before two Institutional sources, and two Experts before four', () => {
    covers('RM-11.5', 'RM-11.117');
    for (const few of [1, 2]) {
      const verdict = verdictOf([few, 'Regulator', 'red'], [2 * few, 'Institutional', 'blue']);
      expect(verdict.leading_value).toBe('red');
      expect(verdict.calibrated_probability).toBeGreaterThan(others(verdict)[0]!);
    }
  });

  it('chances rank bare voices of identified sources of any kind and number as their weight does', () => {
    covers('RM-11.5');
    const camp = fc.tuple(
      fc.integer({ min: 1, max: 9 }),
      fc.constantFrom(...SOURCE_TYPES),
      fc.constantFrom('red', 'blue', 'green', 'grey'),
    );
    const reliability = fc.constantFrom('declared' as const, 'estimated' as const);
    fc.assert(
      fc.property(fc.array(camp, { minLength: 1, maxLength: 6 }), reliability, (all, mode) => {
        const result = judge({ ...camps(...all), reliability: mode, dependence: 'declared' });
        expect(result.subject_results.filter(isOutranked)).toEqual([]);
        expect(result.warnings.filter((warning) => LESS_LIKELY.test(warning))).toEqual([]);
        const { rival_values: rivals } = result.subject_results[0]!;
        const chances = rivals.map((rival) => rival.calibrated_probability);
        for (const chance of chances) expect(chance).toBeLessThanOrEqual(chances[0]! + 1e-9);
        // What unidentified sources alone say and does not lead shares one crowd with more of its kind.
        const isKnown = (value: string) =>
          all.some(([, type, said]) => said === value && !UNIDENTIFIED.has(type));
        const known = rivals.filter(({ value }) => isKnown(value));
        for (const [i, { calibrated_probability: chance }] of known.slice(1).entries())
          expect(chance).toBeLessThanOrEqual(known[i]!.calibrated_probability + 1e-9);
      }),
      { numRuns: soak(150) },
    );
  });

  it('chances of the rivals on one question are one posterior, whatever forms of values stand together', () => {
    covers('RM-11.5', 'RM-11.6', 'RM-11.60');
    const values =
      'yes|no|true|Yes.|abc|red|5|5.2|5.4|5 km|5 %|2 dozen|$5M|1900|2024|2024-05|circa 2024|'.split('|');
    const value = fc.constantFrom(...values);
    const camp = fc.tuple(fc.integer({ min: 1, max: 4 }), fc.constantFrom(...SOURCE_TYPES), value);
    const reliability = fc.constantFrom('declared' as const, 'estimated' as const);
    const evidence = fc.array(fc.tuple(fc.nat(5), fc.constantFrom('Supports', 'Refutes')), { maxLength: 3 });
    fc.assert(
      fc.property(
        fc.array(camp, { minLength: 1, maxLength: 6 }),
        reliability,
        evidence,
        fc.boolean(),
        (all, mode, items, infers) => {
          const input = { ...camps(...all), reliability: mode };
          const { claims } = input;
          const result = judge({
            ...input,
            evidence: items.map(([at, valence], i) => ({
              id: `e${i}`,
              claim_id: claims[at % claims.length]!.id,
              content: 'e',
              valence,
            })),
            inferences: infers
              ? [
                  {
                    id: 'i',
                    subject_id: 's1',
                    predicate: claims[0]!.predicate,
                    rule_type: 'custom',
                    rule_param: 'rule',
                    description: 'one follows from the other',
                    premise_claim_ids: [claims[0]!.id],
                  },
                ]
              : [],
          });
          for (const { rival_values: rivals, tied, subject_id: id } of result.subject_results) {
            const chances = rivals.map((rival) => rival.calibrated_probability);
            expect(chances.reduce((total, chance) => total + chance, 0)).toBeLessThanOrEqual(1 + 1e-9);
            for (const chance of chances) expect(chance).toBeGreaterThanOrEqual(0);
            if (tied) expect(result.warnings.join()).not.toContain(`of \`${id}\`, \``);
          }
        },
      ),
      { numRuns: soak(200) },
    );
  });

  it('chances of values that exclude one another sum to no more than one, denied values included', () => {
    covers('RM-11.5', 'RM-11.173');
    const inputs = fc.oneof(contestedInvestigations(), correctedInvestigations(), investigations());
    const reliability = fc.constantFrom('declared' as const, 'estimated' as const);
    fc.assert(
      fc.property(inputs, reliability, fc.boolean(), (given, mode, areDenied) => {
        const denied = ({ ...one }: ClaimInput): ClaimInput => ({ ...one, valence: 'Refutes' });
        const claims = areDenied ? given.claims.map(denied) : given.claims;
        const { subject_results: verdicts } = judge({ ...given, claims, reliability: mode });
        for (const verdict of verdicts) expect(mostOfExclusive(verdict)).toBeLessThan(1 + 1e-9);
      }),
      { numRuns: soak(1_000) },
    );
  });

  it.each(['declared', 'estimated'] as const)(
    'a denied value is weighed against the no that evidence against a yes speaks for, reliability %s',
    (reliability) => {
      covers('RM-11.266');
      const claims = [claim('c1', 'a', 'yes'), claim('c2', 'b', 'partly', { valence: 'Refutes' })];
      const evidence = ['c1', 'c2'].map((claim_id) => ({
        id: `e-${claim_id}`,
        claim_id,
        content: 'e',
        valence: 'Refutes',
        weight: 2,
      }));
      const { subject_results: verdicts } = judge({ ...investigation(claims), evidence, reliability });
      expect(verdicts[0]!.rival_values.map(({ value }) => value).toSorted()).toEqual([
        'false',
        'partly',
        'true',
      ]);
      expect(mostOfExclusive(verdicts[0]!)).toBeLessThanOrEqual(1 + 1e-9);
    },
  );

  it.each(['declared', 'estimated'] as const)(
    'values that are denied and not asserted share one chance, reliability %s',
    (reliability) => {
      covers('RM-11.173');
      const suspects = [...'abcdefghij'];
      const judged = (count: number, evidence: EvidenceInput[] = []) => {
        const named = suspects.slice(0, count);
        const claims = named.map((id) => claim(`c${id}`, id, id, { valence: 'Refutes' }));
        const actors = named.map((id) => ({ id, name: id, source_type: 'Journalist' }));
        return judge({ ...investigation(claims, { actors }), evidence, reliability }).subject_results[0]!;
      };
      const alone = judged(1).calibrated_probability;
      expect(alone).toBeLessThan(0.5);
      for (const count of [2, 3, 8, 10]) {
        const chances = judged(count).rival_values.map((rival) => rival.calibrated_probability);
        for (const chance of chances) expect(chance).toBeCloseTo(alone / (1 + (count - 1) * alone), 1);
        expect(chances.reduce((total, chance) => total + chance, 0)).toBeLessThan(1);
      }
      // Two denials that are themselves refuted, each so that its value would be likely by itself.
      for (const count of [1, 2000]) {
        const refuted = ['ca', 'cb'].flatMap((claim_id) =>
          Array.from({ length: count }, (_, i) => ({
            id: `${claim_id}-${i}`,
            claim_id,
            content: 'e',
            valence: 'Refutes',
            weight: 5,
          })),
        );
        const [first, second] = judged(2, refuted).rival_values;
        expect(first!.calibrated_probability).toBeCloseTo(second!.calibrated_probability, 9);
        expect(first!.calibrated_probability).toBeLessThanOrEqual(0.5);
        expect(first!.calibrated_probability).toBeGreaterThan(0.35);
      }
    },
  );

  it('a leading value that is less likely than another one is warned of, and none else is', () => {
    covers('RM-11.36', 'RM-11.414');
    fc.assert(
      fc.property(contestedInvestigations(), (input) => {
        const { subject_results: verdicts, warnings } = judge(input);
        const warned = warnings.filter((warning) => LESS_LIKELY.test(warning));
        // Verdicts on a denial or on `false` are about the value that they hold to be less likely.
        const affirmed = verdicts.filter(
          ({ leading_value: leading, truth_status: status }) => leading !== 'true' && status !== 'False',
        );
        if (input.claims.every(({ valence }) => valence !== 'Refutes' && valence !== 'refutes'))
          for (const verdict of affirmed) {
            const question = `Of \`${verdict.predicate}\` of \`${verdict.subject_id}\``;
            expect(warned.some((warning) => warning.startsWith(question))).toBe(
              isOutranked(verdict) &&
                inPercent(verdict.calibrated_probability) < inPercent(Math.max(...others(verdict))),
            );
          }
        for (const warning of warned) {
          const [, own, other] = /\((\d+) % against (\d+) %\)/.exec(warning)!;
          expect(Number(other)).toBeGreaterThan(Number(own));
        }
      }),
      { numRuns: soak(200) },
    );
  });

  it('evidence against the leading value that makes another likelier is said in warning and summary', () => {
    covers('RM-11.36');
    const input = {
      ...camps([2, 'Expert', 'red'], [1, 'Expert', 'blue']),
      evidence: [{ id: 'e', claim_id: 'ca0-0', content: 'a refutation', valence: 'Refutes', weight: 2 }],
    };
    const {
      subject_results: [verdict],
      warnings,
    } = judge(input);
    expect(verdict!.leading_value).toBe('red');
    expect(verdict!.calibrated_probability).toBeLessThan(others(verdict!)[0]!);
    const percent = (chance: number) => `${Math.round(100 * chance)} %`;
    const chance = percent(verdict!.calibrated_probability);
    expect(warnings).toEqual([
      `Of \`colour\` of \`s1\`, \`red\` has the most weight but is less likely than \`blue\` (${chance} against ${percent(others(verdict!)[0]!)}); look at the evidence for and against both before relying on either.`,
    ]);
    const { synthesis } = judge({ ...input, summary_mode: true }) as unknown as { synthesis: string };
    expect(synthesis).toContain(`(${chance}), less likely than blue (`);
  });
});

describe('chances beside unidentified sources who each say something else', () => {
  /** So many sources of a type, each with a value of its own. */
  const apart = (count: number, type: string): Camp[] =>
    Array.from({ length: count }, (_, i) => [1, type, `other ${'abcdefghij'[i % 10]}${i}`] as const);
  const authorities: Camp[] = [
    [2, 'Regulator', 'red'],
    [1, 'Expert', 'red'],
  ];

  it.each([
    ['three authorities', authorities, 0.5],
    ['one Regulator', [[1, 'Regulator', 'red']] as Camp[], 0.2],
  ])('any number of them leaves %s the chance that as many who agree would leave', (_, side, least) => {
    covers('RM-11.206');
    for (const type of ['Anonymous', 'SocialMedia'])
      for (const count of [1, 2, 5, 10, 30, 100]) {
        const scattered = verdictOf(...side, ...apart(count, type));
        const learned = judge({ ...camps(...side, ...apart(count, type)), reliability: 'estimated' });
        expect(learned.subject_results[0]!.calibrated_probability).toBeGreaterThan(least);
        const agreeing = verdictOf(...side, [count, type, 'blue']);
        expect(scattered.leading_value).toBe('red');
        expect(scattered.calibrated_probability).toBeGreaterThan(least);
        if (agreeing.leading_value === 'red')
          expect(scattered.calibrated_probability).toBeGreaterThanOrEqual(
            agreeing.calibrated_probability - 1e-9,
          );
      }
  });

  it('scattering unidentified voices never costs the leading value more than their agreement would', () => {
    covers('RM-11.206');
    const known = fc.tuple(
      fc.integer({ min: 1, max: 4 }),
      fc.constantFrom(...SOURCE_TYPES),
      fc.constantFrom('red', 'green', 'grey'),
    );
    const scattered = fc.array(
      fc.tuple(
        fc.integer({ min: 1, max: 5 }),
        fc.constantFrom('Anonymous', 'SocialMedia'),
        fc.constantFrom('one', 'two', 'three', 'four', 'five', 'six', 'seven', 'eight', 'nine', 'ten'),
      ),
      { minLength: 1, maxLength: 12 },
    );
    fc.assert(
      fc.property(fc.array(known, { minLength: 1, maxLength: 4 }), scattered, (side, crowd) => {
        const judged = (all: readonly Camp[]) =>
          judge({ ...camps(...side, ...all), dependence: 'declared' }).subject_results[0]!;
        const together = judged(crowd.map(([count, type]) => [count, type, 'blue'] as const));
        const [apartFrom, none] = [judged(crowd), judged([])];
        const chances = apartFrom.rival_values.map((rival) => rival.calibrated_probability);
        expect(chances.reduce((total, chance) => total + chance, 0)).toBeLessThanOrEqual(1 + 1e-9);
        if (apartFrom.tied || together.tied || apartFrom.leading_value !== together.leading_value) return;
        const chance = apartFrom.calibrated_probability;
        expect(chance).toBeGreaterThanOrEqual(together.calibrated_probability - 1e-9);
        if (none.leading_value === apartFrom.leading_value)
          expect(chance).toBeLessThanOrEqual(none.calibrated_probability + 1e-9);
      }),
      { numRuns: soak(400) },
    );
  });
});

describe('chances of a question of yes or no with other answers', () => {
  it.each([
    [['no', 'abc']],
    [['no', 'no', 'abc']],
    [['yes', 'no', 'abc']],
    [['no', 'no', 'yes', 'partly', 'abc']],
    [['abc', 'yes']],
  ])('the chances of the answers %j sum to no more than one', (values) => {
    covers('RM-11.5');
    for (const reliability of ['declared', 'estimated'] as const)
      for (const ordered of [values, values.toReversed()]) {
        const input = camps(...ordered.map((value) => [1, 'Journalist', value] as const));
        const { subject_results: verdicts, warnings } = judge({ ...input, reliability });
        const { rival_values: rivals, tied } = verdicts[0]!;
        const sum = rivals.reduce((total, rival) => total + rival.calibrated_probability, 0);
        expect(sum).toBeLessThanOrEqual(1 + 1e-9);
        if (tied) expect(warnings.filter((warning) => LESS_LIKELY.test(warning))).toEqual([]);
      }
  });
});

describe('chances beside claims that age has left nothing of', () => {
  it('old voices of no weight do not change the chance, whichever value they state', () => {
    covers('RM-11.5');
    const chanceWith = (old: number, value: string) => {
      const input = camps([3, 'Regulator', 'red'], [1, 'Journalist', 'blue'], [old, 'Journalist', value]);
      const claims = input.claims.map((one) => ({
        ...one,
        assertion_time: one.id.startsWith('ca2') ? '2005-01-01' : '2025-12-31',
      }));
      return judge({ ...input, claims }).subject_results[0]!.calibrated_probability;
    };
    const alone = chanceWith(0, 'red');
    for (const value of ['red', 'blue'])
      for (const old of [1, 20, 60]) expect(chanceWith(old, value)).toBeCloseTo(alone, 6);
  });
});
