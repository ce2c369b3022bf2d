export { InvalidJsonError, parseStrictJson } from './strict-json.ts';
export type { JsonProblemCode, StrictJsonOptions } from './strict-json.ts';
