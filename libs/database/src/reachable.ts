import { DomainError, RETRY_AFTER_SECONDS } from '@platform/error-contracts';
import type { Database } from './database.ts';
import { codeOf, isUnavailable, type Sql } from './sql.ts';

/**
 * The database, whose absence is DomainError `unavailable` to every caller instead of an internal error. A
 * transaction whose commit was under way may have been committed all the same.
 */
export function withUnavailableMapping(database: Database): Database {
  return {
    ...database,
    ...sqlOf(database),
    transaction: (work, options) =>
      orUnavailable(() => database.transaction((sql) => work(sqlOf(sql)), options)),
    exclusively: (lockName, work) => orUnavailable(() => database.exclusively(lockName, work)),
    ping: () => orUnavailable(() => database.ping()),
  };
}

function sqlOf(sql: Sql): Sql {
  return {
    query: (text, values, name) => orUnavailable(() => sql.query(text, values, name)),
    script: (text) => orUnavailable(() => sql.script(text)),
  };
}

/**
 * What `work` gives; DomainError `unavailable`, with the driver's error as its cause, when the database is
 * unavailable.
 */
export async function orUnavailable<T>(work: () => Promise<T>): Promise<T> {
  try {
    return await work();
  } catch (error) {
    if (error instanceof DomainError || !isUnavailable(error)) throw error;
    throw unavailable(error);
  }
}

/** What callers are told besides, by SQLSTATE: the database is there and cannot do this now. */
const MESSAGES: ReadonlyMap<unknown, string> = new Map([
  ['25006', 'the database takes no writes now, try again later'],
  ['57014', 'the database did not do this in time, try again later'],
  ['55P03', 'another change holds what this request needs, try again later'],
  ['53100', 'the disk of the database is full, try again later'],
]);

/**
 * DomainError `unavailable` for an error of the driver, whose `code` it keeps: some writes are tried again
 * after it.
 */
export function unavailable(error: unknown): DomainError {
  const options = { retryAfterSeconds: RETRY_AFTER_SECONDS.dependency, cause: error };
  const code = codeOf(error);
  const message = MESSAGES.get(code) ?? 'the database cannot be reached, try again';
  return Object.assign(new DomainError('unavailable', message, options), { code });
}
