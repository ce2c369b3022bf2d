import { DomainError, RETRY_AFTER_SECONDS } from '@platform/error-contracts';
import { createWorkerPool, QueueFull, TaskTimedOut, WaitedTooLong, WorkerDied } from '@platform/worker-pool';
import { KiB } from '../rules/limits.ts';
import { decodeJson, type BodyReply, type BodyTask } from './decode-body.ts';

/** Bodies of more than this are parsed by a thread: the time it takes is for the caller to choose. Bytes. */
const SMALL_BODY_BYTES = 64 * KiB;
const WAITING_MAX = 64;
const WAIT_MAX_MS = 10_000;
const TASK_MAX_MS = 10_000;
const IDLE_MS = 60_000;
/** A body of 8 MiB, as bytes, as text and as a value. */
const MEMORY_MIB_MAX = 128;
/** Where the build puts the thread's code: beside the bundle that this file becomes part of. */
const WORKER_FILE = new URL('./body-worker.js', import.meta.url);

/** Reads JSON bodies, large ones away from the thread that takes requests. */
export interface BodyReader {
  /**
   * The value of a JSON body of at most `valuesMax` keys or list items; owners take turns. Errors:
   * `invalid_argument`; `unavailable` when too many wait.
   */
  read(bytes: Uint8Array, options: { owner: string; valuesMax: number }): Promise<unknown>;
  close(): Promise<void>;
}

/** One thread, started with the first large body. `file` is its code. */
export function createBodyReader(file: URL = WORKER_FILE): BodyReader {
  const pool = createWorkerPool<BodyTask, BodyReply>({
    file,
    threads: 1,
    queueMax: WAITING_MAX,
    waitMaxMs: WAIT_MAX_MS,
    taskMaxMs: TASK_MAX_MS,
    idleMs: IDLE_MS,
    memoryMiBMax: MEMORY_MIB_MAX,
  });

  async function decodeInThread(task: BodyTask, owner: string): Promise<BodyReply> {
    try {
      return await pool.run(task, { owner });
    } catch (error) {
      const isBusy =
        error instanceof QueueFull || error instanceof WaitedTooLong || error instanceof TaskTimedOut;
      const isStopping = error instanceof WorkerDied && error.cause === undefined;
      if (!isBusy && !isStopping) throw error;
      const message = isBusy ? 'too many large uploads at once' : 'the service is stopping';
      throw new DomainError('unavailable', message, {
        retryAfterSeconds: RETRY_AFTER_SECONDS.queue,
        cause: error,
      });
    }
  }

  return {
    async read(bytes, { owner, valuesMax }) {
      const task = { bytes, valuesMax };
      const reply = bytes.length <= SMALL_BODY_BYTES ? decodeJson(task) : await decodeInThread(task, owner);
      if ('problem' in reply) throw new DomainError('invalid_argument', reply.problem);
      return reply.value;
    },
    close: () => pool.close(),
  };
}
