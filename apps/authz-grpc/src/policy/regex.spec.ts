import { readFileSync } from 'node:fs';
import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { RRegex } from 'rregex';
import { compilePolicySet } from './compile.ts';
import { readRegexShape } from './regex-shape.ts';
import { findParseError, PATTERN_POSITIONS_MAX, RegexBank, RegexMemory } from './regex.ts';
import type { Decision, Policy } from './types.ts';
import { validatePolicies } from './validate.ts';

interface RegexCase {
  id: string;
  regex: string;
  haystack: string;
  compiles?: boolean;
  is_match_unanchored?: boolean;
}

const read = (name: string) =>
  JSON.parse(
    readFileSync(new URL(`../../../../../shared/conformance/${name}`, import.meta.url), 'utf8'),
  ) as unknown;
const upstream = read('rust-regex.json') as Record<'cases' | 'compile_fail' | 'compile_ok', RegexCase[]>;
const redos = read('redos.json') as {
  cases: { regex: string; is_match: boolean; haystack_rle: [string, number][] }[];
  compile_limits: { regex: string | null; regex_rle: [string, number][] | null }[];
};
const written = (rle: readonly [string, number][]) => rle.map(([unit, count]) => unit.repeat(count)).join('');
const seed = Number(process.env.SEED ?? Date.now() % 2 ** 31);

function regexPolicy(pattern: string, name = 'p'): Policy {
  return {
    name,
    description: '',
    invert: false,
    deny: false,
    engine: 'regex',
    statements: [{ rules: { value: pattern } }],
  };
}

function check(pattern: string, value: string): Decision {
  const set = compilePolicySet([{ domainId: 'd', version: 1, policies: [regexPolicy(pattern)] }]);
  try {
    return set.evaluate(new Map([['value', value]]));
  } finally {
    set.free();
  }
}

describe('REGEX (AUTHZ-M.3)', () => {
  it(`decides every match of the regex crate's own suite as the crate does`, () => {
    const matching = upstream.cases.filter(({ compiles }) => compiles !== false);
    const wrong = matching.filter(({ regex, haystack, is_match_unanchored }) => {
      const { allowed, problems } = check(regex, haystack);
      return allowed !== is_match_unanchored || problems.length > 0;
    });
    expect(wrong).toEqual([]);
    expect(matching.length).toBeGreaterThan(870);
  });

  it(`refuses what the crate refuses and takes what it takes`, () => {
    const refused = [
      ...upstream.compile_fail,
      ...upstream.cases.filter(({ compiles }) => compiles === false),
    ];
    const taken = upstream.compile_ok;
    const errors = (list: readonly RegexCase[]) =>
      validatePolicies(list.map(({ regex }, index) => regexPolicy(regex, `p${index}`))).errors.map(
        ({ policyIndex }) => list[policyIndex]?.regex,
      );
    expect(errors(taken)).toEqual([]);
    expect(new Set(errors(refused)).size).toBe(new Set(refused.map(({ regex }) => regex)).size);
    for (const { regex } of refused) expect(check(regex, '').problems).toHaveLength(1);
    expect(refused.length + taken.length).toBeGreaterThan(560);
  });

  it('finds with a parse alone every error that compiling finds, short of size', () => {
    for (const { regex } of [...upstream.compile_fail, ...upstream.compile_ok]) {
      if ((readRegexShape(regex)?.positions ?? 0) > PATTERN_POSITIONS_MAX) continue;
      expect([regex, findParseError(regex, readRegexShape(regex)) === null]).toEqual([
        regex,
        tryCompile(regex) !== null,
      ]);
    }
  });

  it('answers every ReDoS case as the crate does', () => {
    for (const { regex, haystack_rle, is_match } of redos.cases) {
      const { allowed, problems } = check(regex, written(haystack_rle));
      expect([regex, problems.length === 0, allowed]).toEqual([regex, true, is_match]);
    }
  });

  it('refuses at write every pattern beyond the compile limits', () => {
    for (const { regex, regex_rle } of redos.compile_limits) {
      const pattern = regex ?? written(regex_rle ?? []);
      expect(validatePolicies([regexPolicy(pattern)]).errors).toMatchObject([{ code: 'pattern_invalid' }]);
      expect(check(pattern, 'a')).toMatchObject({ allowed: false, problems: [{ code: 'bad_pattern' }] });
    }
  });

  it('fails closed where a large pattern meets a long value', () => {
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
  const pattern = fc
    .oneof({ weight: 4, arbitrary: fc.array(atom, { maxLength: 6 }) }, { weight: 1, arbitrary: literalish })
    .map((all) => all.join(''));
  const value = fc
    .array(fc.constantFrom('a', 'b', 'é', '/', '.', '\n', 'ab', 'A', ''), { maxLength: 5 })
    .map((all) => all.join(''));

  it(`says of a pattern's shape only what the crate bears out (seed ${seed})`, () => {
    const kinds: Record<string, number> = {};
    fc.assert(
      fc.property(pattern, fc.array(value, { minLength: 12, maxLength: 12 }), (regex, values) => {
        const shape = readRegexShape(regex);
        const compiled = tryCompile(regex);
        expect([regex, findParseError(regex, shape) === null]).toEqual([regex, compiled !== null]);
        if (compiled === null || shape === null) return;
        kinds[shape.literal?.kind ?? 'other'] = (kinds[shape.literal?.kind ?? 'other'] ?? 0) + 1;
        for (const each of [
          ...values,
          ...values.map((text) => shape.prefix + text),
          shape.literal?.text ?? '',
        ]) {
          const matched = compiled.isMatch(each);
          if (matched) expect([regex, each.startsWith(shape.prefix)]).toEqual([regex, true]);
          if (shape.literal !== null)
            expect([regex, each, meaning(shape.literal, each)]).toEqual([regex, each, matched]);
        }
        compiled.free();
      }),
      { seed, numRuns: 1_500 },
    );
    for (const kind of ['exact', 'prefix', 'suffix', 'contains', 'line', 'other'])
      expect([kind, (kinds[kind] ?? 0) > 5]).toEqual([kind, true]);
  });

  it('frees the sets used longest ago, and compiles them again', () => {
    const memory = new RegexMemory(2_000_000);
    const bank = new RegexBank();
    const slots = Array.from({ length: 2_000 }, (_, i) =>
      bank.add(`^user${String(i).padStart(4, '0')}-[0-9]+$`, {
        prefix: `user${String(i).padStart(4, '0')}-`,
        positions: 12,
      }),
    );
    bank.build(memory);
    for (const round of [1, 2]) {
      for (const [i, slot] of slots.entries()) {
        if (i % 50 !== 0) continue;
        const text = `user${String(i).padStart(4, '0')}-${round}`;
        expect([...slot.set.matches(text, new Map())]).toEqual([slot.index]);
        expect(memory.bytesHeld).toBeLessThanOrEqual(2_000_000 + slot.set.bytes);
      }
    }
    bank.free();
    expect(memory.bytesHeld).toBe(0);
  });
});

function tryCompile(regex: string): RRegex | null {
  try {
    return new RRegex(regex);
  } catch {
    return null;
  }
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
