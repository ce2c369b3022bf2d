import { z } from '@platform/error-contracts/zod-openapi';
import { DomainError } from '@platform/error-contracts';
import { listedPrefixes, mayTouchAll, type Caller } from '../auth/caller.ts';
import { wordsAskedFor } from '../rules/contents.ts';
import { FILENAME_BYTES_MAX, RESPONSE_BYTES_MAX, SEARCH_TEXT_BYTES_MAX } from '../rules/limits.ts';
import { fold, literalPattern, wordsPattern } from '../rules/text.ts';
import type { Sought } from '../search/compute-pool.ts';
import {
  FILENAME_MATCHES,
  MODES,
  SORT_KEYS,
  type ListPosition,
  type SearchFilter,
  type SortKey,
} from '../search/query.ts';
import type { ListedDocument, ListQuery } from '../store/document-store.ts';
import type { Deps } from '../ports.ts';
import { FileBody, listedFile, type Listed } from '../wire/document-body.ts';
import { pageLimit, queryText, wholeNumber } from '../wire/fields.ts';

/** Years that every database writes alike; no document is from outside them. */
const TIME_MIN = Date.parse('0001-01-01T00:00:00Z');
const TIME_MAX = Date.parse('9999-12-31T23:59:59.999Z');

/** A leap second, which ends a day in UTC (RFC 3339 §5.6), is taken as the last instant of its minute. */
function withoutLeapSecond(value: string): string {
  const [, minute, zone] = /^(.+T\d\d:\d\d):60(?:\.\d+)?(Z|[+-]\d\d:\d\d)$/.exec(value) ?? [];
  const last = `${minute}:59.999${zone}`;
  const DAY_MS = 24 * 3_600_000;
  return (Date.parse(last) + 1) % DAY_MS === 0 ? last : value;
}

const time = z
  .string()
  .toUpperCase()
  .transform(withoutLeapSecond)
  .pipe(
    z.iso.datetime({
      offset: true,
      error: 'must be a date and time of RFC 3339, such as 2026-01-31T12:00:00Z',
    }),
  )
  .transform((value) => new Date(Math.min(Math.max(Date.parse(value), TIME_MIN), TIME_MAX)));

/** Lines of one document that are shown with what they match. */
const MATCHES_MAX = 20;

/** The query of GET /v1/file; whatever is wrong with it is `bad_request`. */
export const ListFiles = z.strictObject({
  mode: z.enum(MODES).default('list').describe('`semantic` is not available (501)'),
  query: queryText(SEARCH_TEXT_BYTES_MAX)
    .min(1)
    .optional()
    .describe('what to look for in contents; needed by every mode but list'),
  filename: queryText(FILENAME_BYTES_MAX).min(1).optional(),
  filename_match: z
    .enum(FILENAME_MATCHES)
    .default('exact')
    .describe(
      'glob: `*` and `?` stop at `/`, `**` does not, `**/` also matches no folder, `[a-z]` and `[!a-z]` are classes, `{a,b}` alternatives, `\\` quotes',
    ),
  case: z
    .enum(['sensitive', 'insensitive'])
    .default('sensitive')
    .describe('of filename and contents; words never mind it'),
  sort: z.enum(SORT_KEYS.flatMap((key) => [key, `-${key}` as const])).default('-updated_at'),
  limit: pageLimit,
  cursor: z.string().max(4096).optional().describe('`next_cursor` of the page before, with the same query'),
  updated_after: time.optional(),
  updated_before: time.optional(),
  min_size: wholeNumber.optional(),
  max_size: wholeNumber.optional(),
  fields: z
    .literal('contents')
    .optional()
    .describe('`contents` adds them to each document; a page ends early at 8 MiB of them'),
  matches: wholeNumber.pipe(z.int().min(1).max(MATCHES_MAX)).optional().openapi({
    type: 'integer',
    minimum: 1,
    maximum: MATCHES_MAX,
    description:
      'of a search: adds to each document up to so many of the lines on which matches begin; a page ends early at 8 MiB of contents',
  }),
});
export type ListFiles = z.infer<typeof ListFiles>;

const Match = z.object({
  line: z.int().describe('from 1; lines end at LF'),
  snippet: z.string().describe('the line, or up to 240 UTF-16 units of it around the match'),
});
const ListedFile = z.object({ ...FileBody.shape, matches: z.array(Match).optional() }).openapi('ListedFile');
export const FileList = z.object({ files: z.array(ListedFile), next_cursor: z.string().nullable() });

