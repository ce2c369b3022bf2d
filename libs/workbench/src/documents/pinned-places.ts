import {
  anchorQuote,
  IndexedText,
  placesAsTyped,
  selectPassage,
  type Anchoring,
  type Candidate,
} from '@platform/quotes';
import type { PinnedSource } from '@platform/opinion-fusion';
import { ApiError } from '../api/api-error.ts';
import type { Api } from '../api/api.ts';
import { readDocument, type ReadDocument } from './stored-document.ts';

/**
 * Where a document has a passage; similar are words that a keyboard types with other signs, or the whole
 * words and numbers that the passage begins or ends within.
 */
type Found =
  | Anchoring
  | { readonly state: 'similar'; readonly occurrences: number; readonly candidates: readonly Candidate[] };

/** A version of a document, and where it holds a passage. */
export interface Searched {
  readonly read: ReadDocument;
  readonly found: Found;
}

const SIMILAR_SHOWN = 5;

/** Where a pinned passage stands, as judging would find it. */
export interface PinnedPlaces extends Searched {
  /** The current version, where the document was edited since and does not hold the passage in its place. */
  readonly edited: Searched | null;
}

/**
 * Looks a pinned passage up in the version that it is pinned to, or the current one where that is not kept,
 * and in the current one. Throws ApiError where the document cannot be read.
 */
export async function placesOf(api: Api, source: PinnedSource, signal: AbortSignal): Promise<PinnedPlaces> {
  const { document, version } = source;
  const current = await readDocument(api, document, undefined, signal);
  const isOther = version != null && version !== current.version;
  const pinned = isOther
    ? await readDocument(api, document, version, signal).catch(nullWhereMissing)
    : current;
  const read = pinned ?? current;
  const found = anchored(read, source, pinned !== null);
  const inCurrent = anchored(current, { ...source, sha256: null }, true);
  const isMoved = pinned !== null && pinned !== current && inCurrent.state !== 'verified';
  return { read, found, edited: isMoved ? { read: current, found: inCurrent } : null };
}

function nullWhereMissing(error: unknown): null {
  if (error instanceof ApiError && error.status === 404) return null;
  throw error;
}

/** In other bytes than the pinned ones even the very position is only a place that the passage may have. */
function anchored(
  { contents, sha256: digest }: ReadDocument,
  { selector, sha256 }: PinnedSource,
  isPinnedVersion: boolean,
): Found {
  const text = new IndexedText(contents);
  const found = anchorQuote(text, selector!);
  if (found.state === 'gone') {
    const places = placesAsTyped(contents, selector!.exact);
    if (places.length === 0) return found;
    const candidates = places.slice(0, SIMILAR_SHOWN).map(([from, to]) => {
      const { start, end } = selectPassage(text, from, to)!;
      return { start, end, agreement: 0 };
    });
    return { state: 'similar', occurrences: places.length, candidates };
  }
  const isPinnedBytes = sha256 == null ? isPinnedVersion : sha256 === digest;
  if (isPinnedBytes || found.state !== 'verified') return found;
  const { start, end } = found;
  return { state: 'moved', occurrences: 1, candidates: [{ start, end, agreement: 1 }] };
}

/** Where a document holds words that nobody has pinned; each place is one to choose. Pure. */
export const placesOfWords = (read: ReadDocument, exact: string): Searched => ({
  read,
  found: anchored(read, { document: read.document, selector: { exact } }, false),
});

/** A place of a passage, with what stands around it. */
export interface ShownPlace {
  readonly start: number;
  readonly before: string;
  readonly words: string;
  readonly after: string;
  /** The source that pins the passage there. */
  readonly source: PinnedSource;
}

const AROUND = 40;

/** The places to choose from where a passage has moved or similar words stand. Pure. */
export function shownPlaces({ read, found }: Searched): readonly ShownPlace[] {
  if (found.state !== 'moved' && found.state !== 'similar') return [];
  const { document, version, sha256, contents } = read;
  const text = new IndexedText(contents);
  return found.candidates.flatMap(({ start, end }): ShownPlace[] => {
    const from = text.unitsAt(start)!;
    const to = text.unitsAt(end)!;
    const selector = selectPassage(text, from, to);
    if (selector === null) return [];
    return [
      {
        start,
        before: contents.slice(Math.max(0, from - AROUND), from),
        words: selector.exact,
        after: contents.slice(to, to + AROUND),
        source: { document, version, sha256, selector },
      },
    ];
  });
}
