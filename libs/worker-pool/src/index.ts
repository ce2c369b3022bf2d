export { QueueFull, TaskTimedOut, WaitedTooLong, WorkerDied } from './errors.ts';
export { createFairLimit } from './fair-limit.ts';
export type { FairLimit } from './fair-limit.ts';
export { createFairQueue } from './fair-queue.ts';
export type { FairQueue, Waiting } from './fair-queue.ts';
export { createWorkerPool } from './worker-pool.ts';
export type { PoolLoad, PoolOptions, RunOptions, WorkerMessage, WorkerPool } from './worker-pool.ts';
