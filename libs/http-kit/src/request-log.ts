import type { IncomingMessage } from 'node:http';
import { randomUUID } from 'node:crypto';
import type { DestinationStream, Logger } from 'pino';
import { pino } from 'pino';
import type { RequestHandler } from 'express';
import { pinoHttp } from 'pino-http';
import { traceIdOf } from '@platform/telemetry';

/** An id we are willing to write into logs and headers: what a proxy or client would sensibly make, nothing to inject with. */
const SANE_REQUEST_ID = /^[A-Za-z0-9._:-]{1,128}$/;

/** Where a secret could stand in anything that gets logged. */
const REDACTED_PATHS = ['authorization', 'cookie', '["x-api-key"]', 'password', 'token', 'api_key'].flatMap(
  (name) => (name.startsWith('[') ? [`*${name}`, `*.*${name}`] : [name, `*.${name}`, `*.*.${name}`]),
);

/**
 * A service's JSON logger: level by name, time as ISO 8601, secrets masked. Writes to stdout unless given a stream, without
 * waiting: a reader of the log that falls behind must not hold up requests. What is left is written when the process exits.
 */
export function createLogger(
  options: { service: string; level: string },
  destination: DestinationStream = pino.destination({ dest: 1, sync: false }),
): Logger {
  return pino(
    {
      base: { service: options.service },
      level: options.level,
      timestamp: pino.stdTimeFunctions.isoTime,
      formatters: { level: (label) => ({ level: label }) },
      redact: { paths: REDACTED_PATHS, censor: '[redacted]' },
    },
    destination,
  );
}

/**
 * Gives each request an id (a sane X-Request-Id, else a UUID), echoes it in the answer, puts a logger whose lines carry it as
 * `request_id`, and the trace as `trace_id`, at `req.log`, and writes one line when the answer is out. Headers and bodies are
 * never logged. Stands behind `requestTrace`.
 */
export function requestLog(logger: Logger): RequestHandler {
  return pinoHttp({
    logger,
    genReqId: (req, res) => {
      const id = requestIdOf(req);
      res.setHeader('X-Request-Id', id);
      return id;
    },
    wrapSerializers: false,
    customProps: (req) => ({ request_id: req.id, trace_id: traceIdOf(req.traceparent) }),
    customAttributeKeys: { req: 'request', res: 'response', responseTime: 'duration_ms' },
    serializers: {
      request: (req: IncomingMessage) => ({
        method: req.method,
        // Express rewrites `url` while routing; the original is what was asked. A query may carry what is nobody's business.
        path: ((req as { originalUrl?: string }).originalUrl ?? req.url ?? '').split('?', 1)[0],
      }),
      response: (res: { statusCode: number; writableFinished: boolean }) => ({
        status: res.statusCode,
        ...(res.writableFinished ? {} : { client_gone: true }),
      }),
    },
    customLogLevel: (_req, res) => (res.statusCode >= 500 ? 'error' : 'info'),
    customSuccessMessage: () => 'request',
    customErrorMessage: () => 'request failed',
    customErrorObject: (_req, _res, _error, value: { err?: unknown }) => ({ ...value, err: undefined }),
  }) as RequestHandler;
}

function requestIdOf(req: IncomingMessage): string {
  const sent = req.headers['x-request-id'];
  return typeof sent === 'string' && SANE_REQUEST_ID.test(sent) ? sent : randomUUID();
}
