import { currencyOf, isNameBeforeNumbers } from './currencies.ts';
import { isUnit, MONTHS, SUFFIXES } from './units.ts';
import type { Value } from './value.ts';

const words = (text: string): ReadonlySet<string> => new Set(text.split(/\s+/));

/** Words that may stand before a number or date, and those besides units that may stand in and after one. */
const WORDS_BEFORE = words(
  `about almost approx approximately around at before between by ca circa early exactly fewer from just late least
  less mid more most nearly no nr only over under roughly rs since than the until up to after above below some de den am
  le el kr rm ad ce bc in of end start beginning spring summer autumn winter est estimated total
  sunday monday tuesday wednesday thursday friday saturday sun mon tue tues wed thu thur thurs fri sat
  montag dienstag mittwoch donnerstag freitag samstag sonntag lundi mardi mercredi jeudi vendredi samedi dimanche`,
);
const WORDS_AFTER = words(
  `century centuries e z percent per cent pct st nd rd th of to and or a half de del mars plus circa ca approx mil mill so in total`,
);
/** Months in German, French, Spanish, Italian, Portuguese and Dutch; English ones are read. */
const FOREIGN_MONTHS = words(
  `januar jänner februar märz mai juni juli oktober dezember
  janvier février avril juin juillet août septembre octobre novembre décembre
  enero febrero marzo abril mayo junio julio agosto septiembre octubre noviembre diciembre
  gennaio febbraio aprile maggio giugno luglio settembre ottobre dicembre
  janeiro fevereiro março maio junho julho setembro outubro novembro dezembro
  januari februari maart mei augustus`,
);
/** Number words, which alone may also be names. */
export const CARDINALS = words(
  `zero one two three four five six seven eight nine ten eleven twelve thirteen fourteen fifteen sixteen seventeen
  eighteen nineteen twenty thirty forty fifty sixty seventy eighty ninety`,
);
const MAGNITUDES = words('hundred thousand million billion trillion dozen lakh crore');
const COUNTING = words('a and half');
/** A digit of any script; only those of ASCII and their full-width forms are read. */
const DIGIT = /\p{Nd}/u;
const CIRCA = /^c\. ?/;
/** A quarter, half or business year. */
const PART_OF_YEARS = /^(?:[qh][1-4] |[1-4][qh] ?|fy ?)'?(?:\d{2}|\d{4})(?:[/–-]\d{2,4})?$/;
const TIME_OF_DAY = /^\d{1,2}:\d{2}(?::\d{2})?(?: ?[ap]\.? ?m\.?)?$/;

/**
 * Whether a text value looks like a number or a date: digits, signs and punctuation, and no letters but those
 * that numbers and dates are written with (`$5 CAD`, `1e5`, `5-10`, `Q1 2024`, `2023-02-29`, `more than 100`,
 * `17. Mai 2024`), or a number in words (`five million`). A time of day looks like neither. Source: reasoning
 * model §11. Never throws.
 */
export function looksLikeNumber(value: Value): boolean {
  if (value.kind !== 'text') return false;
  const text = value.key.slice('t:'.length).replace(CIRCA, '');
  const firstDigit = text.search(DIGIT);
  if (firstDigit < 0) return isNumberInWords(text);
  if (TIME_OF_DAY.test(text)) return false;
  if (PART_OF_YEARS.test(text)) return true;
  for (const { 0: word, index } of text.matchAll(/[\p{L}\p{M}]+\$?/gu))
    if (!isWordOfNumbers(word, index < firstDigit, DIGIT.test(text[index + word.length] ?? ''))) return false;
  return true;
}

/**
 * Whether a value is a number or a date, or a text in which a number stands as a word of its own: `killed 200
 * civilians`, `$5m (2019 prices)`. Ordinals, times of day and digits within a name (`A12`, `21-cv-1234`) are
 * no numbers, nor is one after a single word (`max 737`, `id-4711`), which is how names are told from
 * numbers. Long texts hold none. Never throws.
 */
export function holdsNumber(value: Value): boolean {
  if (value.kind === 'number' || value.kind === 'date') return true;
  if (value.kind !== 'text') return false;
  const text = value.key.slice('t:'.length);
  if (text.length > PHRASE_LENGTH_MAX || !DIGIT.test(text)) return false;
  if (looksLikeNumber(value)) return true;
  const name = NAME_WITH_NUMBER.exec(text)?.[1];
  if (name !== undefined && !isWordOfNumbers(name, false, false) && !isUnit(name)) return false;
  return text.split(/[ ()[\]]/u).some((token) => {
    const letters = NUMBER_TOKEN.exec(token)?.[1];
    return letters !== undefined && (letters === '' || SUFFIXES.has(letters) || isUnit(letters));
  });
}
/** Beyond this many characters a value is prose. */
const PHRASE_LENGTH_MAX = 128;
const NAME_WITH_NUMBER = /^([\p{L}\p{M}]+)[ -]\p{Nd}+$/u;
/** Digits with signs around them, then letters of a suffix or unit, which more words may follow at once. */
const NUMBER_TOKEN =
  /^[\p{P}\p{S}]*(?:\p{L}{0,3}\p{Sc}[-+\u2212]?)?\p{Nd}[\p{Nd}\p{S}.,'’%/–—-]*([\p{L}\p{M}]*)(?:-[\p{L}\p{M}-]+)?[\p{P}\p{S}]*$/u;

/**
 * Whether letters are such as numbers and dates are written with: before the first digit a currency, a month
 * or a word of approximation; later also suffixes, units, exponents and the like.
 */
function isWordOfNumbers(word: string, isFirst: boolean, isAttached: boolean): boolean {
  const isCurrency = currencyOf(word, true) !== null && !isNameBeforeNumbers(word);
  if (isCurrency || MONTHS.has(word) || FOREIGN_MONTHS.has(word)) return true;
  // `NO2` and `At3` are names.
  if (WORDS_BEFORE.has(word) && !isAttached) return true;
  return !isFirst && (SUFFIXES.has(word) || isUnit(word) || WORDS_AFTER.has(word) || CARDINALS.has(word));
}

/**
 * Counting words, a magnitude or a second number among them: `five million`, `more than two thousand km`, `a
 * dozen`, `fifty-two`.
 */
function isNumberInWords(text: string): boolean {
  const all = [...text.matchAll(/[\p{L}\p{M}]+/gu)].map(([word]) => word);
  const first = all.findIndex((word) => word === 'a' || CARDINALS.has(word));
  if (all.length === 2 && all.every((word) => CARDINALS.has(word))) return true;
  const magnitude = all.findIndex((word) => MAGNITUDES.has(word));
  if (first < 0 || magnitude < first) return false;
  return all.every((word, i) => {
    if (i < first) return WORDS_BEFORE.has(word);
    if (COUNTING.has(word) || CARDINALS.has(word) || MAGNITUDES.has(word)) return true;
    return i > magnitude && (isUnit(word) || currencyOf(word, false) !== null);
  });
}
