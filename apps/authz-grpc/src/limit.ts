/** Runs work a few at a time, first come, first served. */
export type Limit = <T>(work: () => Promise<T>) => Promise<T>;

/**
 * Runs at most `atOnce` works; `waitingMax` more wait their turn, and no longer than `waitMs`. `tooMany` makes the error
 * of a work that finds no place, `tooLong` of one whose turn did not come in time.
 */
export function createLimit(options: {
  readonly atOnce: number;
  readonly waitingMax: number;
  readonly waitMs?: number;
  readonly tooMany: () => Error;
  readonly tooLong?: () => Error;
}): Limit {
  const { atOnce, waitingMax, waitMs, tooMany, tooLong = tooMany } = options;
  let running = 0;
  const waiting = new Set<() => void>();

  function turn(): Promise<void> {
    return new Promise((resolve, reject) => {
      const timer =
        waitMs === undefined
          ? undefined
          : setTimeout(() => {
              waiting.delete(start);
              reject(tooLong());
            }, waitMs);
      const start = () => {
        waiting.delete(start);
        clearTimeout(timer);
        resolve();
      };
      waiting.add(start);
    });
  }

  return async (work) => {
    if (running < atOnce) running += 1;
    else if (waiting.size >= waitingMax) throw tooMany();
    else await turn();
    try {
      return await work();
    } finally {
      // The place goes to the one who waits longest, so that nobody who comes just now takes it.
      const [next] = waiting;
      if (next === undefined) running -= 1;
      else next();
    }
  };
}
