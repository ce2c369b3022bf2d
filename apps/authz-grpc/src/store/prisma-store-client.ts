import { isUnavailable, unavailable } from '@platform/database';
import type { Prisma } from '../generated/client.ts';

/** The database, or one transaction of it, that a store works on. */
export interface StoreClient {
  /** Ordinary reads and writes. */
  readonly prisma: Prisma.TransactionClient;
  /**
   * A statement that must be atomic or fast, or that Prisma cannot say. Returns its rows, with `int8` as a
   * number. Parameters are cast in the text (`$1::uuid`), because Prisma sends them as text.
   */
  readonly sql: <Row = unknown>(text: string, ...values: readonly unknown[]) => Promise<Row[]>;
}

/** A client whose statements run through Prisma, in its transaction if it has one. */
export function createStoreClient(prisma: Prisma.TransactionClient): StoreClient {
  return {
    prisma,
    async sql<Row>(text: string, ...values: readonly unknown[]) {
      const rows = await prisma.$queryRawUnsafe<Record<string, unknown>[]>(text, ...values);
      for (const row of rows) {
        for (const [column, value] of Object.entries(row)) {
          if (typeof value === 'bigint') row[column] = Number(value);
        }
      }
      return rows as Row[];
    },
  };
}

/**
 * Runs work of Prisma and gives its errors the form the rest of the service knows: the SQLSTATE in `code`,
 * and DomainError `unavailable` when the database was not reached.
 */
export async function mapPrismaErrors<T>(work: () => Promise<T>): Promise<T> {
  try {
    return await work();
  } catch (error) {
    const failure = error as { code?: unknown; meta?: { driverAdapterError?: { cause?: DriverCause } } };
    const { originalCode } = failure.meta?.driverAdapterError?.cause ?? {};
    if (originalCode !== undefined) failure.code = originalCode;
    if (!isUnavailable(error) && failure.code !== NO_CONNECTION) throw error;
    throw unavailable(error);
  }
}

interface DriverCause {
  readonly originalCode?: string;
}

/** Prisma's code for a transaction that found no connection in time, or lost it. */
const NO_CONNECTION = 'P2028';

/** Prisma takes bytes in a buffer of their own only. */
export function bytes(value: Uint8Array): Uint8Array<ArrayBuffer> {
  return new Uint8Array(value);
}
