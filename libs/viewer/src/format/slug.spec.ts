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
    ['ZÜRICH 2026', 'zurich-2026'],
    ['Ünïcödé!!', 'unicode'],
    ['Кто летал первым?', 'кто-летал-первым'],
    ['谁先飞？', '谁先飞'],
    ['हिन्दी में', 'हिन्दी-में'],
    ['한국어', '한국어'],
    ['x'.repeat(63) + '谁先', 'x'.repeat(63) + '谁'],
    ['', 'investigation'],
    ['¿¡!?', 'investigation'],
    ['a'.repeat(64), 'a'.repeat(64)],
    ['a'.repeat(65), 'a'.repeat(64)],
    [`${'a'.repeat(63)} b`, 'a'.repeat(63)],
  ])('a slug of %j is %s', (words, slug) => expect(slugOf(words)).toBe(slug));

  it('a slug has letters and digits with one hyphen between words, at most 64 characters, and is its own slug', () => {
    fc.assert(
      fc.property(fc.oneof(fc.string(), fc.string({ unit: 'binary', maxLength: 200 })), (words) => {
        const slug = slugOf(words);
        expect(slug).toMatch(/^[\p{L}\p{N}\p{M}]+(-[\p{L}\p{N}\p{M}]+)*$/u);
        expect([...slug].length).toBeLessThanOrEqual(64);
        expect(slugOf(slug)).toBe(slug);
      }),
    );
  });
});
