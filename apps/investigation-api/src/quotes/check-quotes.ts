import { setImmediate } from 'node:timers/promises';
import type { DocstoreClient } from '@platform/docstore-client';
import { anchorQuote, placesAsTypedIn, selectPassages, type Anchoring } from '@platform/quotes';
import { pinOf, type PinnedQuote } from '../model/pinned-quote.ts';
import type { QuoteCheck, QuoteReason } from '../wire/quote-schema.ts';
import { readVersions, type StoredVersion, type StoredVersions } from './stored-versions.ts';

/** Documents that one check reads, and text that it searches. UTF-16 code units. */
const DOCUMENTS_MAX = 200;
const SEARCHED_MAX = 500_000_000;
/** Text in which similar words are looked for, which takes longer. UTF-16 code units. */
const SIMILAR_SEARCHED_MAX = 20_000_000;
/** Places of similar words that are listed. */
const SIMILAR_MAX = 5;
/** Documents that are read at the same time. */
const READERS = 4;

/** A quote with what was read for it: the version whose bytes count, or why there is none. */
export interface LookedUpQuote {
  readonly quote: PinnedQuote;
  /** Null where a source names a document and no more, and the document is there. */
  readonly check: QuoteCheck | null;
  readonly version: StoredVersion | null;
  /** Filenames under which the store showed what was read for it; empty where nothing was. */
  readonly filenames: readonly string[];
}

/**
 * Looks up where pinned quotes stand, in the order of the quotes, document by document: in the version that
 * is pinned; where that is no longer kept or none is pinned, in the current one, whose digest then says
 * whether these are the pinned bytes. Documents are read as the client's caller. `yields` are told the quotes
 * of one document at a time, and its texts are let go after that. Never throws but the signal's reason.
 */
export async function lookUpQuotes<T>(
  client: DocstoreClient,
  quotes: readonly PinnedQuote[],
  signal: AbortSignal,
  each: (looked: LookedUpQuote) => T,
): Promise<T[]> {
  const places = new Map<string, number[]>();
  for (const [index, { source }] of quotes.entries())
    places.set(source.document, [...(places.get(source.document) ?? []), index]);
  const results: T[] = Array.from({ length: quotes.length });
  const documents = [...places].entries();
  const budget = { left: SEARCHED_MAX, similar: SIMILAR_SEARCHED_MAX };

  async function work(): Promise<void> {
    for (const [number, [document, indexes]] of documents) {
      const of = indexes.map((index) => quotes[index]!);
      const versions =
        number < DOCUMENTS_MAX ? await readVersions(client, document, versionsOf(of), signal) : 'too_large';
      for (const index of indexes) {
        // The signal of a time limit needs the event loop.
        await setImmediate();
        const until = signal.aborted ? 'unavailable' : versions;
        results[index] = each(lookUp(quotes[index]!, until, budget));
      }
    }
  }
  await Promise.all(Array.from({ length: READERS }, work));
  return results;
}

const versionsOf = (quotes: readonly PinnedQuote[]): number[] =>
  quotes.flatMap(({ source: { version } }) => (version == null ? [] : [version]));

function lookUp(
  quote: PinnedQuote,
  versions: StoredVersions | QuoteReason,
  budget: { left: number; similar: number },
): LookedUpQuote {
  const { source } = quote;
  const base = pinOf(quote);
  const unread = (reason: QuoteReason): LookedUpQuote => ({
    quote,
    check: { ...base, state: 'not_checked', reason },
    version: null,
    filenames,
  });
  let filenames: readonly string[] = [];
  if (typeof versions === 'string') return unread(versions);
  const { current, byNumber } = versions;
  const pinned = source.version == null ? current : byNumber.get(source.version);
  filenames = [current.filename, ...(pinned === undefined ? [] : [pinned.filename])];
  // A version that is no longer kept may have had the bytes of the current one, as the digest tells.
  const version = pinned ?? current;
  const isPinnedBytes = source.sha256 == null ? pinned !== undefined : source.sha256 === version.sha256;
  const { selector } = source;
  if (!selector && source.sha256 == null && pinned !== undefined)
    return { quote, check: null, version: pinned, filenames };
  if (!isPinnedBytes && !selector) return unread(pinned === undefined ? 'no_access' : 'digest_mismatch');
  if (pinned !== undefined && !isPinnedBytes) return unread('digest_mismatch');
  // Of a whole document the digest says all.
  const anchoredIn = ({ text, sha256 }: StoredVersion) =>
    selector ? anchorQuote(text, selector) : { state: sha256 === source.sha256 ? 'verified' : 'gone' };
  if (selector)
    budget.left -= version.text.text.length + (version === current ? 0 : current.text.text.length);
  if (budget.left < 0) return unread('too_large');
  const found = anchoredIn(version);
  const similar = selector && found.state === 'gone' ? similarIn(version, selector.exact, budget) : [];
  const checked = { ...base, version: version.version, sha256: version.sha256 };
  return {
    quote,
    version,
    filenames,
    check: {
      ...checked,
      ...(isPinnedBytes ? found : inOtherBytes(found as Anchoring)),
      ...(similar.length === 0 ? {} : { similar }),
      ...(pinned === undefined ? { missing_version: source.version } : {}),
      ...(version === current ? {} : { current: { version: current.version, ...anchoredIn(current) } }),
    } as QuoteCheck,
  };
}

/** Most of a search is made once for a text, however many quotes it lacks. */
const searches = new WeakMap<StoredVersion, ReturnType<typeof placesAsTypedIn>>();

/**
 * Places of the same words in other signs, or of the whole words and numbers that they are a part of, in the
 * order of the text; none of them is chosen.
 */
function similarIn(version: StoredVersion, exact: string, budget: { similar: number }) {
  const { text } = version;
  budget.similar -= text.text.length;
  if (budget.similar < 0) return [];
  const placesOf = searches.get(version) ?? placesAsTypedIn(text.text);
  searches.set(version, placesOf);
  return selectPassages(text, placesOf(exact), SIMILAR_MAX).map(({ start, end }) => ({
    start,
    end,
    agreement: 0,
  }));
}

/** In other bytes than the pinned ones even the very position is only a place that the quote may have. */
function inOtherBytes(found: Anchoring): Anchoring {
  if (found.state !== 'verified') return found;
  const { start, end } = found;
  return { state: 'moved', occurrences: 1, candidates: [{ start, end, agreement: 1 }] };
}
