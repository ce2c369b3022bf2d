/** Rows of a statement, and how many it wrote (or read, for a SELECT). */
export interface SqlResult<Row> {
  readonly rows: Row[];
  readonly rowCount: number;
}

/**
 * Parametrised SQL, the same on Postgres and on PGlite. `text` holds `$1, $2, …`; arrays bind to SQL arrays,
 * objects must be passed as JSON text. Values come back as the driver's types with one correction made on
 * both sides: `int8` is a number (a BigInt beyond 2^53). Naming a statement lets Postgres keep its plan; one
 * name stands for one text. Errors: the driver's own, carrying SQLSTATE in `code`; see `isUniqueViolation`.
 */
export interface Sql {
  query<Row = Record<string, unknown>>(
    text: string,
    values?: readonly unknown[],
    name?: string,
  ): Promise<SqlResult<Row>>;
  /**
   * Runs statements without values, separated by semicolons; outside of a transaction they are one of their
   * own.
   */
  script(text: string): Promise<void>;
}

export type Isolation = 'read committed' | 'repeatable read' | 'serializable';

export interface TransactionOptions {
  /** Default: read committed. */
  readonly isolation?: Isolation;
}

/**
 * True when `error` is SQLSTATE 23505; with `constraint`, only when that constraint or index was violated.
 */
export function isUniqueViolation(error: unknown, constraint?: string): boolean {
  const { code, constraint: violated } = (error ?? {}) as { code?: unknown; constraint?: unknown };
  if (code !== '23505') return false;
  if (constraint === undefined || violated === constraint) return true;
  // What another node says comes as words alone, and the part of a table there has a number behind its name.
  const { message } = error as { message?: unknown };
  return violated === undefined && new RegExp(`"${constraint}_\\d+"`).test(String(message));
}

/**
 * What sockets and name lookups say, SQLSTATE of a server that cannot do its work now though the statement is
 * right, and what Prisma makes of these: 25006 a read-only server (after a failover), 25P03 and 25P04 a
 * transaction that idled or took too long, 40001 and 40P01 one that lost to another, 55P03 a lock that was
 * not free in time, 57014 a statement that took too long.
 */
const UNREACHABLE_CODES: ReadonlySet<unknown> = new Set([
  'ECONNREFUSED',
  'ECONNRESET',
  'EPIPE',
  'ETIMEDOUT',
  'EHOSTUNREACH',
  'ENETUNREACH',
  'ENOTFOUND',
  'EAI_AGAIN',
  '25006',
  '25P03',
  '25P04',
  '40001',
  '40P01',
  '55P03',
  '57014',
  'P1001',
  'P1008',
  'P1017',
  'P2037',
]);
/** pg's message, which has no code, for a connection that it lost or did not get. */
const UNREACHABLE_MESSAGE =
  /^(Connection terminated|timeout exceeded when trying to connect|Client has encountered a connection error)/;

/** The same of a raw statement of Prisma, whose code is P2010 whatever happened. */
const UNREACHABLE_KINDS: ReadonlySet<unknown> = new Set([
  'DatabaseNotReachable',
  'ConnectionClosed',
  'SocketTimeout',
]);

/**
 * True when `error` says that the server is unavailable or overloaded: nothing is wrong with the statement.
 */
export function isUnreachable(error: unknown): boolean {
  const { message, meta } = (error ?? {}) as { message?: unknown; meta?: DriverError };
  if (UNREACHABLE_KINDS.has(meta?.driverAdapterError?.cause?.kind)) return true;
  const code = codeOf(error);
  if (code === undefined) return typeof message === 'string' && UNREACHABLE_MESSAGE.test(message);
  return UNREACHABLE_CODES.has(code) || (typeof code === 'string' && /^(08...|53...|57P0.)$/.test(code));
}

/**
 * True when the callers of a service that runs are told `unavailable`: `isUnreachable`, or the server gives
 * no session: its database was dropped or closed, a password was changed, its disk is too full for a
 * connection. At a start the latter is a fault of the settings (ADR 0025).
 */
export function isUnavailable(error: unknown): boolean {
  if (isUnreachable(error)) return true;
  const { severity, meta } = (error ?? {}) as { severity?: unknown; meta?: DriverError };
  // Postgres calls FATAL what ends a session, or keeps it from beginning. Prisma drops that word of some.
  const found = severity ?? meta?.driverAdapterError?.cause?.severity;
  return found === 'FATAL' || /^(28...|3D000)$/.test(String(codeOf(error)));
}

/** The SQLSTATE of an error, which Prisma keeps in the error of its adapter, or whatever code it has. */
export function codeOf(error: unknown): unknown {
  const { code, meta } = (error ?? {}) as { code?: unknown; meta?: DriverError };
  return meta?.driverAdapterError?.cause?.originalCode ?? code;
}

interface DriverError {
  readonly driverAdapterError?: {
    readonly cause?: { originalCode?: unknown; severity?: unknown; kind?: unknown };
  };
}

/** What holds on one node alone, up to the comment that stands for it elsewhere. */
const ON_ONE_NODE = /\/\*-\*\/[^]*?\/\*\+/g;

/**
 * A statement as distributed tables need it, where each of its parts must name the tenant or is asked of
 * every node. What only they need stands in comments that begin with `/*+` and end with `+`; with a comment
 * of `-` before it, what lies between the two is left out.
 */
export function forDistributedTables(text: string): string {
  return text.replace(ON_ONE_NODE, '').replaceAll('/*+', '').replaceAll('+*/', '');
}

/**
 * SQL of the time of a change, from the SQL of the clock's time and of the time that is kept of the change
 * before: no earlier than that one, for clocks of replicas differ by a little, unless it lies more than a
 * minute ahead. Then it came from a clock that was wrong, and would mislead until that time has come.
 */
export function timeOfChange(now: string, before: string): string {
  // A difference, because distributed tables take none but immutable functions here.
  return `CASE WHEN ${before} - ${now} > interval '1 minute' THEN ${now} ELSE GREATEST(${now}, ${before}) END`;
}

/** Reads int8 as a number where that is exact, as a BigInt beyond. */
export function parseInt8(text: string): number | bigint {
  const value = Number(text);
  return Number.isSafeInteger(value) ? value : BigInt(text);
}
