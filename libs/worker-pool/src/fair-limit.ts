import { createFairQueue } from './fair-queue.ts';
import { QueueFull, WaitedTooLong } from './errors.ts';

/** Admits work a few at a time, fair by owner. */
export interface FairLimit {
  /**
   * Resolves when the work of `owner` may begin, to what must be called once when it has ended. Errors:
   * QueueFull, WaitedTooLong, the signal's reason.
   */
  enter(owner: string, signal?: AbortSignal): Promise<() => void>;
  /** Runs `work` once it is admitted. Errors: those of `enter` and of the work. */
  run<T>(owner: string, work: () => Promise<T>): Promise<T>;
  load(): { readonly inUse: number; readonly waiting: number };
}

/**
 * `concurrency` works run at a time, of one owner at most `inServiceMax` (default: no limit); `waitingMax`
 * more wait, each at most `waitMaxMs` (default: no limit).
 */
export function createFairLimit(options: {
  readonly concurrency: number;
  readonly waitingMax: number;
  readonly waitMaxMs?: number;
  readonly inServiceMax?: number;
}): FairLimit {
  const { concurrency, waitingMax, waitMaxMs, inServiceMax } = options;
  const queue = createFairQueue<{ start(): void; refuse(error: unknown): void }>({
    capacity: waitingMax,
    ...(inServiceMax !== undefined && { inServiceMax }),
  });
  let inUse = 0;

  /** The holder of a place calls this once; the place goes to the next in the queue. */
  function leaveOf(owner: string): () => void {
    let isHeld = true;
    return () => {
      if (!isHeld) return;
      isHeld = false;
      queue.release(owner);
      const next = queue.take();
      if (next === undefined) inUse--;
      else next.item.start();
    };
  }

  function enter(owner: string, signal?: AbortSignal): Promise<() => void> {
    return new Promise((resolve, reject) => {
      if (signal?.aborted) return reject(signal.reason as Error);
      if (inUse < concurrency && queue.serve(owner)) {
        inUse++;
        return resolve(leaveOf(owner));
      }
      let timer: NodeJS.Timeout | undefined;
      const settle = () => {
        clearTimeout(timer);
        signal?.removeEventListener('abort', onAbort);
      };
      const leave = (error: unknown) => {
        if (!queue.remove(owner, entry)) return;
        settle();
        reject(error);
      };
      const onAbort = () => leave(signal?.reason);
      const entry = {
        start() {
          settle();
          resolve(leaveOf(owner));
        },
        refuse(error: unknown) {
          settle();
          reject(error);
        },
      };
      queue.push(owner, entry)?.refuse(new QueueFull('too many wait'));
      if (waitMaxMs !== undefined)
        timer = setTimeout(() => leave(new WaitedTooLong('waited too long')), waitMaxMs);
      signal?.addEventListener('abort', onAbort, { once: true });
    });
  }

  return {
    enter,
    async run(owner, work) {
      const leave = await enter(owner);
      try {
        return await work();
      } finally {
        leave();
      }
    },
    load: () => ({ inUse, waiting: queue.size }),
  };
}
