import { useEffect, useState } from 'preact/hooks';
import { useApi } from './api-context.ts';

export interface Fetched<Value> {
  /** The last response; null before the first. */
  readonly value: Value | null;
  readonly error: unknown;
  /** Asks again; the value stays until the response is there. */
  readonly reload: () => void;
}

/**
 * What a GET of `path` below /api/v1 responds, asked again when the path or one of `changes` changes. A null
 * path asks for nothing.
 */
export function useFetched<Value>(path: string | null, changes: readonly unknown[] = []): Fetched<Value> {
  const api = useApi();
  const [value, setValue] = useState<Value | null>(null);
  const [error, setError] = useState<unknown>(null);
  const [attempt, setAttempt] = useState(0);
  useEffect(() => {
    if (path === null) return undefined;
    const stop = new AbortController();
    api<Value>('GET', path, { signal: stop.signal }).then(
      (found) => {
        setError(null);
        setValue(found);
      },
      (failure: unknown) => {
        if (!stop.signal.aborted) setError(failure);
      },
    );
    return () => stop.abort();
  }, [path, attempt, ...changes]);
  return { value, error, reload: () => setAttempt((now) => now + 1) };
}
