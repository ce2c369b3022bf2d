import type { UploadLimiter } from '@platform/service-kit';
import { Router } from 'express';
import type { TransportDeps } from '../ports.ts';
import type { Access } from './access.ts';
import { addAuthorizeRoutes } from './oauth-authorize.ts';
import { addRegistrationRoutes } from './oauth-registration.ts';
import { addTokenRoutes } from './oauth-tokens.ts';

/**
 * The authorization server of the resources in the settings, for public clients (OAuth 2.1, RFC 8414, 7591,
 * 7009, 8707, 9207): metadata, registration, sign-in with consent, tokens and their end.
 */
export function oauthRoutes(deps: TransportDeps, access: Access, uploads: UploadLimiter): Router {
  const router = Router();
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
