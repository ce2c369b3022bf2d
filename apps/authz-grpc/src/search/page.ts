import { hash } from 'node:crypto';
import { throughPauses, type RegexMemo } from '@platform/decide/parts';
import { AuthzError } from '@platform/error-contracts';
import { PAGE_SIZE_MAX, type PageRequest } from '../pages.ts';
import type { Step } from '../policy/types.ts';
import { fairMemo, runInTimeSlices, type Waiting } from '../time-slices.ts';

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

/** Characters that the rows of one page keep at most, beyond its first item: contexts may be large. */
const KEPT_CHARACTERS_MAX = 4 * 1024 * 1024;

/** What is found of a page. */
export interface Collected<F> {
  readonly listed: readonly F[];
  readonly nextPageToken: string;
  /** How many candidates were looked at. */
  readonly examined: number;
}

/**
 * What `decide` makes of the first candidates that are allowed, as many as the page has room for. Batches are
 * asked for as long as there is room and the caller waits, in the order of their keys. Errors: those of
 * `decide` and of the batches.
 */
export async function collectPage<
  C extends { readonly key: string },
  F extends { readonly event: { readonly detail: string } },
>(
  batches: AsyncIterable<readonly C[]>,
  /** Null for one that is not allowed. Throws PAUSED where the memo does. */
  decide: (candidate: C, memo: RegexMemo) => F | null,
  { size, after, tokenAfter }: SearchPage,
  waiting?: Waiting,
): Promise<Collected<F>> {
  const listed: F[] = [];
  let last = after ?? '';
  let [examined, characters] = [0, 0];
  let hasMore = false;
  function* examine(batch: readonly C[]): Generator<Step, void> {
    for (const candidate of batch) {
      examined += 1;
      const memo = fairMemo();
      const found = yield* throughPauses(() => decide(candidate, memo));
      if (found !== null) {
        characters += found.event.detail.length;
        hasMore = listed.length === size || (listed.length > 0 && characters > KEPT_CHARACTERS_MAX);
        if (hasMore) return;
        listed.push(found);
        last = candidate.key;
      }
      yield;
    }
  }
  for await (const batch of batches) {
    await runInTimeSlices(examine(batch));
    if (hasMore || waiting?.isGone?.() === true) break;
  }
  return { listed, examined, nextPageToken: hasMore ? tokenAfter(last) : '' };
}
