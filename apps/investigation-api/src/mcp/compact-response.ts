import type { InvestigationInput, InvestigationResult } from '@platform/opinion-fusion';
import { ENTITY_KINDS, summarizeResult } from '@platform/opinion-fusion';
import type { z } from 'zod';
import { short } from './response-text.ts';
import type * as schemas from '../wire/session-schema.ts';

/** Data of responses that fit a model's context however large the investigation is. */

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

const CHANGES_MAX = 10;
const ITEMS_MAX = 3;
const PARTS_MAX = 3;

type Comparison = z.output<typeof schemas.JudgementComparison>;
type Move = Comparison['verdicts'][number];

/**
 * The comparison with the first of each list of changes and the largest parts of each move, long values cut;
 * `other_parts` is the sum of those left out, so that the parts still sum to the move.
 */
export function compactComparison({ changes, verdicts, ...compared }: Comparison): object {
  return {
    ...compared,
    changes: changes.slice(0, CHANGES_MAX).map(({ value, ...change }) => ({
      ...change,
      ...(value === undefined ? {} : { value: short(value, VALUE_CHARS_MAX) }),
    })),
    verdicts: verdicts.map(compactMove),
  };
}

const VALUE_CHARS_MAX = 80;

function compactMove({ parts, value, before, after, ...verdict }: Move): object {
  const side = (compared: Move['before']) =>
    compared && { ...compared, leading_value: shortOrNull(compared.leading_value) };
  const largest = new Set(parts.toSorted((a, b) => Math.abs(b.move) - Math.abs(a.move)).slice(0, PARTS_MAX));
  const others = parts.filter((part) => !largest.has(part));
  const move = others.reduce((sum, part) => sum + part.move, 0);
  return {
    ...verdict,
    value: shortOrNull(value),
    before: side(before),
    after: side(after),
    parts: parts
      .filter((part) => largest.has(part))
      .map(({ items, ...part }) => ({
        ...part,
        items: items.slice(0, ITEMS_MAX).map(({ change, kind, id }) => ({ change, kind, id })),
      })),
    ...(others.length === 0 ? {} : { other_parts: { count: others.length, move } }),
  };
}

const shortOrNull = (text: string | null) => text && short(text, VALUE_CHARS_MAX);
