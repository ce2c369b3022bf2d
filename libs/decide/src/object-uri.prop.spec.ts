import { describe, expect, it } from '@jest/globals';
import { SEED } from '@platform/testing/seed';
import { covers } from '@platform/testing/covers';
import { soak } from '@platform/testing/soak';
import fc from 'fast-check';
import {
  canonicalObject,
  domainOfObject,
  judgeObjectText,
  objectUri,
  whatNoObjectHolds,
} from './object-uri.ts';

fc.configureGlobal({ seed: SEED });

const DOMAIN = '3d0e1a2b-0000-4000-8000-0000000000ab';
const at = (path: string, domain = DOMAIN) => `svc://${domain}/${path}`;

/** Segments of an object, with every character that is special to a URI among them. */
const segment = fc
  .string({
    unit: fc.constantFrom(...'ab.~!:@ "#?<>[]\\^`{|}é·文🙂\u0001\u200d\u0301'),
    minLength: 1,
    maxLength: 6,
  })
  .filter((text) => objectUri(DOMAIN, text) !== null);
const segments = fc.array(segment, { minLength: 1, maxLength: 4 });

/** The same path in some other spelling. */
const RESPELLINGS: readonly ((path: string) => string)[] = [
  (path) => path.replace('/', '//'),
  (path) => `./${path}`,
  (path) => `${path}/.`,
  (path) => `${path}/`,
  (path) => `x/../${path}`,
  (path) => `${path}/x/..`,
  // Not the `a` of an escape, which would become another text.
  (path) => path.replaceAll(/%[0-9A-Fa-f]{2}|a/g, (found) => (found === 'a' ? '%61' : found)),
  (path) => path.replaceAll('.', '%2E'),
  (path) => path.replaceAll('é', '%C3%A9'),
  (path) => path.replaceAll(/%[0-9A-F]{2}/g, (escape) => escape.toLowerCase()),
  (path) => path.replaceAll(/%(?:20|22|3C|3E|5C|5E|60|7B|7C|7D)/g, (escape) => decodeURIComponent(escape)),
  (path) => path.normalize('NFD'),
];

describe('the spelling of objects', () => {
  it('only the canonical one of all spellings of an object is accepted', () => {
    covers('AUTHZ-O.4');
    fc.assert(
      fc.property(segments, fc.array(fc.constantFrom(...RESPELLINGS), { maxLength: 4 }), (path, changes) => {
        const canonical = objectUri(DOMAIN, ...path) as string;
        const prefix = at('').length;
        const other = at(changes.reduce((text, change) => change(text), canonical.slice(prefix)));
        expect(domainOfObject(canonical)).toBe(DOMAIN);
        expect(canonicalObject(canonical)).toBe(canonical);
        expect(canonicalObject(other)).toBe(canonical);
        expect(domainOfObject(other) !== null).toBe(other === canonical);
      }),
      { numRuns: soak(5_000) },
    );
  });

  it('no two accepted texts name one object', () => {
    covers('AUTHZ-O.4');
    const text = fc.string({
      unit: fc.constantFrom(...'ab./%2FfEe6145é ', '\u0301', '\u00e9'),
      maxLength: 12,
    });
    fc.assert(
      fc.property(text, (path) => {
        if (domainOfObject(at(path)) !== null) expect(canonicalObject(at(path))).toBe(at(path));
      }),
      { numRuns: soak(20_000) },
    );
  });

  it.each([
    ['a dot segment', at('public/./secret/a'), at('public/secret/a')],
    ['an empty segment', at('public//secret/a'), at('public/secret/a')],
    ['a parent segment', at('public/x/../secret/a'), at('public/secret/a')],
    ['an escape of a letter', at('public/%73ecret/a'), at('public/secret/a')],
    ['a parent segment that leads elsewhere', at('public/../private'), at('private')],
    ['escaped dots', at('public/%2e%2E/private'), at('private')],
    ['a domain in upper case', at('x', DOMAIN.toUpperCase()), at('x')],
    ['a scheme in upper case', at('x').replace('svc', 'SVC'), at('x')],
    ['a slash at the end', at('docs/'), at('docs')],
    ['an escape in lower case', at('a%3fb'), at('a%3Fb')],
    ['a space', at('a b'), at('a%20b')],
    ['an escape beyond ASCII', at('caf%C3%A9'), at('café')],
    ['a letter in two characters', at('cafe\u0301'), at('café')],
  ])('an object with %s is refused and has a canonical spelling', (_what, text, canonical) => {
    covers('AUTHZ-O.4');
    expect([domainOfObject(text), canonicalObject(text)]).toEqual([null, canonical]);
  });

  it.each([
    ['a%2Fb', '`%2F`'],
    ['%C3%A9%2F', '`%2F`'],
    ['a%25b', '`%25`'],
    ['100%', '`%` that does not begin an escape'],
    ['a%zz', '`%` that does not begin an escape'],
    ['%FF', 'not UTF-8'],
    ['\u0080', 'U+0080'],
    ['\ud800', 'U+D800'],
    ['\ue000', 'U+E000'],
    ['', null],
    ['..', null],
  ])('an object with the path %j has no spelling, because it holds %p', (path, unfit) => {
    covers('AUTHZ-O.4');
    expect([domainOfObject(at(path)), canonicalObject(at(path))]).toEqual([null, null]);
    const told = whatNoObjectHolds(at(path));
    if (unfit === null) expect(told).toBeNull();
    else expect(told).toContain(unfit);
  });
});