/** Candidates a regular expression is tried on at a time, and how many at most for one page. */
const CANDIDATES_PER_ROUND = 16;
const CANDIDATES_MAX = 512;

/**
 * One page of the caller's documents. A page of a regular expression may be short, or empty, and still have a
 * next one: it ends when enough candidates were tried.
 */
export async function listFiles(
  deps: Pick<Deps, 'documents' | 'cursors' | 'compute' | 'now'>,
  caller: Caller,
  input: ListFiles,
): Promise<{ files: Listed<z.infer<typeof ListedFile>>[]; next_cursor: string | null }> {
  const prefixes = listedPrefixes(caller, 'file:read');
  const binding = JSON.stringify({
    ...input,
    cursor: undefined,
    limit: undefined,
    fields: undefined,
    matches: undefined,
    owner: caller.owner,
    prefixes,
  });
  const now = deps.now();
  const from = input.cursor === undefined ? null : deps.cursors.decode(input.cursor, binding, now);
  const query: ListQuery = {
    prefixes,
    filename:
      input.filename === undefined
        ? null
        : { match: input.filename_match, text: input.filename, isCaseSensitive: input.case === 'sensitive' },
    search: await searchFilter(deps, caller, input),
    updatedAfter: input.updated_after ?? null,
    updatedBefore: input.updated_before ?? null,
    sizeMin: input.min_size ?? null,
    sizeMax: input.max_size ?? null,
    sort: input.sort.replace('-', '') as SortKey,
    isDescending: input.sort.startsWith('-'),
    limit: input.limit,
    contentsBytesMax: needsContents(input) ? RESPONSE_BYTES_MAX : null,
    after: from?.position ?? null,
  };
  const page = await readablePage(caller, query, (part) =>
    input.mode === 'regex' ? matchingPage(deps, caller, part, input) : plainPage(deps, caller, part),
  );
  const snippets = await snippetsOf(deps, caller, input, page.documents);
  return {
    files: page.documents.map((document, index) => {
      const contents = input.fields === undefined ? undefined : (document.contents ?? undefined);
      const { body, metadataJson } = listedFile(document, contents);
      return {
        body: snippets === null ? body : { ...body, matches: snippets[index]! },
        metadataJson,
      };
    }),
    next_cursor: page.next === null ? null : deps.cursors.encode(page.next, from?.startedAt ?? now, binding),
  };
}

/** Whether a page is made from the contents of its documents. */
export function needsContents({ fields, matches }: Pick<ListFiles, 'fields' | 'matches'>): boolean {
  return fields === 'contents' || matches !== undefined;
}

/** The lines of each document on which matches begin; null when they are not asked for. */
async function snippetsOf(
  deps: Pick<Deps, 'compute'>,
  caller: Caller,
  input: ListFiles,
  documents: readonly ListedDocument[],
) {
  if (input.matches === undefined) return null;
  const texts = documents.map(({ contents }) => contents ?? '');
  return deps.compute.snippets(caller.owner, soughtBy(input), texts, input.matches);
}

function soughtBy(input: ListFiles): Sought {
  const { mode, query = '' } = input;
  if (mode === 'regex') return { engine: 'rust', pattern: patternOf(input), isFolded: false };
  const isFolded = mode === 'words' || input.case === 'insensitive';
  const text = isFolded ? fold(query) : query;
  const pattern = mode === 'words' ? wordsPattern(text) : literalPattern(text);
  return { engine: 'script', pattern, isFolded };
}

interface Page {
  readonly documents: ListedDocument[];
  /** null = no further page. */
  readonly next: ListPosition | null;
}

/**
 * Documents asked about at a time at least, and pages of them at most for one page of what the caller may
 * read.
 */
const ASKED_AT_ONCE = 50;
const PAGES_TRIED_MAX = 20;

/**
 * A full page of what policies let the caller read, from as many pages of `next` as it takes: the first as
 * they lie, for mostly all of them may be read, the others of names that the caller's plan allows. After
 * PAGES_TRIED_MAX of them it may be short, or empty, and still have a next one; one with contents ends with
 * the page that they came on.
 */
