import type { IncomingMessage } from 'node:http';
import type { Request, RequestHandler, Response } from 'express';
import type { z } from 'zod';
import { DomainError, problemWords } from '@platform/error-contracts';
import { readBody, requireJson, requireMediaType } from '@platform/service-kit';
import { JsonRefused, parseStrictJson } from '@platform/strict-json';
import { requireAction, requireFilename, type Caller } from '../auth/caller.ts';
import type { EtagCondition } from '../domain/etag.ts';
import { isFileId } from '../domain/file-id.ts';
import type { Action } from '../domain/scopes.ts';
import { BODY_BYTES_MAX } from '../domain/sizes.ts';
import type { HttpDeps } from './http-deps.ts';
import { documentAbsent } from '../operations/precondition.ts';
import { createDocumentLookUps } from '../store/document-look-ups.ts';
import type { DocumentHead } from '../store/document-store.ts';
import type { BodySlots } from './body-slots.ts';
import { authenticate, requireStillGood } from './credential.ts';
import { readIfMatch } from './conditions.ts';
import { answerOnce } from './idempotency.ts';
import { NoQuery, parseQuery } from './query.ts';
import { send, type Answer } from './respond.ts';

/** What a route's function is given: the parsed query, and the parsed body, a value of the route's schema, or text. */
export interface Context<Input, Query = unknown> {
  readonly deps: HttpDeps;
  readonly caller: Caller;
  readonly req: Request;
  /** Of a route on one document: it exists, is the caller's, and his key reaches it. */
  readonly head: DocumentHead;
  readonly ifMatch: EtagCondition | undefined;
  readonly query: Query;
  readonly input: Input;
  /** Throws `unauthenticated` when the credential has ended meanwhile: to be asked before a write that took long. */
  readonly requireStillGood: () => Promise<void>;
}

export interface RouteOptions<Input, Query> {
  readonly action: Action;
  /** The query parameters there are; absent = none. */
  readonly query?: z.ZodType<Query>;
  /** The URL names a document by `:id`. */
  readonly onDocument?: boolean;
  readonly ifMatch?: 'required' | 'honoured';
  /** A JSON body of this schema, or raw text; absent = the body is not looked at. */
  readonly body?: z.ZodType<Input> | 'text';
  /** Media types of a JSON body besides application/json. */
  readonly jsonTypes?: readonly string[];
  /** Honours Idempotency-Key. */
  readonly isRepeatable?: boolean;
  readonly run: (context: Context<Input, Query>) => Promise<Answer>;
}

/** How bodies are let in. */
export interface BodyReading {
  readonly slots: BodySlots;
  /** Longest a body may take to arrive once it is wanted. Milliseconds. */
  readonly arrivalMaxMs: number;
  /** Answers a body that took longer, and cuts its connection. */
  readonly refuseSlow: (req: IncomingMessage) => void;
}

/**
 * A route's way through the checks, in the order of the decisions page ("Order of checks"): credential, rate, scope,
 * query, Content-Type, declared length, existence, If-Match, body, JSON, fields; size and characters of contents and all that
 * needs the transaction follow in the operation.
 */
