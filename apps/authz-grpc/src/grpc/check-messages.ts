import { AuthzError } from '@platform/error-contracts';
import {
  AuthorizationServiceService,
  BatchCheckAuthorizationRequest,
  BatchCheckAuthorizationResponse,
  CheckAuthorizationRequest,
  CheckAuthorizationResponse,
} from '@platform/proto/authz/v1/authorization';
import type { RequestContext } from '../policy/types.ts';
import { contextOf } from './policy-messages.ts';

/**
 * The messages of the two hot calls, read from the wire straight into contexts and written straight to it:
 * through the generated code they cost several times what deciding does. A message in any but the plain form
 * that encoders write is left to the generated code, so that both always read the same
 * (`check-messages.prop.spec.ts`).
 */

/** The two responses of a check. */
const [ALLOWED, DENIED] = [true, false].map((authorized) =>
  Buffer.from(CheckAuthorizationResponse.encode({ authorized }).finish()),
) as [Buffer, Buffer];

/** A context, or why it is none. */
export type ReadContext = RequestContext | AuthzError;

/** The service with messages of its own for CheckAuthorization and BatchCheckAuthorization. */
export const checkingService = {
  ...AuthorizationServiceService,
  checkAuthorization: {
    ...AuthorizationServiceService.checkAuthorization,
    requestDeserialize: readCheckRequest,
    responseSerialize: ({ authorized }: CheckAuthorizationResponse) => (authorized ? ALLOWED : DENIED),
  },
  batchCheckAuthorization: {
    ...AuthorizationServiceService.batchCheckAuthorization,
    requestDeserialize: readBatchRequest,
    responseSerialize: writeBatchResponse,
  },
  /** Its handler writes the response, which may be of 100,000 policies, a piece at a time. */
  explainAuthorization: {
    ...AuthorizationServiceService.explainAuthorization,
    responseSerialize: (written: Buffer) => written,
  },
};

/** The context of a CheckAuthorizationRequest. Errors: those of the generated code. */
export function readCheckRequest(bytes: Buffer): ReadContext {
  const reader = new ContextReader(bytes);
  return reader.context(0, bytes.length) ?? toContext(CheckAuthorizationRequest.decode(bytes));
}

/** The contexts of a BatchCheckAuthorizationRequest. Errors: those of the generated code. */
export function readBatchRequest(bytes: Buffer): ReadContext[] {
  const reader = new ContextReader(bytes);
  const contexts: RequestContext[] = [];
  let at = 0;
  while (at < bytes.length) {
    const end = reader.enter(FIELD_1, at, bytes.length);
    const context = end < 0 ? null : reader.context(reader.at, end);
    if (context === null) return BatchCheckAuthorizationRequest.decode(bytes).checks.map(toContext);
    contexts.push(context);
    at = end;
  }
  return contexts;
}

function toContext({ context }: CheckAuthorizationRequest): ReadContext {
  try {
    return contextOf(context);
  } catch (error) {
    if (error instanceof AuthzError) return error;
    throw error;
  }
}

/** Field 1 and field 2, length-delimited. */
const FIELD_1 = 0x0a;
const FIELD_2 = 0x12;
/** Longest text compared with the one that stood in its place before. Bytes. */
const REPEATED_MAX = 128;
const utf8 = new TextDecoder('utf-8', { ignoreBOM: true });

/** A text of the message and its path. */
interface Seen {
  from: number;
  length: number;
  text: string;
}

/** Reads contexts in the plain form: each field once, keys before values, lengths within their parents. */
class ContextReader {
  /** Where the field that was entered begins. */
  at = 0;
  readonly #bytes: Buffer;
  /** By place in the context: checks of one batch mostly repeat keys, subject and action. */
  readonly #seen: Seen[] = [];

  constructor(bytes: Buffer) {
    this.#bytes = bytes;
  }

