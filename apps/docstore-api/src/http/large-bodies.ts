import type { ServerResponse } from 'node:http';
import { DomainError, RETRY_AFTER_SECONDS } from '@platform/error-contracts';
import { createFairLimit, QueueFull, WaitedTooLong } from '@platform/worker-pool';
import { MiB } from '../rules/limits.ts';

/** A body is small up to this length: small ones never wait. Bytes. */
const SMALL_BODY_BYTES = 1 * MiB;
/** More than this many large bodies find no room among the uploads. */
const WAITING_MAX = 1_000;

/** Large bodies and responses are worked on a few at a time; owners take turns. */
export interface LargeBodies {
  /**
   * Runs `work` on a body of `length` bytes once it is its turn. Errors: `unavailable` after the longest
   * wait, `invalid_argument` for a client that disconnected, those of the work.
   */
  run<T>(res: ServerResponse, length: number, owner: string, work: () => Promise<T>): Promise<T>;
  /**
   * Resolves when it is the turn of a request of `owner`, to what must be called once its work has ended.
   * Errors: as `run`, but for those of the work.
   */
  enter(res: ServerResponse, owner: string): Promise<() => void>;
  /** Large bodies worked on, and those that wait. */
  load(): { readonly inUse: number; readonly waiting: number };
}

/**
 * `concurrency` large bodies are worked on at a time, of one owner at most `inServiceMax` (default: all).
 * Each waits at most `waitMaxMs` milliseconds.
 */
export function createLargeBodies(options: {
  concurrency: number;
  waitMaxMs: number;
  inServiceMax?: number;
}): LargeBodies {
  const limit = createFairLimit({ ...options, waitingMax: WAITING_MAX });
  async function enter(res: ServerResponse, owner: string): Promise<() => void> {
    const gone = new AbortController();
    const onClose = () =>
      gone.abort(new DomainError('invalid_argument', 'the client disconnected before its turn'));
    res.once('close', onClose);
    const leave = await limit.enter(owner, gone.signal).catch((error: unknown) => {
      if (!(error instanceof QueueFull || error instanceof WaitedTooLong)) throw error;
      throw new DomainError('unavailable', 'too many large requests at once', {
        retryAfterSeconds: RETRY_AFTER_SECONDS.queue,
      });
    });
    res.off('close', onClose);
    return leave;
  }

  return {
    async run(res, length, owner, work) {
      if (length <= SMALL_BODY_BYTES) return work();
      const leave = await enter(res, owner);
      return work().finally(leave);
    },
    enter,
    load: () => limit.load(),
  };
}
