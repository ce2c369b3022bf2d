import { useEffect, useState } from 'preact/hooks';
import { useApi } from '../browser/api-context.ts';
import { explainJudged, loadJudged, loadRest, type Judged, type Reasons } from './load-judged.ts';

/**
 * The last judgement of a session, read again whenever it was judged; its reasons, the judgement before it
 * and the hashes follow when they are worked out.
 */
export function useJudged(
  sessionId: string,
  judgedAt: string | null,
): {
  judged: Judged | null;
  reasons: (Reasons & Partial<Judged>) | null;
  error: unknown;
  reload: () => void;
} {
  const api = useApi();
  const [judged, setJudged] = useState<Judged | null>(null);
  const [reasons, setReasons] = useState<(Reasons & Partial<Judged>) | null>(null);
  const [error, setError] = useState<unknown>(null);
  const [attempt, setAttempt] = useState(0);
  useEffect(() => {
    if (judgedAt === null) return undefined;
    const stop = new AbortController();
    const load = async () => {
      try {
        setError(null);
        setReasons(null);
        const next = await loadJudged(api, sessionId, stop.signal);
        setJudged(next);
        const [reasoned, rest] = await Promise.all([
          explainJudged(next, stop.signal),
          loadRest(api, sessionId, next, stop.signal),
        ]);
        setReasons({ ...reasoned, ...rest });
      } catch (failure) {
        if (!stop.signal.aborted) setError(failure);
      }
    };
    void load();
    return () => stop.abort();
  }, [judgedAt, attempt]);
  return { judged, reasons, error, reload: () => setAttempt(attempt + 1) };
}
