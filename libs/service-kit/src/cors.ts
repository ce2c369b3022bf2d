import type { RequestHandler } from 'express';

/** Methods, request headers and response headers of an API that a browser app may use, by commas. */
export interface CorsRules {
  readonly methods: string;
  readonly requestHeaders: string;
  readonly exposedHeaders: string;
}

const PREFLIGHT_SECONDS = 600;

/** Parses origins separated by commas. Throws for anything else: an origin is scheme, host and port only. */
export function parseOrigins(text: string): string[] {
  return text.split(',').map((part) => {
    const origin = part.trim();
    if (!URL.canParse(origin) || new URL(origin).origin !== origin) {
      throw new Error(
        `must be origins such as https://app.example, separated by commas: \`${origin}\` is none`,
      );
    }
    return origin;
  });
}

/**
 * Lets browser apps of these origins, separated by commas, call the API (Fetch standard, "CORS protocol");
 * undefined = none. Credentials travel in a header, never in cookies, so no cookies are allowed. Other
 * origins get the same responses without the headers that would let a page read them.
 */
export function cors(origins: string | undefined, rules: CorsRules): RequestHandler {
  const allowed = new Set(origins === undefined ? [] : parseOrigins(origins));
  return (req, res, next) => {
    if (allowed.size > 0) res.vary('Origin');
    const { origin } = req.headers;
    if (origin === undefined || !allowed.has(origin)) return next();
    res.setHeader('Access-Control-Allow-Origin', origin);
    res.setHeader('Access-Control-Expose-Headers', rules.exposedHeaders);
    const isPreflight = req.method === 'OPTIONS' && 'access-control-request-method' in req.headers;
    if (!isPreflight) return next();
    res.setHeader('Access-Control-Allow-Methods', rules.methods);
    res.setHeader('Access-Control-Allow-Headers', rules.requestHeaders);
    res.setHeader('Access-Control-Max-Age', String(PREFLIGHT_SECONDS));
    res.statusCode = 204;
    res.end();
  };
}
