import { AuthzError, authzStatus, DomainError, renderAuthzError, orError } from '@platform/error-contracts';
import {
  cors,
  errorHandler,
  baseUrlOf,
  docsPage,
  requestLog,
  requestTrace,
  requireJson,
  securityHeaders,
  unknownUrl,
  type UploadLimiter,
} from '@platform/service-kit';
import express, { type ErrorRequestHandler, type Express, type Request, type Response } from 'express';
import type { z } from 'zod';
import type { DecisionPlan } from '../authorization/decision-runner.ts';
import { tokenInvalid, type Caller } from '../authorization/caller.ts';
import { checkIdOf, recordCall, type Arrival } from '../audit/call-record.ts';
import type { TransportDeps } from '../ports.ts';
import { BATCH_CHECKS_MAX, batchCheckAuthorization } from '../operations/batch-check-authorization.ts';
import { checkAuthorization, readCheckCaller } from '../operations/check-authorization.ts';
import { searchActions } from '../operations/search-actions.ts';
import { searchResources } from '../operations/search-resources.ts';
import { searchSubjects } from '../operations/search-subjects.ts';
import { exchangeServiceAccountToken, type ExchangedToken } from '../operations/service-accounts.ts';
import type { Page } from '../pages.ts';
import type { RequestContext } from '../policy/types.ts';
import { runInTimeSlices } from '../time-slices.ts';
import { checkOf, Evaluation, Evaluations, evaluationsOf } from './authzen.ts';
import {
  ActionSearch,
  actionSearchOf,
  entityOfObject,
  ResourceSearch,
  resourceSearchOf,
  subjectIdOf,
  SubjectSearch,
  subjectSearchOf,
} from './authzen-search.ts';
import type { Access } from './access.ts';
import { addBundleRoutes, DECIDER_CORS_RULES, DECIDER_PATHS } from './bundle-routes.ts';
import { guideOf } from './guide.ts';
import { oauthRoutes } from './oauth-routes.ts';
import { buildOpenApi } from './openapi.ts';
import { authenticateHttp, BODY_BYTES_MAX, ownerOf, readBearer } from './check.ts';
import { readAs, readJson } from './read-json.ts';
import { TokenRequest } from './token-request.ts';

const TOKEN_PATH = '/v1/auth/token';
/** Largest body of many evaluations, and of a search that brings along what it looks through. */
const EVALUATIONS_BYTES_MAX = 1024 * 1024;
/** How long a verifier may keep the key set: far shorter than a key is published ahead. */
const JWKS_SECONDS = 300;

/** The decision after which the semantics ask for no other (AuthZEN 1.0 §7.1.2.1). */
const SETTLED_BY = {
  execute_all: undefined,
  deny_on_first_deny: false,
  permit_on_first_permit: true,
} as const;

