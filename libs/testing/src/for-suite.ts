import { afterAll, beforeAll } from '@jest/globals';

/** An object that stands for what `read` returns, at the time one of its members is read. */
export function late<T extends object>(read: () => T): T {
  return new Proxy({} as T, {
    get(_, name) {
      const real = read();
      const value: unknown = Reflect.get(real, name);
      return typeof value === 'function' ? (value.bind(real) as unknown) : value;
    },
  });
}

/**
 * What `start` resolves to, for the tests of the file or `describe` around the call: started before them,
 * stopped after them. It may be named at once and used once it has started.
 */
export function forSuite<T extends object>(start: () => Promise<T>, stop: (started: T) => unknown): T {
  let started: T | undefined;
  beforeAll(async () => {
    started = await start();
  });
  afterAll(async () => {
    if (started !== undefined) await stop(started);
  });
  return late(() => {
    if (started === undefined) throw new Error('used before it has started');
    return started;
  });
}
