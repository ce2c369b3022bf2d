import type { Config } from '../config.ts';
import { openConfigured, openLogger } from '../deps.ts';
import { createPrisma } from '../store/prisma.ts';
import { createSqlDocumentStore } from '../store/sql-document-store.ts';

/** Compares the quota counters with what is stored: a line for each owner where they differ, and exit code 1. */
export async function checkQuota({ settings }: Config): Promise<number> {
  const database = await openConfigured(settings, openLogger(settings));
  try {
    const store = createSqlDocumentStore(database, createPrisma(database), {
      versionsKept: settings.DOCSTORE_VERSIONS_KEPT,
    });
    const drifted = await store.findQuotaDrift();
    for (const { owner, counted, actual } of drifted) {
      process.stdout.write(
        `${owner}: counted ${counted.documents} documents of ${counted.bytes} bytes, stored ${actual.documents} of ${actual.bytes}\n`,
      );
    }
    if (drifted.length === 0) process.stdout.write('counters agree with what is stored\n');
    return drifted.length === 0 ? 0 : 1;
  } finally {
    await database.close();
  }
}
