import { isUnreachable, type Database, type Sql } from '@platform/database';
import { AuthzError } from '@platform/error-contracts';

/**
 * The database, whose absence is DEPENDENCY_UNAVAILABLE to every caller instead of an error of ours. A transaction whose
 * commit was under way may have been committed all the same.
 */
export function sayingWhenAway(database: Database): Database {
  return {
    ...database,
    ...sqlOf(database),
    transaction: (work, options) => guarded(() => database.transaction((sql) => work(sqlOf(sql)), options)),
    exclusively: (lockName, work) => guarded(() => database.exclusively(lockName, work)),
    ping: () => guarded(() => database.ping()),
  };
}

function sqlOf(sql: Sql): Sql {
  return { query: (text, values, name) => guarded(() => sql.query(text, values, name)) };
}

async function guarded<T>(work: () => Promise<T>): Promise<T> {
  try {
    return await work();
  } catch (error) {
    if (!isUnreachable(error)) throw error;
    throw new AuthzError('DEPENDENCY_UNAVAILABLE', 'the database cannot be reached, try again', {
      retryAfterSeconds: 1,
      cause: error,
    });
  }
}
