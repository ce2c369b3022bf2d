import { checkOpinion, expectedProbability } from './opinion.ts';
import type { Opinion } from './opinion.ts';

/**
 * A source's opinion as it counts for someone whose opinion about the source's honesty and competence is
 * `trust`: belief and disbelief shrink by the trust's expected probability, the rest becomes uncertainty.
 * Along a chain of referrals it is applied edge by edge. Source: Jøsang 2016, Section 14.3.2
 * (probability-sensitive trust discounting). RangeError for an invalid opinion, naming the argument.
 */
export function trustDiscount(trust: Opinion, opinion: Opinion): Opinion {
  checkOpinion(trust, 'trust');
  checkOpinion(opinion, 'opinion');
  const share = Math.min(1, expectedProbability(trust));
  const belief = share * opinion.belief;
  const disbelief = share * opinion.disbelief;
  return {
    belief,
    disbelief,
    uncertainty: Math.max(0, 1 - belief - disbelief),
    baseRate: opinion.baseRate,
  };
}
