export { averagingFusion } from './averaging-fusion.ts';
export { beliefConstraintFusion, TotalConflict } from './belief-constraint-fusion.ts';
export { consensusCompromiseFusion } from './consensus-compromise-fusion.ts';
export { cumulativeFusion } from './cumulative-fusion.ts';
export { epistemicCumulativeFusion } from './epistemic-cumulative-fusion.ts';
export type { Evidence, Opinion } from './opinion.ts';
export {
  BASE_RATE,
  evidenceFromOpinion,
  expectedProbability,
  opinionFromEvidence,
  PRIOR_WEIGHT,
} from './opinion.ts';
export { trustDiscount } from './trust-discount.ts';
export { uncertaintyMaximize } from './uncertainty-maximize.ts';
export { weightedFusion } from './weighted-fusion.ts';
