import { existsSync, mkdirSync } from 'node:fs';
import { join, relative } from 'node:path';
import { FolderInUse, lockFolder } from '@platform/database';

/** The folder of the services' logs, in the data folder. */
export const LOGS = 'logs';

/** A path quoted for a POSIX shell where it needs quotes, relative where it lies in the working directory. */
export function shellPath(path: string): string {
  const inside = relative('', path);
  const short = inside.startsWith('..') ? path : inside;
  return /^[\w./-]+$/.test(short) ? short : `'${short.replaceAll("'", `'\\''`)}'`;
}

/**
 * Takes the data folder for one start, and returns how to give it back. Errors: it cannot be made; another
 * start has it, or services that outlived one, each of which is named. Looked at before anything in it is
 * forgotten or written.
 */
export async function openDataFolder(data: string, folders: readonly string[]): Promise<() => Promise<void>> {
  const refusal = (why: string, first: string, cause: unknown) =>
    new Error(
      `the data folder ${data} cannot be used: ${why}; ${first}choose another with PLATFORM_DATA_DIR`,
      {
        cause,
      },
    );
  try {
    mkdirSync(join(data, LOGS), { recursive: true, mode: 0o700 });
    const release = await lockFolder(data);
    const held = await Promise.allSettled(
      folders
        .map((folder) => join(data, folder))
        .filter((folder) => existsSync(folder))
        .map(async (folder) => (await lockFolder(folder))()),
    );
    const errors = held.flatMap((one) => (one.status === 'rejected' ? [one.reason as Error] : []));
    if (errors.length === 0) return release;
    await release();
    throw errors.find((error) => !(error instanceof FolderInUse)) ?? new AggregateError(errors);
  } catch (error) {
    const errors: unknown[] = error instanceof AggregateError ? error.errors : [error];
    const inUse = errors.filter((one) => one instanceof FolderInUse);
    const holders = [...new Set(inUse.map(({ holder }) => holder))];
    if (holders.length === 0) throw refusal((error as Error).message, '', error);
    const end = holders.length === 1 ? 'end that process, or ' : 'end those processes, or ';
    throw refusal(`in use by ${holders.join(' and ')}`, end, error);
  }
}
