import { describe, expect, it } from '@jest/globals';
import { readConformanceSuite } from '@platform/testing/conformance';
import { covers } from '@platform/testing/covers';
import { check, compile, runsOf, tryCompile } from './regex-policy.fixture.ts';
import { readRegexShape } from './regex-shape.ts';
import { findParseError, PATTERN_POSITIONS_MAX } from './regex.ts';

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

  it('REGEX fails closed on the patterns that the crate refuses', () => {
    const refused = [
      ...upstream.compile_fail,
      ...upstream.cases.filter(({ compiles }) => compiles === false),
    ];
    for (const { regex } of refused) expect(check(regex, '').problems).toHaveLength(1);
    expect(refused.length).toBeGreaterThan(100);
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

  it('REGEX fails closed on every pattern beyond the compile limits', () => {
    for (const { regex, regex_rle } of redos.compile_limits) {
      const pattern = regex ?? written(regex_rle ?? []);
      expect(check(pattern, 'a')).toMatchObject({ allowed: false, problems: [{ code: 'bad_pattern' }] });
    }
  });

  it(`REGEX warns about the end of an upstream pattern only where the crate agrees`, () => {
    let compared = 0;
    for (const { regex, haystack, is_match_unanchored } of upstream.cases) {
      const shape = tryCompile(regex) === null ? null : readRegexShape(regex);
      if (shape === null) continue;
      const { skip } = shape.tail;
      const rest = haystack.slice(skip);
      for (const [text, value] of runsOf(shape.tail, rest)) {
        const isMatch = haystack.startsWith(shape.prefix) && compile(text).isMatch(value);
        expect([regex, haystack, text, isMatch]).toEqual([regex, haystack, text, is_match_unanchored]);
        compared += 1;
      }
    }
    expect(compared).toBeGreaterThan(1_000);
  });
});
