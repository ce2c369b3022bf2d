import { createHash } from 'node:crypto';
import type { Request } from 'express';
import { DomainError } from '@platform/error-contracts';
import { requireDocument, type Caller } from '../auth/caller.ts';
import { documentAbsent } from '../operations/shared/outcome.ts';
import type { Deps } from '../ports.ts';
import { writtenBody, type SentMetadata } from '../operations/shared/written-body.ts';
import type { DocumentStore } from '../store/document-store.ts';
import type { IdempotencyStore, UnitOfWork, Writers } from '../store/idempotency-store.ts';
import type { KeyStore } from '../store/key-store.ts';
import type { FileBody } from '../wire/document-body.ts';
import { keptOf, replayOf, shownIn, withDocument } from './kept-response.ts';
import type { ApiResponse } from './respond.ts';

/** The stores that an operation under an Idempotency-Key writes through. */
export type WriteStores = Pick<Deps, 'documents' | 'keys'>;

/** Header of a response that is the stored one of an earlier request. */
export const REPLAYED = 'Idempotency-Replayed';

/** Runs `work` once per Idempotency-Key and `part` of the request, whose text is `item`. */
export type Once = (
  part: string,
  item: unknown,
  work: (stores: WriteStores) => Promise<ApiResponse>,
) => Promise<ApiResponse>;

interface IdempotencyDeps extends Pick<Deps, 'documents' | 'keys' | 'now'> {
  readonly idempotency: IdempotencyStore;
}

/**
 * Runs `operate` once per Idempotency-Key. The response is stored in the transaction of the write that it
 * reports, so neither exists without the other, and the same request gets it again for a day (a large one:
 * ADR 0016). A request that fails leaves nothing behind and may be sent again. Errors: `unprocessable` for
 * the key of another request, `conflict` while the first request is in flight. `part` tells the items of one
 * request apart.
 *
 * INVARIANT (one-write): an operation that honors Idempotency-Key makes at most one successful write, through
 * the ports it is given. That write opens the transaction; what is computed before it may take long and holds
 * no connection.
 */
export async function withIdempotency(
  deps: IdempotencyDeps,
  caller: Caller,
  req: Request,
  body: unknown,
  operate: (stores: WriteStores) => Promise<ApiResponse>,
  part = '',
): Promise<ApiResponse> {
  const sent = req.headers['idempotency-key'];
  if (sent === undefined) return operate(deps);
  if (typeof sent !== 'string' || !/^[\x21-\x7E]{1,255}$/.test(sent)) {
    throw new DomainError(
      'invalid_argument',
      'Idempotency-Key must be 1 to 255 visible ASCII characters, without spaces',
    );
  }
  const { idempotency } = deps;
  const { owner } = caller;
  // Another credential of the same owner may have other scopes, so responses are kept by credential.
  const key = `${caller.subject} ${sent}${part}`;
  const reservation = await idempotency.reserve(owner, key, fingerprintOf(req, body), deps.now());
  switch (reservation.kind) {
    case 'answered': {
      const { status, headers, body: kept } = reservation.response;
      const replayed = { status, headers: { ...headers, [REPLAYED]: 'true' } };
      if (kept === null) return replayed;
      const json = await replayOf(kept, {
        sent: () => (body as { contents?: unknown }).contents,
        stored: async (id, etag) =>
          (await deps.documents.findVersionByEtag(owner, id, etag.slice(1, -1)))?.contents,
      });
      return { ...replayed, json: await shownStill(caller, json, body) };
    }
    case 'other_request':
      throw new DomainError('unprocessable', 'this Idempotency-Key was used for another request');
    case 'in_flight':
      throw new DomainError(
        'conflict',
        `the request with this Idempotency-Key is still in flight: send it again in ${reservation.retryAfterSeconds} s`,
        { retryAfterSeconds: reservation.retryAfterSeconds },
      );
    case 'reserved':
      break;
  }
  const { held } = reservation;
  const once = writeOnce(deps, idempotency);
  try {
    const response = await operate(once.stores);
    const { status, headers = {}, json } = response;
    const kept = json === undefined ? null : keptOf(json);
    // A response that is not kept reports no write, so computing it again writes nothing twice.
    if (kept === undefined) {
      await idempotency.release(held);
      return response;
    }
    if (!(await (once.unit ?? idempotency).storeResponse(held, { status, headers, body: kept }))) {
      throw new DomainError(
        'conflict',
        'the request took so long that another request took over its Idempotency-Key',
      );
    }
    await once.unit?.commit();
    return response;
  } catch (error) {
    await once.unit?.rollBack();
    await idempotency.release(held);
    throw error;
  }
}

/**
 * A response of before, without what the caller may no longer read of the document that it shows. Errors: as
 * a read, of an item of a batch that was one.
 */
async function shownStill(caller: Caller, json: unknown, sent: unknown): Promise<unknown> {
  const file = shownIn(json);
  if (file === undefined) return json;
  const {
    method,
    file: item,
    ...request
  } = sent as SentMetadata & {
    readonly method?: string;
    readonly file?: SentMetadata;
  };
  if (method === 'get') await requireDocument(caller, 'file:read', file.filename, documentAbsent);
  return withDocument(json, await writtenBody(caller, file as FileBody, item ?? request));
}

/**
 * `deps` whose first successful write stays uncommitted in `unit`; a second one would break one-write and
 * throws.
 */
function writeOnce({ documents, keys }: WriteStores, idempotency: IdempotencyStore) {
  const once: { stores: WriteStores; unit: UnitOfWork | undefined } = {
    stores: { documents, keys },
    unit: undefined,
  };
  const write = async <Outcome>(
    work: (writers: Writers) => Promise<Outcome>,
    isWritten: (outcome: Outcome) => boolean,
  ) => {
    if (once.unit !== undefined) throw new Error('INVARIANT (one-write): an operation writes once');
    const unit = await idempotency.begin();
    let outcome: Outcome;
    try {
      outcome = await work(unit.writers);
    } catch (error) {
      await unit.rollBack();
      throw error;
    }
    if (isWritten(outcome)) once.unit = unit;
    else await unit.rollBack();
    return outcome;
  };
  const isDocumentWritten = ({ kind }: { kind: string }) => kind === 'written';
  const isDocumentRemoved = ({ kind }: { kind: string }) => kind === 'removed';
  once.stores = {
    documents: {
      ...documents,
      create: (...args) => write((writers) => writers.documents.create(...args), isDocumentWritten),
      update: (...args) => write((writers) => writers.documents.update(...args), isDocumentWritten),
      remove: (...args) => write((writers) => writers.documents.remove(...args), isDocumentRemoved),
      restore: (...args) => write((writers) => writers.documents.restore(...args), isDocumentWritten),
    } satisfies DocumentStore,
    keys: {
      ...keys,
      create: (...args) => write((writers) => writers.keys.create(...args), Boolean),
      replaceSecret: (...args) => write((writers) => writers.keys.replaceSecret(...args), Boolean),
    } satisfies KeyStore,
  };
  return once;
}

/**
 * What makes two requests the same: method, URL, preconditions, and the value of the body, however it is
 * spaced.
 */
function fingerprintOf({ method, originalUrl, headers }: Request, body: unknown): Uint8Array {
  const preconditions = [headers['if-match'] ?? null, headers['if-none-match'] ?? null];
  return createHash('sha256')
    .update(JSON.stringify([method, originalUrl, ...preconditions]))
    .update('\n')
    .update(typeof body === 'string' ? body : (JSON.stringify(body) ?? ''))
    .digest();
}
