import type { IncomingMessage, ServerResponse } from 'node:http';
import {
  AuthzError,
  DomainError,
  authzStatus,
  renderAuthzError,
  toDomainError,
  orError,
} from '@platform/error-contracts';
import { requestIdOf, SECURITY_HEADERS, type Upload, type UploadLimiter } from '@platform/service-kit';
import { traceIdOf } from '@platform/telemetry';
import { InvalidJsonError, parseStrictJson } from '@platform/strict-json';
import { checkIdOf, type Arrival } from '../audit/call-record.ts';
import type { Caller } from '../authorization/caller.ts';
import type { TransportDeps } from '../ports.ts';
import { bearerOf } from '../identity/bearer.ts';
import { BATCH_CHECKS_MAX, batchCheckAuthorization } from '../operations/batch-check-authorization.ts';
import { checkAuthorization } from '../operations/check-authorization.ts';
import { readValues } from '../policy/check-context.ts';
import type { RequestContext } from '../policy/types.ts';
import { runInTimeSlices } from '../time-slices.ts';
import type { Access } from './access.ts';

/**
 * `POST /v1/authz/check` and `:batch` on bare node:http. Express costs more per request than the whole check,
 * and these two routes are what the service is called for; every other route goes through Express.
 */

/** Largest body of one check, whose context has half of it. */
export const BODY_BYTES_MAX = 64 * 1024;
/** Largest body of a route. */
export const BATCH_BYTES_MAX = 16 * 1024 * 1024;

type CheckDeps = Pick<
  TransportDeps,
  'decisions' | 'audit' | 'now' | 'newCheckId' | 'shadows' | 'tokens' | 'logger' | 'metrics' | 'tracing'
>;
interface CheckParts {
  readonly deps: CheckDeps;
  readonly access: Access;
  readonly uploads: UploadLimiter;
}

type Route = (
  deps: CheckDeps,
  caller: Caller,
  body: object | DomainError,
  arrival: Arrival,
) => Promise<Answer>;

interface Answer {
  readonly body: unknown;
  readonly checkId?: string;
}

interface RouteEntry {
  readonly path: string;
  readonly bytesMax: number;
  readonly run: Route;
}

const ROUTES: ReadonlyMap<string, RouteEntry> = new Map(
  [
    { path: '/v1/authz/check', bytesMax: BODY_BYTES_MAX, run: check },
    { path: '/v1/authz/check:batch', bytesMax: BATCH_BYTES_MAX, run: checkBatch },
  ].map((route) => [route.path, route]),
);
export const CHECK_PATHS: readonly string[] = [...ROUTES.keys()];

/** Responds to the request if it is one of these routes and says whether it was. */
export function createCheckRoutes(
  deps: CheckDeps,
  access: Access,
  uploads: UploadLimiter,
): (req: IncomingMessage, res: ServerResponse) => boolean {
  const parts = { deps, access, uploads };
  return (req, res) => {
    const [path] = (req.url ?? '').split('?', 1) as [string];
    const route = req.method === 'POST' ? ROUTES.get(path) : undefined;
    if (route === undefined) return false;
    void respond({ ...parts, route }, req, res);
    return true;
  };
}

async function respond(
  { deps, access, uploads, route }: CheckParts & { readonly route: RouteEntry },
  req: IncomingMessage,
  res: ServerResponse,
): Promise<void> {
  const startedAt = performance.now();
  const requestId = requestIdOf(req.headers['x-request-id']);
  const span = deps.tracing.isOn
    ? deps.tracing.start(`POST ${route.path}`, {
        kind: 'server',
        parent: sentTraceparent(req),
        attributes: { 'http.request.method': 'POST', 'http.route': route.path, 'request.id': requestId },
      })
    : null;
  const inSpan = <T>(work: () => T): T => (span === null ? work() : deps.tracing.within(span, work));
  const lineOf = () => ({
    request: { method: 'POST', path: route.path },
    request_id: requestId,
    trace_id: traceIdOf(span?.traceparent ?? sentTraceparent(req)),
  });
  const close = (status: number) => {
    const line = status >= 500 ? null : access.lineOf(req, status, false);
    if (line !== null) {
      const duration = Math.round(performance.now() - startedAt);
      const facts = { ...lineOf(), response: { status }, duration_ms: duration, ...line.more };
      deps.logger[line.level](facts, 'request');
    }
    deps.metrics.observeRequest('POST', route.path, status, (performance.now() - startedAt) / 1000);
    span?.end({
      attributes: { 'http.response.status_code': status },
      ...(status >= 500 ? { error: String(status) } : {}),
    });
  };
  let upload: Upload | undefined;
  try {
    // First, so that the process holds no body of a caller without a credential.
    const caller = await inSpan(() => authenticateHttp(deps, req));
    access.met(req, caller);
    upload = await uploads.receive(req, ownerOf(caller), route.bytesMax);
    const { bytes } = upload;
    const { body: value, checkId } = await inSpan(() =>
      route.run(
        deps,
        caller,
        orError(() => parseBody(bytes)),
        access.arrivalOf(req, startedAt, span?.traceparent),
      ),
    );
    close(200);
    send(res, 200, value, {
      'X-Request-Id': requestId,
      ...(checkId === undefined ? {} : { 'X-Check-Id': checkId }),
    });
  } catch (error) {
    const domainError = toDomainError(error);
    deps.metrics.countRefusal(domainError);
    const line = { ...lineOf(), err: domainError.cause ?? domainError };
    if (domainError.kind === 'internal') deps.logger.error(line, 'internal error');
    else if (domainError.kind === 'unavailable') deps.logger.warn(line, 'unavailable');
    const credentialSent = req.headers.authorization !== undefined;
    const { status, headers, body } = renderAuthzError(domainError, { requestId, credentialSent });
    close(status);
    const checkId = checkIdOf(error);
    const checked: Record<string, string> = checkId === undefined ? {} : { 'X-Check-Id': checkId };
    if (!res.headersSent) send(res, status, body, { ...headers, 'X-Request-Id': requestId, ...checked });
  } finally {
    upload?.release();
  }
}

