import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { SEED } from '@platform/testing/seed';
import { covers } from '@platform/testing/covers';
import { openRegexCrate, type Regex } from './regex-crate.ts';
import { check, compile, isAscii, tryCompile } from './regex-policy.fixture.ts';
import { readRegexShape, type RegexShape } from './regex-shape.ts';
import { matchesSlot, type RegexSlot } from '../regexes.ts';
import { findParseError, RegexBank, RegexMemory } from './regex.ts';

fc.configureGlobal({ seed: SEED });

describe('REGEX', () => {
  covers('AUTHZ-M.3');
  it.each([
    ['^$', '', true],
    ['b', 'abc', true],
    ['^b', 'abc', false],
    ['(?i)É', 'é', true],
    ['^.$', '\n', false],
    ['(?s)^.$', '\n', true],
    ['(?m)^b$', 'a\nb', true],
    ['^\\d+$', '٣', true],
    ['^(?-u:\\w+)$', 'é', false],
    ['\\bfoo\\b', 'a foo.', true],
    ['^[[:alpha:]&&[^x]]$', 'x', false],
    ['^\\p{Greek}$', 'δ', true],
  ])('REGEX decides `%s` on `%s` as %s', (pattern, value, allowed) => {
    covers('AUTHZ-D.12');
    expect(check(pattern, value)).toMatchObject({ allowed, problems: [] });
  });

  it.each(['(', '[a', '(?=a)', '\\1', '(?P<a', '\\p{None}', '[z-a]', 'a{2,1}', '\\'])(
    'REGEX fails closed on `%s`',
    (pattern) => {
      expect(findParseError(pattern, readRegexShape(pattern))).not.toBeNull();
      expect(check(pattern, '').problems).toHaveLength(1);
    },
  );

  const many = 'a'.repeat(30_000);
  it.each([
    ['^(a+)+$', false],
    ['^([a-z]|aa)+!$', true],
    ['(.*a){20}$', false],
    ['(x+x+)+y', false],
  ])('REGEX decides `%s` at once where a backtracking engine would hang', (pattern, allowed) => {
    covers('AUTHZ-D.12');
    expect(check(pattern, `${many}!`)).toMatchObject({ allowed, problems: [] });
  });

  it.each(['a{1000}{1000}', '\\pL{1000}{100}', '.{100000}', `${'('.repeat(300)}${')'.repeat(300)}`])(
    'REGEX fails closed on a pattern beyond the compile limits: %#',
    (pattern) => {
      expect(check(pattern, 'a')).toMatchObject({ allowed: false, problems: [{ code: 'bad_pattern' }] });
    },
  );

  it('REGEX fails closed where a large pattern meets a long value', () => {
    const pattern = `(?:${'[ab]{30}c?'.repeat(20)})$`;
    expect(check(pattern, 'a'.repeat(600)).problems).toEqual([]);
    expect(check(pattern, 'a'.repeat(32_000))).toMatchObject({
      allowed: false,
      problems: [{ code: 'match_too_costly' }],
    });
  });

  const atom = fc.constantFrom(
    'a',
    'b',
    'é',
    '/',
    '\\.',
    '.',
    '.*',
    '.+',
    '[ab]',
    '[^a]',
    '[]a]',
    'a*',
    'b?',
    '(?:a|b)',
    '(ab)',
    '\\w',
    '\\n',
    'a{2}',
    '^',
    '$',
    '|',
    '(?i:A)',
    '(?m)',
    '\\A',
    '\\z',
    '\\b',
    '(?s).',
    '.*',
    '^',
    '$',
    ')',
    '(',
    '[[:alpha:]-]',
    'ab',
    '\\/',
    '{',
    '\\x61',
    '\\pL',
  );
  const literalish = fc.tuple(
    fc.constantFrom('^', '\\A', ''),
    fc.constantFrom('a', 'a/', '.*', ''),
    fc.constantFrom('.*', 'é', ''),
    fc.constantFrom('$', '\\z', ''),
  );
  const regexes = fc
    .oneof({ weight: 4, arbitrary: fc.array(atom, { maxLength: 6 }) }, { weight: 2, arbitrary: literalish })
    .map((all) => all.join(''));
  const value = fc
    .array(fc.constantFrom('a', 'b', 'é', '/', '.', '\n', 'ab', 'A', ''), { maxLength: 5 })
    .map((all) => all.join(''));

  it(`REGEX warns about the shape of a pattern only where the crate agrees`, () => {
    const kinds: Record<string, number> = {};
    const tails = { skipped: 0, cut: 0 };
    fc.assert(
      fc.property(regexes, fc.array(value, { minLength: 12, maxLength: 12 }), (regex, values) => {
        const shape = readRegexShape(regex);
        const compiled = tryCompile(regex);
        expect([regex, findParseError(regex, shape) === null]).toEqual([regex, compiled !== null]);
        if (compiled === null || shape === null) return;
        const { skip, pattern, ascii } = shape.tail;
        const whole = compile(pattern);
        const cut = ascii === null ? null : compile(ascii);
        kinds[shape.literal?.kind ?? 'other'] = (kinds[shape.literal?.kind ?? 'other'] ?? 0) + 1;
        for (const each of [
          ...values,
          ...values.map((text) => shape.prefix + text),
          shape.literal?.text ?? '',
        ]) {
          const matched = compiled.isMatch(each);
          if (matched) agree(each.startsWith(shape.prefix), true, [regex, each]);
          if (shape.literal !== null) agree(meaning(shape.literal, each), matched, [regex, each]);
          const rest = each.startsWith(shape.prefix) ? each.slice(skip) : null;
          const isMatch = (regex: Regex) => rest !== null && regex.isMatch(rest);
          agree(isMatch(whole), matched, [regex, each, pattern]);
          if (cut !== null && isAscii(each)) agree(isMatch(cut), matched, [regex, each, ascii]);
        }
        if (skip > 0) tails.skipped += 1;
        if (ascii !== null && ascii !== pattern) tails.cut += 1;
        for (const each of [compiled, whole, cut]) each?.free();
      }),
      { numRuns: 1_500 },
    );
    for (const kind of ['exact', 'prefix', 'suffix', 'contains', 'line', 'other'])
      expect([kind, (kinds[kind] ?? 0) > 5]).toEqual([kind, true]);
    expect(Math.min(tails.skipped, tails.cut)).toBeGreaterThan(100);
  });

  const shapeOf = (pattern: string) => readRegexShape(pattern) as RegexShape;

  it('the cache of compiled regexes stays within its bound plus one compilation, and compiles evicted patterns again', () => {
    const bytesMax = 8_000_000;
    const memory = new RegexMemory(bytesMax);
    const banks: RegexBank[] = [];
    const slots: RegexSlot[] = [];
    // Values beyond ASCII need the automata that the crate's allocator never takes back.
    for (let domain = 0; domain < 40; domain += 1) {
      const bank = new RegexBank(memory);
      slots.push(bank.add(`^d${domain}/[^/]+-${domain}$`, shapeOf(`^d${domain}/[^/]+-${domain}$`)));
      bank.build();
      banks.push(bank);
    }
    for (let round = 0; round < 3; round += 1) {
      for (const [domain, slot] of slots.entries()) {
        expect(matchesSlot(slot, `d${domain}/é-${domain}`, new Map())).toBe(true);
        expect(matchesSlot(slot, `d${domain}/é-x`, new Map())).toBe(false);
        expect(memory.bytesHeld).toBeLessThanOrEqual(bytesMax + 1_000_000);
      }
    }
    expect(memory.turns).toBeGreaterThan(4);
    for (const bank of banks) bank.free();
  });

  it('an instance of the crate gives back the memory that compiling in it lost', async () => {
    const held = () => process.memoryUsage().external;
    const before = held();
    for (let i = 0; i < 20; i += 1) {
      const crate = openRegexCrate();
      const compiled = Array.from({ length: 40 }, () => new crate.RRegex('[^/]'));
      expect(compiled.every((regex) => regex.isMatch('é'))).toBe(true);
      expect(crate.bytes).toBeGreaterThan(10_000_000);
    }
    // When the collector runs by itself is nobody's promise. What the first run finds free, the second gives
    // back.
    for (let run = 0; run < 2; run += 1) {
      collectGarbage();
      await new Promise((resolve) => setImmediate(resolve));
    }
    // Twenty instances are more than 200 MB.
    expect(held() - before).toBeLessThan(150_000_000);
  });

  it('patterns that several domains share behind different prefixes compile once', () => {
    const memory = new RegexMemory(64_000_000);
    const bytesOf = (domains: number) => {
      for (let domain = 0; domain < domains; domain += 1) {
        const bank = new RegexBank(memory);
        const pattern = `^svc://domain-${domain}/reports/[0-9]+/[^/]+$`;
        const slot = bank.add(pattern, shapeOf(pattern));
        bank.build();
        expect(matchesSlot(slot, `svc://domain-${domain}/reports/7/x`, new Map())).toBe(true);
      }
      return memory.bytesHeld;
    };
    const one = bytesOf(1);
    expect(bytesOf(200)).toBeLessThanOrEqual(one + 100_000);
  });

  it('REGEX decides by a class at the maximum nesting depth', () => {
    const depth = 246;
    const pattern = `^x${'['.repeat(depth)}^a${']'.repeat(depth)}$`;
    expect(tryCompile(pattern)).not.toBeNull();
    expect(['xb', 'xa', 'xé'].map((value) => check(pattern, value).allowed)).toEqual([true, false, true]);
  });
});

/** Compares before it asks `expect`, which takes longer than the regexes, a hundred thousand times. */
function agree(actual: boolean, expected: boolean, about: readonly unknown[]): void {
  if (actual !== expected) expect([...about, actual]).toEqual([...about, expected]);
}

/** Runs the garbage collector, which Node hides unless asked. */
function collectGarbage(): void {
  setFlagsFromString('--expose-gc');
  (runInNewContext('gc') as () => void)();
}

function meaning({ kind, text }: { kind: string; text: string }, value: string): boolean {
  switch (kind) {
    case 'exact':
      return value === text;
    case 'prefix':
      return value.startsWith(text);
    case 'suffix':
      return value.endsWith(text);
    case 'contains':
      return value.includes(text);
    default:
      return value.startsWith(text) && !value.slice(text.length).includes('\n');
  }
}
