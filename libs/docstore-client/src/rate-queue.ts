/** Waits between tries, in milliseconds; rejects when the signal is aborted. */
export type Sleep = (ms: number, signal?: AbortSignal) => Promise<void>;

/**
 * Sends requests that the store refuses for their rate one at a time, in the order of their calls: the first
 * waits as long as the store says and is sent again, the others wait behind it. A burst beyond the rate is
 * slowed down and loses nothing.
 */
export class RateQueue {
  readonly #sleep: Sleep;
  readonly #random: () => number;
  #waiting = 0;
  #last: Promise<unknown> = Promise.resolve();

  constructor(sleep: Sleep, random: () => number) {
    this.#sleep = sleep;
    this.#random = random;
  }

  /**
   * The response of `send`, sent again while it is 429 and the store names a wait that ends within
   * `waitMaxMs`, all waits together: a used-up quota of the platform can name weeks.
   */
  async admit(
    send: () => Promise<Response>,
    waitMaxMs: number,
    signal: AbortSignal | undefined,
  ): Promise<Response> {
    let waitedMs = 0;
    const wait = async (refused: Response): Promise<boolean> => {
      const seconds = Number(refused.headers.get('Retry-After')) || 1;
      // The jitter parts clients that were refused together.
      const ms = Math.round(seconds * 1000 * (1 + 0.1 * this.#random()));
      waitedMs += ms;
      if (waitedMs > waitMaxMs) return false;
      await refused.body?.cancel();
      await this.#sleep(ms, signal);
      return true;
    };
    let refused: Response | undefined;
    if (this.#waiting === 0) {
      const response = await send();
      if (response.status !== 429 || waitMaxMs === 0) return response;
      refused = response;
    }
    // Behind other requests, the delay that this request was given has passed by the time it is sent.
    const isFirst = this.#waiting === 0;
    return this.#inTurn(async () => {
      if (refused !== undefined && isFirst) {
        if (!(await wait(refused))) return refused;
      } else await refused?.body?.cancel();
      for (;;) {
        signal?.throwIfAborted();
        const response = await send();
        if (response.status !== 429 || !(await wait(response))) return response;
      }
    });
  }

  async #inTurn<T>(work: () => Promise<T>): Promise<T> {
    this.#waiting++;
    const turn = this.#last.then(work, work);
    this.#last = turn.catch(() => undefined);
    try {
      return await turn;
    } finally {
      this.#waiting--;
    }
  }
}
