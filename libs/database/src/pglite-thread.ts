import { parentPort, workerData } from 'node:worker_threads';
import { hostPglite } from './pglite-host.ts';

/** The thread of an embedded database. `workerData` is its folder, null for one in memory. */
await hostPglite(parentPort!, workerData as string | null);
