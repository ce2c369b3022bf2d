import { hash } from 'node:crypto';
import { invalidField } from '@platform/error-contracts';
import { isUuid } from './ids.ts';
import { isStorable } from './text.ts';

/** The page of a list that a caller asks for. */
export interface PageRequest {
  /** 1 to 1,000; 0 or nothing means 1,000. */
  readonly pageSize?: number | undefined;
  /** `nextPageToken` of the page before; empty or nothing for the first page. */
  readonly pageToken?: string | undefined;
}

/** One page of a list; `nextPageToken` is empty on the last one. */
export interface Page<T> {
  readonly items: readonly T[];
  readonly nextPageToken: string;
}

/** The part of a list that a store is asked for: at most `limit` items behind the key `after`. */
export interface Slice {
  readonly after: string | null;
  readonly limit: number;
}

/**
 * The one list that a page token is good for: the operation, whose items it lists, and every filter. What is
 * undefined was not asked for.
 */
export type ListIdentity = readonly [
  operation: string,
  ...view: readonly (string | number | boolean | null | undefined)[],
];

export const PAGE_SIZE_MAX = 1_000;

/**
 * A page of a list that is sorted by a unique key that never changes, which a token names: what others add,
 * change or remove meanwhile neither hides nor repeats an item that stays. Throws INVALID_ARGUMENT for a size
 * that is none and for a token that this list did not give out.
 */
export async function readPage<T>(
  { pageSize = 0, pageToken = '' }: PageRequest,
  identity: ListIdentity,
  keyOf: (item: T) => string,
  list: (slice: Slice) => Promise<readonly T[]>,
): Promise<Page<T>> {
  if (pageSize > PAGE_SIZE_MAX) throw invalidField('page_size', `must be at most ${PAGE_SIZE_MAX}`);
  const size = pageSize === 0 ? PAGE_SIZE_MAX : pageSize;
  // One more than asked for tells whether another page follows.
  const found = await list({ after: readToken(identity, pageToken, 'page_token'), limit: size + 1 });
  const items = found.slice(0, size);
  const last = items.at(-1);
  const isLast = found.length <= size || last === undefined;
  return { items, nextPageToken: isLast ? '' : writeToken(identity, keyOf(last)) };
}

/** Bytes of the digest by which a token is bound to its list. */
const DIGEST_BYTES = 12;

/**
 * The token of a place in a list: a digest of both, then the key of the place. It is no secret and no proof:
 * what a caller may see is decided anew for every page. It keeps tokens of different lists apart, and finds
 * a token that was cut or changed on its way.
 */
export function writeToken(identity: ListIdentity, key: string): string {
  // A filter that was not asked for is not the same as one that is null.
  const text = JSON.stringify([identity.map((part) => (part === undefined ? [] : part)), key]);
  const digest = hash('sha256', text, 'buffer').subarray(0, DIGEST_BYTES);
  return Buffer.concat([digest, Buffer.from(key)]).toString('base64url');
}

/**
 * The key of the place that a token names; null for no token. Throws INVALID_ARGUMENT naming `field` for a
 * token that `writeToken` did not make of this list.
 */
export function readToken(identity: ListIdentity, token: string, field: string): string | null {
  if (token === '') return null;
  const key = Buffer.from(token, 'base64url').subarray(DIGEST_BYTES).toString();
  if (writeToken(identity, key) !== token || !isStorable(key)) {
    throw invalidField(field, 'is not one that this list gave out, with these filters and to this caller');
  }
  return key;
}

/** The place of an item in a list that is sorted by creation, then by id. */
export interface Place {
  readonly createdAt: Date;
  readonly id: string;
}

/** The key of a place: milliseconds since 1970 and the id. */
export function placeKey({ createdAt, id }: Place): string {
  return `${createdAt.getTime()} ${id}`;
}

/** The place that a key of `placeKey` names. Throws INVALID_ARGUMENT for a text that is none. */
export function readPlace(key: string): Place {
  const [, time = '', id = ''] = /^(\d{1,15}) (.*)$/.exec(key) ?? [];
  if (time === '' || !isUuid(id)) throw invalidField('page_token', 'is not one that was given out');
  return { createdAt: new Date(Number(time)), id };
}
