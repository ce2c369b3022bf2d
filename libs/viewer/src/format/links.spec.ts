import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { SEED } from '@platform/testing/seed';
import { hostOf, linkPieces } from './links.ts';

fc.configureGlobal({ seed: SEED });

describe('addresses in text', () => {
  it.each([
    ['See https://loc.gov/a_(b) and (http://x.example/c).', ['https://loc.gov/a_(b)', 'http://x.example/c']],
    ['https://x.example/a?b=c#d, then more', ['https://x.example/a?b=c#d']],
    ['“https://x.example/q”', ['https://x.example/q']],
    ['javascript:alert(1) data:text/html,x ftp://x.example www.x.example', []],
    ['https://bank.example@evil.example/login', []],
    ['https://', []],
  ])(
    'addresses in text are found in %p without the punctuation around them, http and https alone',
    (text, urls) => {
      expect(linkPieces(text).flatMap((piece) => (typeof piece === 'string' ? [] : [piece.url]))).toEqual(
        urls,
      );
    },
  );

  it('addresses in text leave every other character of any text as it was', () => {
    fc.assert(
      fc.property(
        fc.array(fc.oneof(fc.string({ unit: 'binary' }), fc.webUrl(), fc.constant(' '))),
        (texts) => {
          const text = texts.join('');
          const pieces = linkPieces(text);
          expect(pieces.map((piece) => (typeof piece === 'string' ? piece : piece.url)).join('')).toBe(text);
          for (const piece of pieces)
            if (typeof piece !== 'string') expect(new URL(piece.url).protocol).toMatch(/^https?:$/);
        },
      ),
    );
  });

  it('addresses in text show the host that a link opens', () => {
    expect(hostOf('https://www.loc.gov/item/1')).toBe('loc.gov');
  });
});
