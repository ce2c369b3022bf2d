import { setTimeout as sleep } from 'node:timers/promises';
import { expect } from '@jest/globals';
import { STEP_MS_MAX } from './chromium.ts';

type Matchers<T> = Omit<ReturnType<typeof expect<T>>, 'not' | 'resolves' | 'rejects'>;
type Waiting<T> = {
  readonly [Name in keyof Matchers<T>]: (...args: Parameters<Matchers<T>[Name]>) => Promise<T>;
};
export type Eventually<T> = Waiting<T> & { readonly not: Waiting<T> };

export interface Patience {
  /** Longest to wait, in milliseconds of `now`. By default as long as a step of a browser may take. */
  readonly limitMs?: number;
  readonly now?: () => number;
}

const PAUSE_MS = 20;

/**
 * jest's matchers of a value that an action changes later: reads until the matcher passes, and resolves to
 * the value that passed. Rejects with what the matcher says about the last value read when none passed within
 * `limitMs`, and at once with the error of a `read` that failed.
 *
 *     await eventually(() => page.getByLabel('Filter').inputValue()).toBe('The Herald');
 */
export function eventually<T>(read: () => T | Promise<T>, patience: Patience = {}): Eventually<T> {
  // A failure points to the line of the test, not to the loop below.
  const caller = new Error();
  Error.captureStackTrace(caller, eventually);
  const matchers = (isNot: boolean) =>
    new Proxy({} as Waiting<T>, {
      get: (_, name) =>
        name === 'not'
          ? matchers(true)
          : (...args: unknown[]) => untilPassed(read, matcherNamed(name, isNot, args), caller, patience),
    });
  return matchers(false) as Eventually<T>;
}

function matcherNamed(name: string | symbol, isNot: boolean, args: unknown[]) {
  return (value: unknown) => {
    const matchers = isNot ? expect(value).not : expect(value);
    (matchers as unknown as Record<string | symbol, (...given: unknown[]) => void>)[name]!(...args);
  };
}

async function untilPassed<T>(
  read: () => T | Promise<T>,
  check: (value: T) => void,
  caller: Error,
  { limitMs = STEP_MS_MAX, now = () => performance.now() }: Patience,
): Promise<T> {
  const end = now() + limitMs;
  for (;;) {
    const value = await read();
    try {
      check(value);
      return value;
    } catch (error) {
      if (now() >= end) throw pointingTo(caller, error as Error);
    }
    await sleep(PAUSE_MS);
  }
}

function pointingTo(caller: Error, error: Error): Error {
  error.stack = `${error.name}: ${error.message}\n${caller.stack!.split('\n').slice(1).join('\n')}`;
  return error;
}
