import { z } from 'zod';
import { readInput } from '../wire/read-input.ts';
import { compactVerdict } from './compact-response.ts';
import type { AskedPart, Result, VerdictPart, Verdicts } from './shown-result.ts';
import { VERDICTS_MAX } from './verdict-summary.ts';
import { boundedWarnings, WARNINGS_MAX } from './warning-lines.ts';

/** Arguments of tools whose response has the verdicts of a judgement: which of them are asked for. */
export const VERDICT_ARGUMENTS = {
  limit: z.int().min(1).max(200).optional().describe(`Verdicts of a part, ${VERDICTS_MAX} unless given.`),
  offset: z.int().min(0).optional().describe('Verdicts to pass over, the most decided first.'),
};
/** The same of tools whose response has lists. */
export const LIST_ARGUMENTS = {
  limit: z.int().min(1).max(200).optional().describe('Items of each list.'),
  offset: z.int().min(0).optional().describe('Items of each list to pass over.'),
};
const { limit: LIMIT, offset: OFFSET } = VERDICT_ARGUMENTS;
const Arguments = z.object({ limit: LIMIT.nullable(), offset: OFFSET.nullable() });

/** The part that the arguments of a call ask for; null = none. Throws `unprocessable`. */
export function askedPart(sent: unknown, usual = VERDICTS_MAX): AskedPart | null {
  const { limit, offset } = readInput(Arguments, sent ?? {});
  if ((limit ?? offset ?? null) === null) return null;
  return { limit: limit ?? usual, offset: offset ?? 0 };
}

/** A part of the verdicts of a result as compact responses have it; other forms of a result as they are. */
export function compactPart<R extends Result | VerdictPart | null>(result: R): R | VerdictPart {
  if (result === null || !('verdicts' in result)) return result;
  return {
    ...result,
    verdicts: result.verdicts.map(compactVerdict) as Verdicts,
    warnings: boundedWarnings(result.warnings, WARNINGS_MAX),
  };
}

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
