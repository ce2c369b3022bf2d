import { DomainError } from '@platform/error-contracts';
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
  /** The bytes of an export. Throws as `read`, but for `unprocessable`. */
  write(task: Omit<WriteFileTask, 'kind'>, work: WorkFor): Promise<Uint8Array<ArrayBuffer>>;
  close(): Promise<void>;
}

const WAITING_MAX = 32;
/** Longest that one file may take; then its thread is ended. */
const TASK_MAX_MS = 20_000;
/**
 * How long a file may hold its thread while another tenant waits; then it gives way and is read again from
 * its start. Everyday files take less.
 */
const SLICE_MS = 2_000;
/** Enough for the longest file that is read; the limit of the container holds the threads that analyze. */
const HEAP_MIB_MAX = 512;
/** A thread is there only while files are read and written. */
const IDLE_MS = 60_000;
const RETRY_AFTER_SECONDS = 2;
const WORKER_FILE = new URL('./interchange-worker.js', import.meta.url);

/**
 * Files come from anywhere, so that threads of their own read them, under bounds of time and memory: what a
 * file does to its reader ends with the thread.
 */
export function createInterchange({
  memoryMiBMax,
  taskMaxMs = TASK_MAX_MS,
  sliceMs = SLICE_MS,
  file = WORKER_FILE,
}: {
  readonly memoryMiBMax: number;
  readonly taskMaxMs?: number;
  readonly sliceMs?: number;
  readonly file?: URL;
}): Interchange {
  const pool = createWorkerPool<InterchangeTask, InterchangeReply>({
    file,
    threads: 2,
    threadsPerOwner: 1,
    queueMax: WAITING_MAX,
    taskMaxMs,
    sliceMs,
    memoryMiBMax: Math.min(memoryMiBMax, HEAP_MIB_MAX),
    idleMs: IDLE_MS,
  });
  const run = (task: InterchangeTask, work: WorkFor) =>
    pool.run(task, work).catch((error: unknown) => {
      throw toDomainError(error);
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
      const reply = await run({ kind: 'write', ...task }, work);
      if ('written' in reply) return reply.written;
      throw new DomainError('internal', 'writing the file failed');
    },
    close: () => pool.close(),
  };
}

function toDomainError(error: unknown): unknown {
  if (error instanceof QueueFull)
    return new DomainError('unavailable', 'too many files are being read and written, try again later', {
      retryAfterSeconds: RETRY_AFTER_SECONDS,
    });
  if (error instanceof TaskTimedOut)
    return new DomainError('deadline_exceeded', 'the file takes too long: send it in parts');
  if (!(error instanceof WorkerDied)) return error;
  return (error.cause as NodeJS.ErrnoException | undefined)?.code === 'ERR_WORKER_OUT_OF_MEMORY'
    ? new DomainError('payload_too_large', 'the file needs more memory than one may use: send it in parts', {
        cause: error,
      })
    : new DomainError('internal', 'the thread that reads and writes files ended', { cause: error });
}
