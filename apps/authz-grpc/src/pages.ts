import { AuthzError } from '@platform/error-contracts';
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

export const PAGE_SIZE_MAX = 1_000;

/**
 * A page of a list that is sorted by a unique key, which a token names: what others add or remove meanwhile
 * neither hides nor repeats an item that stays. Throws INVALID_ARGUMENT for a size or token that is none.
 */
export async function readPage<T>(
  { pageSize = 0, pageToken = '' }: PageRequest,
  keyOf: (item: T) => string,
  list: (slice: Slice) => Promise<readonly T[]>,
): Promise<Page<T>> {
  if (pageSize > PAGE_SIZE_MAX) throw refuse('page_size', `must be at most ${PAGE_SIZE_MAX}`);
  const size = pageSize === 0 ? PAGE_SIZE_MAX : pageSize;
  // One more than asked for tells whether another page follows.
  const found = await list({ after: readToken(pageToken), limit: size + 1 });
  const items = found.slice(0, size);
  const last = items.at(-1);
  const isLast = found.length <= size || last === undefined;
  return { items, nextPageToken: isLast ? '' : writeToken(keyOf(last)) };
}

function writeToken(key: string): string {
  return Buffer.from(`k${key}`).toString('base64url');
}

function readToken(token: string): string | null {
  if (token === '') return null;
  const text = Buffer.from(token, 'base64url').toString();
  const key = text.slice(1);
  if (!text.startsWith('k') || writeToken(key) !== token || !isStorable(key)) throw pageTokenInvalid();
  return key;
}

/** The error for a token that the list did not give out. */
export function pageTokenInvalid(): AuthzError {
  return refuse('page_token', 'is not one that was given out');
}

function refuse(field: string, problem: string): AuthzError {
  return new AuthzError('INVALID_ARGUMENT', `\`${field}\` ${problem}`, { field });
}
