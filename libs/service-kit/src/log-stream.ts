import { write, writeSync } from 'node:fs';

/**
 * Lines are written together, for a write per request costs a tenth of its time; none waits longer than this.
 * Milliseconds.
 */
const DELAY_MS = 100;
/** Characters that are written at once without waiting for more. */
const BATCH_CHARS = 15 * 1024;
/** Lines beyond these are dropped: a reader that stands still must not fill the memory. Characters. */
const WAITING_CHARS_MAX = 8 * 1024 * 1024;
/** Longest wait at the exit for a pipe that is full. Milliseconds. */
const EXIT_MAX_MS = 1_000;
const TRY_EVERY_MS = 10;
const NEWLINE = 0x0a;

export interface LogStream {
  /** Takes a line with its newline. */
  write(line: string): void;
  /** Writes what is left, and drops what cannot be written; waits a second for a full pipe. */
  flushSync(): void;
}

const open = new Set<LogStream>();
const flushAll = () => {
  for (const stream of open) stream.flushSync();
};

/**
 * The file descriptor `fd` as a stream of lines, written without waiting: a reader of the log that falls
 * behind must not hold up requests. Lines that cannot be written, as on a full disk, are dropped, and
 * `onLost` is told how many once others are written again. What is left is written when the process exits.
 * Errors: none; a log is not worth the process that writes it.
 */
export function openLogStream(fd: number, onLost: (lines: number) => void): LogStream {
  let waiting = '';
  let batch: Buffer = Buffer.alloc(0);
  let isWriting = false;
  let timer: NodeJS.Timeout | undefined;
  let lost = 0;
  let lastByte = NEWLINE;

  /** Whether there is something to write, which is then in `batch`. */
  function take(): boolean {
    if (batch.length === 0 && waiting !== '') {
      // A line that was cut by the end of the disk ends before the next begins.
      batch = Buffer.from(lastByte === NEWLINE ? waiting : `\n${waiting}`);
      waiting = '';
    }
    return batch.length > 0;
  }

  function settle(error: NodeJS.ErrnoException | null, written: number): void {
    if (error !== null) {
      if (error.code === 'EAGAIN') return;
      for (const byte of batch) if (byte === NEWLINE) lost += 1;
      batch = batch.subarray(batch.length);
      return;
    }
    lastByte = batch[written - 1] ?? lastByte;
    batch = batch.subarray(written);
    if (batch.length > 0 || lost === 0) return;
    const lines = lost;
    lost = 0;
    onLost(lines);
  }

  const later = () => void (timer ??= setTimeout(flush, DELAY_MS).unref());

  function flush(): void {
    clearTimeout(timer);
    timer = undefined;
    if (isWriting || !take()) return;
    isWriting = true;
    const sent = batch;
    write(fd, sent, (error, written) => {
      isWriting = false;
      if (batch === sent) settle(error, written);
      if (error === null) flush();
      else later();
    });
  }

  const stream: LogStream = {
    write(line) {
      if (waiting.length > WAITING_CHARS_MAX) {
        lost += 1;
        return;
      }
      waiting += line;
      if (waiting.length >= BATCH_CHARS) flush();
      else later();
    },
    flushSync() {
      const until = performance.now() + EXIT_MAX_MS;
      // What is being written is written to its end by a thread of its own.
      if (isWriting) batch = Buffer.alloc(0);
      while (take()) {
        try {
          settle(null, writeSync(fd, batch));
        } catch (error) {
          const isLate = performance.now() > until;
          settle(isLate ? new Error('late') : (error as NodeJS.ErrnoException), 0);
          if (batch.length > 0) Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, TRY_EVERY_MS);
        }
      }
    },
  };
  if (open.size === 0) process.once('exit', flushAll);
  open.add(stream);
  return stream;
}
