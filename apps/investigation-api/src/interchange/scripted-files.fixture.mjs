// A worker that replies to a file of `json` with a problem, and never to any other.
import { parentPort } from 'node:worker_threads';

parentPort.on('message', ({ format }) => {
  while (format !== 'json');
  parentPort.postMessage({ reply: { problem: 'read' } });
});
