import type { CorsRules } from '@platform/service-kit';

/** What of the contract a browser app may use. */
export const CORS_RULES: CorsRules = {
  methods: 'GET, HEAD, POST, PUT, PATCH, DELETE',
  requestHeaders:
    'Authorization, Content-Type, If-Match, If-None-Match, If-Range, Idempotency-Key, Range, X-Request-Id',
  exposedHeaders:
    'Content-Disposition, Content-Location, Content-Range, ETag, Idempotency-Replayed, Location, Repr-Digest, Retry-After, WWW-Authenticate, X-Request-Id',
};
