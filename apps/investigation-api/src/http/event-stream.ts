import { once } from 'node:events';
import { setTimeout as sleep } from 'node:timers/promises';
import type { Response } from 'express';

/** A receiver that takes nothing for as long is given up. Milliseconds. */
const STALLED_MS = 30_000;
/** Headers of a stream of server-sent events. */
export const EVENT_STREAM_HEADERS = {
  'Content-Type': 'text/event-stream; charset=utf-8',
  'Cache-Control': 'no-store',
  // For proxies that would gather what belongs to one moment.
  'X-Accel-Buffering': 'no',
};

/** Waits for a call of what `listen` is given, at most until a time of `performance.now`. */
export function until(listen: (resolve: () => void) => void, time: number): Promise<void> {
  return new Promise((resolve) => {
    const timer = setTimeout(resolve, Math.max(0, time - performance.now()));
    listen(() => {
      clearTimeout(timer);
      resolve();
    });
  });
}

/** Resolves once there is room for more; a receiver that takes nothing is cut off. */
export async function writeEvents(res: Response, text: string, signal: AbortSignal): Promise<void> {
  if (res.write(text) || signal.aborted) return;
  const drained = new AbortController();
  const either = AbortSignal.any([signal, drained.signal]);
  await Promise.race([
    once(res, 'drain', { signal: either }).catch(() => undefined),
    sleep(STALLED_MS, undefined, { signal: either })
      .then(() => res.destroy())
      .catch(() => undefined),
  ]);
  drained.abort();
}
