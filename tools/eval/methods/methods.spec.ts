import { describe, expect, it } from '@jest/globals';
import type { DataSet, Question } from '../data-set.ts';
import { toQuestion } from '../data-set.ts';
import { rightShare } from '../outcomes.ts';
import { SYNTHETIC } from '../synthetic.ts';
import { chiSquareQuantile, digamma, logGamma } from './chi-square.ts';
import { crh, weightedMedian } from './crh.ts';
import { PEERS } from './index.ts';
import { majorityVote } from './majority-vote.ts';
import { popAccu } from './pop-accu.ts';
import { best, softmax } from './shared.ts';
import { truthFinder } from './truth-finder.ts';

const question = (kind: DataSet['kind'], claims: DataSet['claims'], classes?: string[]): Question => {
  const count = (place: 0 | 1) => Math.max(...claims.map((claim) => claim[place])) + 1;
  const names = (letter: string, length: number) => Array.from({ length }, (_, k) => letter + k);
  return toQuestion({
    name: 'case',
    kind,
    ...(classes && { classes }),
    sources: names('w', count(0)),
    items: names('i', count(1)),
    claims,
    gold: {},
  });
};

/**
 * Yes/no: three good sources, four that are right no more often than a coin; the four outvote the three on
 * item 0.
 */
const goodAgainstMany = (): { asked: Question; truths: string[] } => {
  const coins = [0b0101100110, 0b0110010101, 0b0011011000, 0b1001001110];
  const truths = Array.from({ length: 10 }, (_, i) => (i % 2 === 0 ? 'true' : 'false'));
  const claims = truths.flatMap((truth, i): [number, number, string][] => [
    ...[0, 1, 2].map((s): [number, number, string] => [s, i, truth]),
    ...coins.map((coin, s): [number, number, string] => [
      3 + s,
      i,
      i === 0 ? 'false' : String(((coin >> i) & 1) === 1),
    ]),
  ]);
  return { asked: question('binary', claims, ['false', 'true']), truths };
};

describe('every method', () => {
  const agreed = question(
    'binary',
    [
      [0, 0, 'true'],
      [1, 0, 'true'],
      [0, 1, 'false'],
      [1, 1, 'false'],
    ],
    ['false', 'true'],
  );

  it.each(PEERS)('$name gives the value that all sources agree on', ({ method }) => {
    expect(method(agreed).map((answer) => answer?.value)).toEqual(['true', 'false']);
  });

  it.each(PEERS)('$name has no answer for an item without claims', ({ method }) => {
    expect(method({ ...agreed, items: [...agreed.items, { values: [], votes: [] }] })[2]).toBeNull();
  });

  it.each(PEERS.filter(({ name }) => name !== 'KOS'))('$name states chances within 0 and 1', ({ method }) => {
    for (const answer of method(goodAgainstMany().asked)) {
      expect(answer!.probability).toBeGreaterThanOrEqual(0);
      expect(answer!.probability).toBeLessThanOrEqual(1);
    }
  });

  it.each(PEERS.filter(({ name }) => name !== 'majority vote'))(
    '$name believes three sources that are always right over four that guess',
    ({ method }) => {
      const { asked, truths } = goodAgainstMany();
      expect(majorityVote(asked)[0]!.value).toBe('false');
      expect(method(asked).map((answer) => answer!.value)).toEqual(truths);
    },
  );

  it.each(PEERS)('$name gives the same answers in two runs', ({ method }) => {
    const { asked } = goodAgainstMany();
    expect(method(asked)).toEqual(method(asked));
  });
});

describe('majority vote', () => {
  it('majority vote states the share of votes, and a tie goes to the value claimed first', () => {
    expect(
      majorityVote(
        question('open', [
          [0, 0, 'a'],
          [1, 0, 'b'],
          [2, 0, 'a'],
          [0, 1, 'x'],
          [1, 1, 'y'],
        ]),
      ),
    ).toEqual([
      { value: 'a', probability: 2 / 3 },
      { value: 'x', probability: 0.5 },
    ]);
  });
});

describe('PopAccu', () => {
  it('PopAccu counts the better of two sources right and a popular error less', () => {
    const set = SYNTHETIC['spammers']!(1);
    expect(rightShare(set, popAccu)).toBeGreaterThan(rightShare(set, majorityVote));
  });
});

describe('TruthFinder', () => {
  it('TruthFinder states 1/(1 + e^(−γσ)) for the sum σ of the scores −ln(1 − trust) of those who claim the value', () => {
    // Two sources that say the same: their trust stays equal, so that the iteration is settled after one
    // round.
    const [answer] = truthFinder(
      question('open', [
        [0, 0, 'a'],
        [1, 0, 'a'],
      ]),
    );
    expect(answer!.probability).toBeCloseTo(1 / (1 + 0.1 ** (0.3 * 2)), 12);
  });
});

describe('CRH on numbers', () => {
  it('CRH on numbers gives the weighted median', () => {
    expect(weightedMedian([10, 1000, 20], [1, 1, 1])).toBe(2);
    expect(weightedMedian([10, 1000, 20], [1, 5, 1])).toBe(1);
  });

  it('CRH on numbers is not carried away by one absurd number', () => {
    const claims: [number, number, string][] = [0, 1, 2].flatMap((item): [number, number, string][] => [
      [0, item, '100'],
      [1, item, '101'],
      [2, item, '1000000000'],
    ]);
    expect(crh(question('numeric', claims)).map((answer) => answer!.value)).toEqual(['101', '101', '101']);
  });
});

describe('special functions', () => {
  it('special functions return known values', () => {
    expect(logGamma(0.5)).toBeCloseTo(Math.log(Math.sqrt(Math.PI)), 8);
    expect(logGamma(10)).toBeCloseTo(Math.log(362_880), 8);
    expect(digamma(1)).toBeCloseTo(-0.577_215_664_901_532_9, 8);
    expect(chiSquareQuantile(0.025, 1)).toBeCloseTo(0.000_982_069, 8);
    expect(chiSquareQuantile(0.025, 10)).toBeCloseTo(3.246_973, 5);
    expect(chiSquareQuantile(0.95, 2)).toBeCloseTo(5.991_465, 5);
  });

  it('a tie within rounding goes to the first, and far scores do not overflow', () => {
    expect(best([1, 1 + 1e-15, 0])).toBe(0);
    expect(softmax([1000, 0])).toEqual([1, 0]);
  });
});
