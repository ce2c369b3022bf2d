import { describe, expect, it } from '@jest/globals';
import { isRight, toQuestion } from './data-set.ts';
import type { DataSet } from './data-set.ts';
import { calibrate, estimate } from './estimated-model.ts';
import type { Priors } from './estimated-model.ts';
import { rightShare } from './outcomes.ts';
import { majorityVote } from './methods/majority-vote.ts';
import { SYNTHETIC } from './synthetic.ts';

const PRIORS: Priors = { mean: 0.7, strength: 10, most: 0.95, matrixFrom: 20, matrixStrength: 2 };

const estimatedRight = (set: DataSet): number => {
  const question = toQuestion(set);
  const evidence = estimate(question, PRIORS);
  const known = Object.entries(set.gold);
  const hits = known.filter(([item, right]) => {
    const of = evidence[Number(item)]!;
    const named = question.classes.length > 0 ? question.classes : question.items[Number(item)]!.values;
    return isRight(set, named[of.leading]!, right);
  });
  return hits.length / known.length;
};

describe('estimated reliability', () => {
  it('estimated reliability finds the good sources among those who guess or always say the same', () => {
    const set = SYNTHETIC['spammers']!(1);
    expect(estimatedRight(set)).toBeGreaterThan(0.95);
    expect(estimatedRight(set)).toBeGreaterThan(rightShare(set, majorityVote));
  });

  it('estimated reliability does not let a source that is alone on its items confirm itself', () => {
    const set: DataSet = {
      name: 'alone',
      kind: 'open',
      sources: ['a'],
      items: Array.from({ length: 100 }, (_, k) => `i${k}`),
      claims: Array.from({ length: 100 }, (_, k): [number, number, string] => [0, k, `v${k}`]),
      gold: {},
    };
    const [evidence] = estimate(toQuestion(set), PRIORS);
    // ln 0.7: the declared reliability, untouched by a hundred claims that nobody else speaks to.
    expect(evidence!.logs[0]).toBeCloseTo(Math.log(0.7), 12);
  });
});

describe('calibrate', () => {
  const by = { tau: 1, rho: 0.1, mixture: 0, unseen: 1, doubt: 0.5 };
  const evidence = { leading: 0, logs: [0, -2], logUnseen: null, share: 0.8, votes: 11 };

  it('calibrate divides the exponent by the design effect', () => {
    expect(calibrate(evidence, by)).toBeCloseTo(1 / (1 + Math.exp(-2 / 2)), 12);
  });

  it('calibrate returns the share of weight, less the doubt about few votes, when all of the mixture is', () => {
    expect(calibrate(evidence, { ...by, mixture: 1 })).toBeCloseTo((0.8 * 11) / 11.5, 12);
  });

  it('calibrate leaves chance for none of the claimed values on an open question', () => {
    expect(calibrate({ ...evidence, logs: [0], logUnseen: 0 }, by)).toBe(0.5);
  });
});
