export { createTracing, traceIdOf } from './tracing.ts';
export type { Attributes, RunningSpan, SpanOptions, Tracing, TracingOptions } from './tracing.ts';
