import type { InvestigationInput, InvestigationResult, InvestigationSummary } from '@platform/opinion-fusion';
import { conditionsPart, decidedFirst, ENTITY_KINDS, summarizeResult } from '@platform/opinion-fusion';
import { textOf, type TextPieces } from '../model/text-pieces.ts';

/** What of a full result is wanted: its summary, or some of its verdicts, the most decided first. */
export type ResultPart = 'summary' | { readonly limit: number; readonly offset: number };

/** Some verdicts of a result, each whole, with what holds for all of them. */
export type VerdictPart = Pick<
  InvestigationResult,
  'research_question' | 'decay_half_life_days' | 'evaluated_at' | 'engine_version' | 'warnings'
> & {
  readonly verdicts: InvestigationResult['subject_results'];
  readonly verdict_count: number;
  /** Where the next part begins; null = this is the last. */
  readonly next_offset: number | null;
};

/** A part of a full result. Pure. */
export function resultPart(
  result: InvestigationResult,
  part: ResultPart,
): InvestigationSummary | VerdictPart {
  if (part === 'summary') return summarizeResult(result);
  const { limit, offset } = part;
  const { research_question, decay_half_life_days, evaluated_at, engine_version, warnings } = result;
  const all = decidedFirst(result.subject_results);
  return {
    research_question,
    decay_half_life_days,
    evaluated_at,
    engine_version,
    verdicts: all
      .slice(offset, offset + limit)
      .map((verdict) => ({ ...verdict, ...conditionsPart(verdict, result) })),
    verdict_count: all.length,
    next_offset: offset + limit < all.length ? offset + limit : null,
    warnings,
  };
}

/** A payload without its items: its question, and how many items each of its lists has. */
export interface PayloadOutline {
  readonly research_question: string;
  readonly payload_counts: Readonly<Record<string, number>>;
}

/** What a session's payload is about. Pure. */
export function payloadOutline({ research_question, ...lists }: InvestigationInput): PayloadOutline {
  const payload_counts = Object.fromEntries(ENTITY_KINDS.map((kind) => [kind, lists[kind]?.length ?? 0]));
  return { research_question, payload_counts };
}

/** What parts are cut out of; null = none is asked for of it. */
export interface PartTexts {
  readonly resultText: TextPieces | null;
  readonly payload: TextPieces | null;
}

/** Reads the texts, which have the shape of an InvestigationResult and of an InvestigationInput. */
export function cutParts({ resultText, payload }: PartTexts, part: ResultPart) {
  const read = (text: PartTexts['payload']): unknown => text && JSON.parse(textOf(text));
  const [result, input] = [resultText, payload].map(read);
  return {
    result: result ? resultPart(result as InvestigationResult, part) : null,
    outline: input ? payloadOutline(input as InvestigationInput) : null,
  };
}
