export { createTracing } from './tracing.ts';
export type { Attributes, RunningSpan, SpanOptions, Tracing } from './tracing.ts';
