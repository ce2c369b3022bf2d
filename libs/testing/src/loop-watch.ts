import { existsSync, mkdtempSync, renameSync } from 'node:fs';
import { readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

/** Tells how long the event loop of one service was held up. */
export interface LoopWatch {
  /** Settings to start the service with. */
  readonly env: Readonly<Record<string, string>>;
  /**
   * The longest that anything kept the main thread to itself since this was asked last, in milliseconds of
   * the processor; 0 when it was less than 20.
   */
  longestHeld(): Promise<number>;
  close(): Promise<void>;
}

/** A watch for one built service. */
export function createLoopWatch(): LoopWatch {
  const folder = mkdtempSync(join(tmpdir(), 'loop-watch-'));
  const file = join(folder, 'held');
  const read = join(folder, 'read');
  return {
    env: {
      NODE_OPTIONS: `--import ${new URL('held-loop.mjs', import.meta.url).href}`,
      LOOP_WATCH_FILE: file,
    },
    async longestHeld() {
      if (!existsSync(file)) return 0;
      renameSync(file, read);
      const lines = (await readFile(read, 'utf8')).split('\n');
      return Math.max(0, ...lines.map(Number));
    },
    close: () => rm(folder, { recursive: true }),
  };
}
