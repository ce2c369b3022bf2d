import type { SubjectResult } from '../contract/types.ts';
import { likelierRival } from '../report/summary.ts';

/** The answer that leads to a question, and its chance. */
interface Answer {
  /** Null where only inferences spoke. */
  readonly value: string | null;
  /** The probability from 0 to 1. */
  readonly chance: number;
}

/** Chances of yes that differ from an even one by less, and so does weight, are even. */
const EVEN_TOLERANCE = 1e-9;

/**
 * The leading value of a verdict and its chance. Of a yes-or-no question, whose verdict always names `true`
 * (RM-6.4), it is the likelier side, `true` or `false`, by the chance that is published, which a third answer
 * lowers. At an even chance it is the one that led `before`; where neither did, the one with more weight, and
 * `true` where weight is even, too. Pure; never throws.
 */
export function answerOf(
  verdict: Pick<SubjectResult, 'leading_value' | 'expected_probability'> & {
    readonly calibrated_probability?: number;
  },
  before?: string | null,
): Answer {
  const value = verdict.leading_value ?? null;
  const chance = verdict.calibrated_probability ?? verdict.expected_probability;
  if (value !== 'true') return { value, chance };
  const isEven = Math.abs(chance - 0.5) < EVEN_TOLERANCE;
  const isLedBefore = before === 'true' || before === 'false';
  const isNo =
    isEven && isLedBefore
      ? before === 'false'
      : (isEven ? verdict.expected_probability : chance) < 0.5 - EVEN_TOLERANCE;
  return isNo ? { value: 'false', chance: 1 - chance } : { value, chance };
}

/** A value that is likelier than the one that leads by weight. */
export interface LikelierPart {
  readonly likelier?: { readonly value: string; readonly chance: number };
}

/**
 * The likeliest value of a verdict, where it is likelier than the one told of it, which has that chance;
 * empty where none is (ADR 0036). Pure.
 */
export function likelierPart(
  verdict: Parameters<typeof likelierRival>[0],
  chance: number | null,
): LikelierPart {
  const likelier = likelierRival(verdict);
  return likelier !== null && chance !== null && likelier.chance > chance ? { likelier } : {};
}
