/** The thread that parses large bodies: started by `createBodyReader`. */
import { parentPort } from 'node:worker_threads';
import { decodeJson, type BodyTask } from './decode-body.ts';

parentPort!.on('message', (task: BodyTask) => parentPort!.postMessage({ reply: decodeJson(task) }));
