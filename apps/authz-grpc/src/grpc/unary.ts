import { Metadata, type handleUnaryCall, type ServerUnaryCall } from '@grpc/grpc-js';
import { authzStatus, DomainError, toDomainError } from '@platform/error-contracts';
import { requestIdOf } from '@platform/service-kit';
import { traceIdOf } from '@platform/telemetry';
import { Histogram } from 'prom-client';
import { REVOCATION_PURPOSE } from '../authorization/revocation.ts';
import type { Caller } from '../authorization/caller.ts';
import { isLogin, recordCall } from '../audit/call-record.ts';
import type { Note } from '../model/audit-event.ts';
import type { TransportDeps } from '../ports.ts';
import { readProxies, type Config } from '../config.ts';
import { bearerOf } from '../identity/bearer.ts';
import { UnreadMessage } from './bounded-messages.ts';
import { LongMessage } from './long-message.ts';
import { createClientAddress } from '../client-address.ts';
import type { Waiting } from '../time-slices.ts';
import { toServiceError } from './status-details.ts';

/** The context of a call that a handler sees besides the request. */
export interface CallContext extends Waiting {
  readonly requestId: string;
  /** `performance.now()` at arrival. */
  readonly startedAt: number;
  /** W3C `traceparent` of the call's own span; undefined when nothing is traced. */
  readonly traceparent: string | undefined;
  /** Address of the client, without its port: the peer's, or the one that a trusted proxy names. */
  readonly address: string;
  /** The credential sent as `authorization: Bearer …`, or null. */
  readonly token: string | null;
  /** Whether the call says that it asks for a request that ends a credential or takes access back. */
  readonly isRevoking: boolean;
  /** The caller the credential names. Throws TOKEN_INVALID. */
  caller(): Promise<Caller>;
  /** Sends a value in the trailing metadata. */
  trail(key: string, value: string): void;
  /** Adds to the audit row of a call that changes something. */
  readonly note: Note;
}

/** What the audit row of a change or login says about it, besides its fields. */
export interface Recorded<Request, Response> {
  /** What the call is about, such as `tenants/<id>`; the response is null when the call was refused. */
  readonly object: (request: Request, response: Response | null) => string;
  /** Whose chain a call that succeeded belongs to: the caller's tenant unless given, null for the system. */
  readonly tenantId?: (request: Request, response: Response) => string | null | undefined;
}

export type UnaryHandler<Request, Response> = (context: CallContext, request: Request) => Promise<Response>;

/** Upper bounds of the histogram of durations, in seconds. */
const DURATION_BUCKETS = [0.0005, 0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10];

export type Unary = <Request, Response>(
  name: string,
  handler: UnaryHandler<Request, Response>,
  /** Given for every method that changes something or is a login. */
  recorded?: Recorded<NoInfer<Request>, NoInfer<Response>>,
) => handleUnaryCall<Request, Response>;

/**
 * Turns handlers into grpc-js handlers. The one exit of errors of this transport: a DomainError becomes its
 * status with details, anything else `internal` with the request id, its text in the log alone.
 */