async function readablePage(
  caller: Caller,
  query: ListQuery,
  next: (query: ListQuery) => Promise<Page>,
): Promise<Page> {
  if (caller.policies === undefined) return next(query);
  const documents: ListedDocument[] = [];
  const limit = query.contentsBytesMax === null ? Math.max(query.limit, ASKED_AT_ONCE) : query.limit;
  let after = query.after;
  let planned: ListQuery['names'] = null;
  for (let tried = 0; tried < PAGES_TRIED_MAX; tried++) {
    if (tried === 1) planned = await caller.policies.namesOf('file:read');
    const found = await next({ ...query, limit, after, names: planned });
    const names = found.documents.map(({ filename }) => filename);
    const isReadable = await mayTouchAll(caller, 'file:read', names);
    for (const [index, document] of found.documents.entries()) {
      if (!isReadable[index]) continue;
      documents.push(document);
      const isLast = found.next === null && !isReadable.includes(true, index + 1);
      if (documents.length === query.limit) return { documents, next: isLast ? null : document.position };
    }
    if (found.next === null) return { documents, next: null };
    after = found.next;
    if (query.contentsBytesMax !== null && documents.length > 0) break;
  }
  return { documents, next: after };
}

async function plainPage(deps: Pick<Deps, 'documents'>, caller: Caller, query: ListQuery): Promise<Page> {
  const found = await deps.documents.list(caller.owner, { ...query, limit: query.limit + 1 });
  const withinLimit = found.slice(0, query.limit);
  const documents = query.contentsBytesMax === null ? withinLimit : withContents(withinLimit);
  return { documents, next: found.length > documents.length ? documents.at(-1)!.position : null };
}

/** Those at the start that came with contents: the others' did not fit. */
function withContents(listed: readonly ListedDocument[]): ListedDocument[] {
  const end = listed.findIndex(({ contents }) => contents === null);
  return listed.slice(0, end === -1 ? listed.length : end);
}

async function matchingPage(
  deps: Pick<Deps, 'documents' | 'compute'>,
  caller: Caller,
  query: ListQuery,
  input: ListFiles,
): Promise<Page> {
  const pattern = patternOf(input);
  const documents: ListedDocument[] = [];
  let bytes = 0;
  let after = query.after;
  for (let tried = 0; tried < CANDIDATES_MAX;) {
    const candidates = withContents(
      await deps.documents.list(caller.owner, {
        ...query,
        after,
        limit: CANDIDATES_PER_ROUND,
        contentsBytesMax: RESPONSE_BYTES_MAX,
      }),
    );
    if (candidates.length === 0) return { documents, next: null };
    const matches = await deps.compute.match(
      caller.owner,
      pattern,
      candidates.map(({ contents }) => contents!),
    );
    for (const [index, candidate] of candidates.entries()) {
      tried++;
      after = candidate.position;
      if (!matches[index]) continue;
      if (query.contentsBytesMax === null) documents.push({ ...candidate, contents: null });
      else {
        bytes += candidate.size;
        // It will be the first of the next page.
        if (bytes > query.contentsBytesMax && documents.length > 0)
          return { documents, next: documents.at(-1)!.position };
        documents.push(candidate);
      }
      if (documents.length === query.limit) return { documents, next: after };
    }
  }
  return { documents, next: after };
}

/** Literals below this length are in no trigram, and more of them narrow little. */
const LITERAL_LENGTH_MIN = 3;
const LITERALS_MAX = 3;

async function searchFilter(
  deps: Pick<Deps, 'compute'>,
  caller: Caller,
  input: ListFiles,
): Promise<SearchFilter | null> {
  if (input.mode === 'list') {
    if (input.query !== undefined) throw new DomainError('invalid_argument', '`query` needs a `mode`');
    if (input.matches !== undefined) throw new DomainError('invalid_argument', '`matches` needs a `mode`');
    return null;
  }
  if (input.query === undefined)
    throw new DomainError('invalid_argument', `mode \`${input.mode}\` needs a \`query\``);
  switch (input.mode) {
    case 'substring':
      return { mode: 'substring', text: input.query, isCaseSensitive: input.case === 'sensitive' };
    case 'words': {
      const words = await wordsAskedFor(input.query);
      if (words.length === 0) throw new DomainError('invalid_argument', '`query` holds no word');
      return { mode: 'words', words };
    }
    case 'regex': {
      const literals = (await deps.compute.literals(caller.owner, patternOf(input))).map(fold);
      const useful = literals.filter(
        (literal) => literal.length >= LITERAL_LENGTH_MIN && !literal.includes('\0'),
      );
      return { mode: 'regex', literals: useful.sort((a, b) => b.length - a.length).slice(0, LITERALS_MAX) };
    }
    case 'semantic':
      throw new DomainError('unimplemented', 'mode `semantic` is not available');
  }
}

/** The pattern as the engine gets it: without regard to case is a flag of its own. */
function patternOf({ query, case: caseRule }: ListFiles): string {
  return caseRule === 'insensitive' ? `(?i)${query}` : query!;
}
