import { checkOpinions } from './opinion.ts';
import type { Opinion } from './opinion.ts';
import { meanBaseRate } from './certainty-weights.ts';

/** The opinions contradict each other totally: no state of the world is left that all of them allow. */
export class TotalConflict extends Error {
  override readonly name = 'TotalConflict';
}

/**
 * Belief constraint fusion (BCF, Dempster's rule): what is left when every source's opinion is taken as a
 * constraint none of them gives way on, such as preferences that must all be met. Conflict is set aside and
 * the rest scaled up. Commutative, associative, vacuous opinions are neutral, not idempotent. Not for
 * evidence about facts: sharp conflict then gives overconfident results (Zadeh's example).
 *
 * The base rate is the mean weighted by confidence 1 − u, the plain mean when all are vacuous.
 * Source: van der Heijden, Kopp, Kargl, Multi-Source Fusion Operations in Subjective Logic, FUSION 2018,
 * Section III (belief constraint fusion); Jøsang 2016, Section 12.2. TotalConflict when the conflict is
 * total; RangeError for an empty list or an invalid opinion, naming its index.
 */
export function beliefConstraintFusion(opinions: readonly Opinion[]): Opinion {
  checkOpinions(opinions);
  // Mass left for "true or unknown", "false or unknown" and "unknown"; scaled at each step against underflow.
  let holds = 1;
  let fails = 1;
  let unknown = 1;
  for (const { belief, disbelief, uncertainty } of opinions) {
    holds *= belief + uncertainty;
    fails *= disbelief + uncertainty;
    unknown *= uncertainty;
    const scale = Math.max(holds, fails);
    if (scale === 0) throw new TotalConflict('the opinions contradict each other totally');
    holds /= scale;
    fails /= scale;
    unknown /= scale;
  }
  const belief = Math.max(0, holds - unknown);
  const disbelief = Math.max(0, fails - unknown);
  const total = belief + disbelief + unknown;
  return {
    belief: belief / total,
    disbelief: disbelief / total,
    uncertainty: unknown / total,
    baseRate: meanBaseRate(
      opinions,
      opinions.map((opinion) => opinion.belief + opinion.disbelief),
    ),
  };
}
