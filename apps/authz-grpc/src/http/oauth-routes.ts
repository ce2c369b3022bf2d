import { createHash, timingSafeEqual } from 'node:crypto';
import { AuthzError, DomainError } from '@platform/error-contracts';
import { baseUrlOf, requireMediaType, type UploadLimiter } from '@platform/service-kit';
import { Router, type Request, type RequestHandler, type Response } from 'express';
import { z } from 'zod';
import { recordCall } from '../audit/call-record.ts';
import { CLIENT_SCOPES } from '../authorization/scopes.ts';
import {
  readAuthorizationRequest,
  type AuthorizationRequest,
  type RefusedRequest,
} from '../identity/authorization-request.ts';
import { describeClient, isLoopback, readClientId } from '../identity/oauth-client.ts';
import { newOneTimeToken } from '../identity/one-time-token.ts';
import {
  authorizeClient,
  listClientTenants,
  redeemCode,
  refreshClientTokens,
  revokeClientToken,
  type ClientTokens,
} from '../operations/connected-clients.ts';
import { login, logout, type LoginResult } from '../operations/sessions.ts';
import type { TransportDeps } from '../ports.ts';
import type { Access } from './access.ts';
import { consentPage, refusalPage, signInPage, type SignInPage } from './oauth-pages.ts';
import { readJson } from './read-json.ts';

/** How long a person may look at the consent screen. Seconds. */
const CONSENT_SECONDS = 600;
/** Largest body of a form or of a registration. */
const BODY_BYTES_MAX = 16 * 1024;
/** A verifier of PKCE (RFC 7636 §4.1). */
const VERIFIER = /^[A-Za-z0-9._~-]{43,128}$/;
/** How long the metadata may be kept. Seconds. */
const METADATA_SECONDS = 300;

/** Body of `POST /oauth/register`; what else clients say of themselves changes nothing (RFC 7591 §2). */
const ClientRegistration = z.object({
  client_name: z.string().optional(),
  redirect_uris: z.array(z.string()),
});

/** A refusal in the words of OAuth (OAuth 2.1 §3.2.4, RFC 7591 §3.2.2). */
interface OAuthRefusal {
  readonly status: 400 | 401;
  readonly error: string;
  readonly description: string;
}

type Form = ReadonlyMap<string, string>;

/**
 * The authorization server of the resources in the settings, for public clients (OAuth 2.1, RFC 8414, 7591,
 * 7009, 8707, 9207): metadata, registration, sign-in with consent, tokens and their end.
 */
