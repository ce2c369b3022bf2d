import { checkOpinions } from './opinion.ts';
import type { Opinion } from './opinion.ts';
import { certaintyWeights, meanBaseRate } from './certainty-weights.ts';

/**
 * Aleatory cumulative fusion (CBF): the opinion one observer would hold who had seen the evidence of all.
 * Evidence adds, so every further source lowers uncertainty. For independent sources that observed different
 * samples of a random process. Commutative, associative (not between dogmatic opinions, where weights would
 * be forgotten), vacuous opinions are neutral, not idempotent.
 *
 * Dogmatic opinions outweigh all others and count equally among themselves. The base rate is the mean
 * weighted by evidence, the plain mean when all are vacuous. Source: van der Heijden, Kopp, Kargl,
 * Multi-Source Fusion Operations in Subjective Logic, FUSION 2018, Section III (cumulative belief fusion,
 * corrected cases); base rate: Jøsang 2016, Section 12.3. RangeError for an empty list or an invalid opinion,
 * naming its index.
 */
export function cumulativeFusion(opinions: readonly Opinion[]): Opinion {
  checkOpinions(opinions);
  const { weights, least } = certaintyWeights(opinions);
  let belief = 0;
  let disbelief = 0;
  opinions.forEach((opinion, i) => {
    belief += weights[i]! * opinion.belief;
    disbelief += weights[i]! * opinion.disbelief;
  });
  const total = belief + disbelief + least;
  const evidence = opinions.map((opinion, i) => weights[i]! * (opinion.belief + opinion.disbelief));
  return {
    belief: belief / total,
    disbelief: disbelief / total,
    uncertainty: least / total,
    baseRate: meanBaseRate(opinions, evidence),
  };
}
