import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import type { Duplex } from 'node:stream';
import express, { type Request, type RequestHandler, type Response } from 'express';
import { docstoreErrorBody, DomainError } from '@platform/error-contracts';
import {
  errorHandler,
  respondToParserErrors,
  cors,
  createUploadLimiter,
  docsPage,
  endConnection,
  requestLog,
  requestTrace,
  securityHeaders,
  unknownUrl,
} from '@platform/service-kit';
import { CORS_RULES } from './http/cors-rules.ts';
import { keepNoError, renderError, sendCurrentEtag } from './http/errors.ts';
import { createBodyReader } from './http/body-reader.ts';
import { createLargeBodies } from './http/large-bodies.ts';
import { guideOf } from './http/guide.ts';
import { buildOpenApi } from './http/openapi.ts';
import { NoQuery, parseQuery } from './http/query.ts';
import { createRoutes, url } from './http/routes.ts';
import { ERROR_CODES, PUBLIC_DOCUMENTS } from './http/api.ts';
import { send } from './http/respond.ts';
import { measuringLargeBodies } from './metrics.ts';
import { BODY_BYTES_MAX, MiB } from './rules/limits.ts';
import type { HttpDeps } from './http/http-deps.ts';

const HEADERS_TIMEOUT_MS = 10_000;
/**
 * Longer than a busy machine needs for the bodies in front; refused sooner, the client would send its body
 * again.
 */
const LARGE_WAIT_MS = 120_000;
/** Room for bodies that are arriving or worked on; one owner holds at most a quarter. Bytes. */
const UPLOAD_ROOM_BYTES = 128 * MiB;

/** The service's HTTP server, not yet listening. */
export function createApiServer(deps: HttpDeps): Server {
  const { logger, metrics } = deps;
  const { slowRequestMs } = deps.config;
  const app = express().disable('x-powered-by').disable('etag').set('query parser', false);
  app.use(
    requestTrace(deps.tracing),
    requestLog(logger),
    metrics.middleware,
    securityHeaders(),
    requireProperHead,
    cors(deps.config.corsOrigins, CORS_RULES),
  );

  const openApi = buildOpenApi();
  const serving =
    (json: unknown): RequestHandler =>
    (req, res) => {
      parseQuery(NoQuery, req);
      return send(res, { status: 200, json });
    };
  url(app, PUBLIC_DOCUMENTS.listErrors.path, { get: serving(ERROR_CODES) });
  url(app, PUBLIC_DOCUMENTS.getOpenApi.path, { get: serving(openApi) });
  // The address that the other services have it at.
  url(app, '/openapi.json', { get: serving(openApi) });
  // People who open the service in a browser want to know what it does.
  url(app, '/', { get: (_req, res) => res.redirect(302, '/docs') });
  app.use('/docs', docsPage(guideOf(openApi, deps.config)));
  const reader = createBodyReader(deps.bodyWorkerFile);
  const bodies = {
    reader,
    uploads: createUploadLimiter({
      roomBytes: UPLOAD_ROOM_BYTES,
      bodyBytesMax: BODY_BYTES_MAX,
      arrivalMaxMs: slowRequestMs,
    }),
    large: measuringLargeBodies(
      createLargeBodies({ concurrency: deps.config.largeBodies, waitMaxMs: LARGE_WAIT_MS }),
      metrics.registry,
    ),
    responses: createLargeBodies({
      concurrency: deps.config.largeBodies,
      // Half of them stay free for others, who then need not wait for work that takes long.
      inServiceMax: Math.ceil(deps.config.largeBodies / 2),
      waitMaxMs: LARGE_WAIT_MS,
    }),
  };
  app.use(createRoutes(deps, bodies));
  app.use(unknownUrl, metrics.countRefusals, keepNoError, sendCurrentEtag, errorHandler(renderError));

  const handle = (req: IncomingMessage, res: ServerResponse) => {
    app(req as Request, res as Response, (error?: unknown) => {
      // Half a response can only be broken off.
      if (error !== undefined || res.headersSent) return void req.socket.destroy();
      // Express finds no path in this target and would respond with a page of its own, which no handler has
      // seen.
      endConnection(
        req.socket,
        '400 Bad Request',
        docstoreErrorBody('bad_request', 'the target has no path', null),
      );
    });
  };
  const server = createServer(
    {
      headersTimeout: Math.min(HEADERS_TIMEOUT_MS, slowRequestMs),
      // Bodies are timed by the upload limiter; this ends requests whose body no handler reads.
      requestTimeout: slowRequestMs + HEADERS_TIMEOUT_MS,
      connectionsCheckingInterval: 1000,
      // Node would refuse a missing Host itself, without the envelope.
      requireHostHeader: false,
    },
    handle,
  );
  server.once('close', () => void reader.close());
  // Node would leave out what stands behind the thousandth line, a condition too; the head's length is
  // bounded anyway.
  server.maxHeadersCount = 0;
  // With a listener of our own `100 Continue` is sent only once the body is wanted.
  server.on('checkContinue', handle).on('checkExpectation', handle);
  server.on('connect', (_req: IncomingMessage, socket: Duplex) => refuseTunnel(socket));
  respondToParserErrors(server, (message) => docstoreErrorBody('bad_request', message, null));
  return server;
}

/** RFC 9110 §7.2: a name or address, maybe empty, and maybe a port. */
const HOST = /^(\[[\d:.A-Fa-f]+\]|[\w.~!$&'()*+,;=%-]*)(:\d*)?$/;

/**
 * Refuses what Node's parser accepts and HTTP does not: anything but exactly one valid Host header (RFC 9112
 * §3.2; HTTP/1.0 may omit it), and a transfer coding other than chunked (§6.1).
 */
const requireProperHead: RequestHandler = (req, _res, next) => {
  const hosts = req.rawHeaders.filter((name, index) => index % 2 === 0 && name.toLowerCase() === 'host');
  if (
    hosts.length > 1 ||
    (hosts.length === 0 && req.httpVersion === '1.1') ||
    !HOST.test(req.headers.host ?? '')
  ) {
    throw new DomainError('invalid_argument', 'send one Host header, with a host');
  }
  if ((req.headers['transfer-encoding'] ?? 'chunked').toLowerCase() !== 'chunked') {
    throw new DomainError('unimplemented', 'only Transfer-Encoding: chunked is supported');
  }
  next();
};

/** CONNECT never reaches the router; it is an unknown URL like any other. */
function refuseTunnel(socket: Duplex): void {
  endConnection(socket, '404 Not Found', docstoreErrorBody('not_found', 'CONNECT is not supported', null));
}
