import { DomainError } from '@platform/error-contracts';
import type { AnalysisProgress, AnalysisReply, AnalysisTask } from './analysis-task.ts';
import { createWorkerPool, QueueFull, WorkerDied } from './worker-pool.ts';

export interface AnalysisPool {
  /**
   * The JSON text of the InvestigationResult (or InvestigationSummary) for the JSON text of an InvestigationInput. `body` is
   * transferred: it is empty afterwards. Throws DomainError: `unprocessable` naming every problem, `unavailable` when too
   * many wait, `payload_too_large` when the analysis needs more memory than a worker has, `internal` when the engine
   * fails; or the signal's reason.
   */
  analyze(
    body: Uint8Array<ArrayBuffer>,
    options: { now: Date; signal: AbortSignal; onProgress?: (progress: AnalysisProgress) => void },
  ): Promise<Uint8Array<ArrayBuffer>>;
  queueLength(): number;
  close(): Promise<void>;
}

/** When a full queue is worth another try. Seconds. */
const RETRY_AFTER_SECONDS = 2;

/** Where the build puts the worker: beside the bundle that this file becomes part of. */
const WORKER_FILE = new URL('./worker.js', import.meta.url);

/** Threads that parse, validate, analyse and write, so that the request thread never holds a large value. */
export function createAnalysisPool(options: {
  threads: number;
  queueMax: number;
  memoryMiBMax: number;
  file?: URL;
}): AnalysisPool {
  const pool = createWorkerPool<AnalysisTask, AnalysisReply, AnalysisProgress>({
    file: WORKER_FILE,
    ...options,
  });
  return {
    async analyze(body, { now, signal, onProgress }) {
      const task = { body, nowMs: now.getTime(), wantsProgress: onProgress !== undefined };
      let reply: AnalysisReply;
      try {
        reply = await pool.run(task, { signal, transfer: [body.buffer], onEvent: onProgress });
      } catch (error) {
        throw toAnalysisError(error);
      }
      if ('problem' in reply) throw new DomainError('unprocessable', reply.problem);
      return reply.result;
    },
    queueLength: () => pool.queueLength(),
    close: () => pool.close(),
  };
}

function toAnalysisError(error: unknown): unknown {
  if (error instanceof QueueFull) {
    return new DomainError('unavailable', 'too many investigations are waiting, try again later', {
      retryAfterSeconds: RETRY_AFTER_SECONDS,
    });
  }
  if (error instanceof WorkerDied) {
    const cause = error.cause as NodeJS.ErrnoException | undefined;
    if (cause?.code === 'ERR_WORKER_OUT_OF_MEMORY') {
      return new DomainError(
        'payload_too_large',
        'the investigation needs more memory than one analysis may use',
        {
          cause: error,
        },
      );
    }
    return new DomainError('internal', 'the engine failed', { cause: error });
  }
  return error;
}
