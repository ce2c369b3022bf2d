import type { CorsRules } from '@platform/service-kit';

/** What of REST and MCP a browser app may use. */
export const CORS_RULES: CorsRules = {
  methods: 'GET, HEAD, POST, PUT, PATCH, DELETE',
  requestHeaders:
    'Authorization, Content-Type, Last-Event-ID, MCP-Method, MCP-Name, MCP-Protocol-Version, MCP-Session-Id, Prefer, X-API-Key, X-Request-Id',
  exposedHeaders:
    'Content-Disposition, Link, Location, MCP-Session-Id, Preference-Applied, Retry-After, WWW-Authenticate, X-Request-Id',
};
