import type { z } from 'zod';
import { jsonObject, JsonPart } from './json-bytes.ts';
import type { Operation } from './operation.ts';
import { noSession, openSession } from './session-access.ts';
import type { JudgeResponse } from './session-schema.ts';
import { withDeadline } from './with-deadline.ts';

/**
 * Judges a session as it stands and keeps the judgement: the input as judged, the full result, and when. A compact result is
 * a form of the response and is not kept. Throws `unprocessable`
 * when the investigation cannot be judged, `deadline_exceeded`, `payload_too_large`, `unavailable`, `internal`; then
 * nothing is kept.
 */
export const judgeSession: Operation<z.output<typeof JudgeResponse>> = async (
  deps,
  input,
  caller,
  options,
) => {
  const { session_id, summary_mode } = await deps.inputs.read('judge_session', input);
  const { ref } = await openSession(deps, caller, session_id, 'judge');
  const payload = await deps.sessions.readPayload(ref);
  if (payload === null) throw noSession();

  const judgedAt = deps.now();
  const startedAt = performance.now();
  const { result, inputSnapshot, compact } = await withDeadline(
    deps.config.analysisTimeoutMs,
    options.signal,
    (signal) =>
      deps.analysis.judge(
        { payload, summaryMode: summary_mode ?? null },
        { now: judgedAt, signal, onProgress: options.onProgress, traceparent: caller.metadata.traceparent },
      ),
  );
  const durationMs = Math.round(performance.now() - startedAt);

  const judgement = { id: deps.newId(), judgedAt, durationMs, inputSnapshot, result };
  if (!(await deps.sessions.saveJudgement(ref, judgement))) throw noSession();
  return jsonObject<z.output<typeof JudgeResponse>>({ session_id, result: new JsonPart(compact ?? result) });
};
