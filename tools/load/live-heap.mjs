/**
 * Imported into a service before its own code (`NODE_OPTIONS=--import`), in each of its threads: collects all
 * garbage now and then and appends what is left to LIVE_HEAP_FILE, a line `thread minutes MiB` each. What is
 * left and grows is a leak; resident memory also grows as V8 puts its collections off.
 */
import { appendFileSync } from 'node:fs';
import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import { threadId } from 'node:worker_threads';

const INTERVAL_MS = 10_000;
const MIB = 1024 * 1024;

const file = process.env.LIVE_HEAP_FILE;
setFlagsFromString('--expose-gc');
const collect = runInNewContext('gc');
const start = performance.now();

setInterval(() => {
  collect();
  const { heapUsed, external } = process.memoryUsage();
  const minutes = (performance.now() - start) / 60_000;
  appendFileSync(file, `${threadId} ${minutes} ${(heapUsed + external) / MIB}\n`);
}, INTERVAL_MS).unref();
