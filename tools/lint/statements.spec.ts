import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from '@jest/globals';
import { globSync } from 'tinyglobby';

const ROOT = join(import.meta.dirname, '../..');
const STATEMENT = /\b(?:SELECT\s.+\sFROM|INSERT INTO|UPDATE\s.+\sSET|DELETE FROM)\b/s;
/** A comment that names what Prisma lacks, or what the statement is written by hand for. */
const REASON =
  /^\s*(?:\/?\*|\/\/).*(?:\bSQL[:,]|\bPrisma\b|\bDuckDB\b|\bone (?:prepared )?(?:SQL )?statement\b)/im;

it('a store file with a statement says in a comment why the Prisma client does not do it', () => {
  const files = globSync(['apps/*/src/store/*.ts'], {
    cwd: ROOT,
    ignore: ['**/*.{spec,fixture,contract}.ts'],
  });
  const stores = files.map((file) => [file, readFileSync(join(ROOT, file), 'utf8')] as const);
  const withStatement = stores.filter(([, text]) =>
    STATEMENT.test(text.replace(/^\s*(?:\/?\*|\/\/).*$/gm, '')),
  );
  expect(withStatement.length).toBeGreaterThan(30);
  expect(withStatement.filter(([, text]) => !REASON.test(text)).map(([file]) => file)).toEqual([]);
});
