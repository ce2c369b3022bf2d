import { existsSync, readFileSync, renameSync, writeFileSync } from 'node:fs';
import { parseArgs } from 'node:util';
import { UsageError, type Command } from '@platform/service-kit';
import { verifyAllChains } from '../audit/verify-chain.ts';
import type { Config } from '../config.ts';
import { withDatabase } from '../deps.ts';
import type { ChainPlace } from '../store/audit-store.ts';
import type { ArchivedChain } from '../store/audit-archive.ts';
import { openParquetArchive } from '../store/parquet-audit-archive.ts';
import { createAuditReader } from '../store/sql-audit-reader.ts';

/**
 * Recomputes the hash chain of every tenant. Prints a line for each; exit code 1 when one is broken. With
 * `--heads`, the heads that the last run noted in the file must still be in their chains, and the file is
 * written anew once everything holds.
 */
export const auditVerify: Command<Config> = {
  usage: '[--heads <file>] [--parquet <folder>]',
  help: "recompute every tenant's hash chain, the rows archived in the folder first; exit with 1 when one is broken, or lost a head noted in the file",
  run: (config, args) => {
    const options = { heads: { type: 'string' }, parquet: { type: 'string' } } as const;
    const { heads: file, parquet } = parseArgs({ args, options }).values;
    const known = file === undefined ? undefined : readHeads(file);
    return withDatabase(config, async (database) => {
      let exitCode = 0;
      const heads: string[] = [];
      const archived = parquet === undefined ? [] : await verifyArchive(parquet);
      for await (const report of verifyAllChains(createAuditReader(database), known, archived)) {
        const { tenantId, rows, broken, head } = report;
        const outcome = broken === null ? 'hold' : `hold, then ${broken.why} at ${broken.sequence}`;
        const place = known === undefined ? '' : `, head ${head.sequence} ${head.hash}`;
        process.stdout.write(`${tenantId}: ${rows} ${rows === 1 ? 'row' : 'rows'} ${outcome}${place}\n`);
        heads.push(`${tenantId} ${head.sequence} ${head.hash}\n`);
        if (broken !== null) exitCode = 1;
      }
      if (file !== undefined && exitCode === 0) writeHeads(file, heads);
      return exitCode;
    });
  },
};

async function verifyArchive(folder: string): Promise<ArchivedChain[]> {
  const archive = await openParquetArchive(folder);
  try {
    return await archive.verify();
  } finally {
    archive.close();
  }
}

const LINE = /^(\S+) (\d+) ([\da-f]{64})$/;

/** Heads in the file by tenant; none where it does not exist yet. Errors: UsageError with the bad line. */
function readHeads(file: string): Map<string, ChainPlace> {
  if (!existsSync(file)) return new Map();
  const lines = readFileSync(file, 'utf8')
    .split('\n')
    .filter((line) => line !== '');
  return new Map(
    lines.map((line, i) => {
      const [, tenantId, sequence, hash] = LINE.exec(line) ?? [];
      if (tenantId === undefined)
        throw new UsageError(`${file}, line ${i + 1}: must be \`<tenant id> <sequence> <hash>\``);
      return [tenantId, { sequence: Number(sequence), hash: hash! }];
    }),
  );
}

/** Renamed into place: a run that is cut off leaves the heads of the run before it. */
function writeHeads(file: string, heads: readonly string[]): void {
  writeFileSync(`${file}.new`, heads.join(''));
  renameSync(`${file}.new`, file);
}
