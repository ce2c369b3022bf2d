import { statfsSync } from 'node:fs';
import type { Sql } from './sql.ts';

const EVERY_MS = 250;
/**
 * Room below which the database takes no more writes. It covers the largest transaction of a service, its log
 * and its indexes: Postgres ends its process when the log cannot grow. Bytes.
 */
const RESERVE_BYTES = 64 * 2 ** 20;
/** Room from which it takes writes again. Bytes. */
const ENOUGH_BYTES = 80 * 2 ** 20;
/** Log after which a checkpoint is made: it bounds the log, the time of a recovery, and its own. Bytes. */
const LOG_BYTES = 32 * 2 ** 20;

export interface ChoreOptions {
  readonly folder: string;
  /** Bytes written to the write-ahead log since they were last set to 0. */
  readonly log: { logBytes: number };
  readonly warn: (fields: object, message: string) => void;
  /** Bytes that are free where `folder` is. Default: what the file system says. */
  readonly freeBytes?: (folder: string) => number;
}

/**
 * What a Postgres server does beside its sessions, and PGlite, being one session, does not: checkpoints,
 * without which the log grows for as long as the process lives. And while the disk is almost full the
 * database is read-only, so that writes fail with SQLSTATE 25006 before the log meets the end of the disk,
 * and work again by themselves. Resolves when the room has been looked at once; returns how to stop.
 */
export async function startChores(sql: Sql, options: ChoreOptions): Promise<() => Promise<void>> {
  const { folder, log, warn, freeBytes = freeBytesOf } = options;
  let isLow = false;

  async function mindRoom(): Promise<void> {
    const free = freeBytes(folder);
    if (isLow ? free < ENOUGH_BYTES : free >= RESERVE_BYTES) return;
    await sql.script(`SET default_transaction_read_only = ${isLow ? 'off' : 'on'}`);
    isLow = !isLow;
    const fields = { folder, free_bytes: free };
    if (isLow)
      warn(fields, 'the disk is almost full: the embedded database takes no writes until there is room');
    else warn(fields, 'there is room on the disk again: the embedded database takes writes');
  }

  async function checkpoint(): Promise<void> {
    if (log.logBytes < LOG_BYTES) return;
    log.logBytes = 0;
    await sql.script('CHECKPOINT');
  }

  async function runAll(): Promise<void> {
    try {
      await mindRoom();
      await checkpoint();
    } catch (err) {
      // The next round tries again; what ends the database is told to `onPanic`.
      if (!isStopped) warn({ err }, 'a chore of the embedded database failed');
    }
  }

  let isStopped = false;
  let timer: NodeJS.Timeout | undefined;
  let round = Promise.resolve();
  const next = () => {
    if (isStopped) return;
    round = runAll();
    void round.then(() => (timer = setTimeout(next, EVERY_MS).unref()));
  };
  next();
  await round;
  return async () => {
    isStopped = true;
    clearTimeout(timer);
    await round;
  };
}

/** Whether the disk of `folder` has less room than the database keeps in reserve. */
export function isAlmostFull(folder: string): boolean {
  return freeBytesOf(folder) < RESERVE_BYTES;
}

function freeBytesOf(folder: string): number {
  const { bavail, bsize } = statfsSync(folder);
  return bavail * bsize;
}
