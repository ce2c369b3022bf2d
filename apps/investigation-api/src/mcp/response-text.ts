import { leadsOther, type InvestigationInput } from '@platform/opinion-fusion';
import type { z } from 'zod';
import { ENTITY_FAMILIES } from '../wire/entity-kinds.ts';
import type { ExplainedVerdict } from '../wire/explanation-schema.ts';
import type * as schemas from '../wire/session-schema.ts';
import { summarizeVerdict } from './verdict-summary.ts';

/** Answers of tools in a few lines for people; the data beside them have the rest. */

const LINES_MAX = 20;
const ITEM_CHARACTERS_MAX = 4000;
const CONTRIBUTIONS_MAX = 8;

export function sessionText(session: z.output<typeof schemas.SessionResponse>): string {
  const payload = session.payload as unknown as InvestigationInput;
  const counts = ENTITY_FAMILIES.map(({ kind }) => `${payload[kind]?.length ?? 0} ${kind}`);
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
  const list = listText(sessions, 'sessions', ({ id, name, updated_at, judged_at }) =>
    [`${short(name)} (${id})`, `changed ${updated_at}`, judged(judged_at)].join('; '),
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

export function shareListText({
  shares,
}: {
  shares: z.output<typeof schemas.ShareListItemResponse>[];
}): string {
  return listText(shares, 'shares', (share) => `${share.session_id}: ${shareText(share)}`);
}

export function shareText(share: {
  url: string;
  is_public: boolean;
  snapshot_taken_at: string | null;
}): string {
  return share.is_public
    ? `${share.url}, open to anyone with the link, as judged and frozen at ${share.snapshot_taken_at}`
    : `${share.url}, hidden`;
}

export function updatedText(updated: z.output<typeof schemas.UpdateSessionStatus>): string {
  const { session_id, added, replaced, removed, warnings } = updated;
  return [
    `Session ${session_id} is updated: ${added} items added, ${replaced} replaced, ${removed} removed.`,
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

/** Warnings, one a line. */
export function warningLines(warnings: readonly string[]): string[] {
  return [
    ...warnings.slice(0, LINES_MAX).map((warning) => `Warning: ${warning}`),
    ...(warnings.length > LINES_MAX ? [`… ${warnings.length - LINES_MAX} more warnings in the data`] : []),
  ];
}

export function previewText(preview: z.output<typeof schemas.SharePreview>): string {
  const { sources, statements, evidence, fields, parts, interpretation, warnings } = preview;
  return [
    `Would show the judgement of ${preview.judged_at}: ${statements.length} statements by ${sources.length} sources with ${evidence.length} pieces of evidence, ${interpretation === null ? 'no interpretation' : 'the interpretation'}.`,
    ...sources.slice(0, LINES_MAX).map(({ name }) => `- ${short(name)}`),
    ...(sources.length > LINES_MAX ? [`… ${sources.length - LINES_MAX} more sources in the data`] : []),
    `Public become ${parts.map(({ name }) => name).join(', ')}; of the investigation ${fields.map(({ object, field, count }) => `${object}.${field} (${count})`).join(', ')}.`,
    ...warningLines(warnings),
  ].join('\n');
}

export function judgementText({ id, judged_at, result }: z.output<typeof schemas.JudgementRecord>): string {
  return `Judgement ${id} of ${judged_at}\n${summarizeVerdict(result)}`;
}

export function interpretationText({
  interpretation,
}: z.output<typeof schemas.InterpretationResponse>): string {
  return interpretation === null ? 'The interpretation is cleared.' : 'The interpretation is set.';
}

/** An item as it is, cut when it is long. */
export function itemText({ warnings, ...item }: { readonly warnings?: unknown }): string {
  const known = Array.isArray(warnings) ? warnings.filter((warning) => typeof warning === 'string') : [];
  return [short(JSON.stringify(item), ITEM_CHARACTERS_MAX), ...warningLines(known)].join('\n');
}

type Explained = z.output<typeof ExplainedVerdict>;
type Explanation = Explained['explanation'];

/** The arguments for and against a verdict, strongest first, and what would change it. */
export function explanationText({ explanation: e, judged_at }: Explained): string {
  const counted = e.contributions.filter(({ outcome }) => outcome === 'counted' || outcome === 'capped');
  const lines = counted.slice(0, CONTRIBUTIONS_MAX).map((c) => {
    const what = c.inference_id ?? c.evidence_id ?? c.claim_id;
    const by = c.actor_id === null ? '' : ` by ${c.actor_id}`;
    return `- ${c.side}: ${c.route} ${what}${by}, ${c.counted.toFixed(2)} items of evidence`;
  });
  const leading = e.leading_value === null ? '' : ` = ${e.leading_value}`;
  const turning = e.without_source
    .filter((row) => row.flips || leadsOther(row, e))
    .map(({ actor_id }) => actor_id);
  const idle = e.contributions.length - counted.length;
  return [
    `${e.subject_id}: ${e.predicate}${leading}: ${e.truth_status}, probability ${Math.round(e.expected_probability * 100)} % (judged ${judged_at})`,
    `Evidence for ${e.r.toFixed(2)}, against ${e.s.toFixed(2)}; ${e.prior_weight} stand for not knowing.`,
    ...lines,
    ...(counted.length > CONTRIBUTIONS_MAX
      ? [`… ${counted.length - CONTRIBUTIONS_MAX} more in the data`]
      : []),
    ...(idle > 0 ? [`Not counted, with reasons in the data: ${idle}`] : []),
    changeLine(e),
    ...(turning.length > 0
      ? [`Rests on a single source: without ${turning.slice(0, LINES_MAX).join(' or ')} it changes.`]
      : []),
  ].join('\n');
}

function changeLine(explanation: Explanation): string {
  const { smallest_change: change, predicate } = explanation;
  if (change === null) return 'No removal of claims changes the truth status.';
  if (change.claim_ids.length === 0)
    return 'Which claims would change the truth status was not found in time.';
  const other = leadsOther(change, explanation) ? `${predicate} = ${short(change.leading_value!)}: ` : '';
  return `Without ${short(change.removed_claim_ids.join(', '))} it would be ${other}${change.truth_status}.`;
}

function listText<Item>(items: readonly Item[], what: string, lineOf: (item: Item) => string): string {
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

/** The text, cut when it is long. */
export function short(text: string, charactersMax = 200): string {
  return text.length <= charactersMax ? text : `${text.slice(0, charactersMax)}…`;
}
