import { orUnavailable, type Database } from '@platform/database';
import { PrismaClient } from '../generated/client.ts';

/** The Prisma client on a database; a database that cannot be reached is DomainError `unavailable`. */
export function createPrisma({ adapter }: Pick<Database, 'adapter'>) {
  return new PrismaClient({ adapter }).$extends({
    query: { $allOperations: ({ args, query }) => orUnavailable(() => query(args)) },
  });
}

export type Prisma = ReturnType<typeof createPrisma>;
