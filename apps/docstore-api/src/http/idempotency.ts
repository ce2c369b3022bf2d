import { createHash } from 'node:crypto';
import type { Request } from 'express';
import { DomainError } from '@platform/error-contracts';
import type { Caller } from '../auth/caller.ts';
import type { HttpDeps } from './http-deps.ts';
import type { DocumentStore, WriteOutcome } from '../store/document-store.ts';
import { releaseKey, reserveKey, storeAnswer } from '../store/idempotency-store.ts';
import type { StoreDatabase, StoreTransaction } from '../store/store-database.ts';
import { keptOf, replayOf, type ContentsSources } from './kept-answer.ts';
import type { Answer } from './respond.ts';

/**
 * Runs `answer`, once per Idempotency-Key: the answer is stored in the transaction of the write it tells of, so neither
 * exists without the other, and the same request gets it again for a day (a large one: ADR 0016). The transaction begins with
 * that write: what is worked out before may take long and must hold no connection. A request that fails leaves nothing behind
 * and may be sent again. Errors: `unprocessable` for the key of another request, `conflict` while the first is at work.
 */
export async function answerOnce(
  deps: HttpDeps,
  caller: Caller,
  req: Request,
  body: Uint8Array,
  answer: (deps: HttpDeps) => Promise<Answer>,
): Promise<Answer> {
  const sent = req.headers['idempotency-key'];
  if (sent === undefined) return answer(deps);
  if (typeof sent !== 'string' || !/^[\x21-\x7E]{1,255}$/.test(sent)) {
    throw new DomainError('invalid_argument', 'Idempotency-Key must be 1 to 255 printable characters');
  }
  const { database, now } = deps;
  const { owner } = caller;
  // Another credential of the same owner may have other scopes, so its answers are its own.
  const key = `${caller.subject} ${sent}`;
  const reservation = await reserveKey(database, owner, key, fingerprintOf(req, body), now());
  switch (reservation.kind) {
    case 'answered': {
      const { status, headers, body: json } = reservation.answer;
      if (json === null) return { status, headers };
      const sources: ContentsSources = {
        sent: () => (JSON.parse(Buffer.from(body).toString()) as { contents?: unknown }).contents,
        stored: async (id, etag) =>
          (await deps.documents.findVersionByEtag(owner, id, etag.slice(1, -1)))?.contents,
      };
      return { status, headers, json: await replayOf(json, sources) };
    }
    case 'other_request':
      throw new DomainError('unprocessable', 'this Idempotency-Key was used for another request');
    case 'in_flight':
      throw new DomainError('conflict', 'the request with this Idempotency-Key is still at work', {
        retryAfterSeconds: reservation.retryAfterSeconds,
      });
    case 'reserved':
      break;
  }
  let open: OpenTransaction | undefined;
  /** Keeps the transaction of a write that is made, for the answer; all before it has needed none. */
  const keepingOpen = async (write: (documents: DocumentStore) => Promise<WriteOutcome>) => {
    open = await begin(database);
    const outcome = await write(deps.documentsIn(open.sql));
    if (outcome.kind !== 'written') {
      await open.rollBack();
      open = undefined;
    }
    return outcome;
  };
  const documents: DocumentStore = {
    ...deps.documents,
    create: (...args) => keepingOpen((store) => store.create(...args)),
    update: (...args) => keepingOpen((store) => store.update(...args)),
  };
  try {
    const result = await answer({ ...deps, documents });
    const { status, headers = {}, json } = result;
    const kept = json === undefined ? null : keptOf(json);
    // Nothing was written, so working it out again does nothing twice.
    if (kept === undefined) {
      await releaseKey(database, owner, key, reservation.at);
      return result;
    }
    const stored = { status, headers, body: kept };
    if (!(await storeAnswer(open?.sql ?? database, owner, key, reservation.at, stored))) {
      throw new DomainError(
        'conflict',
        'the request took so long that another took its Idempotency-Key over',
      );
    }
    await open?.commit();
    return result;
  } catch (error) {
    await open?.rollBack();
    await releaseKey(database, owner, key, reservation.at);
    throw error;
  }
}

/** A transaction under way; its connection is held until one of the two is called, and the first call counts. */
interface OpenTransaction {
  readonly sql: StoreTransaction;
  commit(): Promise<void>;
  rollBack(): Promise<void>;
}

function begin(database: StoreDatabase): Promise<OpenTransaction> {
  return new Promise((begun, failed) => {
    const ended = database.transaction(
      (sql) =>
        new Promise<void>((resolve, reject) => {
          begun({
            sql,
            commit() {
              resolve();
              return ended;
            },
            rollBack() {
              reject(new Error('rolled back'));
              return ended.catch(() => undefined);
            },
          });
        }),
    );
    ended.catch(failed);
  });
}

/** What makes two requests the same: method, URL, preconditions and body. */
function fingerprintOf({ method, originalUrl, headers }: Request, body: Uint8Array): Uint8Array {
  const preconditions = [headers['if-match'] ?? null, headers['if-none-match'] ?? null];
  const head = JSON.stringify([method, originalUrl, ...preconditions]);
  return createHash('sha256').update(head).update('\n').update(body).digest();
}
