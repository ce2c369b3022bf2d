import { useEffect, useState } from 'preact/hooks';
import { sessionPath } from '../api/api.ts';
import { ApiError } from '../api/api-error.ts';
import type { Session, Share } from '../api/wire.ts';
import { useApi } from '../browser/api-context.ts';

/** The share of a session: undefined until it is known, null where there is none. */
export interface KnownShare {
  readonly share: Share | null | undefined;
  readonly setShare: (share: Share) => void;
  readonly error: unknown;
  readonly reload: () => void;
}

/** The share of a session once that is judged, for those who may publish it. */
export function useShare(session: Session, mayPublish: boolean): KnownShare {
  const { session_id: sessionId, judged_at: judgedAt, has_share: hasShare } = session;
  const api = useApi();
  const [share, setShare] = useState<Share | null>();
  const [error, setError] = useState<unknown>(null);
  const [attempt, setAttempt] = useState(0);
  const isShown = mayPublish && judgedAt !== null;
  useEffect(() => {
    if (!isShown || share !== undefined) return undefined;
    const stop = new AbortController();
    setError(null);
    const { signal } = stop;
    // To ask for one that is not there would be an error in the console of the browser.
    const asked = hasShare
      ? api<Share>('GET', sessionPath(sessionId, 'share'), { signal })
      : Promise.resolve(null);
    asked.then(setShare, (failure: unknown) => {
      if (signal.aborted) return;
      if (failure instanceof ApiError && failure.status === 404) setShare(null);
      else setError(failure);
    });
    return () => stop.abort();
  }, [isShown, attempt]);
  return { share, setShare, error, reload: () => setAttempt(attempt + 1) };
}