export function createUnary(
  deps: Pick<
    TransportDeps,
    'logger' | 'metrics' | 'tokens' | 'config' | 'tracing' | 'decisions' | 'audit' | 'now' | 'newCheckId'
  >,
): Unary {
  const { logger, tracing } = deps;
  const shared: SharedParts = {
    addressOf: createClientAddress(readProxies(deps.config.trustedProxies)),
    authenticate: (token) => deps.tokens.authenticate(token),
  };
  const duration = new Histogram({
    name: 'grpc_request_duration_seconds',
    help: 'Time from the request to the end of the response.',
    labelNames: ['method', 'code'],
    buckets: DURATION_BUCKETS,
    registers: [deps.metrics.registry],
  });

  return <Request, Response>(
    name: string,
    handler: UnaryHandler<Request, Response>,
    recorded?: Recorded<Request, Response>,
  ): handleUnaryCall<Request, Response> => {
    const accessLevels = accessLevelsOf(deps.config.accessLog, {
      isLogin: isLogin(name),
      isRecorded: recorded !== undefined,
    });
    const succeeded = duration.labels({ method: name, code: '0' });
    return (call, callback) => {
      const sent = call.metadata;
      const context = new UnaryContext(call, shared);
      const { startedAt } = context;
      // The hot path ends here: no span is made when tracing is off.
      const span = tracing.isOn
        ? tracing.start(call.getPath().slice(1), {
            kind: 'server',
            parent: readTraceparent(sent),
            attributes: {
              'rpc.system': 'grpc',
              'rpc.service': call.getPath().slice(1, call.getPath().lastIndexOf('/')),
              'rpc.method': name,
              'request.id': context.requestId,
            },
          })
        : null;
      context.traceparent = span?.traceparent;
      const lineOf = (code: number) => ({
        method: name,
        code,
        duration_ms: Math.round(performance.now() - startedAt),
        caller: context.known?.subjectId,
        tenant: context.known?.tenantId ?? undefined,
        address: context.address,
        request_id: context.requestId,
        trace_id: traceIdOf(span?.traceparent ?? readTraceparent(sent)),
      });

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
        context.hasFailed = true;
        clearTimeout(timer);
        const domainError = toDomainError(error);
        const failure = toServiceError(domainError, context.requestId);
        const seconds = (performance.now() - startedAt) / 1000;
        duration.observe({ method: name, code: String(failure.code) }, seconds);
        span?.end({ error: domainError.kind, attributes: { 'rpc.grpc.status_code': Number(failure.code) } });
        const line = lineOf(Number(failure.code));
        const { cause } = domainError;
        if (domainError.kind === 'internal')
          logger.error({ ...line, err: cause ?? domainError }, 'internal error');
        else if (domainError.kind === 'unavailable')
          logger.warn({ ...line, err: cause ?? domainError }, 'unavailable');
        else
          logger[accessLevels.refused](
            { ...line, reason: authzStatus(domainError, '').reason },
            'call refused',
          );
        if (context.trailer !== undefined) failure.metadata?.merge(context.trailer);
        callback(failure);
      };
      if (call.request instanceof UnreadMessage) return fail(call.request.error);
      const run = (request: Request) =>
        recorded === undefined
          ? handler(context, request)
          : recordCall<Response>(
              deps,
              {
                operation: name,
                startedAt,
                traceparent: context.traceparent,
                address: context.address,
                request: request as object,
                caller: () => context.known,
                object: (response) => recorded.object(request, response),
                tenantId: (response) => recorded.tenantId?.(request, response),
              },
              (note) => {
                context.note = note;
                return handler(context, request);
              },
            );
      const read = () =>
        call.request instanceof LongMessage
          ? (call.request as LongMessage<Request>).request(context).then(run)
          : run(call.request);
      const work = span === null ? read() : tracing.within(span, read);
      work.then((response) => {
        if (isDone) return;
        isDone = true;
        clearTimeout(timer);
        succeeded.observe((performance.now() - startedAt) / 1000);
        span?.end({ attributes: { 'rpc.grpc.status_code': 0 } });
        if (logger.isLevelEnabled(accessLevels.done)) logger[accessLevels.done](lineOf(0), 'call');
        callback(null, response, context.trailer);
      }, fail);
    };
  };
}

/** What the contexts of all calls read with. */
interface SharedParts {
  readonly addressOf: ReturnType<typeof createClientAddress>;
  readonly authenticate: (token: string | null) => Promise<Caller>;
}

/** A class, for the getters of a literal would be defined anew for every call. */
class UnaryContext implements CallContext {
  readonly startedAt = performance.now();
  readonly token: string | null;
  traceparent: string | undefined;
  note: Note = () => undefined;
  /** The caller, once their credential was read. */
  known: Caller | null = null;
  trailer: Metadata | undefined;
  /** Whether the call has its error, as when its time is over; its handler may still run. */
  hasFailed = false;
  readonly #call: ServerUnaryCall<unknown, unknown>;
  readonly #shared: SharedParts;
  #requestId: string | undefined;
  #address: string | undefined;

  constructor(call: ServerUnaryCall<unknown, unknown>, shared: SharedParts) {
    this.#call = call;
    this.#shared = shared;
    this.token = bearerOf(call.metadata.get('authorization'));
  }

  /** Made when something names it, which a call that succeeds seldom does. */
  get requestId(): string {
    return (this.#requestId ??= requestIdOf(this.#call.metadata.get('x-request-id')[0]));
  }

  /** Kept from the first time: a client that disconnects has none. */
  get address(): string {
    const { addressOf } = this.#shared;
    return (this.#address ??= addressOf(this.#call.getPeer(), this.#call.metadata.get('x-forwarded-for')));
  }

  get isRevoking(): boolean {
    const [name, value] = REVOCATION_PURPOSE;
    return this.#call.metadata.get(name)[0] === value;
  }

  isGone(): boolean {
    return this.hasFailed || this.#call.cancelled;
  }

  async caller(): Promise<Caller> {
    const caller = await this.#shared.authenticate(this.token);
    this.known = this.isRevoking ? { ...caller, isRevoking: true } : caller;
    return this.known;
  }

  trail(key: string, value: string): void {
    this.trailer ??= new Metadata();
    this.trailer.set(key, value);
  }
}

/** At which level a call is logged; what AUTHZ_ACCESS_LOG leaves out is left to `debug`. */
function accessLevelsOf(
  accessLog: Config['accessLog'],
  method: { readonly isLogin: boolean; readonly isRecorded: boolean },
): { readonly done: 'info' | 'debug'; readonly refused: 'warn' | 'info' } {
  const isShown = accessLog === 'all' || (accessLog === 'changes' && method.isRecorded);
  return { done: isShown ? 'info' : 'debug', refused: method.isLogin ? 'warn' : 'info' };
}

function readTraceparent(metadata: Metadata): string | undefined {
  const [sent] = metadata.get('traceparent');
  return typeof sent === 'string' ? sent : undefined;
}
