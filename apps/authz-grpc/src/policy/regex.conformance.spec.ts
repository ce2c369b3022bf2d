import { describe, expect, it } from '@jest/globals';
import type { RRegex } from 'rregex';
import { readConformanceSuite } from '@platform/testing/conformance';
import { covers } from '@platform/testing/covers';
import { openRegexCrate } from './regex-crate.ts';
import { check, regexPolicy } from './regex-policy.fixture.ts';
import { readRegexShape } from './regex-shape.ts';
import { findParseError, PATTERN_POSITIONS_MAX } from './regex.ts';
import { validatePolicies } from './validate.ts';

interface RegexCase {
  id: string;
  regex: string;
  haystack: string;
  compiles?: boolean;
  is_match_unanchored?: boolean;
}

const upstream =
  readConformanceSuite<Record<'cases' | 'compile_fail' | 'compile_ok', RegexCase[]>>('rust-regex.json');
const redos = readConformanceSuite<{
  cases: { regex: string; is_match: boolean; haystack_rle: [string, number][] }[];
  compile_limits: { regex: string | null; regex_rle: [string, number][] | null }[];
}>('redos.json');
const written = (rle: readonly [string, number][]) => rle.map(([unit, count]) => unit.repeat(count)).join('');

describe('REGEX', () => {
  covers('AUTHZ-M.3');
  it(`REGEX decides every match of the regex crate's own suite as the crate does`, () => {
    const matching = upstream.cases.filter(({ compiles }) => compiles !== false);
    const wrong = matching.filter(({ regex, haystack, is_match_unanchored }) => {
      const { allowed, problems } = check(regex, haystack);
      return allowed !== is_match_unanchored || problems.length > 0;
    });
    expect(wrong).toEqual([]);
    expect(matching.length).toBeGreaterThan(870);
  });

  it('REGEX accepts and refuses the patterns that the crate accepts and refuses', () => {
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

  it('REGEX finds every compile error except size by parsing alone', () => {
    for (const { regex } of [...upstream.compile_fail, ...upstream.compile_ok]) {
      if ((readRegexShape(regex)?.positions ?? 0) > PATTERN_POSITIONS_MAX) continue;
      expect([regex, findParseError(regex, readRegexShape(regex)) === null]).toEqual([
        regex,
        tryCompile(regex) !== null,
      ]);
    }
  });

  it('REGEX decides every ReDoS case as the crate does', () => {
    for (const { regex, haystack_rle, is_match } of redos.cases) {
      const { allowed, problems } = check(regex, written(haystack_rle));
      expect([regex, problems.length === 0, allowed]).toEqual([regex, true, is_match]);
    }
  });

  it('REGEX refuses at write every pattern beyond the compile limits', () => {
    for (const { regex, regex_rle } of redos.compile_limits) {
      const pattern = regex ?? written(regex_rle ?? []);
      expect(validatePolicies([regexPolicy(pattern)]).errors).toMatchObject([{ code: 'pattern_invalid' }]);
      expect(check(pattern, 'a')).toMatchObject({ allowed: false, problems: [{ code: 'bad_pattern' }] });
    }
  });

  it(`REGEX warns about the end of an upstream pattern only where the crate agrees`, () => {
    let compared = 0;
    for (const { regex, haystack, is_match_unanchored } of upstream.cases) {
      const shape = tryCompile(regex) === null ? null : readRegexShape(regex);
      if (shape === null) continue;
      const { skip, pattern, ascii } = shape.tail;
      const texts = ascii === null || !isAscii(haystack) ? [pattern] : [pattern, ascii];
      for (const text of texts) {
        const isMatch = haystack.startsWith(shape.prefix) && compile(text).isMatch(haystack.slice(skip));
        expect([regex, haystack, text, isMatch]).toEqual([regex, haystack, text, is_match_unanchored]);
        compared += 1;
      }
    }
    expect(compared).toBeGreaterThan(1_000);
  });
});

let crate = openRegexCrate();

/** In a crate of ordinary size: the larger it has grown, the slower it is. */
function compile(regex: string): RRegex {
  if (crate.bytes > 32_000_000) crate = openRegexCrate();
  return new crate.RRegex(regex);
}

function tryCompile(regex: string): RRegex | null {
  try {
    return compile(regex);
  } catch {
    return null;
  }
}

function isAscii(text: string): boolean {
  return Buffer.byteLength(text) === text.length;
}
