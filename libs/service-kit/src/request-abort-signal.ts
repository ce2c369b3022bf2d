import type { Response } from 'express';

/** Aborted when the client closes the connection before the response is complete. */
export function requestAbortSignal(res: Response): AbortSignal {
  const gone = new AbortController();
  if (res.destroyed) gone.abort();
  else res.once('close', () => res.writableFinished || gone.abort());
  return gone.signal;
}
