import { baseUrlOf, requestAbortSignal, requireJson, type UploadLimiter } from '@platform/service-kit';
import { DomainError } from '@platform/error-contracts';
import type { Request, Response } from 'express';
import { Router } from 'express';
import type { z } from 'zod';
import { jsonOfResponse } from '../wire/json-bytes.ts';
import { refuse } from '../wire/read-input.ts';
import { workFor, type Caller } from '../access/caller.ts';
import { RequestBody } from '../wire/request-body.ts';
import { exportSession, importFile } from '../operations/interchange.ts';
import { submitInvestigation, validateInvestigation } from '../operations/submit-investigation.ts';
import { sendJson } from './send-json.ts';
import { withDeskCookie } from './desk-cookie.ts';
import type { HttpDeps } from './http-deps.ts';
import { jobEvents } from './job-events.ts';
import { sessionEvents } from './session-events.ts';
import type { SessionOperation } from '../session-api.ts';
import { SESSION_OPERATIONS } from '../session-api.ts';

/** The REST operations: match, authenticate, read, call the operation. */
export function apiRoutes(deps: HttpDeps, uploads: UploadLimiter): Router {
  // Strict: `…/sessions/x/members/..`, which clients shorten to `…/sessions/x/`, must not delete the session.
  const router = Router({ strict: true });

  for (const [path, operation] of [
    ['/investigations/analyze', submitInvestigation],
    ['/investigations/validate', validateInvestigation],
  ] as const) {
    router.post(path, async (req, res) => {
      const caller = await deps.authenticate(withDeskCookie(req, deps.config));
      await respond(res, 200, () =>
        withBody(uploads, req, caller, (body): Promise<unknown> =>
          operation(deps, body, {
            signal: requestAbortSignal(res),
            credential: caller.credential,
            ...workFor(caller),
          }),
        ),
      );
    });
  }

  // Files of any type, and as they are: bytes of a workbook are no JSON.
  router.post('/imports/:format', async (req, res) => {
    const caller = await deps.authenticate(withDeskCookie(req, deps.config));
    refuseEncoded(req);
    await respond(res, 200, async () => {
      const { bytes, release } = await uploads.receive(req, workFor(caller).owner);
      try {
        const options = { signal: requestAbortSignal(res), baseUrl: baseUrlOf(req, deps.config) };
        return await importFile(deps, { ...req.query, ...req.params }, bytes, caller, options);
      } finally {
        release();
      }
    });
  });

  router.get('/sessions/:session_id/export/:format', async (req, res) => {
    const caller = await deps.authenticate(withDeskCookie(req, deps.config));
    const signal = requestAbortSignal(res);
    const { bytes, contentType, filename } = await exportSession(
      deps,
      { ...req.query, ...req.params },
      caller,
      { signal },
    );
    res.attachment(filename).set('Content-Type', contentType).end(bytes);
  });

  router.get('/sessions/:session_id/events', sessionEvents(deps));
  router.get('/sessions/:session_id/jobs/:job_id/events', jobEvents(deps));

  for (const route of SESSION_OPERATIONS) {
    const [status] = route.success;
    router[route.method](route.path.replace(/\{(\w+)\}/g, ':$1'), async (req, res) => {
      const caller = await deps.authenticate(withDeskCookie(req, deps.config), route);
      const options = {
        signal: requestAbortSignal(res),
        baseUrl: baseUrlOf(req, deps.config),
        onNextPage: (cursor: number) => res.set('Link', nextPageLink(req, cursor, route.pageParameter)),
      };
      const fromUrl = req.params as Record<string, string>;
      const later = prefersAsync(req) ? route.respondAsync : undefined;
      await respond(res, later === undefined ? status : 202, async () => {
        const operation = later?.operation ?? route.operation;
        const response = await (route.body === undefined
          ? operation(deps, { ...queryOf(req, route.query), ...fromUrl }, caller, options)
          : withSessionBody(uploads, req, caller, route, (body) =>
              operation(deps, new RequestBody(body, fromUrl, route.bodyField ?? null), caller, options),
            ));
        if (later !== undefined) {
          const names = { ...fromUrl, ...(response as { readonly id: string }) } as Record<string, string>;
          res.set('Preference-Applied', 'respond-async').location(pathOf(later.location, names));
        }
        return response;
      });
    });
  }

  return router;
}

