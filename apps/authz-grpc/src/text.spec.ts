import { afterEach, describe, expect, it, jest } from '@jest/globals';
import { isLonger } from './text.ts';

describe('the length of a text', () => {
  afterEach(() => void jest.restoreAllMocks());

  it('the length of a text is counted in characters', () => {
    expect([isLonger('abc', 3), isLonger('abcd', 3)]).toEqual([false, true]);
    expect([isLonger('\u{1f600}'.repeat(3), 3), isLonger('\u{1f600}'.repeat(4), 3)]).toEqual([false, true]);
  });

  it('the length of a very long text is bounded without splitting it into characters', () => {
    const iterate = jest.spyOn(String.prototype, Symbol.iterator);
    expect(isLonger('x'.repeat(1_000_000), 128)).toBe(true);
    expect(iterate).not.toHaveBeenCalled();
  });
});
