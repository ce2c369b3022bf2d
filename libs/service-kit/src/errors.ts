import type { Server, ServerResponse } from 'node:http';
import type { Duplex } from 'node:stream';
import type { ErrorRequestHandler, Request, RequestHandler, Response } from 'express';
import type { ErrorRenderer } from '@platform/error-contracts';
import { DomainError, toDomainError } from '@platform/error-contracts';
import { SECURITY_HEADERS } from './security-headers.ts';

/** Refuses every URL and method that no route took: DomainError `not_found`. Stands after all routes. */
export const unknownUrl: RequestHandler = (req) => {
  throw new DomainError('not_found', `no \`${req.method} ${req.path}\` here`);
};

/**
 * The one place where errors become responses: `render` is the wire contract. Unexpected errors are logged
 * with their cause and shown as the contract's internal error. Stands last.
 */
export function errorHandler(render: ErrorRenderer): ErrorRequestHandler {
  return (error: unknown, req, res, next) => {
    const domainError = isBadUrl(error) ? new DomainError('not_found', 'no such URL') : toDomainError(error);
    if (domainError.kind === 'internal')
      req.log().error({ err: domainError.cause ?? domainError }, 'internal error');
    else if (domainError.cause !== undefined) req.log().warn({ err: domainError.cause }, domainError.message);
    // It counts among the server errors of the alerts, so the log says which.
    else if (domainError.kind === 'unavailable') req.log().warn(domainError.message);
    // Half a response cannot be taken back: Express closes the connection, so the client sees that it is
    // broken.
    if (res.headersSent) return next(error);
    const { status, headers, body } = render(domainError, {
      requestId: req.id,
      credentialSent: req.headers.authorization !== undefined || req.headers['x-api-key'] !== undefined,
    });
    res.status(status).set(headers).type('json');
    endWhenReceived(req, res, Buffer.from(JSON.stringify(body)));
  };
}

/** How long a body that nobody wants any more may still come in after the response. Milliseconds. */
const LINGER_MS = 2_000;

/**
 * Sends the whole response at once but ends it only when the request has arrived, or has had its time:
 * closing a connection on which data still come in resets it, and the reset may overtake the response
 * (RFC 9112 §9.6).
 */
function endWhenReceived(req: Request, res: Response, body: Buffer): void {
  res.setHeader('Content-Length', body.length);
  // A client that is gone sends nothing more, so there is nothing to wait for.
  if (req.complete || req.destroyed) return void res.end(req.method === 'HEAD' ? undefined : body);
  if (req.method === 'HEAD') res.flushHeaders();
  else res.write(body);
  const end = () => {
    clearTimeout(timer);
    req.off('end', end).off('close', end);
    res.end();
    if (!req.complete) req.socket.destroy();
  };
  const timer = setTimeout(end, LINGER_MS);
  req.on('end', end).on('close', end).resume();
}

/** Express throws a URIError with status 400 for a path it cannot decode. */
function isBadUrl(error: unknown): boolean {
  return error instanceof URIError;
}

/** Status and words for what Node's own HTTP parser refuses, before there is a request. */
const PARSER_ERRORS: Readonly<Record<string, readonly [status: string, message: string]>> = {
  HPE_HEADER_OVERFLOW: ['431 Request Header Fields Too Large', 'the request head is too large'],
  ERR_HTTP_REQUEST_TIMEOUT: ['408 Request Timeout', 'the request did not arrive in time'],
};

/** Lets responses to requests that are not HTTP carry a body as well, made by `bodyOf` from a sentence. */
export function respondToParserErrors(server: Server, bodyOf: (message: string) => unknown): void {
  const refused = new WeakSet<Duplex>();
  server.on('clientError', (error: NodeJS.ErrnoException, socket) => {
    // Bytes that still arrive on this connection are not HTTP either.
    if (refused.has(socket) && error.code !== 'ECONNRESET') return;
    refused.add(socket);
    // Node's own handler looks at the same field: behind a response that has begun, another would be read as
    // part of it.
    const { _httpMessage: current } = socket as { _httpMessage?: ServerResponse | null };
    if (error.code === 'ECONNRESET' || !socket.writable || current?.headersSent) return void socket.destroy();
    const [status, message] = PARSER_ERRORS[error.code ?? ''] ?? [
      '400 Bad Request',
      'the request is not valid HTTP',
    ];
    endConnection(socket, status, bodyOf(message));
  });
}

/**
 * Responds on a connection that has no response object, with a JSON body, and closes it: its other half too,
 * should the client not do so soon.
 */
export function endConnection(socket: Duplex, status: string, value: unknown): void {
  const body = JSON.stringify(value);
  const headers = {
    ...SECURITY_HEADERS,
    'Content-Type': 'application/json; charset=utf-8',
    'Content-Length': Buffer.byteLength(body),
    Connection: 'close',
  };
  const lines = Object.entries(headers).map(([name, text]) => `${name}: ${text}\r\n`);
  const cut = setTimeout(() => socket.destroy(), LINGER_MS).unref();
  socket.once('close', () => clearTimeout(cut));
  socket.end(`HTTP/1.1 ${status}\r\n${lines.join('')}\r\n${body}`);
}
