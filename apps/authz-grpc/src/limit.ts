/** Runs work a few at a time; those who wait are served in turn, and of one owner first come, first served. */
export type Limit = <T>(work: () => Promise<T>, owner?: string) => Promise<T>;

/**
 * Runs at most `atOnce` works; `waitingMax` more wait their turn, `waitingMaxEach` of one owner, and no longer than
 * `waitMs`. `tooMany` makes the error of a work that finds no place, `tooLong` of one whose turn did not come in time.
 */
export function createLimit(options: {
  readonly atOnce: number;
  readonly waitingMax: number;
  readonly waitingMaxEach?: number;
  readonly waitMs?: number;
  readonly tooMany: () => Error;
  readonly tooLong?: () => Error;
}): Limit {
  const { atOnce, waitingMax, waitingMaxEach = waitingMax, waitMs, tooMany, tooLong = tooMany } = options;
  let running = 0;
  let waitingCount = 0;
  /** The starts of the works that wait by their owner, in the order in which the owners have their turn. */
  const waiting = new Map<string, Set<() => void>>();

  function leave(owner: string, start: () => void): void {
    const own = waiting.get(owner);
    if (own?.delete(start) !== true) return;
    waitingCount -= 1;
    if (own.size === 0) waiting.delete(owner);
  }

  function turn(owner: string): Promise<void> {
    return new Promise((resolve, reject) => {
      const timer =
        waitMs === undefined
          ? undefined
          : setTimeout(() => {
              leave(owner, start);
              reject(tooLong());
            }, waitMs);
      const start = () => {
        leave(owner, start);
        clearTimeout(timer);
        resolve();
      };
      const own = waiting.get(owner) ?? new Set();
      waiting.set(owner, own.add(start));
      waitingCount += 1;
    });
  }

  function startNext(served: string): void {
    const own = waiting.get(served);
    if (own !== undefined) {
      // To the end of the row.
      waiting.delete(served);
      waiting.set(served, own);
    }
    const [first] = waiting.values();
    const [start] = first ?? [];
    if (start === undefined) running -= 1;
    else start();
  }

  return async (work, owner = '') => {
    if (running < atOnce) running += 1;
    else if (waitingCount >= waitingMax || (waiting.get(owner)?.size ?? 0) >= waitingMaxEach) throw tooMany();
    else await turn(owner);
    try {
      return await work();
    } finally {
      // The place goes to one who waits, so that nobody who comes just now takes it.
      startNext(owner);
    }
  };
}