export function oauthRoutes(deps: TransportDeps, access: Access, uploads: UploadLimiter): Router {
  const { config } = deps;
  const router = Router();
  const issuerOf = (req: Request) => {
    const { publicUrl, httpHost: host, httpPort: port, tlsCert } = config;
    return baseUrlOf(req, { publicUrl, host, port, scheme: tlsCert === undefined ? 'http' : 'https' });
  };
  const arrivalOf = (req: Request) => access.arrivalOf(req, performance.now(), req.traceparent);

  router.get('/.well-known/oauth-authorization-server', (req, res) => {
    const issuer = issuerOf(req);
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
      protected_resources: config.oauthResources,
      service_documentation: `${issuer}/docs`,
    });
  });

  router.use('/oauth', (_req, res, next) => {
    res.set({ 'Cache-Control': 'no-store', Pragma: 'no-cache' });
    next();
  });

  router.post('/oauth/register', async (req, res) => {
    const body = await readJson(
      req,
      ClientRegistration,
      uploads,
      access.addressOf(req),
      BODY_BYTES_MAX,
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

  /**
   * The authorization request in the query. Undefined when it was refused: the browser has then been
   * redirected to the program or shown an error page.
   */
  function readRequest(req: Request, res: Response): AuthorizationRequest | undefined {
    const read = readAuthorizationRequest(queryOf(req), config.oauthResources);
    if (!('error' in read)) return read;
    if (read.redirectUri === null) {
      show(res, refusalPage(400, read.description));
      return undefined;
    }
    const outcome = { error: read.error, error_description: read.description, iss: issuerOf(req) };
    if (isLoopback(read.redirectUri)) leadBack(res, read, outcome);
    // Anybody may register: a faulty request would send anyone who clicks it to any site (RFC 9700 §4.11.2).
    else show(res, refusalPage(400, read.description, backUrl(read, outcome)));
    return undefined;
  }

  /** Sends the sign-in form and sets a fresh secret as a cookie, which the submitted form must match. */
  function askToSignIn(
    req: Request,
    res: Response,
    request: AuthorizationRequest,
    told: { readonly problem?: string; readonly status?: number } = {},
  ): void {
    const secret = newOneTimeToken();
    setCookie(req, res, secret);
    show(res, signInPage(request, { csrf: csrfOf('sign-in', secret, req), ...told }));
  }

  router.get('/oauth/authorize', (req, res) => {
    const request = readRequest(req, res);
    if (request !== undefined) askToSignIn(req, res, request);
  });

  router.post('/oauth/authorize', async (req, res) => {
    const request = readRequest(req, res);
    if (request === undefined) return;
    const form = await readForm(req, uploads, access.addressOf(req));
    const step = form.get('step') === 'sign-in' ? 'sign-in' : 'consent';
    const secret = readCookie(req);
    if (secret === null || !isSame(form.get('csrf') ?? '', csrfOf(step, secret, req)) || isForeign(req))
      return askToSignIn(req, res, request, { problem: EXPIRED, status: 403 });
    if (step === 'sign-in') return signIn(req, res, request, form);
    try {
      await consent(req, res, request, form, secret);
    } catch (error) {
      if (!isReason(error, 'TOKEN_INVALID')) throw error;
      askToSignIn(req, res, request, { problem: EXPIRED, status: 403 });
    }
  });

  async function signIn(
    req: Request,
    res: Response,
    request: AuthorizationRequest,
    form: Form,
  ): Promise<void> {
    const arrival = arrivalOf(req);
    const username = form.get('username') ?? '';
    const attempt = { username, password: form.get('password') ?? '', durationSeconds: CONSENT_SECONDS };
    let session: LoginResult;
    try {
      session = await recordCall(
        deps,
        {
          ...arrival,
          operation: 'Login',
          request: { name: request.client.name },
          caller: () => null,
          object: (made: LoginResult | null) => `users/${made?.userId ?? ''}`,
          tenantId: () => null,
        },
        (note) => login(deps, attempt, arrival.address, note),
      );
    } catch (error) {
      if (isReason(error, 'LOGIN_FAILED'))
        return askToSignIn(req, res, request, {
          problem: 'User name and password do not belong together.',
          status: 401,
        });
      if (isReason(error, 'PROOF_REQUIRED')) {
        const seconds = error.retryAfterSeconds ?? 60;
        res.set('Retry-After', String(Math.ceil(seconds)));
        return askToSignIn(req, res, request, {
          problem: 'Too many sign-ins failed. Try again in a minute.',
          status: 429,
        });
      }
      throw error;
    }
    access.met(req, { subjectId: session.userId, tenantId: null });
    const caller = await deps.tokens.authenticate(session.token);
    let tenants;
    try {
      tenants = await listClientTenants(deps, caller);
    } catch (error) {
      if (!isReason(error, 'ACCESS_DENIED')) throw error;
      return show(res, refusalPage(403, 'The system root lets no program in: sign in as another user.'));
    }
    if (tenants.length === 0)
      return show(res, refusalPage(403, 'You belong to no active tenant: ask the owner of one to add you.'));
    setCookie(req, res, session.token);
    show(res, consentPage(request, { csrf: csrfOf('consent', session.token, req), username, tenants }));
  }

  async function consent(
    req: Request,
    res: Response,
    request: AuthorizationRequest,
    form: Form,
    token: string,
  ): Promise<void> {
    const iss = issuerOf(req);
    const caller = await deps.tokens.authenticate(token);
    access.met(req, caller);
    clearCookie(req, res);
    if (form.get('step') !== 'allow') {
      await logout(deps, caller, caller.subjectId);
      return leadBack(res, request, { error: 'access_denied', error_description: 'the user said no', iss });
    }
    const granted: AuthorizationRequest = form.has('read_only')
      ? { ...request, scopes: ['investigations:read'] }
      : request;
    const code = await recordCall(
      deps,
      {
        ...arrivalOf(req),
        operation: 'AuthorizeClient',
        request: { name: request.client.name },
        caller: () => caller,
        object: () => 'client-grants/',
      },
      (note) => authorizeClient(deps, caller, granted, (form.get('tenant') ?? '').toLowerCase(), note),
    );
    leadBack(res, request, { code, iss });
  }

  router.post(
    '/oauth/token',
    inOAuthWords(async (req, res) => {
      const form = await readForm(req, uploads, access.addressOf(req));
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
          ...arrivalOf(req),
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
        if (isReason(error, 'LOGIN_FAILED') || isReason(error, 'INVALID_ARGUMENT'))
          throw refusal(
            'invalid_grant',
            'the code or token is unknown, used, expired or not for this request',
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
      const form = await readForm(req, uploads, access.addressOf(req));
      const clientId = requireClient(req, form);
      const token = form.get('token');
      if (token === undefined) throw refusal('invalid_request', 'send token');
      await recordCall(
        deps,
        {
          ...arrivalOf(req),
          operation: 'RevokeClientToken',
          request: {},
          caller: () => null,
          object: () => 'client-grants/',
        },
        (note) => revokeClientToken(deps, { clientId, token }, note),
      ).catch((error: unknown) => {
        // A token that is unknown has ended (RFC 7009 §2.2).
        if (!isReason(error, 'INVALID_ARGUMENT')) throw error;
      });
      res.status(200).end();
    }),
  );

  /**
   * The browser's secret of a sign-in under way. Over TLS its prefix keeps other hosts of the domain from
   * setting it (RFC 6265bis §4.1.3.2).
   */
  const cookieOf = (req: Request) => {
    const secure = issuerOf(req).startsWith('https:');
    const attributes = { httpOnly: true, sameSite: 'strict', secure, path: '/', encode: String } as const;
    return { name: secure ? '__Host-connect' : 'connect', attributes };
  };
  function setCookie(req: Request, res: Response, value: string): void {
    const { name, attributes } = cookieOf(req);
    res.cookie(name, value, { ...attributes, maxAge: CONSENT_SECONDS * 1000 });
  }
  function clearCookie(req: Request, res: Response): void {
    const { name, attributes } = cookieOf(req);
    res.clearCookie(name, attributes);
  }
  function readCookie(req: Request): string | null {
    const { name } = cookieOf(req);
    const sent = (req.headers.cookie ?? '').split(';').map((part) => part.trim());
    const found = sent.filter((cookie) => cookie.startsWith(`${name}=`));
    return found.length === 1 ? found[0]!.slice(name.length + 1) : null;
  }
  return router;
}

const EXPIRED = 'The sign-in took too long, or began elsewhere. Sign in again.';

function queryOf(req: Request): URLSearchParams {
  return new URL(req.originalUrl, 'http://localhost').searchParams;
}

/**
 * CSRF token of a form, bound to this browser, this authorization request and this step: other sites cannot
 * read the cookie it derives from, and a form of another request has another token.
 */
function csrfOf(step: 'sign-in' | 'consent', secret: string, req: Request): string {
  const text = ['authz connect', step, secret, queryOf(req).toString()].join('\n');
  return createHash('sha256').update(text).digest('base64url');
}

function isSame(left: string, right: string): boolean {
  const [a, b] = [Buffer.from(left), Buffer.from(right)];
  return a.length === b.length && timingSafeEqual(a, b);
}

/** Whether a browser says that another site sent the form. */
function isForeign({ headers }: Request): boolean {
  const site = headers['sec-fetch-site'];
  return site !== undefined && site !== 'same-origin';
}

/** A form body, each field at most once. Throws DomainError. */
async function readForm(req: Request, uploads: UploadLimiter, owner: string): Promise<Form> {
  requireMediaType(req, ['application/x-www-form-urlencoded']);
  const upload = await uploads.receive(req, owner, BODY_BYTES_MAX);
  try {
    const form = new Map<string, string>();
    for (const [name, value] of new URLSearchParams(Buffer.from(upload.bytes).toString('utf8'))) {
      if (form.has(name)) throw new DomainError('invalid_argument', `\`${name}\` was sent twice`);
      form.set(name, value);
    }
    return form;
  } finally {
    upload.release();
  }
}

function requireClient(req: Request, form: Form): string {
  const clientId = form.get('client_id') ?? '';
  if (req.headers.authorization !== undefined || form.has('client_secret'))
    throw refusal('invalid_client', 'clients here have no secret: send client_id alone', 401);
  if (readClientId(clientId) === null)
    throw refusal('invalid_client', 'client_id is not one of this server', 401);
  return clientId;
}

type Sender = Pick<RefusedRequest, 'redirectUri' | 'state'>;
type Outcome = Readonly<Record<string, string>>;

/** The address of the program, with the outcome in the query. */
function backUrl({ redirectUri, state }: Sender, outcome: Outcome): string {
  const url = new URL(redirectUri!);
  for (const [name, value] of Object.entries(outcome)) url.searchParams.set(name, value);
  if (state !== null) url.searchParams.set('state', state);
  return url.href;
}

/** Sends the browser back to the program. */
function leadBack(res: Response, sender: Sender, outcome: Outcome): void {
  res.status(303).set('Location', backUrl(sender, outcome)).end();
}

function show(res: Response, { status, html, policy }: SignInPage): void {
  res
    .status(status)
    .set({
      'Content-Security-Policy': policy,
      'X-Frame-Options': 'DENY',
      'Content-Type': 'text/html; charset=utf-8',
    })
    .end(html);
}

function isReason(error: unknown, reason: AuthzError['reason']): error is AuthzError {
  return error instanceof AuthzError && error.reason === reason;
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

function refuse(res: Response, { status, error, description }: OAuthRefusal): void {
  if (status === 401) res.set('WWW-Authenticate', 'Bearer realm="authz-grpc"');
  res.status(status).json({ error, error_description: description });
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
