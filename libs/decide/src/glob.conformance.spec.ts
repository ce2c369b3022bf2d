import { describe, expect, it } from '@jest/globals';
import { readConformanceSuite } from '@platform/testing/conformance';
import { covers } from '@platform/testing/covers';
import { GlobError, matchGlob, parseGlob } from './glob.ts';

interface GlobCase {
  pattern: string;
  text: string;
  match?: boolean;
}

const suite = readConformanceSuite<
  Record<'cases' | 'core_cross' | 'doublestar_cross' | 'unicode_and_edges', GlobCase[]> & {
    compile_fail: { pattern: string; glob_crate: string; globset: string }[];
  }
>('glob.json');

function matches(pattern: string, text: string): boolean {
  return matchGlob(parseGlob([pattern]), text, { user: undefined, owner: undefined });
}

describe('GLOB', () => {
  it.each(['cases', 'core_cross', 'doublestar_cross', 'unicode_and_edges'] as const)(
    'GLOB agrees with the glob and globset crates on every case of %s',
    (section) => {
      covers('AUTHZ-M.4');
      const agreed = suite[section].filter(({ match }) => match !== undefined);
      const wrong = agreed.filter(({ pattern, text, match }) => matches(pattern, text) !== match);
      expect(wrong).toEqual([]);
      expect(agreed.length).toBeGreaterThan(10);
    },
  );

  it('GLOB refuses every pattern that both crates refuse', () => {
    covers('AUTHZ-M.4');
    const refused = suite.compile_fail.filter(
      (each) => each.glob_crate === 'error' && each.globset === 'error',
    );
    expect(refused.length).toBeGreaterThan(10);
    for (const { pattern } of refused) expect(() => parseGlob([pattern])).toThrow(GlobError);
  });
});
