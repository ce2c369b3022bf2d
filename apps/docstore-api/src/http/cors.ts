import type { RequestHandler } from 'express';

/** Methods, request headers and response headers of the contract that a browser app may use. */
const METHODS = 'GET, HEAD, POST, PUT, PATCH, DELETE';
const REQUEST_HEADERS =
  'Authorization, Content-Type, If-Match, If-None-Match, If-Range, Idempotency-Key, Range, X-Request-Id';
const EXPOSED_HEADERS =
  'Content-Disposition, Content-Location, Content-Range, ETag, Idempotency-Replayed, Location, Repr-Digest, Retry-After, WWW-Authenticate, X-Request-Id';
const PREFLIGHT_SECONDS = 600;

/**
 * Lets browser apps of these origins call the API (Fetch standard, "CORS protocol"). Keys travel in a header,
 * never in cookies, so no credentials are allowed. Other origins get the same responses without the headers
 * that would let a page read them.
 */
export function cors(origins: readonly string[]): RequestHandler {
  const allowed = new Set(origins);
  return (req, res, next) => {
    if (allowed.size > 0) res.vary('Origin');
    const { origin } = req.headers;
    if (origin === undefined || !allowed.has(origin)) return next();
    res.setHeader('Access-Control-Allow-Origin', origin);
    res.setHeader('Access-Control-Expose-Headers', EXPOSED_HEADERS);
    const isPreflight = req.method === 'OPTIONS' && 'access-control-request-method' in req.headers;
    if (!isPreflight) return next();
    res.setHeader('Access-Control-Allow-Methods', METHODS);
    res.setHeader('Access-Control-Allow-Headers', REQUEST_HEADERS);
    res.setHeader('Access-Control-Max-Age', String(PREFLIGHT_SECONDS));
    res.statusCode = 204;
    res.end();
  };
}
