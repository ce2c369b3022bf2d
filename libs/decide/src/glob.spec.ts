import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import picomatch from 'picomatch';
import { SEED } from '@platform/testing/seed';
import { covers } from '@platform/testing/covers';
import { GlobError, matchGlob, parseGlob } from './glob.ts';
import { matchGlobNaively, readGlob } from './reference.ts';

fc.configureGlobal({ seed: SEED });

const none = { user: undefined, owner: undefined };

function matches(pattern: string, text: string): boolean {
  return matchGlob(parseGlob([pattern]), text, none);
}

describe('GLOB', () => {
  covers('AUTHZ-M.4');
  it.each(['a**b', 'a/**b', 'a/b**', '***', 'a/*****', '[z-a]', '[2-1]'])('GLOB refuses `%s`', (pattern) => {
    expect(() => parseGlob([pattern])).toThrow(GlobError);
  });

  it.each([
    ['?', 'é'],
    ['?', '😀'],
    ['a?b', 'a😀b'],
    ['*?', '😀'],
    ['[😀-😂]x', '😁x'],
    ['[!a]', '😀'],
    ['[]a]', ']'],
    ['[a-]', '-'],
    ['[^a]', '^'],
    ['{a,b}', '{a,b}'],
    ['\\*', '\\anything'],
    ['svc://d/**', 'svc://d/'],
    ['svc://d/**', 'svc://d/a/b'],
    ['**/b', 'b'],
  ])('`%s` matches `%s`', (pattern, text) => {
    expect(matches(pattern, text)).toBe(true);
  });

  it.each([
    ['?', '/'],
    ['*', 'a/b'],
    ['[!a]', '/'],
    ['a[/]b', 'a/b'],
    ['??', '😀'],
    ['A*', 'a1'],
    ['svc://d/**', 'svc://d'],
    ['[^a]', 'b'],
    ['**/b', 'ab'],
  ])('`%s` does not match `%s`', (pattern, text) => {
    expect(matches(pattern, text)).toBe(false);
  });

  it('GLOB decides at once where a matcher that tries every split would hang', () => {
    covers('AUTHZ-D.13');
    const [many, deep] = ['a'.repeat(30_000), 'a/'.repeat(15_000)];
    expect([
      matches(`${'*a'.repeat(200)}b`, many),
      matches(`${'*a'.repeat(200)}*`, many),
      matches(`${'**/a/'.repeat(100)}b`, deep),
      matches(`${'**/a/'.repeat(100)}**`, deep),
    ]).toEqual([false, true, false, true]);
  });

  const part = fc.constantFrom(
    'a',
    'b',
    'é',
    '😀',
    '.',
    '/',
    '/',
    '*',
    '*',
    '?',
    '[ab]',
    '[!a]',
    '**',
    '/**/',
    'ab',
  );
  const text = fc
    .array(fc.constantFrom('a', 'b', 'é', '😀', '.', '/', '/', 'ab'), { maxLength: 8 })
    .map((all) => all.join(''));
  const pattern = fc.array(part, { maxLength: 7 }).map((all) => all.join(''));

  it('GLOB agrees with the matcher that tries every split', () => {
    let refused = 0;
    let matched = 0;
    fc.assert(
      fc.property(pattern, fc.array(text, { minLength: 20, maxLength: 20 }), (glob, texts) => {
        let steps;
        try {
          steps = readGlob([[glob, false]]);
        } catch {
          refused += 1;
          expect(() => parseGlob([glob])).toThrow(GlobError);
          return;
        }
        for (const each of texts) {
          const expected = matchGlobNaively(steps, Array.from(each), 0, 0);
          matched += Number(expected);
          expect([glob, each, matches(glob, each)]).toEqual([glob, each, expected]);
        }
      }),
      { numRuns: 3_000 },
    );
    expect(refused).toBeGreaterThan(100);
    expect(matched).toBeGreaterThan(1_000);
  });

  it('GLOB agrees with picomatch, its extras off, where both offer the same', () => {
    const options = {
      dot: true,
      nobrace: true,
      noextglob: true,
      noglobstar: true,
      nonegate: true,
      nobracket: true,
      strictSlashes: true,
      bash: false,
      posix: true,
      windows: false,
    };
    const plain = fc
      .array(fc.constantFrom('a', 'b', 'ab', 'c', '*', '?', 'x-', '/d/'), { minLength: 1, maxLength: 6 })
      .map((all) => all.join(''));
    const value = fc
      .array(fc.constantFrom('a', 'b', 'ab', 'c', 'x-', '/d/'), { minLength: 1, maxLength: 6 })
      .map((all) => all.join(''));
    let matched = 0;
    fc.assert(
      fc.property(plain, fc.array(value, { minLength: 10, maxLength: 10 }), (glob, values) => {
        // A run of stars is ours to refuse, and picomatch gives a star that is a whole component one
        // character at least, where both crates and the contract let it match none.
        fc.pre(!glob.includes('**') && !/(^|\/)\*(\/|$)/.test(glob));
        const theirs = picomatch(glob, options);
        for (const each of values) {
          matched += Number(theirs(each));
          expect([glob, each, matches(glob, each)]).toEqual([glob, each, theirs(each)]);
        }
      }),
      { numRuns: 2_000 },
    );
    expect(matched).toBeGreaterThan(200);
  });

  it("GLOB reads a macro's text literally and the stars around it as wildcards", () => {
    const glob = parseGlob(['svc://d/', { macro: 'current_user' }, '/*']);
    expect(matchGlob(glob, 'svc://d/a*b/x', { user: 'a*b', owner: undefined })).toBe(true);
    expect(matchGlob(glob, 'svc://d/aab/x', { user: 'a*b', owner: undefined })).toBe(false);
    const between = parseGlob(['*', { macro: 'resource_owner' }, '*']);
    expect(matchGlob(between, 'a/b', { user: undefined, owner: '' })).toBe(false);
    expect(matchGlob(between, 'a/b', { user: undefined, owner: '/' })).toBe(true);
    expect(() => parseGlob(['**', { macro: 'resource_owner' }])).toThrow(GlobError);
  });
});