describe('a text of a rule', () => {
  it('each character beyond ASCII that an object cannot hold makes no object', () => {
    covers('AUTHZ-O.4');
    const unfit: string[] = [];
    for (let code = 0x80; code <= 0x10ffff; code += 1) {
      const character = String.fromCodePoint(code);
      const object = objectUri(DOMAIN, `a${character}20`);
      if (object !== null && object !== at(`a${character}20`)) unfit.push(code.toString(16));
    }
    expect(unfit).toEqual([]);
  });

  it('the beginning of an object is judged a part of objects', () => {
    covers('AUTHZ-O.5');
    fc.assert(
      fc.property(segments, fc.nat(120), (path, length) => {
        const object = objectUri(DOMAIN, ...path) as string;
        const text = Array.from(object).slice(0, length).join('');
        expect(judgeObjectText(text, { start: true, end: false })).toBe('part');
        expect(judgeObjectText(object, { start: true, end: true })).toBe('part');
      }),
      { numRuns: soak(2_000) },
    );
  });

  it.each([
    [at('a//b'), 'exact', 'other_spelling'],
    [at('a/b/'), 'exact', 'other_spelling'],
    [at('a/b/'), 'prefix', 'part'],
    [at('a/..'), 'prefix', 'part'],
    [at('a/../'), 'prefix', 'other_spelling'],
    [at('a/%7'), 'prefix', 'part'],
    [at('a/%4'), 'prefix', 'other_spelling'],
    [at('a/%73'), 'prefix', 'other_spelling'],
    [at('a b'), 'prefix', 'other_spelling'],
    [at('', DOMAIN.toUpperCase()), 'prefix', 'other_spelling'],
    [at('a//b://c'), 'prefix', 'other_spelling'],
    [at(at('a')), 'exact', 'other_spelling'],
    ['a//b://c', 'contains', 'other_spelling'],
    [at('a'), 'suffix', 'part'],
    ['scv://', 'prefix', 'no_object'],
    ['SVC://', 'prefix', 'other_spelling'],
    [`svc://${DOMAIN.slice(0, 20).toUpperCase()}`, 'prefix', 'other_spelling'],
    ['svc://', 'prefix', 'part'],
    ['svc://d/a', 'exact', 'no_object'],
    ['*', 'exact', 'no_object'],
    ['/secret', 'suffix', 'part'],
    ['/', 'suffix', 'other_spelling'],
    ['/./', 'contains', 'other_spelling'],
    ['61', 'contains', 'part'],
    ['://', 'contains', 'part'],
  ] as const)('the text %j as %s is judged %s', (text, kind, judged) => {
    covers('AUTHZ-O.5');
    const start = kind === 'exact' || kind === 'prefix';
    const end = kind === 'exact' || kind === 'suffix';
    expect(judgeObjectText(text, { start, end })).toBe(judged);
  });
});
