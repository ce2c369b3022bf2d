import { DomainError } from '@platform/error-contracts';
import type { Router } from 'express';
import { z } from 'zod';
import { CLIENT_SCOPES } from '../authorization/scopes.ts';
import { describeClient } from '../identity/oauth-client.ts';
import { issuerOf, OAUTH_BYTES_MAX, refuse, type OAuthServer } from './oauth-endpoint.ts';
import { readJson } from './read-json.ts';

/** How long the metadata may be kept. Seconds. */
const METADATA_SECONDS = 300;

/** Body of `POST /oauth/register`; what else clients say about themselves changes nothing (RFC 7591 §2). */
const ClientRegistration = z.object({
  client_name: z.string().optional(),
  redirect_uris: z.array(z.string()),
});

/** How a program gets to know the authorization server (RFC 8414) and is known to it (RFC 7591). */
export function addRegistrationRoutes(router: Router, { deps, access, uploads }: OAuthServer): void {
  router.get('/.well-known/oauth-authorization-server', (req, res) => {
    const issuer = issuerOf(deps.config, req);
    res.set('Cache-Control', `public, max-age=${METADATA_SECONDS}`).json({
      issuer,
      authorization_endpoint: `${issuer}/oauth/authorize`,
      token_endpoint: `${issuer}/oauth/token`,
      registration_endpoint: `${issuer}/oauth/register`,
      revocation_endpoint: `${issuer}/oauth/revoke`,
      scopes_supported: CLIENT_SCOPES,
      response_types_supported: ['code'],
      response_modes_supported: ['query'],
      grant_types_supported: ['authorization_code', 'refresh_token'],
      token_endpoint_auth_methods_supported: ['none'],
      revocation_endpoint_auth_methods_supported: ['none'],
      code_challenge_methods_supported: ['S256'],
      authorization_response_iss_parameter_supported: true,
      protected_resources: deps.config.oauthResources,
      service_documentation: `${issuer}/docs`,
    });
  });

  router.post('/oauth/register', async (req, res) => {
    const body = await readJson(
      req,
      ClientRegistration,
      uploads,
      access.addressOf(req),
      OAUTH_BYTES_MAX,
    ).catch((error: unknown) => {
      if (error instanceof DomainError && error.kind === 'invalid_argument') return error.message;
      throw error;
    });
    const client =
      typeof body === 'string' ? body : describeClient(body.client_name ?? 'A program', body.redirect_uris);
    if (typeof client === 'string') {
      const error = /redirect_uris/.test(client) ? 'invalid_redirect_uri' : 'invalid_client_metadata';
      return refuse(res, { status: 400, error, description: client });
    }
    res.status(201).json({
      client_id: client.id,
      client_name: client.name,
      redirect_uris: client.redirectUris,
      grant_types: ['authorization_code', 'refresh_token'],
      response_types: ['code'],
      token_endpoint_auth_method: 'none',
    });
  });
}
