export type { Evidence, Opinion } from './opinion.ts';
export { expectedProbability, opinionFromEvidence } from './opinion.ts';
export type * from './types.ts';
export type { Field, FieldKind, ObjectName } from './fields.ts';
export { OBJECTS } from './fields.ts';
export * from './vocabulary.ts';
