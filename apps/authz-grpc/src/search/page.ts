import { hash } from 'node:crypto';
import { AuthzError } from '@platform/error-contracts';
import { PAGE_SIZE_MAX, type PageRequest } from '../pages.ts';
import { runInTimeSlices } from '../time-slices.ts';

const PAGE_SIZE = 100;

/** The page of a search that a caller asks for; 100 items unless they say how many. */
export interface SearchPageRequest extends PageRequest {
  /** What the caller calls the token. */
  readonly tokenField?: string;
}

/** The part of a search that a page shows. */
export interface SearchPage {
  /** 0 to 1,000. */
  readonly size: number;
  /** Key of the last item before it; null on the first page. */
  readonly after: string | null;
  /** The token of the page behind this one, whose last item has the key. */
  tokenAfter(key: string): string;
}

/**
 * The page that a caller asks for; a token is good for the query it was given out for. Throws
 * INVALID_ARGUMENT.
 */
export function readSearchPage(
  { pageSize = PAGE_SIZE, pageToken = '', tokenField: field = 'page_token' }: SearchPageRequest,
  query: unknown,
): SearchPage {
  if (pageSize > PAGE_SIZE_MAX) {
    throw new AuthzError('INVALID_ARGUMENT', `\`page_size\` must be at most ${PAGE_SIZE_MAX}`, {
      field: 'page_size',
    });
  }
  const digest = hash('sha256', JSON.stringify(query), 'base64url').slice(0, 16);
  const tokenAfter = (key: string) => Buffer.from(`${digest}${key}`).toString('base64url');
  const after = pageToken === '' ? null : Buffer.from(pageToken, 'base64url').toString().slice(digest.length);
  if (after !== null && (tokenAfter(after) !== pageToken || after.includes('\0'))) {
    throw new AuthzError('INVALID_ARGUMENT', `\`${field}\` is not one that was given out for this search`, {
      field,
    });
  }
  return { size: pageSize, after, tokenAfter };
}

/** What is found of a page. */
export interface Collected<C> {
  readonly listed: readonly C[];
  readonly nextPageToken: string;
  /** How many candidates were looked at. */
  readonly examined: number;
}

/**
 * The first candidates that are allowed, as many as the page has room for. Batches are asked for as long as
 * there is room, in the order of their keys. Errors: those of `isAllowed` and of the batches.
 */
export async function collectPage<C extends { readonly key: string }>(
  batches: AsyncIterable<readonly C[]>,
  isAllowed: (candidate: C) => boolean,
  { size, after, tokenAfter }: SearchPage,
): Promise<Collected<C>> {
  const listed: C[] = [];
  let examined = 0;
  let hasMore = false;
  function* examine(batch: readonly C[]): Generator<void, void> {
    for (const candidate of batch) {
      examined += 1;
      if (isAllowed(candidate)) {
        hasMore = listed.length === size;
        if (hasMore) return;
        listed.push(candidate);
      }
      yield;
    }
  }
  for await (const batch of batches) {
    await runInTimeSlices(examine(batch));
    if (hasMore) break;
  }
  const last = listed.at(-1)?.key ?? after ?? '';
  return { listed, examined, nextPageToken: hasMore ? tokenAfter(last) : '' };
}
