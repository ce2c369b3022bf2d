import type { InvestigationInput } from '@platform/opinion-fusion';
import type { z } from 'zod';
import { ENTITY_FAMILIES } from '../wire/entity-kinds.ts';
import type * as schemas from '../wire/session-schema.ts';
import type { ShareListItemResponse, SharePreview } from '../wire/share-schema.ts';
import { quotesLines } from './compact-quotes.ts';
import { payloadOutline } from '../engine/result-part.ts';
import type { WithPart } from './shown-result.ts';
import { summarizeVerdict } from './verdict-summary.ts';
import { warningLines } from './warning-lines.ts';
import { counted, short } from './words.ts';

/** Responses of tools in a few lines for people; the data, as JSON behind them, have the rest. */

const LINES_MAX = 10;

export function sessionText(session: WithPart<z.output<typeof schemas.SessionResponse>>): string {
  const known =
    session.payload_counts ?? payloadOutline(session.payload as unknown as InvestigationInput).payload_counts;
  const counts = ENTITY_FAMILIES.map(({ kind }) => `${known[kind]} ${kind}`);
  return [
    `${session.name} (${session.session_id}): ${counts.join(', ')}; ${judged(session.judged_at)}`,
    ...(session.interpretation === null ? [] : [`Interpretation: ${short(session.interpretation)}`]),
    ...(session.last_result === null ? [] : [summarizeVerdict(session.last_result)]),
  ].join('\n');
}

export function sessionListText({
  sessions,
  next_cursor,
}: {
  sessions: z.output<typeof schemas.SessionMeta>[];
  next_cursor?: number;
}): string {
  const list = listText(
    sessions,
    'sessions',
    ({ id, name, role, owner_name, updated_at, judged_at, claim_count, leading_answer }) =>
      [
        `${short(name)} (${id})`,
        ...(role === 'owner' ? [] : [`of ${short(owner_name ?? 'a colleague')}, you may ${role ?? 'read'}`]),
        ...(leading_answer === null ? [] : [leading_answer.text]),
        counted(claim_count, 'claim'),
        `changed ${updated_at}`,
        judged(judged_at),
      ].join('; '),
  );
  return next_cursor === undefined
    ? list
    : `${list}\nThere may be more: ask again with cursor ${next_cursor}.`;
}

export function judgementListText({
  judgements,
}: {
  judgements: z.output<typeof schemas.JudgementMeta>[];
}): string {
  return listText(judgements, 'judgements', ({ id, judged_at }) => `${judged_at}: ${id}`);
}

export function shareListText({ shares }: { shares: z.output<typeof ShareListItemResponse>[] }): string {
  return listText(shares, 'shares', (share) => `${share.session_id}: ${shareText(share)}`);
}

export function shareText(share: {
  url: string;
  is_public: boolean;
  snapshot_taken_at: string | null;
  judged_at: string | null;
  warnings?: readonly string[] | undefined;
}): string {
  const judged = share.judged_at === null ? 'before the last judgement' : `as judged at ${share.judged_at}`;
  const state = share.is_public
    ? `${share.url}, open to anyone with the link, ${judged} and frozen at ${share.snapshot_taken_at}`
    : `${share.url}, hidden`;
  return [state, ...warningLines(share.warnings ?? [])].join('\n');
}

export function updatedText(updated: z.output<typeof schemas.UpdateSessionStatus>): string {
  const { session_id, added, replaced, removed, warnings } = updated;
  return [
    `Session ${session_id} is updated: ${counted(added, 'item')} added, ${replaced} replaced, ${removed} removed.`,
    ...warningLines(warnings),
  ].join('\n');
}

export function validationText(validation: z.output<typeof schemas.ValidationResponse>): string {
  const { is_valid, problems, problem_count, warnings } = validation;
  return [
    is_valid ? 'The session can be judged.' : `The session cannot be judged: ${problem_count} problems.`,
    ...problems.slice(0, LINES_MAX).map(({ path, message }) => `- ${path}: ${message}`),
    ...(problem_count > LINES_MAX ? [`… ${problem_count - LINES_MAX} more problems`] : []),
    ...warningLines(warnings),
  ].join('\n');
}

export function previewText(preview: z.output<typeof SharePreview>): string {
  const { sources, statements, evidence, fields, parts, interpretation, warnings } = preview;
  return [
    `Would show the judgement of ${preview.judged_at}: ${counted(statements.length, 'statement')} by ${counted(sources.length, 'source')} with ${counted(evidence.length, 'piece')} of evidence, ${interpretation === null ? 'no interpretation' : 'the interpretation'}.`,
    ...sources.slice(0, LINES_MAX).map(({ name }) => `- ${short(name)}`),
    ...(sources.length > LINES_MAX ? [`… ${sources.length - LINES_MAX} more sources in the data`] : []),
    `Public become ${parts.map(({ name }) => name).join(', ')}; of the investigation ${fields.map(({ object, field, count }) => `${object}.${field} (${count})`).join(', ')}.`,
    ...warningLines(warnings),
  ].join('\n');
}

export function judgedText({ result, quotes }: WithPart<z.output<typeof schemas.JudgeResponse>>): string {
  const count =
    'verdicts' in result
      ? result.verdict_count
      : ('summary_mode' in result ? result.top_findings : result.subject_results).length;
  const next = 'There is nothing to judge yet: add claims with update_investigation_session and judge again.';
  return count === 0
    ? [...warningLines(result.warnings), next].join('\n')
    : [summarizeVerdict(result), ...quotesLines(quotes)].join('\n');
}

export function judgementText({
  id,
  judged_at,
  result,
  quotes,
}: WithPart<z.output<typeof schemas.JudgementRecord>>): string {
  return [`Judgement ${id} of ${judged_at}`, summarizeVerdict(result), ...quotesLines(quotes)].join('\n');
}

export function interpretationText({
  interpretation,
}: z.output<typeof schemas.InterpretationResponse>): string {
  return interpretation === null ? 'The interpretation is cleared.' : 'The interpretation is set.';
}

/** The id of an item, which the data have; and the warnings. */
export function itemText({ id, warnings }: { readonly id: string; readonly warnings?: unknown }): string {
  const known = Array.isArray(warnings) ? warnings.filter((warning) => typeof warning === 'string') : [];
  return [`${id}, as it is stored.`, ...warningLines(known)].join('\n');
}

/** The first items, a line each. `what` names them where there are none. */
export function listText<Item>(items: readonly Item[], what: string, lineOf: (item: Item) => string): string {
  if (items.length === 0) return `No ${what}.`;
  const lines = items.slice(0, LINES_MAX).map((item) => `- ${lineOf(item)}`);
  return [
    ...lines,
    ...(items.length > LINES_MAX ? [`… ${items.length - LINES_MAX} more in the data`] : []),
  ].join('\n');
}

function judged(at: string | null): string {
  return at === null ? 'never judged' : `judged ${at}`;
}
