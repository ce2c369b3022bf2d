import { expect, it } from '@jest/globals';
import { filterPredicate, filterSql, type Filter } from '@platform/authz-client';
import { openDatabase } from '@platform/database';
import { startPostgres } from '@platform/testing';
import { covers } from '@platform/testing/covers';
import { forSuite } from '@platform/testing/for-suite';

const postgres = forSuite(
  () => startPostgres(),
  ({ stop }) => stop(),
);

/** Texts that SQL, LIKE, regular expressions or a collation could take for another one. */
const HOSTILE = [
  'report',
  'REPORT',
  'r_port',
  'r%',
  'Ä',
  'A\u0308',
  'ä',
  '\\',
  '\\d',
  "'; DROP TABLE items; --",
  '$1',
  '{a}',
  '(',
  '.*',
  'a\nb',
  'straße',
  'strasse',
  '😀',
  '',
];
const TESTS = ['equals', 'starts_with', 'ends_with', 'contains', 'glob'] as const;

it.each(['DEFAULT', 'regardless_of_case'])(
  'the SQL of a filter means in a column of collation %s what its predicate does, whatever the values',
  async (collation) => {
    covers('AUTHZ-V.8');
    const database = await openDatabase(await postgres.createDatabase(), { embeddedFolder: '' });
    try {
      await database.query(
        `CREATE COLLATION regardless_of_case (provider = icu, locale = 'und-u-ks-level1', deterministic = false)`,
        [],
      );
      const column = collation === 'DEFAULT' ? 'text' : `text COLLATE ${collation}`;
      await database.query(`CREATE TABLE items (n int, path ${column}, owner ${column})`, []);
      for (const [n, text] of HOSTILE.entries())
        await database.query('INSERT INTO items VALUES ($1, $2, $3)', [n, text, text === '' ? null : text]);
      const rows = HOSTILE.map((text) => ({
        object: `svc://d/${text}`,
        ...(text === '' ? {} : { owner: text }),
      }));
      const filters = HOSTILE.flatMap((text) =>
        TESTS.flatMap((test): Filter[] => [
          { kind: 'match', test, key: 'owner', parts: [text] },
          { kind: 'match', test, key: 'object', parts: [`svc://d/${text}`] },
          { kind: 'not', of: { kind: 'match', test, key: 'owner', parts: [text] } },
        ]),
      );
      const owner = { attribute: 'owner' };
      filters.push({ kind: 'match', test: 'ends_with', key: 'object', parts: ['/', owner] });
      for (const text of [...HOSTILE, 'the report', 'reports', 'x\\d', '$1$1'])
        for (const test of TESTS.filter((each) => each !== 'glob'))
          for (const parts of [[owner], ['x', owner], [owner, owner]])
            filters.push({ kind: 'compared', test, text, parts });
      for (const filter of filters) {
        const { text, values, isExact } = filterSql(filter, {
          object: { sql: 'path', prefix: 'svc://d/' },
          owner: { sql: 'owner' },
        });
        const { rows: found } = await database.query<{ n: number }>(
          `SELECT n FROM items WHERE ${text} ORDER BY n`,
          [...values],
        );
        const holds = filterPredicate(filter);
        const expected = rows.flatMap((row, n) => (holds(row) ? [n] : []));
        expect({ filter, isExact, found: found.map(({ n }) => n) }).toEqual({
          filter,
          isExact: true,
          found: expected,
        });
      }
    } finally {
      await database.close();
    }
  },
);

it('an index over a column serves a filter of names and beginnings', async () => {
  covers('AUTHZ-V.8');
  const database = await openDatabase(await postgres.createDatabase(), { embeddedFolder: '' });
  try {
    await database.query('CREATE TABLE items (path text)', []);
    await database.query('CREATE INDEX ON items (path text_pattern_ops)', []);
    const { text, values } = filterSql(
      {
        kind: 'any',
        of: [
          { kind: 'match', test: 'equals', key: 'object', parts: ['svc://d/docs/1'] },
          { kind: 'match', test: 'starts_with', key: 'object', parts: ['svc://d/plans/'] },
        ],
      },
      { object: { sql: 'path', prefix: 'svc://d/' } },
    );
    const plan = await database.transaction(async (sql) => {
      await sql.query('SET LOCAL enable_seqscan = off', []);
      // Parameters as the planner of a driver's query sees them.
      const literal = values.map((value) => `'${value}'`);
      const written = text.replace(/\$(\d+)/g, (_, at: string) => literal[Number(at) - 1] as string);
      return sql.query<Record<string, string>>(`EXPLAIN SELECT * FROM items WHERE ${written}`, []);
    });
    const told = plan.rows.map((row) => row['QUERY PLAN']).join('\n');
    expect(told).not.toContain('Seq Scan');
    expect(told).toContain('BitmapOr');
  } finally {
    await database.close();
  }
});
