import type { InvestigationInput, InvestigationResult } from '@platform/opinion-fusion';
import { ENTITY_KINDS, summarizeResult } from '@platform/opinion-fusion';
import type { z } from 'zod';
import type * as schemas from '../wire/session-schema.ts';

/** Data of answers that fit a model's context however large the investigation is. */

type Result = z.output<typeof schemas.JudgeResponse>['result'];

const WARNINGS_MAX = 20;

/** The session without its payload, with the number of its items. */
export function compactSession({
  payload,
  last_result,
  ...session
}: z.output<typeof schemas.SessionResponse>): object {
  const { research_question, ...lists } = payload as unknown as InvestigationInput;
  return {
    ...session,
    research_question,
    payload_counts: Object.fromEntries(ENTITY_KINDS.map((kind) => [kind, lists[kind]?.length ?? 0])),
    last_result: last_result === null ? null : essentialsOf(last_result),
  };
}

/** The judgement without its input. */
export function compactJudgement({
  input_snapshot: _input,
  result,
  ...judgement
}: z.output<typeof schemas.JudgementRecord>): object {
  return { ...judgement, result: essentialsOf(result) };
}

export function compactResult({ result, ...judged }: z.output<typeof schemas.JudgeResponse>): object {
  return { ...judged, result: essentialsOf(result) };
}

function essentialsOf(result: Result): object {
  const summary =
    'summary_mode' in result ? result : summarizeResult(result as unknown as InvestigationResult);
  const { warnings } = summary;
  if (warnings.length <= WARNINGS_MAX) return summary;
  const more = `and ${warnings.length - WARNINGS_MAX} more warnings: ask with detail full`;
  return { ...summary, warnings: [...warnings.slice(0, WARNINGS_MAX), more] };
}
