import { DomainError, RETRY_AFTER_SECONDS } from '@platform/error-contracts';
import type { PdfText } from '@platform/interchange';
import { createWorkerPool, QueueFull, TaskTimedOut, WorkerDied } from '@platform/worker-pool';
import type {
  InterchangeReply,
  InterchangeTask,
  ReadFile,
  ReadFileTask,
  ReadPdfTask,
  WriteFileTask,
} from './interchange-task.ts';

interface WorkFor {
  /** The owner of the work, such as a tenant. The queue is fair by owner. */
  readonly owner: string;
  readonly signal: AbortSignal;
}

/** Reads and writes files of other tools. */
export interface Interchange {
  /**
   * What a file holds. Throws DomainError `unprocessable` saying why it cannot be read, `payload_too_large`
   * where that needs too much memory, `deadline_exceeded`, `unavailable` when too many wait.
   */
  read(task: Omit<ReadFileTask, 'kind'>, work: WorkFor): Promise<ReadFile>;
  /** The text of a PDF file. Throws as `read`. */
  readPdf(task: Omit<ReadPdfTask, 'kind'>, work: WorkFor): Promise<PdfText>;
  /** The bytes of an export, which may take longer. Throws as `read`, but for `unprocessable`. */
  write(task: Omit<WriteFileTask, 'kind'>, work: WorkFor): Promise<Uint8Array<ArrayBuffer>>;
  close(): Promise<void>;
}

const WAITING_MAX = 32;
/** Longest that reading one file may take; then its thread is ended. */
const READ_MAX_MS = 20_000;
/**
 * Longest that writing one may take: what is written was judged in time, so its size is known to be fair, and
 * the caller cannot send less.
 */
const WRITE_MAX_MS = 120_000;
/**
 * How long a file may hold its thread while another tenant waits; then it gives way and is read again from
 * its start. Everyday files take less.
 */
const SLICE_MS = 2_000;
/** Enough for the longest file that is read; the limit of the container holds the threads that analyze. */
const HEAP_MIB_MAX = 512;
/** A thread is there only while files are read and written. */
const IDLE_MS = 60_000;
const WORKER_FILE = new URL('./interchange-worker.js', import.meta.url);

/**
 * Files come from anywhere, so that threads of their own read them, under bounds of time and memory: what a
 * file does to its reader ends with the thread.
 */
export function createInterchange({
  memoryMiBMax,
  readMaxMs = READ_MAX_MS,
  writeMaxMs = WRITE_MAX_MS,
  sliceMs = SLICE_MS,
  file = WORKER_FILE,
}: {
  readonly memoryMiBMax: number;
  readonly readMaxMs?: number;
  readonly writeMaxMs?: number;
  readonly sliceMs?: number;
  readonly file?: URL;
}): Interchange {
  const pool = createWorkerPool<InterchangeTask, InterchangeReply>({
    file,
    threads: 2,
    threadsPerOwner: 1,
    queueMax: WAITING_MAX,
    taskMaxMs: readMaxMs,
    sliceMs,
    memoryMiBMax: Math.min(memoryMiBMax, HEAP_MIB_MAX),
    idleMs: IDLE_MS,
  });
  const run = (task: InterchangeTask, work: WorkFor & { readonly taskMaxMs?: number }) =>
    pool.run(task, work).catch((error: unknown) => {
      throw toDomainError(error, task.kind === 'write' ? SMALLER_EXPORT : SMALLER_FILE);
    });
  return {
    async read(task, work) {
      const reply = await run({ kind: 'read', ...task }, work);
      if ('problem' in reply) throw new DomainError('unprocessable', reply.problem);
      if ('read' in reply) return reply.read;
      throw new DomainError('internal', 'reading the file failed');
    },
    async readPdf(task, work) {
      const reply = await run({ kind: 'pdf', ...task }, work);
      if ('problem' in reply) throw new DomainError('unprocessable', `pdf: ${reply.problem}`);
      if ('pdf' in reply) return reply.pdf;
      throw new DomainError('internal', 'reading the PDF file failed');
    },
    async write(task, work) {
      const reply = await run({ kind: 'write', ...task }, { ...work, taskMaxMs: writeMaxMs });
      if ('written' in reply) return reply.written;
      throw new DomainError('internal', 'writing the file failed');
    },
    close: () => pool.close(),
  };
}

const SMALLER_FILE = 'send it in parts';
const SMALLER_EXPORT = 'try again later, or ask for `json`, which takes the least';

function toDomainError(error: unknown, remedy: string): unknown {
  if (error instanceof QueueFull)
    return new DomainError('unavailable', 'too many files are being read and written, try again later', {
      retryAfterSeconds: RETRY_AFTER_SECONDS.longQueue,
    });
  if (error instanceof TaskTimedOut)
    return new DomainError('deadline_exceeded', `the file takes too long: ${remedy}`);
  if (!(error instanceof WorkerDied)) return error;
  return (error.cause as NodeJS.ErrnoException | undefined)?.code === 'ERR_WORKER_OUT_OF_MEMORY'
    ? new DomainError('payload_too_large', `the file needs more memory than one may use: ${remedy}`, {
        cause: error,
      })
    : new DomainError('internal', 'the thread that reads and writes files ended', { cause: error });
}
