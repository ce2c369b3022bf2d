import { checkOpinions } from './opinion.ts';
import type { Opinion } from './opinion.ts';
import { certaintyWeights, meanBaseRate } from './certainty-weights.ts';

/**
 * Weighted fusion (WBF): averaging fusion in which each source counts by its confidence 1 − u. For experts
 * who know how sure they are. Commutative, idempotent, vacuous opinions are neutral; not associative, so all
 * opinions are fused at once.
 *
 * Dogmatic opinions outweigh all others and count equally among themselves, their base rates too. Otherwise
 * the base rate is the mean weighted by confidence, the plain mean when all are vacuous. Source: van der
 * Heijden, Kopp, Kargl, Multi-Source Fusion Operations in Subjective Logic, FUSION 2018, Def. 4. RangeError
 * for an empty list or an invalid opinion, naming its index.
 */
export function weightedFusion(opinions: readonly Opinion[]): Opinion {
  checkOpinions(opinions);
  const confidences = opinions.map((opinion) => opinion.belief + opinion.disbelief);
  const confidence = confidences.reduce((sum, c) => sum + c, 0);
  if (confidence === 0) {
    return { belief: 0, disbelief: 0, uncertainty: 1, baseRate: meanBaseRate(opinions, confidences) };
  }
  const { weights, least } = certaintyWeights(opinions);
  let belief = 0;
  let disbelief = 0;
  opinions.forEach((opinion, i) => {
    belief += weights[i]! * confidences[i]! * opinion.belief;
    disbelief += weights[i]! * confidences[i]! * opinion.disbelief;
  });
  const uncertainty = confidence * least;
  const total = belief + disbelief + uncertainty;
  return {
    belief: belief / total,
    disbelief: disbelief / total,
    uncertainty: uncertainty / total,
    baseRate: meanBaseRate(opinions, least > 0 ? confidences : weights),
  };
}
