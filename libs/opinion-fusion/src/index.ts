export type { Evidence, Opinion } from './opinion.ts';
export { expectedProbability, opinionFromEvidence } from './opinion.ts';
export type * from './types.ts';
