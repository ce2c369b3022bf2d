/**
 * Loaded into a service by `--import`: appends to the file LOOP_WATCH_FILE, one line each, how many
 * milliseconds of the processor the main thread used between two turns of its event loop, where that is over
 * 20. What other processes take of the processor is not in it: the kernel counts per thread. Where it does
 * not, the time by the clock stands for it. Worker threads load this too, and are not watched: a tick of
 * theirs that is late says nothing about the main thread.
 */
import { appendFileSync, readFileSync } from 'node:fs';
import { isMainThread } from 'node:worker_threads';

const TICK_MS = 5;
const NOTABLE_MS = 20;
const statistics = `/proc/self/task/${process.pid}/schedstat`;

function usedMs() {
  try {
    return Number(readFileSync(statistics, 'utf8').split(' ')[0]) / 1e6;
  } catch {
    return performance.now();
  }
}

if (isMainThread) {
  let last = usedMs();
  setInterval(() => {
    const now = usedMs();
    if (now - last > NOTABLE_MS) appendFileSync(process.env.LOOP_WATCH_FILE, `${now - last}\n`);
    last = usedMs();
  }, TICK_MS).unref();
}
