import { hash } from 'node:crypto';
import type { Request, RequestHandler, Response } from 'express';
import type { z } from 'zod';
import { requestAbortSignal, requireJson, requireMediaType, type UploadLimiter } from '@platform/service-kit';
import { DomainError } from '@platform/error-contracts';
import { requireAction, requireService, type Caller } from '../auth/caller.ts';
import { findHead, findHeadOrDeleted } from '../operations/shared/find-document.ts';
import { BODY_BYTES_MAX, VALUES_MAX } from '../rules/limits.ts';
import { parsePrecondition, writeCondition, type Precondition } from '../rules/precondition.ts';
import type { DocumentLookUps } from '../store/document-look-ups.ts';
import type { DocumentHead } from '../store/document-store.ts';
import type { ApiOperation, OperationContext } from './api/operation.ts';
import { authenticate, revalidateCredential } from './credential.ts';
import type { HttpDeps } from './http-deps.ts';
import { withIdempotency, type WriteStores } from './idempotency.ts';
import type { BodyReader } from './body-reader.ts';
import type { LargeBodies } from './large-bodies.ts';
import { parseFields } from '../wire/field-errors.ts';
import { NoQuery, parseQuery } from './query.ts';
import type { RangeRequest } from './representation.ts';
import { send } from './respond.ts';

/** How bodies are admitted. */
export interface Bodies {
  readonly uploads: UploadLimiter;
  readonly reader: BodyReader;
  /**
   * Large bodies that have arrived take turns: working on one takes up to some ten times its length in
   * memory.
   */
  readonly large: LargeBodies;
  /**
   * Large documents are read, and responses that hold one or several of them made, a few at a time. Bodies
   * take their turn before responses, never after.
   */
  readonly responses: LargeBodies;
}

/**
 * A request's way through the checks, in the order of the decisions page ("Order of checks"): credential,
 * rate, scope, query, Content-Type, declared length, existence, If-Match, body, JSON, fields; size and
 * characters of contents and everything that needs the transaction follow in the operation.
 */
export function createPipeline(deps: HttpDeps, bodies: Bodies): (operation: ApiOperation) => RequestHandler {
  async function handle(operation: ApiOperation, req: Request, res: Response): Promise<void> {
    const { action } = operation;
    const isBodyAbsent = req.headers['transfer-encoding'] === undefined && !(declaredLength(req) > 0);
    const body = operation.isBodyOptional && isBodyAbsent ? undefined : operation.body;
    const caller = await authenticate(req, deps.credentials, deps.now(), operation);
    await requireRate(deps, operation, caller, req);
    requireService(caller);
    if (action !== undefined) requireAction(caller, action);
    const query = parseQuery<unknown>(operation.query ?? NoQuery, req);
    if (body === 'text') requireMediaType(req, ['text/plain']);
    else if (body !== undefined) requireJson(req, operation.jsonTypes);
    const length = declaredLength(req);
    if (body !== undefined && length > BODY_BYTES_MAX) throw tooLarge();
    const isReplayable = operation.isRepeatable && req.headers['idempotency-key'] !== undefined;
    let head: DocumentHead | undefined;
    let refusal: DomainError | undefined;
    try {
      if (operation.ofDocument) {
        const find = operation.ofDocument === 'deleted too' ? findHeadOrDeleted : findHead;
        head = await find(deps, caller, action!, String(req.params['id']));
      }
    } catch (error) {
      // The response to an Idempotency-Key stays its response, whatever has become of the document since.
      if (!isReplayable || !(error instanceof DomainError)) throw error;
      refusal = error;
    }
    const precondition = operation.conditional === undefined ? {} : parsePrecondition(req.headers);
    if (refusal === undefined) requirePrecondition(operation, precondition);

    const turn = turnOf(bodies.responses, res, caller.owner);
    const revalidate = () => revalidateCredential(req, deps.credentials, deps.now());
    const run = async (bytes: Uint8Array) => {
      const { owner } = caller;
      const value = await readBody(bodies.reader, operation, body, { bytes, owner });
      const operate = async (stores: WriteStores) => {
        if (refusal !== undefined) throw refusal;
        const context: OperationContext = {
          deps: { ...deps, ...stores, lookUps: lookUpsInTurn(deps.lookUps, turn.take) },
          caller,
          params: paramsOf(req),
          once: (part, item, work) => withIdempotency(deps, caller, req, item, work, part),
          range: rangeOf(req),
          requestId: req.id,
          // Made where it is asked for: few operations wait.
          get signal() {
            return requestAbortSignal(res);
          },
          head: head as DocumentHead,
          precondition,
          target: { id: String(req.params['id']), condition: writeCondition(precondition) },
          query,
          input: readInput(operation, value),
          revalidateCredential: revalidate,
        };
        if (operation.isLarge?.(query, context.head)) await turn.take();
        return operation.run(context);
      };
      return operation.isRepeatable === true
        ? withIdempotency(deps, caller, req, value, operate)
        : operate(deps);
    };
    if (body === undefined) {
      try {
        return await send(res, await run(new Uint8Array()));
      } finally {
        turn.leave();
      }
    }
    // A body that arrived with its head is in memory by now; any other arrives as slowly as the client likes,
    // or waits.
    const isComplete = req.complete && !Number.isNaN(length);
    // All header checks passed: send 100 Continue to a client that waits for it.
    const isWaiting = req.headers.expect?.toLowerCase() === '100-continue' && req.httpVersion !== '1.0';
    if (isWaiting) res.writeContinue();
    const { bytes, release } = await bodies.uploads.receive(req, caller.owner);
    try {
      const response = await bodies.large.run(res, bytes.length, caller.owner, async () => {
        if (!isComplete) await revalidate();
        return run(bytes);
      });
      await send(res, response);
    } finally {
      turn.leave();
      release();
    }
  }

  return (operation) => (req, res) => handle(operation, req, res);
}

