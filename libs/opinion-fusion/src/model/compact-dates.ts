import { decidesReading } from './decides-reading.ts';
import type { Claim } from './model.ts';
import { normalise } from './value.ts';
import type { Value } from './value.ts';

const EIGHT_DIGITS = /^([12]\d{3})(\d\d)(\d\d)$/;

/** `2024-05-17` for a text of eight digits that name a day of the years 1000–2999; null for all others. */
export function compactDate(raw: string): string | null {
  const [, year, month, day] = EIGHT_DIGITS.exec(normalise(raw)) ?? [];
  if (year === undefined) return null;
  const date = `${year}-${month}-${day}`;
  const time = Date.parse(date);
  return !Number.isNaN(time) && new Date(time).toISOString().startsWith(date) ? date : null;
}

/** What stands on a question with eight digits that may be dates. */
interface Question {
  readonly compact: Claim[];
  readonly dates: Set<string>;
  hasDate: boolean;
  hasYear: boolean;
  hasNumber: boolean;
}

/**
 * Reads eight digits that name a day, such as 20240517, as that day where the question has dates: where a
 * claim states a date of at least a month, or where none states another number and another claim states a
 * year or another such day. Everywhere else they stay a number. Claims that are retracted or below the floor
 * decide nothing. Source: reasoning model §11; ADR 0064. Never throws.
 */
export function takeCompactDates(claims: readonly Claim[]): void {
  const bySubject = new Map<unknown, Map<string, Question>>();
  for (const claim of claims) {
    if (claim.subject === null || !isPerhapsDate(claim)) continue;
    const questions = bySubject.get(claim.subject) ?? new Map<string, Question>();
    bySubject.set(claim.subject, questions);
    const question = questions.get(claim.predicate) ?? {
      compact: [],
      dates: new Set(),
      hasDate: false,
      hasYear: false,
      hasNumber: false,
    };
    questions.set(claim.predicate, question);
    question.compact.push(claim);
  }
  if (bySubject.size === 0) return;
  for (const claim of claims) {
    const question = bySubject.get(claim.subject)?.get(claim.predicate);
    if (!question || !decidesReading(claim)) continue;
    const { value } = claim;
    if (isPerhapsDate(claim)) question.dates.add(value.key);
    else if (value.kind === 'number') question.hasNumber = true;
    else if (value.kind === 'date' && value.year === null) question.hasDate = true;
    else if (value.kind === 'date') question.hasYear = true;
  }
  for (const questions of bySubject.values())
    for (const { compact, dates, hasDate, hasYear, hasNumber } of questions.values())
      if (hasDate || (!hasNumber && (hasYear || dates.size > 1)))
        for (const claim of compact) claim.value = asDate(compactDate(claim.input.value)!);
}

/** Asks the amount first, because most claims are no number of that size. */
const isPerhapsDate = ({ value, input }: Claim) =>
  value.kind === 'number' &&
  value.amount >= FIRST_DAY &&
  value.amount <= LAST_DAY &&
  compactDate(input.value) !== null;
const FIRST_DAY = 10_000_101;
const LAST_DAY = 29_991_231;

/** A day as a value. */
export const asDate = (day: string): Value => ({ kind: 'date', key: `d:${day}`, year: null, unit: '' });
