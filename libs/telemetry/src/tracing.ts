import { AsyncLocalStorage } from 'node:async_hooks';
import { setTimeout } from 'node:timers/promises';
import type { Span } from '@opentelemetry/api';
import { ROOT_CONTEXT, SpanKind, SpanStatusCode, trace } from '@opentelemetry/api';
import { ExportResultCode, parseTraceParent } from '@opentelemetry/core';
import { OTLPTraceExporter } from '@opentelemetry/exporter-trace-otlp-http';
import { defaultResource, resourceFromAttributes } from '@opentelemetry/resources';
import { BasicTracerProvider, BatchSpanProcessor, type SpanExporter } from '@opentelemetry/sdk-trace-base';

/** OpenTelemetry semantic conventions name them: `http.route`, `rpc.method`. */
export type Attributes = Readonly<Record<string, string | number | boolean>>;

export interface SpanOptions {
  /** `server` serves a call, `client` makes one, `internal` is work in between. */
  readonly kind: 'server' | 'client' | 'internal';
  /** W3C `traceparent` of what this is part of; anything malformed counts as absent. */
  readonly parent: string | undefined;
  readonly attributes?: Attributes;
}

/**
 * A span that has begun. It is passed on by hand, in arguments, to what makes calls on its behalf; only the
 * database, which every store reaches, takes it from the context (`Tracing.within`).
 */
export interface RunningSpan {
  /**
   * W3C `traceparent` (Trace Context §3.2) for calls made on its behalf; undefined when there is no trace.
   */
  readonly traceparent: string | undefined;
  /** Ends it. With `error` it counts as failed, for that reason. Only the first call counts. */
  end(outcome?: { readonly attributes?: Attributes; readonly error?: string; readonly name?: string }): void;
}

export interface TracingOptions {
  readonly service: string;
  /** OTLP/HTTP endpoint; without one nothing is recorded. */
  readonly endpoint: string | undefined;
  /**
   * Called for each batch with its number of spans, and with the error when the collector did not take it.
   */
  readonly onExport?: (spans: number, error?: Error) => void;
}

export interface Tracing {
  /** Whether spans are recorded; who counts every allocation asks before making one. */
  readonly isOn: boolean;
  start(name: string, options: SpanOptions): RunningSpan;
  /**
   * What `work` gives; it, and what it awaits, has `span` as its `current`, or with null none, for work that
   * several requests share. It costs every await, and nothing while no spans are recorded.
   */
  within<T>(span: RunningSpan | null, work: () => T): T;
  /** The `traceparent` of the span that the caller works for; undefined outside of `within`. */
  current(): string | undefined;
  /** Sends what is still waiting, for at most two seconds, and stops. Never rejects. */
  close(): Promise<void>;
}

/** A stop must not wait for an unavailable collector. */
const CLOSE_MS_MAX = 2_000;

const KINDS = { server: SpanKind.SERVER, client: SpanKind.CLIENT, internal: SpanKind.INTERNAL } as const;

/**
 * Spans sent over OTLP/HTTP to `endpoint` (`http://collector:4318`), in batches and in the background; an
 * unavailable collector costs spans, never requests. Without an endpoint nothing is recorded, and a trace
 * that came in is passed on as it is. Headers, time-outs and sampling follow the standard OTEL_* variables.
 */
export function createTracing(options: TracingOptions): Tracing {
  if (options.endpoint === undefined) return PASS_ON;
  const provider = new BasicTracerProvider({
    resource: defaultResource().merge(resourceFromAttributes({ 'service.name': options.service })),
    spanProcessors: [
      new BatchSpanProcessor(
        observed(
          new OTLPTraceExporter({ url: `${options.endpoint.replace(/\/+$/, '')}/v1/traces` }),
          options.onExport,
        ),
      ),
    ],
  });
  const tracer = provider.getTracer(options.service);
  const context = new AsyncLocalStorage<string | undefined>();
  return {
    isOn: true,
    start(name, { kind, parent, attributes }) {
      const parentContext = parseTraceParent(parent ?? '');
      const within =
        parentContext === null
          ? ROOT_CONTEXT
          : trace.setSpanContext(ROOT_CONTEXT, { ...parentContext, isRemote: true });
      return running(tracer.startSpan(name, { kind: KINDS[kind], attributes: { ...attributes } }, within));
    },
    within: (span, work) => context.run(span?.traceparent, work),
    current: () => context.getStore(),
    async close() {
      const sent = provider.shutdown().catch(() => {});
      await Promise.race([sent, setTimeout(CLOSE_MS_MAX, undefined, { ref: false })]);
    },
  };
}

function observed(exporter: SpanExporter, onExport: TracingOptions['onExport']): SpanExporter {
  return {
    export: (spans, done) =>
      exporter.export(spans, (result) => {
        const error = result.error ?? new Error('the collector did not take the spans');
        if (result.code === ExportResultCode.SUCCESS) onExport?.(spans.length);
        else onExport?.(spans.length, error);
        done(result);
      }),
    shutdown: () => exporter.shutdown(),
    forceFlush: () => exporter.forceFlush?.() ?? Promise.resolve(),
  };
}

function running(span: Span): RunningSpan {
  const { traceId, spanId, traceFlags } = span.spanContext();
  return {
    traceparent: `00-${traceId}-${spanId}-${traceFlags.toString(16).padStart(2, '0')}`,
    end(outcome = {}) {
      if (!span.isRecording()) return;
      if (outcome.name !== undefined) span.updateName(outcome.name);
      if (outcome.attributes !== undefined) span.setAttributes({ ...outcome.attributes });
      if (outcome.error !== undefined) span.setStatus({ code: SpanStatusCode.ERROR, message: outcome.error });
      span.end();
    },
  };
}

const PASS_ON: Tracing = {
  isOn: false,
  start: (_name, { parent }) => ({
    traceparent: parent !== undefined && parseTraceParent(parent) !== null ? parent : undefined,
    end() {},
  }),
  within: (_span, work) => work(),
  current: () => undefined,
  close: async () => {},
};

/** The trace id of a well-formed `traceparent`: what log lines carry. */
export function traceIdOf(traceparent: string | undefined): string | undefined {
  return traceparent === undefined ? undefined : parseTraceParent(traceparent)?.traceId;
}
