export { analyze, PHASES } from './analyze.ts';
export type { AnalyzeOptions, Phase, StopSignal } from './analyze.ts';
export { InvalidInvestigation } from './invalid-investigation.ts';
export type { Problem } from './invalid-investigation.ts';
export type { Evidence, Opinion } from './opinion.ts';
export { evidenceFromOpinion, expectedProbability, opinionFromEvidence } from './opinion.ts';
export type { ArgumentationFramework } from './argumentation/framework.ts';
export {
  completeExtensions,
  groundedExtension,
  preferredExtensions,
  stableExtensions,
} from './argumentation/extensions.ts';
export { averagingFusion } from './fusion/averaging-fusion.ts';
export { beliefConstraintFusion, TotalConflict } from './fusion/belief-constraint-fusion.ts';
export { consensusCompromiseFusion } from './fusion/consensus-compromise-fusion.ts';
export { cumulativeFusion } from './fusion/cumulative-fusion.ts';
export { epistemicCumulativeFusion } from './fusion/epistemic-cumulative-fusion.ts';
export { trustDiscount } from './fusion/trust-discount.ts';
export { uncertaintyMaximize } from './fusion/uncertainty-maximize.ts';
export { weightedFusion } from './fusion/weighted-fusion.ts';
export { evidenceStrength, likelihoodWord } from './summary.ts';
export type * from './types.ts';
export { auditClaims } from './explain/audit-claims.ts';
export { explain, explainAll } from './explain/explain.ts';
export type { ExplainOptions, ExplainPairOptions } from './explain/explain.ts';
export type * from './explain/explanation.ts';
export { FACTORS, OUTCOMES, ROUTES } from './explain/explanation.ts';
export type { Field, FieldKind, ObjectName } from './fields.ts';
export { OBJECTS } from './fields.ts';
export { validateShape } from './validate.ts';
export * from './vocabulary.ts';
