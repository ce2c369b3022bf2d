import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { covers } from '@platform/testing/covers';
import { SEED } from '@platform/testing/seed';
import { soak } from '@platform/testing/soak';
import { CREDIBILITY_FLOOR, UNIDENTIFIED } from '../contract/constants.ts';
import type { ClaimInput, EvidenceInput } from '../contract/types.ts';
import { SOURCE_TYPES } from '../contract/vocabulary.ts';
import type { SourceType } from '../contract/vocabulary.ts';
import { claim, investigation, judge, meta } from '../fixtures/investigation.fixture.ts';

fc.configureGlobal({ seed: SEED });

/** What a source says: a value, or in place of it that it supports or disputes an earlier claim. */
interface Said {
  readonly type: SourceType;
  readonly value: string;
  readonly denies?: boolean;
  readonly about?: readonly [valence: 'Supports' | 'Refutes', at: number];
  /** Weights of evidence for what it says, and against it. */
  readonly backed?: readonly number[];
  readonly refuted?: readonly number[];
}

/** The chances of the values of one question that independent sources answer. */
function chancesOf(all: readonly Said[], reliability = 'declared'): ReadonlyMap<string, number> {
  const evidence: EvidenceInput[] = [];
  const claims: ClaimInput[] = [];
  const stated: string[] = [];
  for (const [i, { type: _, value, denies, about, backed = [], refuted = [] }] of all.entries()) {
    const isMeta = about !== undefined && stated.length > 0;
    if (!isMeta) stated.push(`c${i}`);
    claims.push(
      isMeta
        ? meta(`c${i}`, `a${i}`, stated[about[1] % stated.length]!, about[0])
        : claim(`c${i}`, `a${i}`, value, denies ? { valence: 'Refutes' } : {}),
    );
    for (const [valence, weights] of [
      ['Supports', backed],
      ['Refutes', refuted],
    ] as const)
      for (const weight of weights)
        evidence.push({ id: `e${evidence.length}`, claim_id: `c${i}`, content: 'e', valence, weight });
  }
  const actors = all.map(({ type }, i) => ({ id: `a${i}`, name: `a${i}`, source_type: type }));
  const { rival_values: rivals } = judge({
    ...investigation(claims, { actors, evidence }),
    dependence: 'declared',
    reliability,
  }).subject_results[0]!;
  return new Map(rivals.map(({ value, calibrated_probability: chance }) => [value, chance]));
}

/** The chance of yes, to a question to which nothing but yes and no is said. */
const yes = (all: readonly Said[]): number => chancesOf(all).get('true')!;

/**
 * By how much a source that states a value may lower its chance. An unidentified one counts whole in the
 * number of voices by which log odds are divided; where these are above 5, this takes more than it gives.
 */
const slack = (type: SourceType) => (UNIDENTIFIED.has(type) ? 0.06 : 1e-9);

const says = (type: SourceType, value: string, refuted: readonly number[] = []): Said => ({
  type,
  value,
  refuted,
});

const HEARD = SOURCE_TYPES.filter((type) => type !== 'Troll');
const weights = fc.array(fc.constantFrom(0.5, 1, 2, 5), { maxLength: 2 });

/** Some sources that answer, the first by a claim of its own. */
const answers = (...values: readonly string[]) =>
  fc.array(
    fc.record({
      type: fc.constantFrom(...HEARD),
      value: fc.constantFrom(...values),
      about: fc.option(fc.tuple(fc.constantFrom('Supports' as const, 'Refutes' as const), fc.nat(5)), {
        nil: undefined,
        freq: 3,
      }),
      backed: weights,
      refuted: weights,
    }),
    { minLength: 1, maxLength: 6 },
  );

describe('the chances of two answers when one more voice is heard', () => {
  it.each([1, 2, 5])(
    'a no of whatever kind of source leaves a yes that a document of weight %d refutes as unlikely as it was',
    (weight) => {
      covers('RM-11.212');
      for (const type of SOURCE_TYPES)
        for (const value of ['no', 'yes']) {
          const opposite = value === 'no' ? 'yes' : 'no';
          const chance = (...more: Said[]) => {
            const ofYes = yes([says('Journalist', opposite, [weight]), ...more]);
            return opposite === 'yes' ? ofYes : 1 - ofYes;
          };
          expect(chance(says(type, value))).toBeLessThanOrEqual(chance() + 1e-9);
        }
    },
  );

  it('a yes of whatever kind of source leaves it as likely as it was after a refuted denial', () => {
    covers('RM-11.212');
    const ministry = says('Institutional', 'no', [2]);
    expect(yes([ministry])).toBeGreaterThan(0.88);
    for (const type of SOURCE_TYPES)
      expect(yes([ministry, says(type, 'yes')])).toBeGreaterThanOrEqual(yes([ministry]) - 1e-9);
  });

  it('claims about the claims of one side count as evidence does', () => {
    covers('RM-11.212');
    const disputed: Said[] = [
      says('Journalist', 'yes'),
      { type: 'Regulator', value: 'x', about: ['Refutes', 0] },
      { type: 'Expert', value: 'x', about: ['Refutes', 0] },
    ];
    for (const type of HEARD)
      expect(yes([...disputed, says(type, 'no')])).toBeLessThanOrEqual(yes(disputed) + 1e-9);
  });

  it('who is right half the time or less and says no leaves the yes of another as likely as before', () => {
    covers('RM-11.212');
    for (const type of ['Insider', 'Institutional', 'Anonymous'] as const) {
      const opposed = yes([says('Journalist', 'yes'), says(type, 'no')]);
      expect(opposed).toBeLessThan(0.7);
      expect(opposed).toBeGreaterThan(0.67);
    }
  });

  it('a source that states an answer never lowers its chance, and what speaks against it never raises it', () => {
    covers('RM-11.212');
    fc.assert(
      fc.property(answers('yes', 'no'), fc.constantFrom(...HEARD), (all, type) => {
        const before = yes(all);
        expect(yes([...all, says(type, 'yes')])).toBeGreaterThanOrEqual(before - slack(type));
        expect(yes([...all, says(type, 'no')])).toBeLessThanOrEqual(before + slack(type));
        expect(yes([...all, { type, value: 'yes', denies: true }])).toBeLessThanOrEqual(before + slack(type));
        const [first, ...others] = all;
        const refuted = yes([{ ...first!, refuted: [...first!.refuted, 1] }, ...others]);
        const disputed = yes([...all, { type, value: 'x', about: ['Refutes', 0] }]);
        for (const chance of [refuted, disputed])
          if (first!.value === 'yes') expect(chance).toBeLessThanOrEqual(before + 1e-9);
          else expect(chance).toBeGreaterThanOrEqual(before - 1e-9);
      }),
      { numRuns: soak(3_000) },
    );
  });

  it('the chances are those of the question that is asked the other way round', () => {
    covers('RM-11.212');
    const other = (said: Said): Said => ({ ...said, value: said.value === 'yes' ? 'no' : 'yes' });
    fc.assert(
      fc.property(answers('yes', 'no'), (all) => {
        expect(yes(all.map(other))).toBeCloseTo(1 - yes(all), 9);
      }),
      { numRuns: soak(1_000) },
    );
  });
});

