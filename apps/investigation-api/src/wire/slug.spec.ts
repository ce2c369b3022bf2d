import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { SEED } from '@platform/testing/seed';
import { covers } from '@platform/testing/covers';
import { slugOf } from './slug.ts';

fc.configureGlobal({ seed: SEED });

describe('a slug', () => {
  covers('INV-S.23', 'INV-F.SetShareRequest.slug');
  it.each([
    ['Hello, World!', 'hello-world'],
    ['--Who -- made it?--', 'who-made-it'],
    ['ZÜRICH 2026', 'z-rich-2026'],
    ['', 'investigation'],
    ['¿¡!?', 'investigation'],
    ['a'.repeat(64), 'a'.repeat(64)],
    ['a'.repeat(65), 'a'.repeat(64)],
    [`${'a'.repeat(63)} b`, 'a'.repeat(63)],
  ])('of %j is %s', (words, slug) => expect(slugOf(words)).toBe(slug));

  it('has words of a-z and 0-9 with one hyphen between them, at most 64 characters, and is its own slug', () => {
    fc.assert(
      fc.property(fc.oneof(fc.string(), fc.string({ unit: 'binary', maxLength: 200 })), (words) => {
        const slug = slugOf(words);
        expect(slug).toMatch(/^[a-z0-9]+(-[a-z0-9]+)*$/);
        expect(slug.length).toBeLessThanOrEqual(64);
        expect(slugOf(slug)).toBe(slug);
      }),
    );
  });
});
