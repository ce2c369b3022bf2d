import { parseArgs } from 'node:util';
import { UsageError, type Command } from '@platform/service-kit';
import { archiveChains, BrokenChain } from '../audit/archive-chains.ts';
import type { Config } from '../config.ts';
import { withDatabase } from '../deps.ts';
import { openParquetArchive } from '../store/parquet-audit-archive.ts';
import { createAuditReader } from '../store/sql-audit-reader.ts';

/**
 * Adds the audit rows that the folder does not hold to it, as Parquet files; exit code 1 when a chain does
 * not hold.
 */
export const auditExport: Command<Config> = {
  usage: '--parquet <folder>',
  help: 'add the audit rows that the folder does not hold yet to it, as Parquet files; needs the package @duckdb/node-api',
  run: (config, args) => {
    const { parquet } = parseArgs({ args, options: { parquet: { type: 'string' } } }).values;
    if (parquet === undefined) throw new UsageError('--parquet must name the folder of the archive');
    return withDatabase(config, async (database) => {
      const archive = await openParquetArchive(parquet);
      try {
        const rows = await archiveChains(createAuditReader(database), archive);
        process.stdout.write(`${rows} ${rows === 1 ? 'row' : 'rows'} archived\n`);
        return 0;
      } catch (error) {
        if (!(error instanceof BrokenChain)) throw error;
        process.stderr.write(`${error.message}\n`);
        return 1;
      } finally {
        archive.close();
      }
    });
  },
};
