import { Metadata, type handleUnaryCall } from '@grpc/grpc-js';
import { DomainError, toDomainError } from '@platform/error-contracts';
import { requestIdOf } from '@platform/service-kit';
import { traceIdOf } from '@platform/telemetry';
import { Histogram } from 'prom-client';
import type { Caller } from '../admission/caller.ts';
import type { TransportDeps } from '../ports.ts';
import { readProxies } from '../config.ts';
import { bearerOf } from '../identity/bearer.ts';
import { MessageRefused } from './bounded-messages.ts';
import { createClientAddress } from '../client-address.ts';
import { toServiceError } from './status-details.ts';

/** The context of a call that a handler sees besides the request. */
export interface CallContext {
  readonly requestId: string;
  /** `performance.now()` at arrival. */
  readonly startedAt: number;
  /** W3C `traceparent` of the call's own span; undefined when nothing is traced. */
  readonly traceparent: string | undefined;
  /** Address of the client, without its port: the peer's, or the one that a trusted proxy names. */
  readonly address: string;
  /** The credential sent as `authorization: Bearer …`, or null. */
  readonly token: string | null;
  /** The caller the credential names. Throws TOKEN_INVALID. */
  caller(): Promise<Caller>;
  /** Sends a value in the trailing metadata. */
  trail(key: string, value: string): void;
}

export type UnaryHandler<Request, Response> = (context: CallContext, request: Request) => Promise<Response>;

/** Seconds. */
const DURATION_BUCKETS = [0.0005, 0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10];

export type Unary = <Request, Response>(
  name: string,
  handler: UnaryHandler<Request, Response>,
) => handleUnaryCall<Request, Response>;

/**
 * Turns handlers into grpc-js handlers. The one exit of errors of this transport: a DomainError becomes its
 * status with details, anything else `internal` with the request id, its text in the log alone.
 */
export function createUnary(
  deps: Pick<TransportDeps, 'logger' | 'metrics' | 'tokens' | 'config' | 'tracing'>,
): Unary {
  const { logger, tracing } = deps;
  const addressOf = createClientAddress(readProxies(deps.config.trustedProxies));
  const duration = new Histogram({
    name: 'grpc_request_duration_seconds',
    help: 'Time from the request to the end of the answer.',
    labelNames: ['method', 'code'],
    buckets: DURATION_BUCKETS,
    registers: [deps.metrics.registry],
  });

  return (name, handler) => {
    const succeeded = duration.labels({ method: name, code: '0' });
    return (call, callback) => {
      const startedAt = performance.now();
      const sent = call.metadata;
      const requestId = requestIdOf(sent.get('x-request-id')[0]);
      const token = bearerOf(sent.get('authorization'));
      // The hot path ends here: no span is made when tracing is off.
      const span = tracing.isOn
        ? tracing.start(call.getPath().slice(1), {
            kind: 'server',
            parent: readTraceparent(sent),
            attributes: {
              'rpc.system': 'grpc',
              'rpc.service': call.getPath().slice(1, call.getPath().lastIndexOf('/')),
              'rpc.method': name,
              'request.id': requestId,
            },
          })
        : null;
      let trailer: Metadata | undefined;
      const context: CallContext = {
        requestId,
        startedAt,
        traceparent: span?.traceparent,
        token,
        get address() {
          return addressOf(call.getPeer(), sent.get('x-forwarded-for'));
        },
        caller: () => deps.tokens.authenticate(token),
        trail(key, value) {
          trailer ??= new Metadata();
          trailer.set(key, value);
        },
      };

      let isDone = false;
      // A call that brings its deadline is ended by it; grpc-js sees to that.
      const timer = Number.isFinite(Number(call.getDeadline()))
        ? undefined
        : setTimeout(
            () => fail(new DomainError('deadline_exceeded', 'the call took too long')),
            deps.config.requestTimeoutMs,
          );
      const fail = (error: unknown) => {
        if (isDone) return;
        isDone = true;
        clearTimeout(timer);
        const domainError = toDomainError(error);
        const answer = toServiceError(domainError, requestId);
        const seconds = (performance.now() - startedAt) / 1000;
        duration.observe({ method: name, code: String(answer.code) }, seconds);
        span?.end({ error: domainError.kind, attributes: { 'rpc.grpc.status_code': Number(answer.code) } });
        const line = {
          method: name,
          request_id: requestId,
          trace_id: traceIdOf(span?.traceparent ?? readTraceparent(sent)),
          code: answer.code,
        };
        const { cause } = domainError;
        if (domainError.kind === 'internal')
          logger.error({ ...line, err: cause ?? domainError }, 'internal error');
        else if (domainError.kind === 'unavailable')
          logger.warn({ ...line, err: cause ?? domainError }, 'unavailable');
        else logger.debug({ ...line, err: domainError }, 'call refused');
        callback(answer);
      };
      if (call.request instanceof MessageRefused) return fail(call.request.error);
      handler(context, call.request).then((response) => {
        if (isDone) return;
        isDone = true;
        clearTimeout(timer);
        succeeded.observe((performance.now() - startedAt) / 1000);
        span?.end({ attributes: { 'rpc.grpc.status_code': 0 } });
        if (logger.isLevelEnabled('debug')) {
          const traceId = traceIdOf(span?.traceparent ?? readTraceparent(sent));
          logger.debug({ method: name, request_id: requestId, trace_id: traceId }, 'call');
        }
        callback(null, response, trailer);
      }, fail);
    };
  };
}

function readTraceparent(metadata: Metadata): string | undefined {
  const [sent] = metadata.get('traceparent');
  return typeof sent === 'string' ? sent : undefined;
}
