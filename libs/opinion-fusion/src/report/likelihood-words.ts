import { roundForComparison } from '../contract/rounding.ts';

/** The word for a chance near one half. */
export const EVEN = 'roughly even chance';

/**
 * Likelihood words with the upper end of their band. Source: ODNI, Intelligence Community Directive 203,
 * D.6.e.
 */
const LIKELIHOOD: readonly (readonly [below: number, word: string])[] = [
  [0.05, 'almost no chance'],
  [0.2, 'very unlikely'],
  [0.45, 'unlikely'],
  [0.55, EVEN],
  [0.8, 'likely'],
  [0.95, 'very likely'],
  [Infinity, 'almost certain'],
];

/**
 * Evidence strength by uncertainty: strong at four or more ordinary items (u ≤ 1/3), moderate at one and a
 * third (u ≤ 0.6).
 */
const STRENGTH: readonly (readonly [upTo: number, word: string])[] = [
  [1 / 3, 'strong'],
  [0.6, 'moderate'],
  [Infinity, 'weak'],
];

/** The word of ICD 203 for a probability in [0, 1]. */
export function likelihoodWord(probability: number): string {
  return LIKELIHOOD.find(([below]) => roundForComparison(probability) < below)![1];
}

/** The word for how much evidence stands behind an opinion of the given uncertainty. */
export function evidenceStrength(uncertainty: number): string {
  return STRENGTH.find(([upTo]) => roundForComparison(uncertainty) <= upTo)![1];
}
