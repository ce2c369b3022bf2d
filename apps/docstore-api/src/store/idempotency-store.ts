import type { DocumentWriter } from './document-store.ts';
import type { KeyWriter } from './key-store.ts';

/** A response as it is sent. `body` is JSON text, or null for none. */
export interface StoredResponse {
  readonly status: number;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string | null;
}

/** An Idempotency-Key that this request holds; `at` tells it from later holders of the same key. */
export interface HeldKey {
  readonly owner: string;
  readonly key: string;
  readonly at: Date;
}

/**
 * The state of an Idempotency-Key: reserved for this request, with its response, used for another request, or
 * in flight.
 */
export type Reservation =
  | { readonly kind: 'reserved'; readonly held: HeldKey }
  | { readonly kind: 'answered'; readonly response: StoredResponse }
  | { readonly kind: 'other_request' }
  | { readonly kind: 'in_flight'; readonly retryAfterSeconds: number };

/** The writers that an operation's one write may go through. */
export interface Writers {
  readonly documents: DocumentWriter;
  readonly keys: KeyWriter;
}

/**
 * A transaction in which a write and the response to it are stored together. It holds a connection until it
 * ends.
 */
export interface UnitOfWork {
  readonly writers: Writers;
  /** false when another request has taken the key over. */
  storeResponse(held: HeldKey, response: StoredResponse): Promise<boolean>;
  commit(): Promise<void>;
  rollBack(): Promise<void>;
}

/** Responses by Idempotency-Key, kept for a day. */
export interface IdempotencyStore {
  /**
   * Reserves `key`; of requests that ask at once one is given `reserved`. Keys older than a day count as
   * unused.
   */
  reserve(owner: string, key: string, fingerprint: Uint8Array, now: Date): Promise<Reservation>;
  /**
   * Stores the response to a request that wrote nothing; false when another request has taken the key over.
   */
  storeResponse(held: HeldKey, response: StoredResponse): Promise<boolean>;
  /** Releases a key: the request failed and changed nothing, so it may be sent again. */
  release(held: HeldKey): Promise<void>;
  begin(): Promise<UnitOfWork>;
  /** Deletes responses that are no longer replayed. */
  forgetOld(now: Date): Promise<void>;
}
