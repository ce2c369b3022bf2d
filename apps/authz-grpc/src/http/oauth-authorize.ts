import { DomainError, renderAuthzError, hasReason } from '@platform/error-contracts';
import type { ErrorRequestHandler, Request, Response, Router } from 'express';
import { recordCall } from '../audit/call-record.ts';
import {
  readAuthorizationRequest,
  type AuthorizationRequest,
  type RefusedRequest,
} from '../identity/authorization-request.ts';
import { isLoopback } from '../identity/oauth-client.ts';
import { newOneTimeToken } from '../identity/one-time-token.ts';
import { authorizeClient, listClientTenants } from '../operations/connected-clients.ts';
import { login, logout, type LoginResult } from '../operations/sessions.ts';
import { clearCookie, CONSENT_SECONDS, csrfOf, isOwnForm, readCookie, setCookie } from './oauth-cookie.ts';
import { arrivalOf, issuerOf, queryOf, readForm, type Form, type OAuthServer } from './oauth-endpoint.ts';
import { consentPage, refusalPage, signInPage, type SignInPage } from './oauth-pages.ts';

const EXPIRED = 'The sign-in took too long, or began elsewhere. Sign in again.';

/** An authorization request that is in order, and the browser that brings it. */
interface Visit {
  readonly server: OAuthServer;
  readonly req: Request;
  readonly res: Response;
  readonly request: AuthorizationRequest;
}

/** The authorization endpoint (OAuth 2.1 §3.1): the user signs in, consents, and is sent back with a code. */
export function addAuthorizeRoutes(router: Router, server: OAuthServer): void {
  router.get('/oauth/authorize', (req, res) => {
    const request = readRequest(server, req, res);
    if (request !== undefined) askToSignIn({ server, req, res, request });
  });

  router.post('/oauth/authorize', async (req, res) => {
    const request = readRequest(server, req, res);
    if (request === undefined) return;
    const visit = { server, req, res, request };
    const form = await readForm(server, req);
    const step = form.get('step') === 'sign-in' ? 'sign-in' : 'consent';
    const secret = readCookie(server.deps.config, req);
    if (secret === null || !isOwnForm(step, secret, req, form.get('csrf') ?? ''))
      return askToSignIn(visit, { problem: EXPIRED, status: 403 });
    if (step === 'sign-in') return signIn(visit, form);
    try {
      await consent(visit, form, secret);
    } catch (error) {
      if (!hasReason(error, 'TOKEN_INVALID')) throw error;
      askToSignIn(visit, { problem: EXPIRED, status: 403 });
    }
  });

  // People read what comes of a form: a body that is none, a limit, or a database that is unavailable.
  const errorPage: ErrorRequestHandler = (error, _req, res, next) => {
    if (!(error instanceof DomainError) || error.kind === 'internal' || res.headersSent) return next(error);
    server.deps.metrics.countRefusal(error);
    const { status, headers } = renderAuthzError(error, { requestId: '' });
    res.set(headers);
    show(res, refusalPage(status, sentence(error.message)));
  };
  router.use('/oauth/authorize', errorPage);
}

/** A message of an error as a sentence of a page. */
const sentence = (message: string) => `${message.slice(0, 1).toUpperCase()}${message.slice(1)}.`;

/**
 * The authorization request in the query. Undefined when it was refused: the browser has then been
 * redirected to the program or shown an error page.
 */
function readRequest(
  { deps: { config } }: OAuthServer,
  req: Request,
  res: Response,
): AuthorizationRequest | undefined {
  const read = readAuthorizationRequest(queryOf(req), config.oauthResources);
  if (!('error' in read)) return read;
  if (read.redirectUri === null) {
    show(res, refusalPage(400, read.description));
    return undefined;
  }
  const outcome = { error: read.error, error_description: read.description, iss: issuerOf(config, req) };
  if (isLoopback(read.redirectUri)) leadBack(res, read, outcome);
  // Anybody may register: a faulty request would send anyone who clicks it to any site (RFC 9700 §4.11.2).
  else show(res, refusalPage(400, read.description, backUrl(read, outcome)));
  return undefined;
}

/** Sends the sign-in form and sets a fresh secret as a cookie, which the submitted form must match. */
function askToSignIn(
  { server, req, res, request }: Visit,
  told: { readonly problem?: string; readonly status?: number; readonly username?: string } = {},
): void {
  const secret = newOneTimeToken();
  setCookie(server.deps.config, req, res, secret);
  show(res, signInPage(request, { csrf: csrfOf('sign-in', secret, req), ...told }));
}

/** Checks user name and password, and sends the consent screen. */
async function signIn(visit: Visit, form: Form): Promise<void> {
  const { server, req, res, request } = visit;
  const { deps, access } = server;
  const arrival = arrivalOf(server, req);
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
    if (hasReason(error, 'LOGIN_FAILED'))
      return askToSignIn(visit, {
        problem: 'User name and password do not belong together.',
        status: 401,
        username,
      });
    if (hasReason(error, 'PROOF_REQUIRED')) {
      const seconds = error.retryAfterSeconds ?? 60;
      res.set('Retry-After', String(Math.ceil(seconds)));
      return askToSignIn(visit, {
        problem: 'Too many sign-ins failed. Try again in a minute.',
        status: 429,
        username,
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
    if (!hasReason(error, 'ACCESS_DENIED')) throw error;
    return show(res, refusalPage(403, 'The system root lets no program in: sign in as another user.'));
  }
  if (tenants.length === 0)
    return show(res, refusalPage(403, 'You belong to no active tenant: ask the owner of one to add you.'));
  setCookie(deps.config, req, res, session.token);
  show(res, consentPage(request, { csrf: csrfOf('consent', session.token, req), username, tenants }));
}

/** Ends the sign-in as the user decided: with a code for the program, or with their refusal. */
async function consent({ server, req, res, request }: Visit, form: Form, token: string): Promise<void> {
  const { deps, access } = server;
  const iss = issuerOf(deps.config, req);
  const caller = await deps.tokens.authenticate(token);
  access.met(req, caller);
  clearCookie(deps.config, req, res);
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
      ...arrivalOf(server, req),
      operation: 'AuthorizeClient',
      request: { name: request.client.name },
      caller: () => caller,
      object: () => 'client-grants/',
    },
    (note) => authorizeClient(deps, caller, granted, (form.get('tenant') ?? '').toLowerCase(), note),
  );
  leadBack(res, request, { code, iss });
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
