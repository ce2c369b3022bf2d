import { foldWhiteSpace } from '@platform/opinion-fusion';
import {
  anchorQuote,
  IndexedText,
  isWhole,
  occurrencesOf,
  placesAsTyped,
  selectPassage,
  selectPassages,
} from '@platform/quotes';
import type { FindTask, FoundWords, ReadDocument } from './quote-task.ts';

/** Places that are listed of words that stand at several. */
const PLACES_MAX = 5;

/**
 * Where words stand in a document, with the source that pins them where that is one place. Words that stand
 * nowhere are looked for again with any white space between them, because lines of a page break anywhere, and
 * then as they may have been typed, without typographic signs: those places are similar, never verified, as
 * are the whole words and numbers around words that begin or end within one. Each source quotes the words as
 * they are stored. Pure.
 */
export function findIn(
  { document, version, sha256, contents }: ReadDocument,
  { exact, ...context }: FindTask['selector'],
): FoundWords {
  const text = new IndexedText(contents);
  const sourceAt = (from: number, to: number) => ({
    document,
    version,
    sha256,
    selector: selectPassage(text, from, to)!,
  });
  const listed = (places: readonly (readonly [number, number])[]) => {
    const passages = selectPassages(text, places, PLACES_MAX + 1);
    const candidates = passages.slice(0, PLACES_MAX).map((selector) => ({
      start: selector.start,
      end: selector.end,
      agreement: 0,
      source: { document, version, sha256, selector },
    }));
    return { occurrences: passages.length > PLACES_MAX ? places.length : passages.length, candidates };
  };
  const found = anchorQuote(text, { exact, ...context });
  if (found.state === 'moved') {
    const candidates = found.candidates.map((place) => ({
      ...place,
      source: sourceAt(text.unitsAt(place.start)!, text.unitsAt(place.end)!),
    }));
    return { state: 'moved', occurrences: found.occurrences, candidates };
  }
  if (found.state === 'verified') {
    const source = sourceAt(text.unitsAt(found.start)!, text.unitsAt(found.end)!);
    return { state: 'verified', occurrences: 1, source };
  }
  const spaced = placesOfWords(contents, exact).filter(([from, to]) => isWhole(contents, from, to));
  if (spaced.length === 1) return { state: 'verified', occurrences: 1, source: sourceAt(...spaced[0]!) };
  if (spaced.length > 1) return { state: 'moved', ...listed(spaced) };
  const similar = placesAsTyped(contents, exact);
  return similar.length === 0 ? { state: 'gone' } : { state: 'similar', ...listed(similar) };
}

/** Where words stand with any white space between them: first unit and the one behind the last. */
function placesOfWords(contents: string, exact: string): (readonly [number, number])[] {
  const words = foldWhiteSpace(exact).trim();
  if (!words.includes(' ')) return [];
  // Units of the contents without what stands behind the first of several white spaces.
  const kept = new Uint32Array(contents.length + 1);
  let length = 0;
  let unit = 0;
  const collapsed = foldWhiteSpace(contents);
  for (const gap of contents.matchAll(/\s+/g)) {
    while (unit <= gap.index) kept[length++] = unit++;
    unit = gap.index + gap[0].length;
  }
  while (unit <= contents.length) kept[length++] = unit++;
  return occurrencesOf(collapsed, words).map((at) => [kept[at]!, kept[at + words.length - 1]! + 1]);
}
