import type {
  SqlDriverAdapter,
  SqlMigrationAwareDriverAdapterFactory,
  SqlQueryable,
} from '@prisma/driver-adapter-utils';
import type { Attributes, RunningSpan, Tracing } from '@platform/telemetry';
import type { Database } from './database.ts';
import { codeOf, type Sql } from './sql.ts';

/**
 * The database with a span for every statement and every transaction of a request, below the span of that
 * request (`Tracing.current`), a statement of a transaction below the transaction. A span is named by
 * operation and table and holds neither values nor the text of the statement. What happens outside of a
 * request, such as sweeps and the group commits of others, makes no span.
 */
export function withSpans(database: Database, tracing: Tracing): Database {
  return {
    ...database,
    ...sqlWithSpans(database, tracing),
    adapter: adapterWithSpans(database.adapter, tracing),
    transaction: (work, options) =>
      inSpan(tracing, 'transaction', {}, () =>
        database.transaction((sql) => work(sqlWithSpans(sql, tracing)), options),
      ),
  };
}

function sqlWithSpans(sql: Sql, tracing: Tracing): Sql {
  return {
    query: (text, values, name) => ofStatement(tracing, text, () => sql.query(text, values, name)),
    script: (text) => ofStatement(tracing, text, () => sql.script(text)),
  };
}

function adapterWithSpans(
  factory: SqlMigrationAwareDriverAdapterFactory,
  tracing: Tracing,
): SqlMigrationAwareDriverAdapterFactory {
  return {
    provider: factory.provider,
    adapterName: factory.adapterName,
    async connect() {
      const adapter = await factory.connect();
      addSpans(adapter, tracing);
      addTransactionSpans(adapter, tracing);
      return adapter;
    },
    connectToShadowDb: () => factory.connectToShadowDb(),
  };
}

/** Prisma keeps the object that it was given, so its methods are replaced in place. */
function addSpans(target: SqlQueryable, tracing: Tracing): void {
  const [query, execute] = [target.queryRaw.bind(target), target.executeRaw.bind(target)];
  target.queryRaw = (params) => ofStatement(tracing, params.sql, () => query(params));
  target.executeRaw = (params) => ofStatement(tracing, params.sql, () => execute(params));
}

function addTransactionSpans(adapter: SqlDriverAdapter, tracing: Tracing): void {
  const start = adapter.startTransaction.bind(adapter);
  adapter.startTransaction = async (isolation) => {
    const span = begin(tracing, 'transaction', {});
    if (span === null) return start(isolation);
    const transaction = await ended(span, () => start(isolation), { endsItself: false });
    // Its statements come from Prisma's own calls, which are not within the span.
    const within = { ...tracing, current: () => span.traceparent };
    addSpans(transaction, within);
    const [commit, rollback] = [transaction.commit.bind(transaction), transaction.rollback.bind(transaction)];
    transaction.commit = () => ended(span, commit);
    transaction.rollback = () => ended(span, rollback, { error: 'rolled back' });
    return transaction;
  };
}

function ofStatement<T>(tracing: Tracing, text: string, work: () => Promise<T>): Promise<T> {
  if (tracing.current() === undefined) return work();
  const { operation, table } = summaryOf(text);
  return inSpan(
    tracing,
    table === null ? operation : `${operation} ${table}`,
    { 'db.operation.name': operation, ...(table === null ? {} : { 'db.collection.name': table }) },
    work,
  );
}

function inSpan<T>(
  tracing: Tracing,
  name: string,
  attributes: Attributes,
  work: () => Promise<T>,
): Promise<T> {
  const span = begin(tracing, name, attributes);
  return span === null ? work() : ended(span, () => tracing.within(span, work));
}

function begin(tracing: Tracing, name: string, attributes: Attributes): RunningSpan | null {
  const parent = tracing.current();
  if (parent === undefined) return null;
  return tracing.start(name, {
    kind: 'client',
    parent,
    attributes: { 'db.system.name': 'postgresql', 'db.query.summary': name, ...attributes },
  });
}

/** What `work` gives; the span ends with it, unless it stays open after work that succeeded. */
async function ended<T>(
  span: RunningSpan,
  work: () => Promise<T>,
  { endsItself = true, error }: { readonly endsItself?: boolean; readonly error?: string } = {},
): Promise<T> {
  try {
    const result = await work();
    if (endsItself) span.end(error === undefined ? {} : { error });
    return result;
  } catch (caught) {
    // A message of Postgres may quote values.
    const code = codeOf(caught);
    span.end({ error: typeof code === 'string' ? code : 'failed' });
    throw caught;
  }
}

/** Where the table of an operation is named; a function in its place has parentheses. */
const IDENTIFIER = String.raw`(?:"?[a-z_][\w$]*"?\.)?"?([a-z_][\w$]*)\b"?`;
const TABLES: Readonly<Record<string, RegExp>> = {
  SELECT: new RegExp(String.raw`\bFROM\s+(?:ONLY\s+)?${IDENTIFIER}(?!\s*\()`, 'i'),
  INSERT: new RegExp(String.raw`\bINSERT\s+INTO\s+${IDENTIFIER}`, 'i'),
  UPDATE: new RegExp(String.raw`\bUPDATE\s+(?:ONLY\s+)?${IDENTIFIER}`, 'i'),
  DELETE: new RegExp(String.raw`\bDELETE\s+FROM\s+(?:ONLY\s+)?${IDENTIFIER}`, 'i'),
};

/**
 * What a statement does, for a name without values: its first word (of `WITH`, the first that writes, else
 * SELECT) and the first table that it names for it, null where none is found.
 */
export function summaryOf(text: string): { operation: string; table: string | null } {
  const plain = text.replaceAll(/\/\*[^]*?\*\/|--[^\n]*/g, ' ').trimStart();
  const first = (/^[a-z]+/i.exec(plain)?.[0] ?? 'statement').toUpperCase();
  const operation =
    first === 'WITH' ? (/\b(INSERT|UPDATE|DELETE)\s/i.exec(plain)?.[1] ?? 'SELECT').toUpperCase() : first;
  return { operation, table: TABLES[operation]?.exec(plain)?.[1] ?? null };
}
