import { describe, expect, it } from '@jest/globals';
import type { TruthStatus } from '@platform/opinion-fusion';
import { covers } from '@platform/testing/covers';
import { counted, statusWords } from './words.ts';

describe('numbers in responses of tools', () => {
  it('a noun follows its number in the singular for one alone', () => {
    expect([0, 1, 2].map((value) => counted(value, 'claim'))).toEqual(['0 claims', '1 claim', '2 claims']);
    expect(counted(2, 'query', 'queries')).toBe('2 queries');
  });
});

describe('the status of a verdict in responses of tools', () => {
  const told = (truth_status: TruthStatus, chance: number, support = 0.3, opposition = 0) =>
    statusWords({ truth_status, expected_probability: chance, confidence: { support, opposition } });

  it('a status that readers are not told is told with the reason, and any other alone', () => {
    covers('RM-11.179', 'RM-11.382');
    expect(told('True', 0.27)).toBe('True by weight of evidence, yet not enough to say');
    expect(told('False', 0.61, 0, 0.3)).toBe('False by weight of evidence, yet not enough to say');
    expect(told('True', 0.5)).toBe('True by weight of evidence, yet not enough to say');
    expect(told('True', 0.5, 0.3, 0.05)).toBe('True by weight of evidence, yet contested');
    expect(told('Neither', 0.86)).toBe('Neither by weight of evidence, yet very likely');
    expect([told('True', 0.56), told('False', 0.4, 0, 0.3), told('Both', 0.5, 0.3, 0.3)]).toEqual([
      'True',
      'False',
      'Both',
    ]);
  });
});