/**
 * Whether the caller does not wait for the result (RFC 7240 §4.1); parameters of the preference mean nothing.
 */
function prefersAsync(req: Request): boolean {
  const preferences = (req.get('prefer') ?? '').split(',');
  return preferences.some((preference) => /^\s*respond-async\s*(;|$)/i.test(preference));
}

/** A path of the table with its names filled in. */
function pathOf(path: string, names: Readonly<Record<string, string>>): string {
  return `/api/v1${path.replace(/\{(\w+)\}/g, (_, name: string) => encodeURIComponent(names[name]!))}`;
}

/** Throws `unsupported_media` for a file that is compressed on its way: its size would not be known. */
function refuseEncoded(req: Request): void {
  const encoding = req.headers['content-encoding'];
  if (encoding !== undefined && encoding !== 'identity')
    throw new DomainError('unsupported_media', 'Content-Encoding is not taken: send the file as it is');
}

/** The next page of a list, as RFC 8288 links to it: the same query from `cursor` on. */
function nextPageLink(req: Request, cursor: number, parameter = 'cursor'): string {
  const url = new URL(req.originalUrl, 'http://localhost');
  url.searchParams.delete('offset');
  url.searchParams.set(parameter, String(cursor));
  return `<${url.pathname}${url.search}>; rel="next"`;
}

/** Sends the response that `work` gives. */
async function respond(res: Response, status: number, work: () => Promise<unknown>): Promise<void> {
  let response: unknown;
  try {
    response = await work();
  } catch (error) {
    // The client disconnected; the request log records it.
    if (!res.destroyed) throw error;
    return;
  }
  res.status(status);
  if (status === 204) return void res.end();
  sendJson(res, jsonOfResponse(response));
}

/** Runs `work` with the request's JSON body, which holds its room among the uploads until the work ends. */
async function withBody<T>(
  uploads: UploadLimiter,
  req: Request,
  caller: Caller,
  work: (body: Uint8Array<ArrayBuffer>) => Promise<T>,
): Promise<T> {
  requireJson(req);
  const { bytes, release } = await uploads.receive(req, workFor(caller).owner);
  try {
    return await work(bytes);
  } finally {
    release();
  }
}

function withSessionBody<T>(
  uploads: UploadLimiter,
  req: Request,
  caller: Caller,
  { bodyIsOptional }: SessionOperation,
  work: (body: Uint8Array<ArrayBuffer>) => Promise<T>,
): Promise<T> {
  // RFC 9112 §6.3: a request has a body when one of these says so.
  const hasBody = req.headers['transfer-encoding'] !== undefined || Number(req.headers['content-length']) > 0;
  return bodyIsOptional && !hasBody
    ? work(new TextEncoder().encode('{}'))
    : withBody(uploads, req, caller, work);
}

/**
 * The query's parameters as the schema's types where they spell such a value, else as they came, for the
 * operation to refuse.
 */
function queryOf(req: Request, schema: z.ZodObject | undefined): Record<string, unknown> {
  const names = Object.keys(schema?.shape ?? {});
  const unknown = Object.keys(req.query).filter((name) => !names.includes(name));
  // A misspelt filter would pass for one that everything meets.
  if (schema !== undefined && unknown.length > 0)
    throw refuse(
      unknown.map(
        (name) => `${name.slice(0, NAME_LENGTH_MAX)}: is none of the parameters ${names.join(', ')}`,
      ),
    );
  return Object.fromEntries(
    names
      .filter((name) => req.query[name] !== undefined)
      .map((name) => {
        const text = req.query[name];
        const { error } = (schema!.shape[name] as z.ZodType).safeParse(text);
        // `2026` is a year where text is asked for.
        const isText = !error?.issues.some(({ code }) => code === 'invalid_type');
        return [name, isText || typeof text !== 'string' ? text : valueOf(text)];
      }),
  );
}

/** Of an unknown parameter, what its refusal repeats. Code units. */
const NAME_LENGTH_MAX = 100;

/** Digits enough for every number there is; which are too many is for the operation to say. */
const INTEGER = /^-?\d{1,300}$/;

function valueOf(text: string): unknown {
  if (text === 'true' || text === 'false') return text === 'true';
  return INTEGER.test(text) ? Number(text) : text;
}
