import { dateText, isCount, readable, type SubjectResult } from '@platform/opinion-fusion';

type Guessable = Pick<SubjectResult, 'predicate' | 'leading_value'>;

/** What a question word asks for; no other says what kind of value would answer it. */
const ASKED: readonly (readonly [RegExp, (finding: Guessable) => boolean])[] = [
  [
    /\bhow many\b/,
    ({ predicate, leading_value: value }) => value !== null && countsSomething(predicate, value),
  ],
  [/\bwhen\b/, ({ leading_value: value }) => value !== null && dateText(value) !== null],
];

const countsSomething = (predicate: string, value: string) =>
  isCount(readable(predicate), value) || /^\s*[~<>≥≤]?\d[\d\s.,]*(k|m|bn)?\s*$/i.test(value);

/** A verb in front asks for yes or no first: `Did they know, and when did they resign?`. */
const ASKS_YES = /^\W*(did|do|does|is|are|was|were|has|have|had|can|could|will|would|should|may|must)\b/;
const WORD = /\p{L}{4,}/gu;
/** As much of a word as its forms have in common: `infected` and `infections`. */
const STEM = 5;

/**
 * The finding that answers a question while nobody has marked one: the only one that is of the kind asked
 * for, or of several the only one whose property has a word of the question; else, and where it asks for yes
 * or no first, the first. Pure.
 */
export function guessedFinding<Finding extends Guessable>(
  findings: readonly Finding[],
  question: string,
): Finding | undefined {
  const asked = question.toLowerCase();
  const fits = ASKED.find(([word]) => word.test(asked))?.[1];
  if (!fits || ASKS_YES.test(asked)) return findings[0];
  const fitting = findings.filter(fits);
  if (fitting.length === 1) return fitting[0];
  const stems = new Set(stemsOf(asked));
  const named = fitting.filter(({ predicate }) =>
    stemsOf(readable(predicate).toLowerCase()).some((stem) => stems.has(stem)),
  );
  return named.length === 1 ? named[0] : findings[0];
}

const stemsOf = (text: string) => (text.match(WORD) ?? []).map((word) => word.slice(0, STEM));
