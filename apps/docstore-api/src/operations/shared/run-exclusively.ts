/** Under each key, what ends once all work that was begun under it has ended. */
const running = new Map<string, Promise<unknown>>();

/**
 * Runs `work` once all work that this process began before under the same key has ended, and returns what it
 * returns. Other processes are not held up: `work` still has to notice what they write.
 */
export async function runExclusively<T>(key: string, work: () => Promise<T>): Promise<T> {
  const result = (running.get(key) ?? Promise.resolve()).then(work);
  const ended = Promise.allSettled([result]);
  running.set(key, ended);
  try {
    return await result;
  } finally {
    if (running.get(key) === ended) running.delete(key);
  }
}
