import { randomUUID } from 'node:crypto';
import type { DestinationStream, Logger } from 'pino';
import { pino } from 'pino';
import type { Request, RequestHandler, Response } from 'express';
import { traceIdOf } from '@platform/telemetry';
import { openLogStream } from './log-stream.ts';

/** An id that headers and lines of JSON can hold as it is: visible ASCII, spaces within. */
const SANE_REQUEST_ID = /^(?! )[ -~]{1,128}(?<! )$/;

/** Where a secret could stand in anything that gets logged. */
const REDACTED_PATHS = ['authorization', 'cookie', '["x-api-key"]', 'password', 'token', 'api_key'].flatMap(
  (name) => (name.startsWith('[') ? [`*${name}`, `*.*${name}`] : [name, `*.${name}`, `*.*.${name}`]),
);

/**
 * A service's JSON logger: level by name, time as ISO 8601, secrets masked. Writes to stdout (1) unless given
 * stderr (2) or a stream. Lines that cannot be written are dropped, and their number is logged once others
 * are written again.
 */
export function createLogger(
  options: { service: string; level: string },
  destination: DestinationStream | 1 | 2 = 1,
): Logger {
  const tellLost = (lines: number) => logger.warn({ lines }, 'log lines were lost');
  const logger: Logger = pino(
    {
      base: { service: options.service },
      level: options.level,
      timestamp: pino.stdTimeFunctions.isoTime,
      formatters: { level: (label) => ({ level: label }) },
      redact: { paths: REDACTED_PATHS, censor: '[redacted]' },
    },
    typeof destination === 'number' ? openLogStream(destination, tellLost) : destination,
  );
  return logger;
}

declare module 'http' {
  interface IncomingMessage {
    /** The sender's X-Request-Id where it is sane, else a UUID. */
    id: string;
    /** A logger whose lines carry the request's id and trace. */
    log: () => Logger;
  }
}

/** What the line of a request is besides method, path, status and duration. */
export interface RequestLine {
  readonly level: 'info' | 'warn';
  readonly more: Readonly<Record<string, unknown>>;
}

/**
 * Gives each request an id (a sane X-Request-Id, else a UUID), echoes it in the response, puts at `req.log`
 * what makes a logger whose lines carry it as `request_id`, and the trace as `trace_id`, and writes one line
 * when the response is out, at the level and with the fields that `lineOf` adds; none where it returns null.
 * Headers and bodies are never logged. Stands behind `requestTrace`.
 */
export function requestLog(
  logger: Logger,
  lineOf: (req: Request, res: Response) => RequestLine | null = () => ({ level: 'info', more: {} }),
): RequestHandler {
  // What the line of a request holds is named here and no secret; to look for one would take longer than all
  // the rest.
  const unmasked = logger.child({}, { redact: { paths: [] } });
  return (req, res, next) => {
    const start = performance.now();
    req.id = requestIdOf(req.headers['x-request-id']);
    res.setHeader('X-Request-Id', req.id);
    const about = {
      // Express rewrites `url` while routing. The query is left out, because it may hold private text.
      request: { method: req.method, path: req.originalUrl.split('?', 1)[0] },
      request_id: req.id,
      trace_id: traceIdOf(req.traceparent),
    };
    // Made when something is logged: most requests have nothing to say but the line of their end.
    req.log = () => logger.child(about);
    res.once('close', () => {
      const isGone = !res.writableFinished;
      // A client that left got no error; a fault of the service has a line of its own from the error handler.
      const isFailure = res.statusCode >= 500 && !isGone;
      const response = { status: res.statusCode, ...(isGone ? { client_gone: true } : {}) };
      const line = { response, duration_ms: Math.round(performance.now() - start) };
      if (isFailure) return unmasked.error({ ...about, ...line }, 'request failed');
      const shown = lineOf(req, res);
      if (shown !== null) unmasked[shown.level]({ ...about, ...line, ...shown.more }, 'request');
    });
    next();
  };
}

/** The request id that was sent, where it is sane to write into logs and headers, else a UUID. */
export function requestIdOf(sent: unknown): string {
  return typeof sent === 'string' && SANE_REQUEST_ID.test(sent) ? sent : randomUUID();
}
