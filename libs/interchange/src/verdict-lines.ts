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

/** The verdicts with a leading value, in the words of the page. */
export function verdictLines(judged: Judged): VerdictLine[] {
  const { input, share, presentation = share } = judged;
  const question = (subject: string | null | undefined, predicate: string) =>
    JSON.stringify([subject, predicate]);
  const claims = groupBy(input.claims, (claim) => question(claim.subject_id, claim.predicate));
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
        claims: claims.get(question(verdict.subject_id, verdict.predicate)) ?? [],
      },
    ];
  });
}

function sourcesOf({ source_count: all, independent_source_count: independent }: SubjectResult): string {
  if (all === 1) return '1 source.';
  return `${all} sources, ${independent} of them independent.`;
}
