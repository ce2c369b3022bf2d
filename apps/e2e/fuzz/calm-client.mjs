/**
 * A calm tenant in a thread of its own, so that what makes hostile requests does not delay what measures:
 * sends one small request after another and keeps how long each took. `workerData`: `{ url, init, everyMs }`.
 * The reply to any message is the milliseconds of the requests that ended since the last one.
 */
import { parentPort, workerData } from 'node:worker_threads';

const { url, init, everyMs } = workerData;
let took = [];
parentPort.on('message', () => {
  parentPort.postMessage(took);
  took = [];
});
for (;;) {
  const start = performance.now();
  try {
    await (await fetch(url, init)).arrayBuffer();
    took.push(performance.now() - start);
  } catch {
    took.push(Infinity);
  }
  await new Promise((resolve) => setTimeout(resolve, everyMs));
}
