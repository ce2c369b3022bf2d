import type { VerdictExplanation } from '@platform/opinion-fusion';
import { jsonObject, JsonPart } from './json-bytes.ts';
import type { Operation } from './operation.ts';
import { readInput } from './read-input.ts';
import { neverJudged, noSession, openSession } from './session-access.ts';
import { ExplainVerdict } from './session-schema.ts';
import { withDeadline } from './with-deadline.ts';

export interface ExplainedVerdict {
  readonly session_id: string;
  readonly judgement_id: string;
  readonly judged_at: string;
  readonly explanation: VerdictExplanation;
}

/**
 * How a verdict of the last judgement came about, whatever the session has become since. Throws `failed_precondition` for a
 * session never judged, `not_found`, naming the pairs there are, when the judgement has no verdict on the pair.
 */
export const explainVerdict: Operation<ExplainedVerdict> = async (deps, input, caller, options) => {
  const { session_id, subject_id, predicate } = readInput(ExplainVerdict, input);
  const { ref } = await openSession(deps, caller, session_id, 'read');
  const judgement = await deps.sessions.readJudgement(ref, 'latest');
  if (judgement === 'no_session') throw noSession();
  if (judgement === 'no_judgement') throw neverJudged();
  const { id, judgedAt, inputSnapshot, result } = judgement;
  const explanation = await withDeadline(deps.config.analysisTimeoutMs, options.signal, (signal) =>
    deps.analysis.explain(
      { inputSnapshot, result, subjectId: subject_id, predicate },
      { signal, traceparent: caller.metadata.traceparent },
    ),
  );
  return jsonObject<ExplainedVerdict>({
    session_id,
    judgement_id: id,
    judged_at: judgedAt.toISOString(),
    explanation: new JsonPart(explanation),
  });
};
