import { describe, expect, it } from '@jest/globals';
import { covers } from '@platform/testing/covers';
import { evidenceFromOpinion, expectedProbability, opinionFromEvidence } from './opinion.ts';

describe('opinionFromEvidence', () => {
  it('opinionFromEvidence is vacuous without evidence, at a base rate of 0.5', () => {
    covers('RM-0.15', 'RM-1.2');
    expect(opinionFromEvidence(0, 0)).toEqual({ belief: 0, disbelief: 0, uncertainty: 1, baseRate: 0.5 });
    expect(expectedProbability(opinionFromEvidence(0, 0))).toBe(0.5);
  });

  it('opinionFromEvidence weighs evidence against the prior weight of 2', () => {
    covers('RM-1.2', 'RM-1.3');
    expect(opinionFromEvidence(7, 1, 0.2)).toEqual({
      belief: 0.7,
      disbelief: 0.1,
      uncertainty: 0.2,
      baseRate: 0.2,
    });
  });

  it('opinionFromEvidence is dogmatic for boundless evidence on one side', () => {
    expect(opinionFromEvidence(Infinity, 3)).toEqual({
      belief: 1,
      disbelief: 0,
      uncertainty: 0,
      baseRate: 0.5,
    });
    expect(opinionFromEvidence(3, Infinity)).toEqual({
      belief: 0,
      disbelief: 1,
      uncertainty: 0,
      baseRate: 0.5,
    });
  });

  it.each([
    [-1, 0, 0.5],
    [0, Number.NaN, 0.5],
    [Infinity, Infinity, 0.5],
    [Number.MAX_VALUE, Number.MAX_VALUE, 0.5],
    [1, 1, 1.01],
    [1, 1, Number.NaN],
  ])('opinionFromEvidence refuses r = %d, s = %d, a = %d', (r, s, a) => {
    expect(() => opinionFromEvidence(r, s, a)).toThrow(RangeError);
  });
});

describe('expectedProbability', () => {
  it("expectedProbability is belief plus the base rate's share of uncertainty", () => {
    covers('RM-1.4', 'RM-11.114');
    const opinion = { belief: 0.25, disbelief: 0.25, uncertainty: 0.5, baseRate: 0.75 };
    expect(expectedProbability(opinion)).toBe(0.625);
  });
});

describe('evidenceFromOpinion', () => {
  it('evidenceFromOpinion is the inverse of opinionFromEvidence', () => {
    covers('RM-0.15');
    const { r, s } = evidenceFromOpinion(opinionFromEvidence(3.5, 0.25));
    expect(r).toBeCloseTo(3.5, 12);
    expect(s).toBeCloseTo(0.25, 12);
  });

  it('evidenceFromOpinion is boundless where a dogmatic opinion has mass', () => {
    const dogmatic = { belief: 1, disbelief: 0, uncertainty: 0, baseRate: 0.5 };
    expect(evidenceFromOpinion(dogmatic)).toEqual({ r: Infinity, s: 0 });
  });

  it('evidenceFromOpinion refuses what is not an opinion', () => {
    expect(() => evidenceFromOpinion({ belief: 1, disbelief: 1, uncertainty: 0, baseRate: 0.5 })).toThrow(
      RangeError,
    );
  });
});
