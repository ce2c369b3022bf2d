/**
 * Turns look-ups of one key each into look-ups of many: keys asked for while a batch is on its way wait for the next one.
 * So each answer is read after it was asked for, nothing is remembered, and under load one statement serves many requests.
 * Resolves to null for a key that the batch did not find; rejects for every waiting key when a batch fails.
 */
export function createBatchLoader<T>(
  loadMany: (keys: string[]) => Promise<ReadonlyMap<string, T>>,
): (key: string) => Promise<T | null> {
  interface Waiting {
    readonly promise: Promise<T | null>;
    readonly resolve: (value: T | null) => void;
    readonly reject: (error: unknown) => void;
  }
  let waiting = new Map<string, Waiting>();
  let isLoading = false;

  async function loadWaiting(): Promise<void> {
    isLoading = true;
    while (waiting.size > 0) {
      const batch = waiting;
      waiting = new Map();
      try {
        const found = await loadMany([...batch.keys()]);
        for (const [key, { resolve }] of batch) resolve(found.get(key) ?? null);
      } catch (error) {
        for (const { reject } of batch.values()) reject(error);
      }
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
