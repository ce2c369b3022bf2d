import type { Opinion } from './opinion.ts';
import { cumulativeFusion } from './cumulative-fusion.ts';
import { uncertaintyMaximize } from './uncertainty-maximize.ts';

/**
 * Epistemic cumulative fusion (e-CBF): cumulative fusion, then uncertainty maximised. For independent sources
 * about one fact that is settled but unknown (who did it), where evidence for and against cancels out instead
 * of describing a frequency. At least one of belief and disbelief of the result is 0. Source: Jøsang 2016,
 * Section 12.3; van der Heijden, Kopp, Kargl, FUSION 2018, Section III. RangeError as `cumulativeFusion`.
 */
export function epistemicCumulativeFusion(opinions: readonly Opinion[]): Opinion {
  return uncertaintyMaximize(cumulativeFusion(opinions));
}
