import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { SEED } from '@platform/testing/seed';
import { covers } from '@platform/testing/covers';
import { soak } from '@platform/testing/soak';
import { createApiKey, isSameSecret, parseApiKey } from './api-key.ts';
import { createEtag, namesEtag, parseEtagCondition, quoteEtag, strongTags } from './etag.ts';
import { createFileId, isFileId } from './file-id.ts';
import { ACTIONS, allowedPrefixes, formatScopes, isSubset, parseScopes, type Scope } from './scopes.ts';
import { fold, wordsOf } from './text.ts';

fc.configureGlobal({ seed: SEED });

const tag = fc.string({ unit: fc.constantFrom(...'abcXYZ019-_,;*/ÿ'), maxLength: 6 });
const blank = fc.constantFrom('', ' ', '\t', ' , ', ',');

describe('If-Match', () => {
  covers('DOC-P.4');
  it('If-Match parses back every list it could be sent, with blanks and empty elements', () => {
    fc.assert(
      fc.property(fc.array(fc.tuple(fc.boolean(), tag, blank), { minLength: 1 }), (elements) => {
        const text = elements
          .map(([isWeak, opaque, space]) => `${space}${isWeak ? 'W/' : ''}"${opaque}"`)
          .join(',');
        const expected = elements.map(([isWeak, opaque]) => ({ opaque, isWeak }));
        expect(parseEtagCondition('If-Match', text)).toEqual(expected);
        expect(strongTags(expected)).toEqual(
          expected.filter(({ isWeak }) => !isWeak).map(({ opaque }) => opaque),
        );
      }),
    );
  });

  it('If-Match never accepts other text as a list, in linear time', () => {
    fc.assert(
      fc.property(fc.string({ unit: fc.constantFrom(...'"W/, a*') }), (text) => {
        let condition: ReturnType<typeof parseEtagCondition>;
        try {
          condition = parseEtagCondition('If-Match', text);
        } catch (error) {
          expect(error).toMatchObject({ kind: 'invalid_argument' });
          return;
        }
        if (condition === '*') expect(text.trim()).toBe('*');
        else for (const { opaque } of condition ?? []) expect(text).toContain(quoteEtag(opaque));
      }),
    );
    expect(() => parseEtagCondition('If-Match', `${', '.repeat(100_000)}"`)).toThrow('malformed');
  });

  it('If-None-Match compares weakly, and * matches anything', () => {
    const condition = parseEtagCondition('If-None-Match', 'W/"a", "b"')!;
    expect([
      namesEtag(condition, 'a'),
      namesEtag(condition, 'b'),
      namesEtag(condition, 'c'),
      namesEtag('*', 'c'),
    ]).toEqual([true, true, false, true]);
  });

  it('different versions have different ETags of the allowed characters', () => {
    const made = Array.from({ length: 1000 }, () => createEtag());
    for (const etag of made) expect(etag).toMatch(/^[A-Za-z0-9_-]{22}$/);
    expect(new Set(made).size).toBe(1000);
  });
});

describe('scopes', () => {
  covers('DOC-A.4');
  const scope: fc.Arbitrary<Scope> = fc.record({
    action: fc.constantFrom(...ACTIONS),
    prefix: fc.option(fc.string({ unit: fc.constantFrom(...'ab/ %#é'), minLength: 1, maxLength: 5 }), {
      nil: null,
    }),
  });

  it('scopes read back as they are written, each once', () => {
    fc.assert(
      fc.property(fc.array(scope, { minLength: 1, maxLength: 4 }), (scopes) => {
        const once = new Map(scopes.map((one) => [formatScopes([one]), one]));
        expect(parseScopes(formatScopes(scopes))).toEqual([...once.values()]);
      }),
    );
  });

  it('scopes are a subset exactly when they reach no further filename', () => {
    const filename = fc.string({ unit: fc.constantFrom(...'ab/'), maxLength: 4 });
    const few = fc.array(scope, { maxLength: 3 });
    fc.assert(
      fc.property(few, few, fc.constantFrom(...ACTIONS), filename, (wanted, held, action, name) => {
        fc.pre(isSubset(wanted, held));
        const reaches = (scopes: Scope[]) => {
          const prefixes = allowedPrefixes(scopes, action);
          return prefixes === null || prefixes.some((prefix) => name.startsWith(prefix));
        };
        if (reaches(wanted)) expect(reaches(held)).toBe(true);
      }),
    );
  });
});

describe('keys', () => {
  covers('DOC-D.19');
  it('keys parse back into their parts, and a key with one letter changed does not', () => {
    const key = createApiKey('live');
    const parsed = parseApiKey(key.text)!;
    expect([parsed.id, isSameSecret(parsed.secretHash, key.secretHash)]).toEqual([key.id, true]);
    for (let at = 9; at < key.text.length; at++) {
      const changed = key.text.slice(0, at) + (key.text[at] === 'x' ? 'y' : 'x') + key.text.slice(at + 1);
      expect(parseApiKey(changed)).toBeNull();
    }
    expect(isSameSecret(createApiKey('live', key.id).secretHash, key.secretHash)).toBe(false);
  });
});

describe('ids', () => {
  covers('DOC-F.Document.id');
  it('ids are UUIDv7s in the order of their time', () => {
    const ids = Array.from({ length: 50 }, (_, n) => createFileId(new Date(1_700_000_000_000 + n)));
    for (const id of ids) expect(isFileId(id)).toBe(true);
    expect([...ids].sort()).toEqual(ids);
  });
});

describe('folding and words', () => {
  const text = fc.string({ unit: 'binary', maxLength: 30 }).filter((value) => value.isWellFormed());

  it('a text folds to the folds of its parts, and a folded text to itself', () => {
    const sigma = fc.string({ unit: fc.constantFrom(...'ΑΣςσ aİıſßK'), maxLength: 12 });
    fc.assert(
      fc.property(fc.oneof(text, sigma), fc.oneof(text, sigma), (a, b) => {
        expect(fold(a + b)).toBe(fold(a) + fold(b));
        expect(fold(fold(a))).toBe(fold(a));
      }),
      { numRuns: soak(1000) },
    );
  });

  it('folding finds the same words however long the text around them is', async () => {
    const words = Array.from({ length: 30_000 }, (_, n) => `w${n}`);
    const found = await wordsOf(words.join(' '), () => 'digest');
    expect(found.sort()).toEqual(words.sort());
    expect(await wordsOf(`${'x'.repeat(200_000)} y`, (word) => `#${word.length}`)).toEqual(['#200000', 'y']);
  });
});