/** Every REST route but the checks, on Express. */
export function createRoutes(deps: TransportDeps, access: Access, uploads: UploadLimiter): Express {
  const app = express();
  app.disable('x-powered-by').disable('etag');
  const lineOf = (req: Request, { statusCode }: Response) =>
    access.lineOf(req, statusCode, req.path === TOKEN_PATH || req.path.startsWith('/oauth/'));
  app.use(
    requestTrace(deps.tracing),
    requestLog(deps.logger, lineOf),
    deps.metrics.middleware,
    securityHeaders(),
  );
  app.use(DECIDER_PATHS, cors(deps.config.corsOrigins, DECIDER_CORS_RULES));

  app.post(TOKEN_PATH, async (req, res) => {
    const startedAt = performance.now();
    const body = await readJson(req, TokenRequest, uploads, access.addressOf(req));
    const credential = body.credential ?? readBearer(req);
    if (credential === null) throw tokenInvalid();
    const issued = await recordCall(
      deps,
      {
        ...access.arrivalOf(req, startedAt, req.traceparent),
        operation: 'ExchangeServiceAccountToken',
        request: body,
        caller: () => null,
        object: (made: ExchangedToken | null) => `service-accounts/${made?.serviceAccountId ?? ''}`,
        tenantId: ({ tenantId }) => tenantId,
      },
      () => exchangeServiceAccountToken(deps, credential, body.duration),
    );
    access.met(req, { subjectId: issued.serviceAccountId, tenantId: issued.tenantId });
    res.set('Cache-Control', 'no-store').json({
      token: issued.token,
      token_type: 'Bearer',
      service_account_id: issued.serviceAccountId,
      tenant_id: issued.tenantId,
      expires_at: issued.expiresAt,
    });
  });

  app.get('/.well-known/jwks.json', (_req, res) => {
    res.set('Cache-Control', `public, max-age=${JWKS_SECONDS}`).json(deps.signingKeys.jwks());
  });

  app.get('/.well-known/authzen-configuration', (req, res) => {
    const { publicUrl, httpHost: host, httpPort: port, tlsCert } = deps.config;
    const scheme = tlsCert === undefined ? 'http' : 'https';
    const base = baseUrlOf(req, { publicUrl, host, port, scheme });
    res.json({
      policy_decision_point: base,
      access_evaluation_endpoint: `${base}/access/v1/evaluation`,
      access_evaluations_endpoint: `${base}/access/v1/evaluations`,
      search_subject_endpoint: `${base}/access/v1/search/subject`,
      search_resource_endpoint: `${base}/access/v1/search/resource`,
      search_action_endpoint: `${base}/access/v1/search/action`,
    });
  });

  app.post('/access/v1/evaluation', async (req, res) => {
    const arrival = access.arrivalOf(req, performance.now(), req.traceparent);
    const caller = await authenticateHttp(deps, req);
    access.met(req, caller);
    const context = await orErrorOf(async () => {
      const evaluation = await readEvaluation(req, Evaluation, uploads, ownerOf(caller));
      return checkOf(evaluation, await findRootDomain(deps, caller));
    });
    const { authorized, checkId } = await checkAuthorization(deps, caller, context, arrival);
    res.set('X-Check-Id', checkId).json({ decision: authorized });
  });

  app.post('/access/v1/evaluations', async (req, res) => {
    const arrival = access.arrivalOf(req, performance.now(), req.traceparent);
    const caller = await authenticateHttp(deps, req);
    access.met(req, caller);
    const read = await orErrorOf(async () => {
      const body = await readEvaluation(req, Evaluations, uploads, ownerOf(caller), EVALUATIONS_BYTES_MAX);
      return { body, rootDomainId: await findRootDomain(deps, caller) };
    });
    if (read instanceof DomainError) return void (await checkAuthorization(deps, caller, read, arrival));
    const { body, rootDomainId } = read;
    if (body.evaluations === undefined || body.evaluations.length === 0) {
      // Without items the body is one evaluation, with the response of one (AuthZEN 1.0 §7.1).
      const context = orError(() => checkOf(readAs(Evaluation, body), rootDomainId));
      const { authorized, checkId } = await checkAuthorization(deps, caller, context, arrival);
      res.set('X-Check-Id', checkId).json({ decision: authorized });
      return;
    }
    const contexts = await runInTimeSlices(contextsOf(body, rootDomainId), arrival);
    const until = SETTLED_BY[body.options?.evaluations_semantic ?? 'execute_all'];
    const items = await batchCheckAuthorization(deps, caller, contexts, arrival, until);
    const evaluations = items.map((item) =>
      item instanceof DomainError
        ? {
            decision: false,
            context: {
              reason: authzStatus(item, '').reason,
              error: item.message,
              check_id: checkIdOf(item),
            },
          }
        : { decision: item.authorized, context: { check_id: item.checkId } },
    );
    res.json({ evaluations });
  });

  addBundleRoutes(app, deps, access, uploads);
  if (deps.config.oauthResources.length > 0) app.use(oauthRoutes(deps, access, uploads));

  // People who open the service in a browser want to read what it does.
  app.get('/', (_req, res) => res.redirect(302, '/docs'));
  const document = buildOpenApi();
  app.get('/openapi.json', (_req, res) => void res.json(document));
  app.use('/docs', docsPage(guideOf(document, deps.config)));

  /** One of the Search APIs: what a body asks, which operation runs, and how an item is said. */
  function searches<S extends z.ZodType, T>(
    searched: 'subject' | 'resource' | 'action',
    schema: S,
    searchOf: (body: z.output<S>, rootDomainId: string) => T,
    find: (caller: Caller, search: T | DomainError, arrival: Arrival) => Promise<Page<string>>,
    said: (item: string, search: T) => unknown,
  ): void {
    app.post(`/access/v1/search/${searched}`, async (req, res) => {
      const arrival = access.arrivalOf(req, performance.now(), req.traceparent);
      const caller = await authenticateHttp(deps, req);
      access.met(req, caller);
      const search = await orErrorOf(async () => {
        const body = await readEvaluation(req, schema, uploads, ownerOf(caller), EVALUATIONS_BYTES_MAX);
        return searchOf(body, await findRootDomain(deps, caller));
      });
      const { items, nextPageToken } = await find(caller, search, arrival);
      // `find` throws where the search was refused.
      const results = items.map((item) => said(item, search as T));
      res.json({ page: { next_token: nextPageToken, count: items.length }, results });
    });
  }
  searches(
    'subject',
    SubjectSearch,
    subjectSearchOf,
    (caller, search, arrival) => searchSubjects(deps, caller, search, arrival),
    (name, { type }) => ({ type, id: subjectIdOf(name, type) }),
  );
  searches(
    'resource',
    ResourceSearch,
    resourceSearchOf,
    (caller, search, arrival) => searchResources(deps, caller, search, arrival),
    entityOfObject,
  );
  searches(
    'action',
    ActionSearch,
    actionSearchOf,
    (caller, search, arrival) => searchActions(deps, caller, search, arrival),
    (name) => ({ name }),
  );

  const nameCheck: ErrorRequestHandler = (error, _req, res, next) => {
    const checkId = checkIdOf(error);
    if (checkId !== undefined) res.set('X-Check-Id', checkId);
    next(error);
  };
  app.use(unknownUrl, nameCheck, deps.metrics.countRefusals, errorHandler(renderAuthzError));
  return app;
}

