import { refuseBeyondText } from '../wire/json-bytes.ts';
import type { JudgeTask } from './analysis-task.ts';
import type { AnalysisPool, WorkOptions } from './analysis-pool.ts';
import { withDeadline } from './with-deadline.ts';

/**
 * Judges what a session holds: the result in the form that was asked for, the quotes to be looked up, and the
 * judgement to be kept, whose `quotes` are the caller's to add. Throws as `AnalysisPool.judge`, and
 * `deadline_exceeded` after `analysisTimeoutMs`.
 */
export async function judgeSession(
  deps: {
    readonly analysis: AnalysisPool;
    readonly now: () => Date;
    readonly newId: () => string;
    readonly config: { readonly analysisTimeoutMs: number };
  },
  task: Pick<JudgeTask, 'sessionId' | 'payload' | 'summaryMode' | 'part' | 'presentation'>,
  options: WorkOptions,
) {
  const judgedAt = deps.now();
  const startedAt = performance.now();
  const { result, kept, quotes } = await withDeadline(
    deps.config.analysisTimeoutMs,
    options.signal,
    (signal) => deps.analysis.judge(task, { ...options, now: judgedAt, signal }),
  );
  const durationMs = Math.round(performance.now() - startedAt);
  const { resultBytes, ...texts } = kept;
  refuseBeyondText({ length: resultBytes });
  return { result, quotes, judgement: { id: deps.newId(), judgedAt, durationMs, ...texts } };
}
