import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { covers } from '@platform/testing/covers';
import { SEED } from '@platform/testing/seed';
import { soak } from '@platform/testing/soak';
import { CREDIBILITY_FLOOR, UNIDENTIFIED } from '../contract/constants.ts';
import type { ClaimInput, EvidenceInput, InvestigationInput } from '../contract/types.ts';
import { SOURCE_TYPES } from '../contract/vocabulary.ts';
import type { SourceType } from '../contract/vocabulary.ts';
import { claim, investigation, judge, meta } from '../fixtures/investigation.fixture.ts';
import { tiedValues } from '../report/summary.ts';

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

/** A question that independent sources answer. */
function inputOf(all: readonly Said[], reliability = 'declared'): InvestigationInput {
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
  return { ...investigation(claims, { actors, evidence }), dependence: 'declared', reliability };
}

const judgedOf = (all: readonly Said[], reliability?: string) =>
  judge(inputOf(all, reliability)).subject_results[0]!;

/** The chances of the values of such a question. */
function chancesOf(all: readonly Said[], reliability?: string): ReadonlyMap<string, number> {
  const { rival_values: rivals } = judgedOf(all, reliability);
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

describe('a value that is denied, where something speaks for it, beside others', () => {
  const MINISTRY: Said = { type: 'Institutional', value: 'red', denies: true, refuted: [3, 3] };

  it.each(['declared', 'estimated'] as const)(
    'it is a rival of every value that others state, and evidence against the denial counts (%s)',
    (mode) => {
      covers('RM-11.243');
      const alone = chanceOf('red', [MINISTRY], mode as 'estimated')!;
      for (const type of HEARD) {
        const bare: Said[] = [{ ...MINISTRY, refuted: [] }, says(type, 'blue')];
        const refuted = [MINISTRY, says(type, 'blue')];
        expect(chanceOf('red', bare, mode as 'estimated')).toBeNull();
        const chance = chanceOf('red', refuted, mode as 'estimated')!;
        expect(chance).toBeGreaterThan(mode === 'declared' ? 0.9 : 0.45);
        expect(chance).toBeLessThanOrEqual(alone + 1e-9);
        const other = chanceOf('blue', refuted, mode as 'estimated')!;
        expect(other).toBeLessThan(chanceOf('blue', bare, mode as 'estimated')! - 0.02);
        expect(chance + other).toBeLessThanOrEqual(1 + 1e-9);
      }
    },
  );

  it('the verdict lists it as denied and disputed, and warns that the leading value is less likely', () => {
    covers('RM-11.243');
    const { subject_results: verdicts, warnings } = judge(inputOf([MINISTRY, says('Journalist', 'blue')]));
    expect(verdicts[0]).toMatchObject({
      leading_value: 'blue',
      rival_values: [
        { value: 'blue', source_count: 1 },
        { value: 'red', denied: true, disputed: true, source_count: 1 },
      ],
    });
    expect(verdicts[0]!.denied).toBeUndefined();
    expect(verdicts[0]!.calibrated_probability).toBeLessThan(0.1);
    expect(warnings.join('\n')).toMatch(
      /`blue` has the most weight but is less likely than `red` \(\d %?.*\d %\)/u,
    );
  });

  it('several of them are none that lead together', () => {
    covers('RM-11.243');
    const { subject_results: verdicts } = judge(
      inputOf([MINISTRY, { ...MINISTRY, value: 'green' }, says('Journalist', 'blue')]),
    );
    expect(verdicts[0]!.rival_values.map(({ value }) => value)).toEqual(['blue', 'red', 'green']);
    expect(tiedValues(verdicts[0]!)).toBeNull();
    const sum = verdicts[0]!.rival_values.reduce((all, rival) => all + rival.calibrated_probability, 0);
    expect(sum).toBeLessThanOrEqual(1 + 1e-9);
  });

  it('with nothing for it, it is none, and the chances of the others are as without the denial', () => {
    covers('RM-11.243');
    for (const type of HEARD) {
      const { rival_values: rivals } = judge(
        inputOf([{ type, value: 'red', denies: true }, says('Journalist', 'blue')]),
      ).subject_results[0]!;
      expect(rivals.map(({ value }) => value)).toEqual(['blue']);
    }
  });

  it.each([
    ['no', 'true'],
    ['yes', 'false'],
  ])('so is the other of yes and no, where a third answer is given (%s)', (said, other) => {
    covers('RM-11.243');
    const all: Said[] = [says('Institutional', said, [3, 3]), says('Journalist', 'partly')];
    const { subject_results: verdicts, warnings } = judge(inputOf(all));
    const rival = verdicts[0]!.rival_values.find(({ value }) => value === other)!;
    expect(verdicts[0]!.leading_value).toBe('partly');
    expect(rival).toMatchObject({ denied: true, disputed: true, source_count: 1 });
    expect(rival.calibrated_probability).toBeGreaterThan(0.9);
    expect(verdicts[0]!.calibrated_probability).toBeLessThan(0.1);
    expect(warnings.join('\n')).toContain(`is less likely than \`${other}\``);
  });
});

describe('yes or no that nobody states, where a third answer is given', () => {
  it('it has less chance than who states it would give it', () => {
    covers('RM-11.244');
    for (const third of HEARD)
      for (const no of ['Journalist', 'Expert', 'Regulator'] as const) {
        const all = [says(no, 'no'), says(third, 'partly')];
        const before = judgedOf(all);
        if (before.leading_value !== 'true') continue;
        for (const type of HEARD)
          expect(chancesOf([...all, says(type, 'yes')]).get('true')!).toBeGreaterThanOrEqual(
            before.calibrated_probability - 1e-9,
          );
      }
  });

  it('a post that states what evidence against a denial or no speaks for does not make it a crowd’s', () => {
    covers('RM-11.268');
    const rest = [says('Regulator', 'mostly', [0.5]), says('Anonymous', 'partly')];
    for (const reliability of ['declared', 'estimated'])
      for (const [first, value] of [
        [says('Regulator', 'no', [1]), 'true'],
        [{ ...says('Regulator', 'never', [1]), denies: true }, 'never'],
      ] as const) {
        const before = chancesOf([first, ...rest], reliability).get(value)!;
        const stated = says('Anonymous', value === 'true' ? 'yes' : value);
        const after = chancesOf([first, ...rest, stated], reliability).get(value)!;
        expect(after).toBeGreaterThan(before - slack('Anonymous'));
      }
  });

  it('a source that states yes never lowers it, and evidence against no never lowers it', () => {
    covers('RM-11.244');
    fc.assert(
      fc.property(answers('yes', 'no', 'partly', 'mostly'), fc.constantFrom(...HEARD), (all, type) => {
        const before = chancesOf(all).get('true');
        if (before === undefined) return;
        const after = chancesOf([...all, says(type, 'yes')]).get('true')!;
        expect(after).toBeGreaterThanOrEqual(before - slack(type));
        if (all[0]!.value !== 'no') return;
        const [first, ...others] = all;
        const refuted = chancesOf([{ ...first!, refuted: [...first!.refuted, 1] }, ...others]).get('true')!;
        expect(refuted).toBeGreaterThanOrEqual(before - 1e-9);
      }),
      { numRuns: soak(3_000) },
    );
  });
});

describe('scattered posts beside a value that something speaks against', () => {
  it.each([
    ['an Insider denies it', [says('Journalist', 'red'), { type: 'Insider', value: 'red', denies: true }]],
    ['an Analyst denies it', [says('Expert', 'red'), { type: 'Analyst', value: 'red', denies: true }]],
    ['a document refutes it', [says('Regulator', 'red', [1])]],
    ['a ministry denies it', [says('Expert', 'red'), { type: 'Institutional', value: 'red', denies: true }]],
  ] as [string, Said[]][])('cost it no more than posts that agree: %s', (_, side) => {
    covers('RM-11.245');
    for (const mode of ['declared', 'estimated'] as const)
      for (const count of [2, 5, 12, 100]) {
        const posts = (value: (i: number) => string) =>
          Array.from({ length: count }, (__, i) => says('Anonymous', value(i)));
        const scattered = judgedOf([...side, ...posts((i) => `v${i}`)], mode);
        const agreeing = judgedOf([...side, ...posts(() => 'blue')], mode);
        expect(scattered.leading_value).toBe('red');
        if (agreeing.leading_value === 'red')
          expect(scattered.calibrated_probability).toBeGreaterThanOrEqual(
            agreeing.calibrated_probability - 1e-9,
          );
      }
  });

  it('they never cost the leading value more than their agreement would', () => {
    covers('RM-11.245');
    const posts = fc.array(fc.tuple(fc.constantFrom('Anonymous', 'SocialMedia'), fc.nat(6)), {
      minLength: 2,
      maxLength: 12,
    });
    fc.assert(
      fc.property(statements, posts, (side, crowd) => {
        const posted = (value: (i: number) => string) =>
          judgedOf([...side, ...crowd.map(([type, i]) => says(type as SourceType, value(i)))]);
        const [scattered, agreeing] = [posted((i) => `v${i}`), posted(() => 'v0')];
        if (scattered.tied || agreeing.tied || scattered.leading_value !== agreeing.leading_value) return;
        if (scattered.denied || scattered.leading_value!.startsWith('v')) return;
        expect(scattered.calibrated_probability).toBeGreaterThanOrEqual(
          agreeing.calibrated_probability - 1e-9,
        );
      }),
      { numRuns: soak(1_000) },
    );
  });
});
