import type { Command } from '@platform/service-kit';
import type { Config } from '../config.ts';
import { withDocuments } from '../deps.ts';

/**
 * Compares the quota counters with what is stored: a line for each owner where they differ, and exit code 1.
 */
export const checkQuota: Command<Config> = {
  help: 'compare the quota counters with what is stored; exit with 1 when they differ',
  run: (config) =>
    withDocuments(config, async (documents) => {
      const drifted = await documents.findQuotaDrift();
      for (const { owner, counted, actual } of drifted) {
        process.stdout.write(
          `${owner}: counted ${counted.documents} documents of ${counted.bytes} bytes, stored ${actual.documents} of ${actual.bytes}\n`,
        );
      }
      if (drifted.length === 0) process.stdout.write('counters agree with what is stored\n');
      return drifted.length === 0 ? 0 : 1;
    }),
};
