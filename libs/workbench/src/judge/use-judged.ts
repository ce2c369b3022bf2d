import { useEffect, useState } from 'preact/hooks';
import { useApi } from '../browser/api-context.ts';
import { explainJudged, loadJudged, type Judged, type Reasons } from './load-judged.ts';

/**
 * The last judgement of a session, read again whenever it was judged; its reasons follow when they are worked
 * out.
 */
export function useJudged(
  sessionId: string,
  judgedAt: string | null,
): { judged: Judged | null; reasons: Reasons | null; error: unknown; reload: () => void } {
  const api = useApi();
  const [judged, setJudged] = useState<Judged | null>(null);
  const [reasons, setReasons] = useState<Reasons | null>(null);
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
        setReasons(await explainJudged(next, stop.signal));
      } catch (failure) {
        if (!stop.signal.aborted) setError(failure);
      }
    };
    void load();
    return () => stop.abort();
  }, [judgedAt, attempt]);
  return { judged, reasons, error, reload: () => setAttempt(attempt + 1) };
}
