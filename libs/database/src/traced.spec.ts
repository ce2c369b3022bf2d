import { AsyncLocalStorage } from 'node:async_hooks';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import type { Attributes, RunningSpan, Tracing } from '@platform/telemetry';
import { covers } from '@platform/testing/covers';
import type { Database } from './database.ts';
import { openDatabase } from './open-database.ts';
import { summaryOf, withSpans } from './traced.ts';

interface Recorded {
  readonly name: string;
  readonly parent: string | undefined;
  readonly attributes: Attributes | undefined;
  error?: string | undefined;
}

/** Tracing that keeps spans by their number, as the collector would. */
function recorder(): { tracing: Tracing; spans: Map<string, Recorded> } {
  let begun = 0;
  const spans = new Map<string, Recorded>();
  const context = new AsyncLocalStorage<string | undefined>();
  const tracing: Tracing = {
    isOn: true,
    start(name, { parent, attributes }): RunningSpan {
      const traceparent = `span ${(begun += 1)}`;
      const span: Recorded = { name, parent, attributes };
      return {
        traceparent,
        end: ({ error } = {}) => void spans.set(traceparent, { ...span, error }),
      };
    },
    within: (span, work) => context.run(span?.traceparent, work),
    current: () => context.getStore(),
    close: async () => undefined,
  };
  return { tracing, spans };
}

const REQUEST = { traceparent: 'request', end: () => undefined };

describe('withSpans', () => {
  covers('PLAT-O.20');
  let plain: Database;
  beforeAll(async () => {
    plain = await openDatabase('pglite:memory://', { embeddedFolder: '' });
    await plain.query('CREATE TABLE note (id text PRIMARY KEY)');
  });
  afterAll(() => plain.close());

  it('a statement of a request is a span below it, named by operation and table', async () => {
    const { tracing, spans } = recorder();
    const database = withSpans(plain, tracing);
    await tracing.within(REQUEST, () => database.query('SELECT id FROM note WHERE id = $1', ['a secret']));
    expect([...spans.values()]).toEqual([
      {
        name: 'SELECT note',
        parent: 'request',
        error: undefined,
        attributes: {
          'db.system.name': 'postgresql',
          'db.query.summary': 'SELECT note',
          'db.operation.name': 'SELECT',
          'db.collection.name': 'note',
        },
      },
    ]);
  });

  it('a failed statement and its transaction are failed spans that quote no value', async () => {
    const { tracing, spans } = recorder();
    const database = withSpans(plain, tracing);
    const insert = "INSERT INTO note VALUES ($1), ('a secret')";
    const failed = tracing.within(REQUEST, () =>
      database.transaction(async (sql) => void (await sql.query(insert, ['a secret']))),
    );
    await expect(failed).rejects.toThrow('duplicate key');
    const [statement, transaction] = [...spans.values()];
    expect(transaction).toMatchObject({ name: 'transaction', parent: 'request', error: '23505' });
    expect(statement).toMatchObject({ name: 'INSERT note', parent: 'span 1', error: '23505' });
    expect(JSON.stringify([...spans.values()])).not.toContain('secret');
  });

  it('statements and transactions of Prisma are spans as well', async () => {
    const { tracing, spans } = recorder();
    const adapter = await withSpans(plain, tracing).adapter.connect();
    const sql = 'SELECT "public"."note"."id" FROM "public"."note" WHERE 1=1';
    const query = { sql, args: [], argTypes: [] };
    await tracing.within(REQUEST, () => adapter.queryRaw(query));
    const transaction = await tracing.within(REQUEST, () => adapter.startTransaction());
    await transaction.executeRaw({ ...query, sql: 'DELETE FROM note' });
    await transaction.commit();
    await adapter.queryRaw(query);
    expect([...spans].map(([id, { name, parent }]) => [id, name, parent])).toEqual([
      ['span 1', 'SELECT note', 'request'],
      ['span 3', 'DELETE note', 'span 2'],
      ['span 2', 'transaction', 'request'],
    ]);
  });

  it('work outside of a request makes no span', async () => {
    const { tracing, spans } = recorder();
    const database = withSpans(plain, tracing);
    await database.query('SELECT 1');
    await database.transaction((sql) => sql.query('SELECT 1'));
    await tracing.within(REQUEST, () => tracing.within(null, () => database.query('SELECT 1')));
    expect(spans.size).toBe(0);
  });
});

it.each([
  ['SELECT 1', 'SELECT', null],
  ['select * from "public"."User" u JOIN x ON true', 'SELECT', 'User'],
  ['/* who: alice */ SELECT id -- FROM secrets\nFROM note', 'SELECT', 'note'],
  ['SELECT * FROM unnest($1::text[])', 'SELECT', null],
  ['INSERT INTO note (id) VALUES ($1) ON CONFLICT (id) DO UPDATE SET id = $1', 'INSERT', 'note'],
  ['WITH old AS (SELECT id FROM note) DELETE FROM ONLY audit.event USING old', 'DELETE', 'event'],
  ['WITH new AS (INSERT INTO note VALUES ($1) RETURNING id) SELECT * FROM new', 'INSERT', 'note'],
  ['UPDATE note SET id = $1', 'UPDATE', 'note'],
  ['BEGIN', 'BEGIN', null],
  ['', 'STATEMENT', null],
])('the summary of %j has operation %s and table %s', (text, operation, table) => {
  covers('PLAT-O.20');
  expect(summaryOf(text)).toEqual({ operation, table });
});
