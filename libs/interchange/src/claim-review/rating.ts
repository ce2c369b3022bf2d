import { FRAME, INTENSIFIER, LABEL, PHRASES, type Meaning } from './rating-phrases.ts';

export interface Rating {
  /** What it is called, in one language or several. */
  readonly words: readonly string[];
  readonly value: number | null;
  readonly best: number | null;
  readonly worst: number | null;
}

/** What a rating says about a claim: true, false or a value of its own; else why it says nothing. */
export type RatingReading =
  | { readonly value: string; readonly isPlain: boolean }
  | { readonly value: null; readonly isPlain: false; readonly reason: string };

/** Share of the scale at each end that counts as true or false: of five steps, the last one. */
const END = 0.1;
const QUOTED_LENGTH = 80;
/** Ends of a scale that states none. Source: schema.org/Rating. */
const BEST = 5;
const WORST = 1;

/** A value and its chance, as `writeClaimReview` writes a rating that is neither true nor false. */
const WITH_CHANCE =
  /^(.+): (?:almost no chance|very unlikely|unlikely|roughly even chance|likely|very likely|almost certain) \(\d{1,3}\s%\)$/isu;

const plain = (meaning: 'true' | 'false'): RatingReading => ({ value: meaning, isPlain: true });
const nothing = (reason: string): RatingReading => ({ value: null, isPlain: false, reason });

/**
 * What a rating says. Its words decide, because they are what a reader is shown and scales differ; its number
 * decides where there are none. Words are true or false only where the whole of them is a known phrase:
 * “Accurate? No” begins with one, and any other word may turn it round. All other words are a value of their
 * own. A verdict whose number is in the other half of its scale says nothing. Pure.
 */
export function readRating({ words: given, value, best, worst }: Rating): RatingReading {
  const scale = { best: best ?? BEST, worst: worst ?? WORST };
  const share = shareOf(value, scale);
  const number = `${value} on a scale of ${Math.min(scale.best, scale.worst)} to ${Math.max(scale.best, scale.worst)}`;
  const words = [...new Set(given.map((text) => text.trim()))].filter((text) => /[\p{L}\p{S}]/u.test(text));
  if (words.length === 0) {
    if (share === null) return nothing('reviewRating has neither words nor a number within its scale');
    if (share >= 1 - END) return plain('true');
    return share <= END ? plain('false') : { value: `rated ${number}`, isPlain: false };
  }
  const [, own] = (words.length === 1 && WITH_CHANCE.exec(words[0]!)) || [];
  if (own !== undefined) return readRating({ words: [own], value, best, worst });
  const quoted = JSON.stringify(words.join(' / ').slice(0, QUOTED_LENGTH));
  const [meaning, ...others] = new Set(words.map(meaningOf));
  if (meaning === undefined || others.length > 0) return { value: words.join(' / '), isPlain: false };
  if (meaning === 'nothing') return nothing(`the rating ${quoted} says neither true nor false`);
  if (share !== null && (meaning === 'true' ? share < 0.5 : share > 0.5))
    return nothing(`the rating ${quoted} is the contrary of its number, ${number}: it is not read`);
  return plain(meaning);
}

/** What words mean that are a known phrase; undefined for all others. */
function meaningOf(words: string): Meaning | undefined {
  const phrase = foldRating(words).replace(LABEL, '');
  const known = PHRASES.get(phrase);
  if (known !== undefined) return known;
  const bare = phrase.replace(FRAME, '').replace(INTENSIFIER, '');
  return PHRASES.get(bare);
}

/**
 * A rating without what changes nothing of it: case, accents, hyphens in words, signs of hashtags, a full
 * stop. A question mark, quotation marks, dots, symbols and words that are struck through (U+0336) stay.
 */
export function foldRating(words: string): string {
  return words
    .normalize('NFC')
    .toLowerCase()
    .replace(/^[éè] |^e['’] /, '')
    .normalize('NFKD')
    .replace(/[\u0300-\u0333\u0339-\u036f]/g, '')
    .replaceAll('ı', 'i')
    .replaceAll('ß', 'ss')
    .replace(/['‘ʼ]/g, '’')
    .replace(/\bisn’t\b/, 'is not')
    .replace(/(?<=\p{L})[-_\u2010\u2011](?=\p{L})/gu, ' ')
    .replace(/#(?=\p{L})/gu, '')
    .replace(/\s+/g, ' ')
    .trim()
    .replace(/^\[(.*)\]$/, '$1')
    .replace(/^¡/, '')
    .replace(/(?<!\.)(?:\.| ?!+)$/, '');
}

function shareOf(value: number | null, { best, worst }: { best: number; worst: number }): number | null {
  if (value === null || best === worst) return null;
  const share = (value - worst) / (best - worst);
  return share >= 0 && share <= 1 ? share : null;
}
