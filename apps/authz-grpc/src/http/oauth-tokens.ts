import { DomainError, hasReason } from '@platform/error-contracts';
import type { Request, RequestHandler, Response, Router } from 'express';
import { recordCall } from '../audit/call-record.ts';
import { readClientId } from '../identity/oauth-client.ts';
import {
  redeemCode,
  refreshClientTokens,
  revokeClientToken,
  type ClientTokens,
} from '../operations/connected-clients.ts';
import {
  arrivalOf,
  readForm,
  refuse,
  type Form,
  type OAuthRefusal,
  type OAuthServer,
} from './oauth-endpoint.ts';

/** A verifier of PKCE (RFC 7636 §4.1). */
const VERIFIER = /^[A-Za-z0-9._~-]{43,128}$/;

/** Tokens for a code or a refresh token (OAuth 2.1 §3.2), and their end (RFC 7009). */
export function addTokenRoutes(router: Router, server: OAuthServer): void {
  const { deps, access } = server;
  const { config } = deps;

  router.post(
    '/oauth/token',
    inOAuthWords(async (req, res) => {
      const form = await readForm(server, req);
      const clientId = requireClient(req, form);
      const grantType = form.get('grant_type');
      if (grantType !== 'authorization_code' && grantType !== 'refresh_token')
        throw refusal('unsupported_grant_type', 'grant_type must be authorization_code or refresh_token');
      const resource = form.get('resource') ?? null;
      if (resource !== null && !config.oauthResources.includes(resource))
        throw refusal('invalid_target', `resource must be one of ${config.oauthResources.join(', ')}`);
      const isCode = grantType === 'authorization_code';
      const verifier = form.get('code_verifier') ?? '';
      if (isCode && !VERIFIER.test(verifier))
        throw refusal('invalid_request', 'send code_verifier, of 43 to 128 characters');
      const tokens = await recordCall(
        deps,
        {
          ...arrivalOf(server, req),
          operation: 'IssueClientTokens',
          request: { token_type: grantType },
          caller: () => null,
          object: (made: ClientTokens | null) => `client-grants/${made?.grant.id ?? ''}`,
        },
        (note) =>
          isCode
            ? redeemCode(
                deps,
                {
                  clientId,
                  resource,
                  code: form.get('code') ?? '',
                  codeVerifier: verifier,
                  redirectUri: form.get('redirect_uri') ?? '',
                },
                note,
              )
            : refreshClientTokens(
                deps,
                { clientId, resource, refreshToken: form.get('refresh_token') ?? '' },
                note,
              ),
      ).catch((error: unknown): never => {
        if (hasReason(error, 'LOGIN_FAILED') || hasReason(error, 'INVALID_ARGUMENT'))
          throw refusal(
            'invalid_grant',
            `${isCode ? 'code' : 'refresh_token'} is unknown, used, expired or not for this request: start the sign-in again`,
          );
        throw error;
      });
      access.met(req, { subjectId: tokens.grant.userId, tenantId: tokens.grant.tenantId });
      res.json({
        access_token: tokens.accessToken,
        token_type: 'Bearer',
        expires_in: tokens.expiresInSeconds,
        refresh_token: tokens.refreshToken,
        scope: tokens.scopes,
      });
    }),
  );

  router.post(
    '/oauth/revoke',
    inOAuthWords(async (req, res) => {
      const form = await readForm(server, req);
      const clientId = requireClient(req, form);
      const token = form.get('token');
      if (token === undefined) throw refusal('invalid_request', 'send token');
      await recordCall(
        deps,
        {
          ...arrivalOf(server, req),
          operation: 'RevokeClientToken',
          request: {},
          caller: () => null,
          object: () => 'client-grants/',
        },
        (note) => revokeClientToken(deps, { clientId, token }, note),
      ).catch((error: unknown) => {
        // A token that is unknown has ended (RFC 7009 §2.2).
        if (!hasReason(error, 'INVALID_ARGUMENT')) throw error;
      });
      res.status(200).end();
    }),
  );
}

function requireClient(req: Request, form: Form): string {
  const clientId = form.get('client_id') ?? '';
  if (req.headers.authorization !== undefined || form.has('client_secret'))
    throw refusal('invalid_client', 'clients here have no secret: send client_id alone', 401);
  if (readClientId(clientId) === null)
    throw refusal('invalid_client', 'client_id is not one of this server', 401);
  return clientId;
}

/** Thrown where an OAuth endpoint refuses a request; the response body is an OAuth error. */
class OAuthEndpointError extends Error {
  override readonly name = 'OAuthEndpointError';
  readonly refusal: OAuthRefusal;

  constructor(refusal: OAuthRefusal) {
    super(refusal.description);
    this.refusal = refusal;
  }
}

function refusal(
  error: string,
  description: string,
  status: OAuthRefusal['status'] = 400,
): OAuthEndpointError {
  return new OAuthEndpointError({ status, error, description });
}

/**
 * Sends refusals and unreadable bodies as OAuth errors; all other errors go to the error handler of the
 * service.
 */
function inOAuthWords(handler: (req: Request, res: Response) => Promise<void>): RequestHandler {
  return async (req, res) => {
    try {
      await handler(req, res);
    } catch (error) {
      if (error instanceof OAuthEndpointError) return refuse(res, error.refusal);
      if (error instanceof DomainError && ['invalid_argument', 'unsupported_media'].includes(error.kind))
        return refuse(res, { status: 400, error: 'invalid_request', description: error.message });
      throw error;
    }
  };
}
