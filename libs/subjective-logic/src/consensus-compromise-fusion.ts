import { checkOpinions } from './opinion.ts';
import type { Opinion } from './opinion.ts';
import { meanBaseRate } from './certainty-weights.ts';

/** Belief above the consensus that is rounding error and not disagreement. Probability mass. */
const RESIDUE_MIN = 1e-12;

/**
 * Consensus and compromise fusion (CCF): keeps what all sources share, and turns what they disagree on into
 * uncertainty instead of letting the majority win. For panels where a common position is sought. Commutative,
 * idempotent, a vacuous opinion is neutral to one other opinion; not associative, so all are fused at once,
 * and not continuous where all opinions coincide.
 *
 * Consensus b = min bᵢ and d = min dᵢ; the residues bᵢ − b, dᵢ − d meet in every combination: with the
 * others' uncertainty or all alike they stay on their side, mixed they become uncertainty; the result is
 * scaled so that the parts sum to 1. Over a binary domain the sums over combinations have the closed form
 * used here. Without residues the consensus stands and the rest is uncertainty. Opinions of one statement
 * share their base rate; where they do not, the plain mean is taken. Source: van der Heijden, Kopp, Kargl,
 * Multi-Source Fusion Operations in Subjective Logic, FUSION 2018, Def. 5. RangeError for an empty list or an
 * invalid opinion, naming its index.
 */
export function consensusCompromiseFusion(opinions: readonly Opinion[]): Opinion {
  checkOpinions(opinions);
  const sharedBelief = opinions.reduce((min, { belief: b }) => Math.min(min, b), 1);
  const sharedDisbelief = opinions.reduce((min, { disbelief: d }) => Math.min(min, d), 1);
  const residue = (mass: number) => (mass > RESIDUE_MIN ? mass : 0);
  const beliefs = opinions.map((opinion) => residue(opinion.belief - sharedBelief));
  const disbeliefs = opinions.map((opinion) => residue(opinion.disbelief - sharedDisbelief));
  const uncertainties = opinions.map((opinion) => opinion.uncertainty);

  const allBelieve = product(beliefs);
  const allDisbelieve = product(disbeliefs);
  const belief = oneAmong(beliefs, uncertainties) + allBelieve;
  const disbelief = oneAmong(disbeliefs, uncertainties) + allDisbelieve;
  const mixed = Math.max(0, product(beliefs.map((b, i) => b + disbeliefs[i]!)) - allBelieve - allDisbelieve);
  const unsaid = product(uncertainties);

  const compromise = belief + disbelief + mixed;
  const baseRate = meanBaseRate(
    opinions,
    opinions.map(() => 1),
  );
  const scaled = Math.max(0, 1 - sharedBelief - sharedDisbelief - unsaid);
  // The share before the product: a compromise near the least number has no reciprocal.
  const shareOf = (mass: number) => (compromise > 0 ? scaled * (mass / compromise) : 0);
  const fusedBelief = sharedBelief + shareOf(belief);
  const fusedDisbelief = sharedDisbelief + shareOf(disbelief);
  return {
    belief: fusedBelief,
    disbelief: fusedDisbelief,
    uncertainty: Math.max(0, 1 - fusedBelief - fusedDisbelief),
    baseRate,
  };
}

function product(factors: readonly number[]): number {
  return factors.reduce((result, factor) => result * factor, 1);
}

/** Σᵢ massᵢ · Π_{j≠i} uⱼ, by prefix and suffix products, so that an uncertainty of 0 is never divided by. */
function oneAmong(masses: readonly number[], uncertainties: readonly number[]): number {
  const before = [1];
  for (const u of uncertainties) before.push(before.at(-1)! * u);
  let after = 1;
  let sum = 0;
  for (let i = masses.length - 1; i >= 0; i--) {
    sum += masses[i]! * before[i]! * after;
    after *= uncertainties[i]!;
  }
  return sum;
}
