import { describe, expect, it } from '@jest/globals';
import { expectedProbability, opinionFromEvidence } from './opinion.ts';

describe('opinionFromEvidence', () => {
  it('is vacuous without evidence', () => {
    expect(opinionFromEvidence(0, 0)).toEqual({ belief: 0, disbelief: 0, uncertainty: 1, baseRate: 0.5 });
    expect(expectedProbability(opinionFromEvidence(0, 0))).toBe(0.5);
  });
});
