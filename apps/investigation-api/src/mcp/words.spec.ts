import { describe, expect, it } from '@jest/globals';
import { counted } from './words.ts';

describe('numbers in responses of tools', () => {
  it('a noun follows its number in the singular for one alone', () => {
    expect([0, 1, 2].map((value) => counted(value, 'claim'))).toEqual(['0 claims', '1 claim', '2 claims']);
    expect(counted(2, 'query', 'queries')).toBe('2 queries');
  });
});
