import type { RequestHandler } from 'express';
import type { Tracing } from '@platform/telemetry';
import { routeOf } from './metrics.ts';

declare module 'http' {
  interface IncomingMessage {
    /**
     * W3C `traceparent` of the request's own span, for calls made on its behalf; what came in while tracing
     * is off.
     */
    traceparent?: string | undefined;
  }
}

/**
 * A server span for every request it stands before, named by method and matched route; it joins the trace
 * that the request names. Stands first, so that the log knows the trace.
 */
export function requestTrace(tracing: Tracing): RequestHandler {
  return (req, res, next) => {
    const { method } = req;
    const sent = req.headers.traceparent;
    const parent = typeof sent === 'string' ? sent : undefined;
    const span = tracing.start(method, { kind: 'server', parent });
    req.traceparent = span.traceparent;
    if (tracing.isOn) {
      res.once('close', () => {
        const route = routeOf(req);
        const { statusCode } = res;
        span.end({
          name: `${method} ${route}`,
          attributes: {
            'http.request.method': method,
            'http.route': route,
            'http.response.status_code': statusCode,
            ...(typeof req.id === 'string' ? { 'request.id': req.id } : {}),
          },
          ...(statusCode >= 500 ? { error: String(statusCode) } : {}),
        });
      });
    }
    tracing.within(span, next);
  };
}
