import { describe, expect, it } from '@jest/globals';
import { bins, score } from './scores.ts';

describe('score', () => {
  it('score gives the four figures of a small case worked out by hand', () => {
    const scores = score([
      { right: true, probability: 0.9 },
      { right: false, probability: 0.9 },
      { right: true, probability: 0.5 },
      { right: true, probability: 0.5 },
    ]);
    expect(scores.accuracy).toBe(0.75);
    expect(scores.brier).toBeCloseTo((0.01 + 0.81 + 0.25 + 0.25) / 4, 12);
    expect(scores.logLoss).toBeCloseTo(-(Math.log(0.9) + Math.log(0.1) + 2 * Math.log(0.5)) / 4, 12);
    // Both bins hold two answers: stated 0.9 and half right, stated 0.5 and all right.
    expect(scores.calibrationError).toBeCloseTo((2 * 0.4 + 2 * 0.5) / 4, 12);
  });

  it('score clips chances of 0 and 1 in the log-loss', () => {
    expect(score([{ right: false, probability: 1 }]).logLoss).toBeCloseTo(-Math.log(0.001), 12);
  });

  it('score returns no figure but accuracy for a method that states no chance', () => {
    expect(score([{ right: true, probability: null }])).toEqual({
      accuracy: 1,
      brier: null,
      logLoss: null,
      calibrationError: null,
    });
  });
});

describe('bins', () => {
  it('bins puts a chance of 1 into the last bin and a boundary into the upper one', () => {
    const counts = bins([
      { right: true, probability: 1 },
      { right: true, probability: 0.1 },
      { right: true, probability: 0 },
    ]).map(({ count }) => count);
    expect(counts).toEqual([1, 1, 0, 0, 0, 0, 0, 0, 0, 1]);
  });
});
