import { describe, expect, it } from '@jest/globals';
import { covers } from '@platform/testing/covers';
import { counted, statusWords } from './words.ts';

describe('numbers in responses of tools', () => {
  it('a noun follows its number in the singular for one alone', () => {
    expect([0, 1, 2].map((value) => counted(value, 'claim'))).toEqual(['0 claims', '1 claim', '2 claims']);
    expect(counted(2, 'query', 'queries')).toBe('2 queries');
  });
});

describe('the status of a verdict in responses of tools', () => {
  it('a status that its chance contradicts is told with the reason, and any other alone', () => {
    covers('RM-11.179');
    expect(statusWords('True', 0.27)).toBe('True by weight of evidence, yet less likely than not');
    expect(statusWords('False', 0.61)).toBe('False by weight of evidence, yet more likely than not');
    expect(statusWords('True', 0.5)).toBe('True by weight of evidence, yet about as likely as not');
    expect(statusWords('False', 0.46)).toBe('False by weight of evidence, yet about as likely as not');
    expect([statusWords('True', 0.56), statusWords('False', 0.4), statusWords('Both', 0.5)]).toEqual([
      'True',
      'False',
      'Both',
    ]);
  });
});
