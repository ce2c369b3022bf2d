import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { openDatabase, type Database } from '@platform/database';
import { startPostgres, type Postgres } from '@platform/testing';
import { readConformanceSuite } from '@platform/testing/conformance';
import { covers } from '@platform/testing/covers';
import { globToPostgresRegex } from './glob.ts';

const suite = readConformanceSuite<{
  cases: { pattern: string; text: string; match: boolean }[];
}>('glob.json');

let postgres: Postgres;
let database: Database;
beforeAll(async () => {
  postgres = await startPostgres();
  database = await openDatabase(await postgres.createDatabase(), { embeddedFolder: 'unused' });
});
afterAll(async () => {
  await database?.close();
  await postgres?.stop();
});

describe('globs', () => {
  it('globs agree with the glob suites wherever the engines of these agree', async () => {
    covers('DOC-D.18');
    // `**` next to other characters, braces and leading-dot rules mean other things there.
    const common = suite.cases.filter(({ pattern }) => !/\*\*|[{}]/.test(pattern) && pattern !== '');
    expect(common.length).toBeGreaterThan(60);
    const { rows } = await database.query<{ matches: boolean[] }>(
      'SELECT array_agg(t.text ~ t.regex ORDER BY t.n) AS matches FROM unnest($1::text[], $2::text[]) WITH ORDINALITY AS t(text, regex, n)',
      [common.map((one) => one.text), common.map(({ pattern }) => globToPostgresRegex(pattern, true))],
    );
    const wrong = common.filter(({ match }, index) => rows[0]!.matches[index] !== match);
    expect(wrong).toEqual([]);
  });
});
