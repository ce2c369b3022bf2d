import { occurrencesOf } from './occurrences.ts';
import { isWhole } from './whole-words.ts';

/** A text with what a keyboard does not type replaced, and where each of its UTF-16 units comes from. */
interface Typed {
  readonly text: string;
  /** Unit of the original at which the character of each unit begins, and the one behind it. */
  readonly from: readonly number[];
  readonly to: readonly number[];
}

const SINGLE_QUOTES = /[‘’‚‛′ʼ‹›`´]/u;
const DOUBLE_QUOTES = /[“”„‟«»″]/u;
const DASHES = /[\p{Dash}]/u;
const LIGATURES = /[\uFB00-\uFB06]/u;
/** Soft hyphens, joiners and marks of direction, which have no width, and the line that stretches Arabic. */
const WITHOUT_WIDTH = /[\p{Cf}\u0640]/gu;
/**
 * Accents and the points of Hebrew and Arabic. Vowel signs of other scripts and the sound marks of Japanese,
 * of which many words would be left that are not alike, stay.
 */
const MARKS = new RegExp(
  String.raw`[[\p{Mn}&&[\p{Script=Inherited}\p{Script=Hebrew}\p{Script=Arabic}]]--[\u3099\u309A]]`,
  'gv',
);
/** Spaces but those between digits, which may be two numbers, and hyphens between letters. */
const SQUEEZED = /(?<!\p{Nd}) | (?!\p{Nd})|(?<=\p{L} ?)-(?= ?\p{L})/gu;
/** Hyphens at the ends of words that are looked for; the text may have a letter on their other side. */
const OUTER = /^-? ?(?=\p{L})|(?<=\p{L}) ?-?$/gu;

/**
 * Where a text holds words as they may have been typed: with straight quotation marks, hyphens and spaces for
 * typographic ones, without ligatures, soft hyphens, accents and vowel points, in another case; and, where it
 * does not so, whole words that it hyphenates, breaks or spaces letter by letter. Digits that are apart stay
 * apart. The first UTF-16 unit of each place and the one behind it, in order. Pure and linear.
 */
export const placesAsTyped = (text: string, words: string): Places => placesAsTypedIn(text)(words);

/** The same for many words of one text, which is read once. */
export function placesAsTypedIn(text: string): (words: string) => Places {
  const stored = typed(text);
  let loose: Typed | undefined;
  return (words) => {
    const asked = typed(words).text.trim();
    const places = placesIn(stored, asked);
    if (places.length > 0) return places;
    loose ??= squeezed(stored);
    return placesIn(loose, squeezedWords(asked)).filter(([from, to]) => isWhole(text, from, to));
  };
}
type Places = (readonly [from: number, to: number])[];

/** Words without what hyphenation and letter spacing may put between their letters. */
const squeezedWords = (words: string): string => words.replace(OUTER, '').replace(SQUEEZED, '');

function placesIn({ text, from, to }: Typed, words: string): (readonly [number, number])[] {
  if (words === '') return [];
  return occurrencesOf(text, words).flatMap((at) => {
    const last = at + words.length - 1;
    // A half of a ligature is no place.
    const isApart = from[at] !== from[at - 1] && from[last] !== from[last + 1];
    return isApart ? [[from[at]!, to[last]!] as const] : [];
  });
}

function typed(original: string): Typed {
  const from: number[] = [];
  const to: number[] = [];
  const known = new Map<string, string>();
  const pieces: string[] = [];
  let last = '';
  let unit = 0;
  for (const point of original) {
    let piece = known.get(point);
    if (piece === undefined) known.set(point, (piece = typedPoint(point)));
    unit += point.length;
    if (piece === '' || (piece === last && (piece === ' ' || piece === '-'))) {
      // An accent and each further space belong to the character before them.
      if (to.length > 0) to[to.length - 1] = unit;
      continue;
    }
    pieces.push(piece);
    last = piece;
    for (let count = 0; count < piece.length; count += 1) {
      from.push(unit - point.length);
      to.push(unit);
    }
  }
  return { text: pieces.join(''), from, to };
}

function typedPoint(point: string): string {
  if (/\s/.test(point)) return ' ';
  if (SINGLE_QUOTES.test(point)) return "'";
  if (DOUBLE_QUOTES.test(point)) return '"';
  if (DASHES.test(point)) return '-';
  if (point === '…') return '...';
  const plain = LIGATURES.test(point) ? point.normalize('NFKC') : point;
  return plain.toLowerCase().normalize('NFD').replace(MARKS, '').replace(WITHOUT_WIDTH, '');
}

function squeezed({ text, from, to }: Typed): Typed {
  const left = new Uint8Array(text.length);
  for (const { index } of text.matchAll(SQUEEZED)) left[index] = 1;
  const isKept = (_unit: unknown, at: number) => left[at] === 0;
  return { text: text.replace(SQUEEZED, ''), from: from.filter(isKept), to: to.filter(isKept) };
}
