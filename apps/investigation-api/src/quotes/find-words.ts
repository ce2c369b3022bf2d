import { foldWhiteSpace } from '@platform/opinion-fusion';
import { anchorQuote, IndexedText, selectPassage } from '@platform/quotes';
import type { FindTask, FoundWords, ReadDocument } from './quote-task.ts';

/** Places that are listed of words that stand at several. */
const PLACES_MAX = 5;

/**
 * Where words stand in a document, with the source that pins them where that is one place. Words that stand
 * nowhere are looked for again with any white space between them, because lines of a page break anywhere; the
 * source then quotes them as they are stored. Pure.
 */
export function findIn(
  { document, version, sha256, contents }: ReadDocument,
  selector: FindTask['selector'],
): FoundWords {
  const text = new IndexedText(contents);
  const found = anchorQuote(text, selector);
  if (found.state === 'moved') {
    const { occurrences, candidates } = found;
    return { state: 'moved', occurrences, candidates: [...candidates] };
  }
  const places = found.state === 'gone' ? placesOfWords(contents, selector.exact) : null;
  if (places?.length === 0) return { state: 'gone' };
  if (places !== null && places.length > 1) {
    const candidates = places
      .slice(0, PLACES_MAX)
      .map(([from, to]) => ({ start: text.pointsAt(from), end: text.pointsAt(to), agreement: 0 }));
    return { state: 'moved', occurrences: places.length, candidates };
  }
  const { start, end } =
    found.state === 'gone'
      ? { start: text.pointsAt(places![0]![0]), end: text.pointsAt(places![0]![1]) }
      : found;
  const passage = selectPassage(text, text.unitsAt(start)!, text.unitsAt(end)!)!;
  return { state: 'verified', occurrences: 1, source: { document, version, sha256, selector: passage } };
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
  const places: (readonly [number, number])[] = [];
  for (let at = collapsed.indexOf(words); at !== -1; at = collapsed.indexOf(words, at + words.length))
    places.push([kept[at]!, kept[at + words.length - 1]! + 1]);
  return places;
}
