import type { Command } from '@platform/service-kit';
import { verifyAllChains } from '../audit/verify-chain.ts';
import type { Config } from '../config.ts';
import { withDatabase } from '../deps.ts';
import { createAuditReader } from '../store/sql-audit-reader.ts';

/** Recomputes the hash chain of every tenant. Prints a line for each; exit code 1 when one is broken. */
export const auditVerify: Command<Config> = {
  help: "recompute every tenant's hash chain; exit with 1 when one is broken",
  run: (config) =>
    withDatabase(config, async (database) => {
      let exitCode = 0;
      for await (const { tenantId, rows, broken } of verifyAllChains(createAuditReader(database))) {
        const outcome = broken === null ? 'hold' : `hold, then ${broken.why} at ${broken.sequence}`;
        process.stdout.write(`${tenantId}: ${rows} rows ${outcome}\n`);
        if (broken !== null) exitCode = 1;
      }
      return exitCode;
    }),
};