/** The one turn of a request among `responses`, however many large documents it reads. */
function turnOf(responses: LargeBodies, res: Response, owner: string) {
  let entered: Promise<() => void> | undefined;
  return {
    async take(): Promise<void> {
      await (entered ??= responses.enter(res, owner));
    },
    leave: () =>
      void entered?.then(
        (leave) => leave(),
        () => undefined,
      ),
  };
}

/** `lookUps` that read a large document once it is the request's turn. */
function lookUpsInTurn(lookUps: DocumentLookUps, take: () => Promise<void>): DocumentLookUps {
  return {
    ...lookUps,
    find: (owner, id) => lookUps.find(owner, id, take),
  };
}

/** NaN when no length is declared. */
function declaredLength(req: Request): number {
  return Number(req.headers['content-length'] ?? Number.NaN);
}

/**
 * Throws `rate_limited` with the seconds to wait when the credential, or all credentials of its owner
 * together, make too many requests. A refused request is reserved a place in both counts at the time that
 * Retry-After names, so that its retry passes both. What ends keys has a count of its own for each
 * credential, so that no other request and no other key can hold it up.
 */
async function requireRate(
  { rateLimiter, ownerRateLimiter, rate }: HttpDeps,
  { isRevocation = false }: ApiOperation,
  caller: Caller,
  req: Request,
): Promise<void> {
  const owner = `owner ${caller.owner}`;
  const request = requestName(caller, req);
  const ofKey = await rateLimiter.take(
    isRevocation ? `revocation ${caller.subject}` : caller.subject,
    request,
  );
  if (ofKey.seconds > 0) {
    const isReserved = ofKey.isReserved && !isRevocation;
    const ofBoth = isReserved ? await ownerRateLimiter.reserve(owner, request, ofKey.seconds) : ofKey;
    const message = `more than ${rate.perMinute} requests a minute`;
    throw new DomainError('rate_limited', message, { retryAfterSeconds: ofBoth.seconds });
  }
  if (isRevocation) return;
  const ofOwner = await ownerRateLimiter.take(owner, request);
  if (ofOwner.seconds > 0) {
    await rateLimiter.keep(caller.subject, request, ofOwner.seconds);
    throw new DomainError('rate_limited', 'too many requests by all keys of this owner together', {
      retryAfterSeconds: ofOwner.seconds,
    });
  }
}

/** What tells a request that is sent again from the caller's other requests. */
function requestName({ subject }: Caller, { method, originalUrl, headers }: Request): string {
  const name = JSON.stringify([subject, method, originalUrl, headers['idempotency-key'] ?? null]);
  return hash('sha256', name, 'base64url');
}

/** The named parts of the path; one that may hold slashes comes in pieces. */
function paramsOf(req: Request): Record<string, string> {
  const params = Object.entries(req.params as Record<string, string | string[]>);
  return Object.fromEntries(params.map(([name, value]) => [name, [value].flat().join('/')]));
}

/** The part of the body that a GET asks for; Range has no meaning for other methods (RFC 9110 §14.2). */
function rangeOf({ method, headers }: Request): RangeRequest {
  const { range, 'if-range': ifRange } = headers;
  return method === 'GET'
    ? { range, ifRange: ifRange?.toString() }
    : { range: undefined, ifRange: undefined };
}

/** Throws `precondition_required` when a write lacks the precondition that it needs. */
function requirePrecondition(operation: ApiOperation, { ifMatch, ifNoneMatch }: Precondition): void {
  const { conditional } = operation;
  if (ifMatch !== undefined) return;
  if (conditional === 'required') {
    throw new DomainError(
      'precondition_required',
      'send If-Match with the ETag of the version you have read',
    );
  }
  if (conditional === 'either' && ifNoneMatch !== '*') {
    throw new DomainError(
      'precondition_required',
      operation.ofDocument
        ? 'send If-Match with the ETag of the version you have read, or `If-None-Match: *` for a deleted document'
        : 'send `If-None-Match: *` to create, or If-Match with the ETag of the version you have read to replace',
    );
  }
}

function tooLarge(): DomainError {
  return new DomainError('payload_too_large', `the body is larger than ${BODY_BYTES_MAX} bytes`);
}

const utf8 = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true });

/**
 * What the operation takes from the body: text as it is, JSON by its schema, `{}` for an optional body that
 * is absent.
 */
function readInput({ body, readBy, isBodyOptional }: ApiOperation, value: unknown): unknown {
  if (body === undefined || body === 'text') return value;
  return parseFields(readBy ?? body, isBodyOptional ? (value ?? {}) : value);
}

/**
 * The value of a JSON body, the text of a text body, undefined without one. Errors: `invalid_argument`,
 * `unavailable`.
 */
async function readBody(
  reader: BodyReader,
  { valuesMax = VALUES_MAX }: ApiOperation,
  body: z.ZodType | 'text' | undefined,
  { bytes, owner }: { readonly bytes: Uint8Array; readonly owner: string },
): Promise<unknown> {
  if (body === undefined) return undefined;
  // Decoding is one native pass, as copying the text from another thread would be.
  return body === 'text' ? decodeText(bytes) : reader.read(bytes, { owner, valuesMax });
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