export function createPipeline(deps: HttpDeps, bodies: BodyReading) {
  const lookUps = createDocumentLookUps(deps.documents);

  /** What `find` gives for the document `:id` of the URL. Throws `not_found`, or `permission_denied` beyond the key's reach. */
  const findBy =
    <Found extends DocumentHead>(find: (owner: string, id: string) => Promise<Found | null>) =>
    async (caller: Caller, action: Action, id: string): Promise<Found> => {
      const found = isFileId(id) ? await find(caller.owner, id) : null;
      if (found === null) throw documentAbsent();
      requireFilename(caller, action, found.filename);
      return found;
    };
  const findHead = findBy(lookUps.findHead);
  const findDocument = findBy(lookUps.find);

  /** The clock starts when the body is wanted: waiting for a slot is no fault of the client's. */
  async function readInTime(req: Request): Promise<Uint8Array> {
    const timer = setTimeout(() => bodies.refuseSlow(req), bodies.arrivalMaxMs);
    try {
      return await readBody(req, { bytesMax: BODY_BYTES_MAX });
    } finally {
      clearTimeout(timer);
    }
  }

  async function handle<Input, Query>(
    route: RouteOptions<Input, Query>,
    req: Request,
    res: Response,
  ): Promise<void> {
    const { action, body } = route;
    const caller = await authenticate(req, deps.credentials, deps.now(), action);
    const waitSeconds = await deps.rateLimiter.take(caller.subject);
    if (waitSeconds > 0) {
      throw new DomainError('rate_limited', `more than ${deps.rate.perMinute} requests a minute`, {
        retryAfterSeconds: waitSeconds,
      });
    }
    requireAction(caller, action);
    const query = parseQuery<unknown>(route.query ?? NoQuery, req) as Query;
    if (body === 'text') requireMediaType(req, ['text/plain']);
    else if (body !== undefined) requireJson(req, route.jsonTypes);
    const length = declaredLength(req);
    if (body !== undefined && length > BODY_BYTES_MAX) throw tooLarge();
    let head: DocumentHead | undefined;
    let refusal: DomainError | undefined;
    try {
      if (route.onDocument) head = await findHead(caller, action, String(req.params['id']));
    } catch (error) {
      // The answer to an Idempotency-Key stays its answer, whatever has become of the document since.
      const mayBeReplayed = route.isRepeatable && req.headers['idempotency-key'] !== undefined;
      if (!mayBeReplayed || !(error instanceof DomainError)) throw error;
      refusal = error;
    }
    const ifMatch = refusal === undefined ? readIfMatch(req, route.ifMatch, head) : undefined;

    const stillGood = () => requireStillGood(req, deps.credentials, deps.now());
    const run = async (bytes: Uint8Array) => {
      if (refusal !== undefined) return answerOnce(deps, caller, req, bytes, () => Promise.reject(refusal));
      const input = (body === undefined ? undefined : parseBody(body, bytes)) as Input;
      const context = {
        caller,
        req,
        head: head as DocumentHead,
        ifMatch,
        query,
        input,
        requireStillGood: stillGood,
      };
      const answer = (withDeps: HttpDeps) => route.run({ ...context, deps: withDeps });
      return route.isRepeatable ? answerOnce(deps, caller, req, bytes, answer) : answer(deps);
    };
    if (body === undefined) return send(res, await run(new Uint8Array()));
    // Such a body is in memory by now; any other comes as slowly as the client likes, or waits for a slot.
    const isAtHand = req.complete && !Number.isNaN(length);
    const release = await bodies.slots.acquire(req, length, caller.owner);
    try {
      // Whoever waits for `100 Continue` before he sends is told to now that nothing is left to refuse him for.
      const isWaiting = req.headers.expect?.toLowerCase() === '100-continue' && req.httpVersion !== '1.0';
      if (isWaiting) res.writeContinue();
      const bytes = await readInTime(req);
      if (!isAtHand) await stillGood();
      send(res, await run(bytes));
    } finally {
      release();
    }
  }

  return {
    route<Input = undefined, Query = unknown>(options: RouteOptions<Input, Query>): RequestHandler {
      return (req, res) => handle(options, req, res);
    },
    findHead,
    findDocument,
  };
}

/** NaN when none is declared. */
function declaredLength(req: Request): number {
  return Number(req.headers['content-length'] ?? Number.NaN);
}

function tooLarge(): DomainError {
  return new DomainError('payload_too_large', `the body is larger than ${BODY_BYTES_MAX} bytes`);
}

const utf8 = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true });

function parseBody<Input>(body: z.ZodType<Input> | 'text', bytes: Uint8Array): Input | string {
  if (body === 'text') return decodeText(bytes);
  let value: unknown;
  try {
    value = parseStrictJson(bytes);
  } catch (error) {
    if (error instanceof JsonRefused) throw new DomainError('invalid_argument', error.message);
    throw error;
  }
  return parseFields(body, value);
}

function decodeText(bytes: Uint8Array): string {
  let text: string;
  try {
    text = utf8.decode(bytes);
  } catch {
    throw new DomainError('invalid_argument', 'the body is not valid UTF-8');
  }
  if (text.startsWith('\uFEFF'))
    throw new DomainError('invalid_argument', 'the body starts with a byte order mark');
  return text;
}

function parseFields<Input>(schema: z.ZodType<Input>, value: unknown): Input {
  const parsed = schema.safeParse(value, { error: problemWords });
  if (parsed.success) return parsed.data;
  const details: Record<string, string> = Object.create(null) as Record<string, string>;
  for (const issue of parsed.error.issues) {
    const path = issue.path.join('.');
    if (issue.code === 'unrecognized_keys') {
      for (const key of issue.keys) details[path === '' ? key : `${path}.${key}`] = 'is not a field here';
    } else details[path === '' ? 'body' : path] ??= issue.message;
  }
  const [field] = Object.keys(details);
  throw new DomainError('validation_failed', `\`${field}\`: ${details[field!]}`, { details });
}
