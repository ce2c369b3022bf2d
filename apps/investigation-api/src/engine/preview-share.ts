import { type PackedJson, unpackJsonSync } from '../wire/packed-json.ts';
import type { PreviewTask } from './analysis-task.ts';
import { PUBLIC_PARTS, publicInputOf } from './public-parts.ts';

const textOf = (json: PackedJson) => new TextDecoder().decode(unpackJsonSync(json));

/** JSON text of a SharePreview: what a snapshot of this judgement would show to anyone with the link. */
export function previewShare(task: PreviewTask): string {
  const { frame, inputSnapshot, result, isEditedSince, interpretationPredatesJudgement } = task;
  const { session_name, interpretation, interpretation_updated_at, judgement } = frame;
  const { input, used, hiddenWarnings } = publicInputOf(inputSnapshot);
  const isCompact = 'summary_mode' in (JSON.parse(textOf(result)) as object);
  return JSON.stringify({
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
      ...(isEditedSince
        ? ['The session was edited after this judgement; judge again to publish the edits.']
        : []),
      ...(interpretationPredatesJudgement
        ? ['The interpretation was written before this judgement and may describe an earlier verdict.']
        : []),
      ...(hiddenWarnings.length > 0
        ? ['Fields that are not part of the interface stay in the session and are not published.']
        : []),
      ...(isCompact ? ['The judgement is compact: the panes mesh, timeline and audit show little.'] : []),
    ],
  });
}
