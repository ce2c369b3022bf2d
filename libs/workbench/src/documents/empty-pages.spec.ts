import { describe, expect, it } from '@jest/globals';
import { covers } from '@platform/testing/covers';
import { pagesWithoutText, pageWords } from './empty-pages.ts';

describe('pages of a PDF file without text', () => {
  it('pages of white space alone are named by number, neighbors as a range, and no more than 20 ranges', () => {
    covers('INV-B.67');
    expect(pagesWithoutText('one\f \n\ftwo\f')).toEqual([2, 4]);
    expect(pagesWithoutText('one')).toEqual([]);
    expect(pageWords([4])).toBe('Page 4');
    expect(pageWords([1, 2, 3, 7, 9])).toBe('Pages 1–3, 7, and 9');
    const odd = Array.from({ length: 30 }, (_, index) => 2 * index + 1);
    expect(pageWords(odd)).toMatch(/37, 39, and 10 more$/);
  });
});
