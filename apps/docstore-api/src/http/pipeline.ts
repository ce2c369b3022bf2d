import type { IncomingMessage } from 'node:http';
import type { Request, RequestHandler, Response } from 'express';
import type { z } from 'zod';
import { DomainError, problemWords } from '@platform/error-contracts';
import { readBody, requireJson } from '@platform/http-kit';
import { JsonRefused, parseStrictJson } from '@platform/strict-json';
import { requireAction, requireFilename, type Caller } from '../auth/caller.ts';
import { namesEtag, parseEtagCondition, type EtagCondition } from '../domain/etag.ts';
import { isFileId } from '../domain/file-id.ts';
import type { Action } from '../domain/scopes.ts';
import { BODY_BYTES_MAX } from '../domain/sizes.ts';
import type { HttpDeps } from './http-deps.ts';
import { documentAbsent } from '../operations/precondition.ts';
import { createDocumentLookUps } from '../store/document-look-ups.ts';
import type { DocumentHead } from '../store/document-store.ts';
import type { BodySlots } from './body-slots.ts';
import { authenticate, requireStillGood } from './credential.ts';
import { answerOnce } from './idempotency.ts';
import { send, type Answer } from './respond.ts';

/** What a route's function is given. `Input` is the parsed body: a value of the route's schema, or text. */
export interface Context<Input> {
  readonly deps: HttpDeps;
  readonly caller: Caller;
  readonly req: Request;
  /** Of a route on one document: it exists, is the caller's, and his key reaches it. */
  readonly head: DocumentHead;
  readonly ifMatch: EtagCondition | undefined;
  readonly input: Input;
  /** Throws `unauthenticated` when the credential has ended meanwhile: to be asked before a write that took long. */
  readonly requireStillGood: () => Promise<void>;
}

export interface RouteOptions<Input> {
  readonly action: Action;
  /** The URL names a document by `:id`. */
  readonly onDocument?: boolean;
  readonly ifMatch?: 'required' | 'honoured';
  /** A JSON body of this schema, or raw text; absent = the body is not looked at. */
  readonly body?: z.ZodType<Input> | 'text';
  /** Media types of a JSON body besides application/json. */
  readonly jsonTypes?: readonly string[];
  /** Honours Idempotency-Key. */
  readonly isRepeatable?: boolean;
  readonly run: (context: Context<Input>) => Promise<Answer>;
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
 * Content-Type, declared length, existence, If-Match, body, JSON, fields; size and characters of contents and all that
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

  async function handle<Input>(route: RouteOptions<Input>, req: Request, res: Response): Promise<void> {
    const { action, body } = route;
    const caller = await authenticate(req, deps.credentials, deps.clock(), action);
    const waitSeconds = await deps.rateLimiter.take(caller.subject);
    if (waitSeconds > 0) {
      throw new DomainError('rate_limited', `more than ${deps.rate.perMinute} requests a minute`, {
        retryAfterSeconds: waitSeconds,
      });
    }
    requireAction(caller, action);
    if (body === 'text') requireText(req);
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

    const stillGood = () => requireStillGood(req, deps.credentials, deps.clock());
    const run = async (bytes: Uint8Array) => {
      if (refusal !== undefined) return answerOnce(deps, caller, req, bytes, () => Promise.reject(refusal));
      const input = (body === undefined ? undefined : parseBody(body, bytes)) as Input;
      const context = {
        caller,
        req,
        head: head as DocumentHead,
        ifMatch,
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
    route<Input = undefined>(options: RouteOptions<Input>): RequestHandler {
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

function requireText(req: Request): void {
  const type = (req.headers['content-type'] ?? '').toLowerCase().replaceAll(' ', '');
  if (
    !/^text\/plain(;charset="?utf-?8"?)?$/.test(type) ||
    (req.headers['content-encoding'] ?? 'identity') !== 'identity'
  ) {
    throw new DomainError('unsupported_media', 'send Content-Type: text/plain; charset=utf-8');
  }
}

/**
 * The condition that a version must meet to be written over. If-None-Match that names the current one leaves none that
 * would (RFC 9110 §13.1.2); ETags never come back, so the version here decides, whoever writes meanwhile.
 */
function readIfMatch(
  req: Request,
  rule: 'required' | 'honoured' | undefined,
  head: DocumentHead | undefined,
): EtagCondition | undefined {
  if (rule === undefined) return undefined;
  const condition = parseEtagCondition('If-Match', req.headers['if-match']);
  if (condition === undefined && rule === 'required') {
    throw new DomainError(
      'precondition_required',
      'send If-Match with the ETag of the version you have read',
    );
  }
  const ifNoneMatch = parseEtagCondition('If-None-Match', req.headers['if-none-match']);
  const isExcluded = ifNoneMatch !== undefined && head !== undefined && namesEtag(ifNoneMatch, head.etag);
  return isExcluded ? [] : condition;
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

/** The query of a URL by `schema`; whatever is wrong with it, a parameter given twice included, is `invalid_argument`. */
export function parseQuery<Query>(schema: z.ZodType<Query>, req: Request): Query {
  const parsed = schema.safeParse(Object.fromEntries(queryEntries(req)), { error: problemWords });
  if (parsed.success) return parsed.data;
  const [issue] = parsed.error.issues;
  const name = issue!.code === 'unrecognized_keys' ? issue!.keys[0] : String(issue!.path[0]);
  const reason = issue!.code === 'unrecognized_keys' ? 'is not known' : issue!.message;
  throw new DomainError('invalid_argument', `query parameter \`${name}\`: ${reason}`);
}

/** The query of the target, whatever stands before it: a target may be a whole URL, with a host that is none (RFC 9112 §3.2.2). */
export function searchParamsOf({ originalUrl }: Request): URLSearchParams {
  return new URLSearchParams(/\?([^#]*)/.exec(originalUrl)?.[1]);
}

function queryEntries(req: Request): [string, string][] {
  const entries = [...searchParamsOf(req)];
  // What is no UTF-8 becomes this character, and would be looked for.
  const garbled = entries.find((pair) => pair.join('').includes('\uFFFD'));
  if (garbled !== undefined && !/%EF%BF%BD/i.test(req.originalUrl))
    throw new DomainError(
      'invalid_argument',
      `query parameter \`${garbled[0]}\` is not UTF-8, percent-encoded`,
    );
  const names = entries.map(([name]) => name);
  const twice = names.find((name, index) => names.indexOf(name) !== index);
  if (twice !== undefined)
    throw new DomainError('invalid_argument', `query parameter \`${twice}\` stands twice`);
  return entries;
}
