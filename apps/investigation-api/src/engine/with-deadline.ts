import { DomainError } from '@platform/error-contracts';

/**
 * Runs `work` with a signal that is aborted when the outer one is, with its reason, or after `timeoutMs` with
 * DomainError `deadline_exceeded`.
 */
export async function withDeadline<T>(
  timeoutMs: number,
  outer: AbortSignal,
  work: (signal: AbortSignal) => Promise<T>,
): Promise<T> {
  const stop = new AbortController();
  const onGone = () => stop.abort(outer.reason);
  outer.addEventListener('abort', onGone, { once: true });
  if (outer.aborted) onGone();
  const timer = setTimeout(() => {
    stop.abort(new DomainError('deadline_exceeded', `the investigation took longer than ${timeoutMs} ms`));
  }, timeoutMs);
  try {
    return await work(stop.signal);
  } finally {
    clearTimeout(timer);
    outer.removeEventListener('abort', onGone);
  }
}
