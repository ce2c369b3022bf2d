import { DomainError } from '@platform/error-contracts';
import { requestAbortSignal, type CorsRules, type UploadLimiter } from '@platform/service-kit';
import type { Express, Request, Response } from 'express';
import { z } from 'zod';
import { recordCall } from '../audit/call-record.ts';
import { CALLS, type Call } from '../authorization/calls.ts';
import type { Caller } from '../authorization/caller.ts';
import type { DecisionPlan } from '../authorization/decision-runner.ts';
import { readCheckCaller } from '../operations/check-authorization.ts';
import { getDomainBundle, WAIT_SECONDS_MAX, type DomainBundle } from '../operations/domain-bundle.ts';
import { RECORDED_DECISIONS_MAX, recordDecisions } from '../operations/record-decisions.ts';
import type { TransportDeps } from '../ports.ts';
import type { Access } from './access.ts';
import { authenticateHttp, BATCH_BYTES_MAX, ownerOf } from './check.ts';
import { readAs, readJson } from './read-json.ts';

/** Query of the bundle of a domain. */
export const BundleQuery = z.strictObject({
  wait: z.coerce.number().pipe(z.int().min(0).max(WAIT_SECONDS_MAX)).default(0),
});

/** Read one by one, so that one that is none is refused by its index and its batch is not. */
const Values = z.unknown().meta({
  type: 'object',
  additionalProperties: { anyOf: [{ type: 'string' }, { type: 'array', items: { type: 'string' } }] },
});
/** Body of the decisions that were made elsewhere. */
export const Decisions = z.strictObject({
  bundle: z.strictObject({
    issued_at: z.int().min(0),
    key_id: z.string().max(128),
    versions: z.record(z.string(), z.int().min(0)),
  }),
  decisions: z
    .array(
      z.strictObject({
        id: z.uuid(),
        decided_at: z.iso.datetime(),
        context: Values,
        attributes: Values.default({}),
        allowed: z.boolean(),
        policy: z.string().default(''),
      }),
    )
    .max(RECORDED_DECISIONS_MAX),
});

/** What a decider in a page of an allowed origin asks for. */
export const DECIDER_PATHS = [
  '/.well-known/jwks.json',
  '/v1/domains/:id/bundle',
  '/v1/domains/:id/decisions',
];
export const DECIDER_CORS_RULES: CorsRules = {
  methods: 'GET, POST',
  requestHeaders: 'Authorization, Content-Type, If-None-Match, X-Request-Id',
  exposedHeaders: 'ETag, Retry-After, X-Request-Id',
};

/** Bundles of policies, and what was decided by them (docs/decisions/0050-decide-anywhere.md). */
export function addBundleRoutes(
  app: Express,
  deps: TransportDeps,
  access: Access,
  uploads: UploadLimiter,
): void {
  // Requests that wait get their response when the replica stops taking work, so that it can stop at once.
  let stopping = new AbortController();
  deps.readiness.onChange((isReady) => {
    if (isReady) stopping = new AbortController();
    else stopping.abort();
  });

  app.get('/v1/domains/:id/bundle', async (req, res) => {
    const arrival = access.arrivalOf(req, performance.now(), req.traceparent);
    const caller = await authenticateHttp(deps, req);
    access.met(req, caller);
    const domainId = domainOf(req);
    const signal = AbortSignal.any([requestAbortSignal(res), stopping.signal]);
    const hasBundle = readTags(req.headers['if-none-match']);
    const found = await toldToLive(deps, caller, CALLS.GetDomainBundle, async () => {
      const { wait } = readAs(BundleQuery, req.query);
      return getDomainBundle(deps, caller, { domainId, wait, hasBundle }, signal);
    }).catch((error: unknown) => {
      if (error instanceof DomainError) return error;
      throw error;
    });
    // Nothing was given out, so there is nothing to record.
    if (!(found instanceof DomainError) && !('body' in found))
      return void res.status(304).set(headersOf(found)).end();
    const given = await recordCall<DomainBundle>(
      deps,
      {
        ...arrival,
        operation: 'GetDomainBundle',
        request: {},
        caller: () => caller,
        object: () => `domains/${domainId}/bundle`,
      },
      async (note) => {
        if (found instanceof DomainError) throw found;
        note({ after: { versions: found.versions } });
        return found;
      },
    );
    send(res, given);
  });

  app.post('/v1/domains/:id/decisions', async (req, res) => {
    const arrival = access.arrivalOf(req, performance.now(), req.traceparent);
    const caller = await authenticateHttp(deps, req);
    access.met(req, caller);
    const recorded = await toldToLive(deps, caller, CALLS.RecordDecisions, async () => {
      const { bundle, decisions } = await readJson(req, Decisions, uploads, ownerOf(caller), BATCH_BYTES_MAX);
      const by = {
        issuedAt: bundle.issued_at,
        keyId: bundle.key_id,
        versions: new Map(Object.entries(bundle.versions)),
      };
      const made = decisions.map(({ decided_at: decidedAt, ...decision }) => ({ ...decision, decidedAt }));
      return recordDecisions(deps, caller, { domainId: domainOf(req), by, decisions: made }, arrival);
    });
    res.json(recorded);
  });
}

/**
 * What `read` returns. Why it refuses is told to a live caller alone: a token is looked up with what it asks
 * for, which an error comes before. Throws TOKEN_INVALID, TENANT_REQUIRED, ACCESS_DENIED.
 */
async function toldToLive<T>(
  { decisions }: Pick<TransportDeps, 'decisions'>,
  caller: Caller,
  call: Call,
  read: () => Promise<T>,
): Promise<T> {
  try {
    return await read();
  } catch (error) {
    await decisions.runDecision((reading): DecisionPlan<null> => {
      readCheckCaller(reading, caller, call);
      return { result: null };
    });
    throw error;
  }
}

function domainOf(req: Request): string {
  return String(req.params['id']);
}

/** Whether an If-None-Match names a tag, by weak comparison (RFC 9110 §13.1.2). */
function readTags(header: string | undefined): (tag: string) => boolean {
  const named = new Set(header?.match(/[^\s,]+/g)?.map((tag) => tag.replace(/^W\//, '')));
  return (tag) => named.has('*') || named.has(`"${tag}"`);
}

function send(res: Response, bundle: DomainBundle): void {
  res.set(headersOf(bundle)).type('json').send(bundle.body);
}

function headersOf({ tag }: { readonly tag: string }): Record<string, string> {
  return { ETag: `"${tag}"`, 'Cache-Control': 'no-store' };
}
