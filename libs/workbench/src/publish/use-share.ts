import { useEffect, useState } from 'preact/hooks';
import { sessionPath } from '../api/api.ts';
import { ApiError } from '../api/api-error.ts';
import type { ListedShare, Share } from '../api/wire.ts';
import { useApi } from '../browser/api-context.ts';

/** The share of a session: undefined until it is known, null where there is none. */
export interface KnownShare {
  readonly share: Share | null | undefined;
  readonly setShare: (share: Share) => void;
  readonly error: unknown;
  readonly reload: () => void;
}

/** The share of a session once that is judged. */
export function useShare(sessionId: string, judgedAt: string | null, isOwner: boolean): KnownShare {
  const api = useApi();
  const [share, setShare] = useState<Share | null>();
  const [error, setError] = useState<unknown>(null);
  const [attempt, setAttempt] = useState(0);
  const isJudged = judgedAt !== null;
  useEffect(() => {
    if (!isJudged || share !== undefined) return undefined;
    const stop = new AbortController();
    setError(null);
    const { signal } = stop;
    // The list of one's own shares says without an error that there is none.
    const asked = isOwner
      ? api<readonly (Share & ListedShare)[]>('GET', '/shares', { signal }).then(
          (shares) => shares.find(({ session_id }) => session_id === sessionId) ?? null,
        )
      : api<Share>('GET', sessionPath(sessionId, 'share'), { signal });
    asked.then(setShare, (failure: unknown) => {
      if (signal.aborted) return;
      if (failure instanceof ApiError && failure.status === 404) setShare(null);
      else setError(failure);
    });
    return () => stop.abort();
  }, [isJudged, attempt]);
  return { share, setShare, error, reload: () => setAttempt(attempt + 1) };
}
