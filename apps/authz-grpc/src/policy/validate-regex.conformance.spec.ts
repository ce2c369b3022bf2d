import { describe, expect, it } from '@jest/globals';
import { readConformanceSuite } from '@platform/testing/conformance';
import { covers } from '@platform/testing/covers';
import type { Policy } from './types.ts';
import { validatePolicies } from './validate.ts';

interface RegexCase {
  regex: string;
  compiles?: boolean;
}

const upstream =
  readConformanceSuite<Record<'cases' | 'compile_fail' | 'compile_ok', RegexCase[]>>('rust-regex.json');
const redos = readConformanceSuite<{
  compile_limits: { regex: string | null; regex_rle: [string, number][] | null }[];
}>('redos.json');
function regexPolicy(pattern: string, name = 'p'): Policy {
  const statements = [{ rules: { value: pattern } }];
  return { name, description: '', invert: false, deny: false, engine: 'regex', statements };
}

const written = (rle: readonly [string, number][]) => rle.map(([unit, count]) => unit.repeat(count)).join('');

describe('REGEX at write', () => {
  covers('AUTHZ-M.3');
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
    expect(refused.length + taken.length).toBeGreaterThan(560);
  });

  it('REGEX refuses at write every pattern beyond the compile limits', () => {
    for (const { regex, regex_rle } of redos.compile_limits) {
      const pattern = regex ?? written(regex_rle ?? []);
      expect(validatePolicies([regexPolicy(pattern)]).errors).toMatchObject([{ code: 'pattern_invalid' }]);
    }
  });
});
