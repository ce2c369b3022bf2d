import { conditionsPart, decidedFirst, type InvestigationResult } from '@platform/opinion-fusion';
import { z } from 'zod';
import { readInput } from '../wire/read-input.ts';
import { compactVerdict } from './compact-response.ts';
import type { Result, VerdictPart, Verdicts } from './shown-result.ts';
import { VERDICTS_MAX } from './verdict-summary.ts';
import { boundedWarnings, WARNINGS_MAX } from './warning-lines.ts';

/** Arguments of tools whose response has the verdicts of a judgement: which of them are asked for. */
export const VERDICT_ARGUMENTS = {
  limit: z.int().min(1).max(200).optional().describe(`Verdicts of a part, ${VERDICTS_MAX} unless given.`),
  offset: z.int().min(0).optional().describe('Verdicts to pass over, the most decided first.'),
};
const { limit: LIMIT, offset: OFFSET } = VERDICT_ARGUMENTS;
const Arguments = z.object({ limit: LIMIT.nullable(), offset: OFFSET.nullable() });

/** The part that the arguments of a call ask for; null = none. Throws `unprocessable`. */
export function askedPart(sent: unknown): { readonly limit: number; readonly offset: number } | null {
  const { limit, offset } = readInput(Arguments, sent ?? {});
  if ((limit ?? offset ?? null) === null) return null;
  return { limit: limit ?? VERDICTS_MAX, offset: offset ?? 0 };
}

/** A part of the verdicts of a result, the most decided first; each is whole where `isFull`. Pure. */
export function verdictPart(
  result: Result,
  { limit, offset }: { readonly limit: number; readonly offset: number },
  isFull: boolean,
): VerdictPart {
  const all = decidedFirst<Verdicts[number]>(verdictsOf(result));
  const verdicts = all.slice(offset, offset + limit).map((verdict) => ({
    ...verdict,
    ...conditionsPart(verdict, result as Partial<InvestigationResult>),
  }));
  const { warnings } = result;
  return {
    research_question: result.research_question,
    decay_half_life_days: result.decay_half_life_days,
    evaluated_at: result.evaluated_at,
    engine_version: result.engine_version,
    verdicts: isFull ? verdicts : (verdicts.map(compactVerdict) as Verdicts),
    verdict_count: all.length,
    next_offset: offset + limit < all.length ? offset + limit : null,
    warnings: isFull ? warnings : boundedWarnings(warnings, WARNINGS_MAX),
  };
}

const verdictsOf = (result: Result) =>
  'summary_mode' in result ? result.top_findings : result.subject_results;

/** What to call for the verdicts that a response leaves out; nothing where it has all. `tool` has offset. */
export function nextPartLines(result: Result | VerdictPart | null, tool: string): string[] {
  if (result === null) return [];
  const next = 'verdicts' in result ? result.next_offset : isLonger(result) ? VERDICTS_MAX : null;
  return next === null ? [] : [`For further verdicts call ${tool} with offset ${next}.`];
}

const isLonger = (result: Result): boolean =>
  'summary_mode' in result
    ? /\d further verdicts/.test(result.synthesis)
    : result.subject_results.length > VERDICTS_MAX;
