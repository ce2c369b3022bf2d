import { DomainError, RETRY_AFTER_SECONDS } from '@platform/error-contracts';

/** Longest that a batch may take; then its callers are refused. Milliseconds. */
const BATCH_MAX_MS = 4_000;
/** How long a batch keeps the next one waiting: what it waits for may never come. Milliseconds. */
const NEXT_AFTER_MS = 500;

interface BatchTimes {
  readonly batchMaxMs?: number;
  readonly nextAfterMs?: number;
}

/**
 * Turns look-ups of one key each into look-ups of many: keys that come while a batch is on its way wait for
 * the next one. So each value is read after it was asked for, nothing is remembered, and under load one
 * statement serves many requests. Resolves to null for a key that the batch did not find; rejects for every
 * waiting key when a batch fails, or with `unavailable` when it takes longer than `batchMaxMs`. A batch that
 * takes long keeps nobody else waiting.
 */
export function createBatchLoader<T>(
  loadMany: (keys: string[]) => Promise<ReadonlyMap<string, T>>,
  { batchMaxMs = BATCH_MAX_MS, nextAfterMs = NEXT_AFTER_MS }: BatchTimes = {},
): (key: string) => Promise<T | null> {
  interface Waiting {
    readonly promise: Promise<T | null>;
    readonly resolve: (value: T | null) => void;
    readonly reject: (error: unknown) => void;
  }
  let waiting = new Map<string, Waiting>();
  let isLoading = false;

  async function loadBatch(batch: ReadonlyMap<string, Waiting>): Promise<void> {
    try {
      const found = await within(batchMaxMs, loadMany([...batch.keys()]));
      for (const [key, { resolve }] of batch) resolve(found.get(key) ?? null);
    } catch (error) {
      for (const { reject } of batch.values()) reject(error);
    }
  }

  async function loadWaiting(): Promise<void> {
    isLoading = true;
    while (waiting.size > 0) {
      const batch = waiting;
      waiting = new Map();
      // Timers without an AbortController, whose error would cost more than the rest of a small batch.
      await new Promise<void>((resolve) => {
        const enough = setTimeout(resolve, nextAfterMs);
        void loadBatch(batch).then(() => {
          clearTimeout(enough);
          resolve();
        });
      });
    }
    isLoading = false;
  }

  return (key) => {
    let entry = waiting.get(key);
    if (entry === undefined) {
      let settle!: Pick<Waiting, 'resolve' | 'reject'>;
      const promise = new Promise<T | null>((resolve, reject) => (settle = { resolve, reject }));
      entry = { promise, ...settle };
      waiting.set(key, entry);
      if (!isLoading) void loadWaiting();
    }
    return entry.promise;
  };
}

function within<T>(maxMs: number, work: Promise<T>): Promise<T> {
  return new Promise((resolve, reject) => {
    const timer = setTimeout(() => {
      const options = { retryAfterSeconds: RETRY_AFTER_SECONDS.dependency };
      reject(new DomainError('unavailable', 'the database does not respond, try again', options));
    }, maxMs);
    work.then(resolve, reject).finally(() => clearTimeout(timer));
  });
}
