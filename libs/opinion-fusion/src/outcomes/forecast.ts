import { chanceOf } from '../compare/compare-judgements.ts';
import type { InvestigationInput, InvestigationResult } from '../contract/types.ts';
import type { SourceType } from '../contract/vocabulary.ts';
import { validate } from '../contract/validate.ts';
import { Warnings } from '../contract/warnings.ts';
import { buildModel } from '../model/build-model.ts';
import { isStanding } from '../model/reliability.ts';
import { saysTheSame } from '../model/same-value.ts';
import { answerOf } from './answer-of.ts';
import { readYesOrNo } from './yes-or-no.ts';

/** A judgement as it is kept, and what has turned out to be true of one of its questions. */
export interface ResolvedQuestion {
  /** As it was sent, in any form that `analyze` takes. */
  readonly input: InvestigationInput;
  /** In full, of whichever engine. */
  readonly result: InvestigationResult;
  readonly judgedAt: Date;
  readonly subject_id: string;
  readonly predicate: string;
  /** In any spelling that claims may use; of a yes-or-no question also in those of `readYesOrNo`. */
  readonly value: string;
}

/** What one source said about a question that has been resolved. */
export interface ResolvedStatement {
  readonly actor_id: string;
  readonly name: string;
  readonly source_type: SourceType;
  /** Reliability that the judgement started from. Probability. */
  readonly reliability: number;
  /** Whether it asserted the value that turned out to be true, or denied another. */
  readonly was_right: boolean;
}

/** What a judgement said about a question before its outcome was known. */
export interface Forecast {
  /** As `answerOf` has it; of a conclusion that inferences alone reach, the answer whether it holds. */
  readonly leading_value: string;
  /** Chance that the judgement gave to it. Probability. */
  readonly chance: number;
  /** Whether the leading value turned out to be true. */
  readonly was_right: boolean;
  /**
   * Chance that the judgement gave to what turned out to be true. Of a yes-or-no question that of `chance`,
   * or what is left of it to 1; of other questions 0 where nobody had said it.
   */
  readonly chance_of_outcome: number;
  /**
   * By claim id: standing claims in the scope of the leading value. A source counts at most once for what was
   * right and once for what was wrong.
   */
  readonly statements: readonly ResolvedStatement[];
}

/** The outcome of a yes-or-no question is no answer to it. */
export const NEITHER_YES_NOR_NO = 'neither yes nor no';

/** The judgement named no value that the outcome could be compared with. */
export const NOTHING_TO_SCORE = 'nothing to score';

/**
 * What a judgement said about a question whose outcome is known now; null where it has no verdict on the
 * question, NEITHER_YES_NOR_NO where the question is answered by yes or no, the outcome is neither, and no
 * claim says it, and NOTHING_TO_SCORE where no value leads: nothing had weight, or inferences alone spoke
 * and the outcome is neither yes nor no. Never throws for a judgement that `analyze` made.
 */
export function forecastOf(
  question: ResolvedQuestion,
): Forecast | typeof NEITHER_YES_NOR_NO | typeof NOTHING_TO_SCORE | null {
  const { input, result, judgedAt, subject_id, predicate } = question;
  const verdict = result.subject_results.find(
    (one) => one.subject_id === subject_id && one.predicate === predicate,
  );
  if (verdict === undefined) return null;
  const isInferred = verdict.leading_value === null && verdict.confidence.uncertainty < 1;
  const { value: leading, chance } = answerOf(isInferred ? { ...verdict, leading_value: 'true' } : verdict);
  const isYesOrNo = isInferred || verdict.leading_value === 'true';
  const answer = isYesOrNo ? readYesOrNo(question.value) : null;
  if (leading === null || (isInferred && answer === null)) return NOTHING_TO_SCORE;
  const value = answer === null ? question.value : String(answer);
  const scope = verdict.rival_values?.[0]?.scope ?? '';
  const unread = new Warnings();
  const { claims } = buildModel(validate(input, unread), judgedAt.getTime(), unread);
  const spoken = claims.filter(
    (claim) =>
      claim.subject?.id === subject_id &&
      claim.predicate === predicate &&
      claim.scope === scope &&
      isStanding(claim),
  );
  if (isYesOrNo && answer === null && !spoken.some((claim) => saysTheSame(claim.input.value, value)))
    return NEITHER_YES_NOR_NO;
  const seen = new Set<string>();
  const statements = spoken
    .map(({ actor, input: { value: said }, valence }) => ({
      actor_id: actor.id,
      name: actor.name,
      source_type: actor.type,
      reliability: actor.base,
      was_right: saysTheSame(said, value) !== (valence === 'Refutes'),
    }))
    .filter(({ actor_id, was_right }) => {
      const key = JSON.stringify([actor_id, was_right]);
      return !seen.has(key) && seen.add(key);
    });
  const wasRight = saysTheSame(leading, value);
  return {
    leading_value: leading,
    chance,
    was_right: wasRight,
    chance_of_outcome: answer === null ? chanceOf(verdict, value) : wasRight ? chance : 1 - chance,
    statements,
  };
}
