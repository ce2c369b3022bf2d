import type { InvestigationResult, InvestigationSummary } from '@platform/opinion-fusion';
import { type PackedJson, unpackJsonSync } from '../wire/packed-json.ts';
import { EDITED_SINCE } from '../wire/share-schema.ts';
import type { PresentationFields } from '../wire/presentation.ts';
import type { PreviewTask } from './analysis-task.ts';
import { PUBLIC_PARTS, publicInputOf } from './public-parts.ts';

const textOf = (json: PackedJson) => new TextDecoder().decode(unpackJsonSync(json));

/** A SharePreview: what a snapshot of this judgement would show to anyone with the link. */
export function previewShare(task: PreviewTask): object {
  const { frame, inputSnapshot, result, isEditedSince, interpretationPredatesJudgement, presentation } = task;
  const { session_name, interpretation, interpretation_updated_at, judgement } = frame;
  const { input, used, hiddenWarnings } = publicInputOf(inputSnapshot);
  const judged = JSON.parse(textOf(result)) as InvestigationResult | InvestigationSummary;
  const isCompact = 'summary_mode' in judged;
  return {
    session_name,
    research_question: input.research_question,
    judged_at: judgement.judged_at,
    sources: input.actors.map(({ id, name }) => ({ actor_id: id, name })),
    statements: input.claims.map(({ id, actor_id, content }) => ({ claim_id: id, actor_id, content })),
    evidence: (input.evidence ?? []).map(({ id, claim_id, content }) => ({
      evidence_id: id,
      claim_id,
      content,
    })),
    fields: used,
    parts: Object.entries(PUBLIC_PARTS).map(([name, description]) => ({ name, description })),
    interpretation,
    interpretation_updated_at,
    interpretation_predates_judgement: interpretationPredatesJudgement,
    warnings: [
      ...(isEditedSince ? [EDITED_SINCE] : []),
      ...(interpretationPredatesJudgement
        ? ['The interpretation was written before this judgement and may describe an earlier verdict.']
        : []),
      ...(hiddenWarnings.length > 0
        ? ['Fields that are not part of the interface stay in the session and are not published.']
        : []),
      ...(isCompact ? [] : presentationWarnings(presentation, judged)),
      ...(isCompact ? ['The judgement is compact: the panes mesh, timeline and audit show little.'] : []),
    ],
  };
}

/** Patterns without a finding that are named; there may be two hundred. */
const NAMED_MAX = 5;

/** What the page cannot show of how a share is presented, because the judgement has no such finding. */
function presentationWarnings(
  { answer_finding: answer, patterns }: PresentationFields,
  { subject_results }: InvestigationResult,
): string[] {
  const predicates = new Set(subject_results.map(({ predicate }) => predicate));
  const unused = Object.keys(patterns ?? {}).filter((predicate) => !predicates.has(predicate));
  const named = unused.slice(0, NAMED_MAX).map((predicate) => `\`${predicate}\``);
  const more = unused.length > NAMED_MAX ? ` and ${unused.length - NAMED_MAX} more` : '';
  const isAnswered =
    answer === null ||
    subject_results.some(
      ({ subject_id, predicate }) => subject_id === answer.subject_id && predicate === answer.predicate,
    );
  return [
    ...(isAnswered
      ? []
      : ['answer_finding: the judgement has no such finding, so the first is shown as the answer.']),
    ...(unused.length === 0 ? [] : [`patterns: the judgement has no finding on ${named.join(', ')}${more}.`]),
  ];
}
