import { checkOpinions } from './opinion.ts';
import type { Opinion } from './opinion.ts';
import { certaintyWeights, meanBaseRate } from './certainty-weights.ts';

/**
 * Averaging fusion (ABF): the opinion from the average of the evidence of all. More sources do not mean more
 * evidence. For sources that depend on each other, such as observers of the same events. Commutative and
 * idempotent; not associative, so all opinions are fused at once; a vacuous opinion pulls the result towards
 * uncertainty.
 *
 * Dogmatic opinions outweigh all others and count equally among themselves. The base rate is the plain mean
 * (of the dogmatic ones where there are such). Source: van der Heijden, Kopp, Kargl, Multi-Source Fusion
 * Operations in Subjective Logic, FUSION 2018, Section III (averaging belief fusion, corrected cases); Jøsang
 * 2016, Section 12.4. RangeError for an empty list or an invalid opinion, naming its index.
 */
export function averagingFusion(opinions: readonly Opinion[]): Opinion {
  checkOpinions(opinions);
  const { weights, least } = certaintyWeights(opinions);
  let belief = 0;
  let disbelief = 0;
  opinions.forEach((opinion, i) => {
    belief += weights[i]! * opinion.belief;
    disbelief += weights[i]! * opinion.disbelief;
  });
  const uncertainty = opinions.length * least;
  const total = belief + disbelief + uncertainty;
  return {
    belief: belief / total,
    disbelief: disbelief / total,
    uncertainty: uncertainty / total,
    baseRate: meanBaseRate(
      opinions,
      opinions.map(({ uncertainty: u }) => (least > 0 || u === 0 ? 1 : 0)),
    ),
  };
}
