import { useEffect, useRef, useState } from 'preact/hooks';
import type { JudgementMeta } from '@platform/viewer/browser';
import { sessionPath } from '../api/api.ts';
import { ApiError } from '../api/api-error.ts';
import type { Problem } from '../api/problems.ts';
import { useApi } from '../browser/api-context.ts';
import { focusIfLost } from '../browser/focus.ts';
import { hasUnsaved } from '../browser/unsaved.ts';
import { Failure } from '../components/failure.tsx';

interface Props {
  readonly sessionId: string;
  /** When it was judged last, null for never. */
  readonly judgedAt: string | null;
  /** Saves what is edited and not saved yet. */
  readonly save: () => Promise<void>;
  /** Called as judging begins. */
  readonly begun: () => void;
  /** Called with when it was judged. */
  readonly judged: (judgedAt: string) => void;
  /** Called with what keeps the session from being judged. */
  readonly refused: (problems: readonly Problem[]) => void;
}

/** Id of the button. */
export const JUDGE_BUTTON = 'judge';

/** Judges the stored session, shows the time elapsed, and can be stopped. */
export function JudgeButton({ sessionId, judgedAt, save, begun, judged, refused }: Props) {
  const api = useApi();
  const [running, setRunning] = useState<AbortController | null>(null);
  const [error, setError] = useState<unknown>(null);
  const [said, setSaid] = useState('');
  const isGone = useRef(false);
  useEffect(() => {
    // The button that began it has made place for another.
    if (running === null) focusIfLost(JUDGE_BUTTON);
    return () => running?.abort();
  }, [running]);
  useEffect(() => () => void (isGone.current = true), []);

  async function judge(): Promise<void> {
    await save();
    if (hasUnsaved() && !confirm('What you have not saved is not judged. Judge without it?')) return;
    const stop = new AbortController();
    setRunning(stop);
    begun();
    setError(null);
    setSaid('');
    try {
      await api('POST', sessionPath(sessionId, 'judge'), { body: {}, signal: stop.signal });
      const [latest] = await api<JudgementMeta[]>('GET', sessionPath(sessionId, 'judgements'), {
        signal: stop.signal,
      });
      setRunning(null);
      setSaid('Judged.');
      judged(latest!.judged_at);
    } catch (failure) {
      setRunning(null);
      if (stop.signal.aborted) return afterStop();
      setError(failure);
      if (failure instanceof ApiError && failure.problems.length > 0) refused(failure.problems);
    }
  }

  /** What became of judging that was stopped: the service may have been done before the word reached it. */
  async function afterStop(): Promise<void> {
    if (isGone.current) return;
    try {
      const [latest] = await api<JudgementMeta[]>('GET', sessionPath(sessionId, 'judgements'));
      if (isGone.current) return;
      if (latest === undefined || latest.judged_at === judgedAt) return setSaid('Stopped. Nothing was kept.');
      setSaid('Stopped too late: it had been judged.');
      judged(latest.judged_at);
    } catch {
      setSaid('Stopped. It may have been judged all the same: load the page again to see.');
    }
  }

  return (
    <div class="judge">
      {running === null ? (
        <button type="button" id={JUDGE_BUTTON} class="primary" onClick={() => void judge()}>
          {judgedAt === null ? 'Judge' : 'Judge again'}
        </button>
      ) : (
        <>
          <Elapsed />
          <button type="button" onClick={() => running.abort()}>
            Stop
          </button>
        </>
      )}
      <span class="visually-hidden" role="status">
        {running ? 'Judging' : said}
      </span>
      {said.startsWith('Stopped') && <span class="faint">{said}</span>}
      <Failure error={error} fields="all" />
    </div>
  );
}

const TICK_MS = 100;

function Elapsed() {
  const start = useRef(performance.now());
  const [seconds, setSeconds] = useState(0);
  useEffect(() => {
    const timer = setInterval(() => setSeconds((performance.now() - start.current) / 1000), TICK_MS);
    return () => clearInterval(timer);
  }, []);
  return (
    <span class="elapsed">
      <progress aria-label="Judging" /> Judging, {seconds.toFixed(1)} s
    </span>
  );
}