/** Whose body it is: the tenant's, as far as there is one. */
export function ownerOf({ tenantId, subjectId }: Caller): string {
  return tenantId ?? subjectId;
}

/** What to send in place of a key, which a caller who sent a genuine one is told. */
const INSTEAD = {
  api_key: 'REST takes no API keys: call over gRPC, or send the token of a login',
  service_account: 'REST takes no API keys: exchange it for a token by POST /v1/auth/token',
} as const;

/**
 * The caller of a REST request: a session token. API keys work over gRPC only, and a service account
 * exchanges its key for a token first (contract, "Authentication"). Throws TOKEN_INVALID.
 */
export async function authenticateHttp(
  deps: Pick<TransportDeps, 'tokens'>,
  req: IncomingMessage,
): Promise<Caller> {
  const caller = await deps.tokens.authenticate(readBearer(req));
  if (caller.use !== 'session') throw new AuthzError('TOKEN_INVALID', INSTEAD[caller.use]);
  return caller;
}

/** The credential of a request, or null. */
export function readBearer(req: IncomingMessage): string | null {
  return bearerOf(req.headersDistinct['authorization'] ?? []);
}

async function check(
  deps: CheckDeps,
  caller: Caller,
  body: object | DomainError,
  arrival: Arrival,
): Promise<Answer> {
  const context =
    body instanceof DomainError ? body : orError(() => readValues((body as { context?: unknown }).context));
  const { authorized, checkId } = await checkAuthorization(deps, caller, context, arrival);
  return { body: { allowed: authorized }, checkId };
}

async function checkBatch(
  deps: CheckDeps,
  caller: Caller,
  body: object | DomainError,
  arrival: Arrival,
): Promise<Answer> {
  const contexts = await runInTimeSlices(readChecks(body), arrival);
  const items = await batchCheckAuthorization(deps, caller, contexts, arrival);
  const results = items.map((item) => {
    if (!(item instanceof DomainError)) return { allowed: item.authorized, check_id: item.checkId };
    const { body: error } = renderAuthzError(item, { requestId: '' });
    const { reason } = authzStatus(item, '');
    return { allowed: false, check_id: checkIdOf(item), ...(error as object), reason };
  });
  return { body: { results } };
}

/** The contexts of a batch, each with its own error in its place, or why the batch has none. */
function* readChecks(
  body: object | DomainError,
): Generator<void, (RequestContext | DomainError)[] | DomainError> {
  if (body instanceof DomainError) return body;
  const { checks } = body as { checks?: unknown };
  if (!Array.isArray(checks)) return invalid('`checks` must be a list', 'checks');
  const contexts: (RequestContext | DomainError)[] = [];
  // One too many is enough for the batch to be refused.
  for (const one of checks.slice(0, BATCH_CHECKS_MAX + 1) as unknown[]) {
    contexts.push(orError(() => readValues((one as { context?: unknown } | null)?.context)));
    yield;
  }
  return contexts;
}

/**
 * What no body of a check goes beyond: 1,000 checks, whose contexts have 64 keys and 256 values each. What is
 * beyond is refused while it is read, and not built first.
 */
const JSON_LIMITS = { depthMax: 16, membersMax: 2_000, valuesMax: 400_000 } as const;

/** Throws `invalid_argument` for anything but a JSON object, duplicate keys included. */
export function parseBody(bytes: Uint8Array): object {
  try {
    const value = parseStrictJson(bytes, JSON_LIMITS);
    if (typeof value === 'object' && value !== null && !Array.isArray(value)) return value;
  } catch (error) {
    if (!(error instanceof InvalidJsonError)) throw error;
    throw new DomainError('invalid_argument', error.message);
  }
  throw new DomainError('invalid_argument', 'the body must be a JSON object');
}

function sentTraceparent(req: IncomingMessage): string | undefined {
  const sent = req.headers.traceparent;
  return typeof sent === 'string' ? sent : undefined;
}

function send(res: ServerResponse, status: number, value: unknown, headers: Record<string, string>): void {
  const text = JSON.stringify(value);
  res.writeHead(status, {
    ...SECURITY_HEADERS,
    'Content-Type': 'application/json',
    'Content-Length': Buffer.byteLength(text),
    'Cache-Control': 'no-store',
    ...headers,
  });
  res.end(text);
}

function invalid(message: string, field: string): AuthzError {
  return new AuthzError('INVALID_CONTEXT', message, { field });
}