  /** The context that stands between the two places, or null when it is not in the plain form. */
  context(from: number, to: number): RequestContext | null {
    const context = new Map<string, string | readonly string[]>();
    let place = 0;
    for (let at = from; at < to;) {
      const entryEnd = this.enter(FIELD_1, at, to);
      if (entryEnd < 0) return null;
      const keyEnd = this.enter(FIELD_1, this.at, entryEnd);
      if (keyEnd < 0) return null;
      const key = this.#text(place, this.at, keyEnd);
      if (this.enter(FIELD_2, keyEnd, entryEnd) !== entryEnd) return null;
      const valueAt = this.at;
      if (this.enter(FIELD_1, valueAt, entryEnd) === entryEnd) {
        context.set(key, this.#text(place + 1, this.at, entryEnd));
      } else if (this.enter(FIELD_2, valueAt, entryEnd) === entryEnd) {
        const values: string[] = [];
        for (let valueEnd = this.at; valueEnd < entryEnd;) {
          valueEnd = this.enter(FIELD_1, valueEnd, entryEnd);
          if (valueEnd < 0) return null;
          values.push(this.#decode(this.at, valueEnd));
        }
        context.set(key, values);
      } else return null;
      place += 2;
      at = entryEnd;
    }
    return context;
  }

  /**
   * The end of the field `tag` at this place, `at` its begin; −1 when another stands there or it ends beyond
   * `to`.
   */
  enter(tag: number, from: number, to: number): number {
    const bytes = this.#bytes;
    if (from + 2 > to || bytes[from] !== tag) return -1;
    let length = bytes[from + 1] as number;
    let at = from + 2;
    if (length > 0x7f) {
      // Two bytes of length reach to 16 kB; what is longer is left to the generated code.
      const high = bytes[at] as number;
      if (at >= to || high > 0x7f) return -1;
      length = (length & 0x7f) | (high << 7);
      at += 1;
    }
    this.at = at;
    return at + length > to ? -1 : at + length;
  }

  /** The text, taken from the one seen in the same place before when they are equal. */
  #text(place: number, from: number, to: number): string {
    const seen = this.#seen[place];
    const length = to - from;
    if (seen === undefined) {
      const text = this.#decode(from, to);
      this.#seen[place] = { from, length, text };
      return text;
    }
    if (length === seen.length && length <= REPEATED_MAX && this.#isEqual(seen.from, from, length))
      return seen.text;
    seen.from = from;
    seen.length = length;
    return (seen.text = this.#decode(from, to));
  }

  #isEqual(one: number, other: number, length: number): boolean {
    const bytes = this.#bytes;
    // From the end: objects of one batch begin alike.
    for (let i = length - 1; i >= 0; i -= 1) if (bytes[one + i] !== bytes[other + i]) return false;
    return true;
  }

  #decode(from: number, to: number): string {
    const bytes = this.#bytes;
    for (let i = from; i < to; i += 1) {
      if ((bytes[i] as number) > 0x7f) return utf8.decode(bytes.subarray(from, to));
    }
    return bytes.toString('latin1', from, to);
  }
}

const ID_LENGTH = 36;
/**
 * Tag and length of the result, of `check_id`, `authorized` where it is true, and `denied` where it is set.
 */
const RESULT_OVERHEAD = 8;

/** The bytes of a BatchCheckAuthorizationResponse. */
export function writeBatchResponse({ results }: BatchCheckAuthorizationResponse): Buffer {
  const decided = results.every(({ error, checkId }) => error === undefined && checkId.length === ID_LENGTH);
  if (!decided) return Buffer.from(BatchCheckAuthorizationResponse.encode({ results }).finish());
  const bytes = Buffer.allocUnsafe(results.length * (RESULT_OVERHEAD + ID_LENGTH));
  let at = 0;
  for (const { authorized, checkId, denied } of results) {
    bytes[at++] = FIELD_1;
    bytes[at++] = 2 + ID_LENGTH + (authorized ? 2 : 0) + (denied === undefined ? 0 : 2);
    if (authorized) {
      bytes[at++] = 0x08;
      bytes[at++] = 1;
    }
    bytes[at++] = FIELD_2;
    bytes[at++] = ID_LENGTH;
    at += bytes.write(checkId, at, 'latin1');
    if (denied !== undefined) {
      bytes[at++] = 0x20;
      bytes[at++] = denied ? 1 : 0;
    }
  }
  return bytes.subarray(0, at);
}
