import { ESTIMATION } from '../contract/constants.ts';

/** What is known of how often a source is right. Probabilities. */
export interface ReliabilityPosterior {
  readonly mean: number;
  /** Ends of the 90 % interval. */
  readonly low: number;
  readonly high: number;
}

/**
 * Mean and 90 % interval of a source's reliability after `right` of `tested` statements, from the declared
 * one, which counts as ten statements; the interval is normal on the scale of log odds (delta method).
 * `declared` is a probability between 0 and 1, neither included. Source: reasoning model §11. Never throws.
 */
export function reliabilityPosterior(
  declared: number,
  { right, tested }: { readonly right: number; readonly tested: number },
): ReliabilityPosterior {
  const a = right + declared * ESTIMATION.priorClaims;
  const b = tested - right + (1 - declared) * ESTIMATION.priorClaims;
  const reach = ESTIMATION.interval * Math.sqrt(1 / a + 1 / b);
  const at = (shift: number) => 1 / (1 + Math.exp(-(Math.log(a / b) + shift)));
  return { mean: a / (a + b), low: at(-reach), high: at(reach) };
}
