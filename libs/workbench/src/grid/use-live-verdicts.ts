import { useEffect, useRef, useState } from 'preact/hooks';
import type { InvestigationInput, SubjectResult } from '@platform/opinion-fusion';
import type { Problem } from '../api/problems.ts';
import { judgeable } from './desk.ts';

/** What the engine says about the investigation as it stands on the screen. */
export interface LiveJudgement {
  readonly verdicts: readonly SubjectResult[];
  /** What keeps it from being judged. */
  readonly problems: readonly Problem[];
}

/**
 * Judges the investigation whenever it changes, in a thread of its own; of changes that come while it judges,
 * the last alone is judged next. Null until the first is done.
 */
export function useLiveVerdicts(
  payload: InvestigationInput,
  isShown: boolean,
): { readonly live: LiveJudgement | null; readonly isJudging: boolean } {
  const [live, setLive] = useState<LiveJudgement | null>(null);
  const [isJudging, setJudging] = useState(false);
  const worker = useRef<Worker | null>(null);
  const wanted = useRef<InvestigationInput | null>(null);
  const isBusy = useRef(false);

  function next(): void {
    if (wanted.current === null || isBusy.current) return;
    const input = judgeable(wanted.current);
    wanted.current = null;
    isBusy.current = true;
    worker.current ??= start();
    worker.current.postMessage({ input, judgeAt: new Date().toISOString() });
  }

  function start(): Worker {
    const thread = new Worker(document.getElementById('app')!.dataset['reasoning']!);
    const done = () => {
      isBusy.current = false;
      setJudging(wanted.current !== null);
      next();
    };
    thread.addEventListener('message', ({ data }: MessageEvent<LiveJudgement>) => {
      setLive(data);
      done();
    });
    // The last verdicts stay; the next edit starts another thread.
    thread.addEventListener('error', () => {
      thread.terminate();
      worker.current = null;
      done();
    });
    return thread;
  }

  useEffect(() => {
    if (!isShown) return;
    wanted.current = payload;
    setJudging(true);
    next();
  }, [payload, isShown]);
  useEffect(() => () => worker.current?.terminate(), []);
  return { live, isJudging };
}