async function findRootDomain(deps: Pick<TransportDeps, 'decisions'>, caller: Caller): Promise<string> {
  return deps.decisions.runDecision((reading): DecisionPlan<string> => {
    return { result: readCheckCaller(reading, caller).tenant.rootDomainId };
  });
}

/** The contexts of all items; of more than a batch takes, as many as have it refused. */
function* contextsOf(
  body: z.output<typeof Evaluations>,
  rootDomainId: string,
): Generator<void, (RequestContext | DomainError)[]> {
  const contexts: (RequestContext | DomainError)[] = [];
  for (const evaluation of evaluationsOf(body)) {
    contexts.push(contextOf(evaluation, rootDomainId));
    if (contexts.length > BATCH_CHECKS_MAX) break;
    yield;
  }
  return contexts;
}

/** The context of an item, or the error that the item has in its place. */
function contextOf(evaluation: Evaluation | AuthzError, rootDomainId: string): RequestContext | DomainError {
  return evaluation instanceof AuthzError ? evaluation : orError(() => checkOf(evaluation, rootDomainId));
}

/** What `read` resolves with, or the DomainError that it throws: the audit row of the check says it. */
async function orErrorOf<T>(read: () => Promise<T>): Promise<T | DomainError> {
  try {
    return await read();
  } catch (error) {
    if (error instanceof DomainError) return error;
    throw error;
  }
}

/** AuthZEN refuses with 400 a body of another type (AuthZEN 1.0 §10.1.2), not 415. */
async function readEvaluation<S extends z.ZodType>(
  req: Request,
  schema: S,
  uploads: UploadLimiter,
  owner: string,
  bytesMax = BODY_BYTES_MAX,
): Promise<z.output<S>> {
  if (!req.is('application/json')) {
    throw new DomainError('invalid_argument', 'the `Content-Type` must be `application/json`');
  }
  try {
    requireJson(req);
  } catch (error) {
    throw error instanceof DomainError ? new DomainError('invalid_argument', error.message) : error;
  }
  return readJson(req, schema, uploads, owner, bytesMax);
}
