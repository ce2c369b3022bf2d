import { cors, type CorsRules, type UploadLimiter } from '@platform/service-kit';
import { Router } from 'express';
import type { TransportDeps } from '../ports.ts';
import type { Access } from './access.ts';
import { addAuthorizeRoutes } from './oauth-authorize.ts';
import { addRegistrationRoutes } from './oauth-registration.ts';
import { addTokenRoutes } from './oauth-tokens.ts';

/** What programs call themselves, in the browser too where their origin is allowed. */
const PROGRAM_PATHS = [
  '/.well-known/oauth-authorization-server',
  '/oauth/register',
  '/oauth/token',
  '/oauth/revoke',
];
const CORS_RULES: CorsRules = {
  methods: 'GET, POST',
  requestHeaders: 'Authorization, Content-Type, MCP-Protocol-Version, X-Request-Id',
  exposedHeaders: 'Retry-After, WWW-Authenticate, X-Request-Id',
};

/**
 * The authorization server of the resources in the settings, for public clients (OAuth 2.1, RFC 8414, 7591,
 * 7009, 8707, 9207): metadata, registration, sign-in with consent, tokens and their end.
 */
export function oauthRoutes(deps: TransportDeps, access: Access, uploads: UploadLimiter): Router {
  const router = Router();
  // Not the page of the consent: it belongs to this origin alone.
  router.use(PROGRAM_PATHS, cors(deps.config.corsOrigins, CORS_RULES));
  router.use('/oauth', (_req, res, next) => {
    res.set({ 'Cache-Control': 'no-store', Pragma: 'no-cache' });
    next();
  });
  const server = { deps, access, uploads };
  addRegistrationRoutes(router, server);
  addAuthorizeRoutes(router, server);
  addTokenRoutes(router, server);
  return router;
}
