import { setTimeout as sleep } from 'node:timers/promises';

const EVERY_MS = 100;
const PROBE_MAX_MS = 1_000;

/** What `/readyz` of one service said over the run. Times are milliseconds of `performance.now()`. */
export interface ReadinessWatch {
  /** Whether it was seen to fail from `from` until `to`. */
  hasFailed(from: number, to: number): boolean;
  /** When it was first seen ready after `at`; null when it was not yet. */
  readyAgain(at: number): number | null;
  stop(): Promise<void>;
}

/** Asks for `/readyz` ten times a second. `probeUrl` is called each time: a restarted service has another. */
export function watchReadiness(probeUrl: () => string): ReadinessWatch {
  const seen: { readonly at: number; readonly isReady: boolean }[] = [];
  let isStopped = false;
  const watching = (async () => {
    while (!isStopped) {
      const isReady = await fetch(`${probeUrl()}/readyz`, { signal: AbortSignal.timeout(PROBE_MAX_MS) }).then(
        ({ status }) => status === 200,
        () => false,
      );
      seen.push({ at: performance.now(), isReady });
      await sleep(EVERY_MS);
    }
  })();
  return {
    hasFailed: (from, to) => seen.some(({ at, isReady }) => !isReady && at >= from && at <= to),
    readyAgain: (since) => seen.find(({ at, isReady }) => isReady && at >= since)?.at ?? null,
    async stop() {
      isStopped = true;
      await watching;
    },
  };
}
