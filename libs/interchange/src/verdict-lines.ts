import {
  likelihoodWord,
  statement,
  textOf,
  type ClaimInput,
  type SubjectResult,
} from '@platform/opinion-fusion';
import { groupBy } from './group-by.ts';
import { verdictsOf, type Judged } from './judged.ts';

/** A verdict with a leading value, in words. */
export interface VerdictLine {
  readonly verdict: SubjectResult;
  readonly statement: string;
  /** Chance in [0, 1] that the statement is right, and its word of ICD 203. */
  readonly chance: number;
  readonly word: string;
  /** Word and percentage, as `Likely (72 %)`. */
  readonly likelihood: string;
  /** How many sources say so, as a sentence. */
  readonly sources: string;
  /** The claims on its question. */
  readonly claims: readonly ClaimInput[];
}

/** Names a question in a map. */
export const questionOf = (subjectId: string | null | undefined, predicate: string) =>
  JSON.stringify([subjectId, predicate]);

/** The verdicts with a leading value, in the words of the page. */
export function verdictLines(judged: Judged): VerdictLine[] {
  const { input, share, presentation = share } = judged;
  const claims = groupBy(input.claims, (claim) => questionOf(claim.subject_id, claim.predicate));
  return verdictsOf(judged).flatMap((verdict) => {
    if (verdict.leading_value === null) return [];
    const chance = verdict.calibrated_probability ?? verdict.expected_probability;
    const word = likelihoodWord(chance);
    return [
      {
        verdict,
        statement: textOf(
          statement({
            subject: verdict.subject_name,
            predicate: verdict.predicate,
            value: verdict.leading_value,
            pattern: presentation?.patterns?.[verdict.predicate],
          }),
        ),
        chance,
        word,
        likelihood: `${word.slice(0, 1).toUpperCase()}${word.slice(1)} (${Math.round(chance * 100)} %)`,
        sources: sourcesOf(verdict),
        claims: claims.get(questionOf(verdict.subject_id, verdict.predicate)) ?? [],
      },
    ];
  });
}

/** How many sources say something, as a sentence. */
export function sourcesOf({
  source_count: all,
  independent_source_count: independent,
}: Pick<SubjectResult, 'source_count' | 'independent_source_count'>): string {
  if (all === 1) return '1 source.';
  return `${all} sources, ${independent} of them independent.`;
}