/** Sources that assert or deny values of an open question. */
const statements = fc
  .tuple(answers('red', 'blue', 'green'), fc.array(fc.boolean(), { minLength: 6, maxLength: 6 }))
  .map(([all, denials]) => all.map((said, i): Said => ({ ...said, denies: denials[i]! })));

/** The chance of a value; null where no verdict gives one: others are asserted, and it is only denied. */
const chanceOf = (value: string, all: readonly Said[], mode?: 'estimated') =>
  chancesOf(all, mode).get(value) ?? null;

describe('the chance of a value of an open question when one more voice is heard', () => {
  it('a source that states it never lowers it, and what speaks against it never raises it', () => {
    covers('RM-11.213', 'RM-11.242');
    fc.assert(
      fc.property(statements, fc.constantFrom(...HEARD), (all, type) => {
        const { value, denies } = all[0]!;
        const before = chanceOf(value, all);
        const asserted = chanceOf(value, [...all, says(type, value)]);
        expect(asserted).not.toBeNull();
        if (before === null) return;
        expect(asserted!).toBeGreaterThanOrEqual(before - slack(type));
        const denied = chanceOf(value, [...all, { type, value, denies: true }]);
        expect(denied!).toBeLessThanOrEqual(before + slack(type));
        const disputed = chanceOf(value, [...all, { type, value: 'x', about: ['Refutes', 0] }])!;
        const supported = chanceOf(value, [...all, { type, value: 'x', about: ['Supports', 0] }])!;
        const [against, forIt] = denies ? [supported, disputed] : [disputed, supported];
        expect(against).toBeLessThanOrEqual(before + 1e-9);
        expect(forIt).toBeGreaterThanOrEqual(before - 1e-9);
      }),
      { numRuns: soak(3_000) },
    );
  });

  it('a source that denies a value never leaves it more likely than the same source that asserts it', () => {
    covers('RM-11.242');
    fc.assert(
      fc.property(statements, fc.constantFrom(...HEARD), (all, type) => {
        const { value } = all[0]!;
        const denied = chanceOf(value, [...all, { type, value, denies: true }]);
        const asserted = chanceOf(value, [...all, says(type, value)])!;
        if (denied !== null) expect(denied).toBeLessThanOrEqual(asserted + 1e-9);
      }),
      { numRuns: soak(1_000) },
    );
  });

  it('a value that is only denied has less chance than the least source that counts gives a value', () => {
    covers('RM-11.241');
    for (const type of HEARD)
      for (const count of [1, 2, 5]) {
        const denial: Said = { type, value: 'red', denies: true };
        const chance = chanceOf(
          'red',
          Array.from({ length: count }, () => denial),
        )!;
        expect(chance).toBeLessThan(CREDIBILITY_FLOOR);
        for (const tip of HEARD)
          expect(chanceOf('red', [denial, says(tip, 'red')])).toBeGreaterThan(chance + 0.01);
        const learned = chanceOf('red', [denial], 'estimated')!;
        for (const tip of HEARD)
          expect(chanceOf('red', [denial, says(tip, 'red')], 'estimated')).toBeGreaterThan(learned);
      }
  });

  it.each([
    ['evidence', [{ type: 'Institutional', value: 'red', denies: true, refuted: [2] }]],
    [
      'claims about the denial',
      [
        { type: 'Institutional', value: 'red', denies: true },
        { type: 'Regulator', value: 'x', about: ['Refutes', 0] },
        { type: 'Regulator', value: 'x', about: ['Refutes', 0] },
      ],
    ],
  ] as [string, Said[]][])(
    'a value whose denial is refuted by %s stays likely beside a tip',
    (_, refuted) => {
      covers('RM-11.241', 'RM-11.242');
      const before = chanceOf('red', refuted)!;
      expect(before).toBeGreaterThan(0.7);
      for (const type of HEARD)
        expect(chanceOf('red', [...refuted, says(type, 'red')])).toBeGreaterThanOrEqual(before - slack(type));
    },
  );
});
