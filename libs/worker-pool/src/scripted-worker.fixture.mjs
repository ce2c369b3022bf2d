// A worker that does what its task says: it replies, hangs, dies or runs out of memory.
import { parentPort, workerData } from 'node:worker_threads';

const { stop } = workerData;
let count = 0;

parentPort.on('message', (script) => {
  count++;
  if (typeof script === 'object') {
    parentPort.postMessage({ event: 'started' });
    while (Atomics.load(script.until, 0) === 0);
    return parentPort.postMessage({ reply: script.reply });
  }
  if (script === 'spin until asked') while (Atomics.load(stop, 0) === 0);
  if (script === 'hang') for (;;);
  if (script === 'throw') throw new Error('scripted failure');
  if (script === 'exit') process.exit(3);
  if (script === 'exhaust memory') {
    const hoard = [];
    for (;;) hoard.push(new Array(1000).fill(hoard.length));
  }
  if (script === 'event') parentPort.postMessage({ event: 'half-way' });
  parentPort.postMessage({ reply: script === 'count' ? String(count) : script });
});
