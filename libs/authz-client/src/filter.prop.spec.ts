import { expect, it } from '@jest/globals';
import { GlobError, matchGlob, parseGlob } from '@platform/decide/glob';
import { covers } from '@platform/testing/covers';
import { SEED } from '@platform/testing/seed';
import fc from 'fast-check';
import { filterPrisma } from './filter-prisma.ts';
import { filterSql } from './filter-sql.ts';
import { filterPredicate, type Filter } from './filter.ts';
import { readFilter } from './plan.ts';

fc.configureGlobal({ seed: SEED });

const globs = fc.oneof(
  fc.array(fc.constantFrom(...'[[]]!!--**?/ab\\^{$')).map((signs) => signs.join('')),
  fc.string({ unit: 'binary' }),
);

/** Why the glob is none, or null. */
function problemOf(glob: string): string | null {
  try {
    parseGlob([glob]);
    return null;
  } catch (error) {
    if (error instanceof GlobError) return error.message;
    throw error;
  }
}

it('every reader of a filter takes the globs that policies may have, and names any other', () => {
  covers('AUTHZ-V.15');
  fc.assert(
    fc.property(globs, (glob) => {
      const filter: Filter = { kind: 'match', test: 'glob', key: 'object', parts: [glob] };
      const json = { match: { test: 'FILTER_TEST_GLOB', key: 'object', parts: [{ text: glob }] } };
      const readers = [
        () => readFilter(json),
        () => filterPredicate(filter),
        () => filterSql(filter, { object: { sql: 'object' } }),
        () => filterPrisma(filter, { object: { field: 'object' } }),
      ];
      const problem = problemOf(glob);
      for (const read of readers) {
        if (problem === null) read();
        else
          expect(read).toThrow(
            expect.objectContaining({
              name: 'TypeError',
              message: `the filter has the glob \`${glob}\`, which is not valid: ${problem}`,
            }),
          );
      }
    }),
    { examples: [['['], ['[]'], ['[!'], ['[b-a]'], ['a**'], ['***']] },
  );
});

it('the predicate of a glob holds where the check of a policy with it matches', () => {
  covers('AUTHZ-V.15');
  const texts = fc.array(fc.constantFrom(...'[]!-*?/ab\\^{$\n')).map((signs) => signs.join(''));
  fc.assert(
    fc.property(globs, texts, (glob, text) => {
      fc.pre(problemOf(glob) === null);
      const holds = filterPredicate({ kind: 'match', test: 'glob', key: 'object', parts: [glob] });
      expect(holds({ object: text })).toBe(
        matchGlob(parseGlob([glob]), text, { user: undefined, owner: undefined }),
      );
    }),
  );
});
