import { byCodeUnits } from '../contract/rounding.ts';
import type { Value } from './value.ts';

const TIME_OF_DAY = /^(\d{1,2})[:.h](\d{2})(?::00)? ?(?:([ap])\.? ?m\.?)?$/;
/** A word that a full stop cuts short. */
export const SHORTENED = /^\p{L}{1,5}\.$/u;

/**
 * A text in one case, by Unicode's full case mappings in both directions: equal for texts whose capitals are
 * equal, so that ß is SS and a final ς is any other σ.
 */
export const caseFolded = (text: string): string => text.toLowerCase().toUpperCase().toLowerCase();

/**
 * A name without case, white space, punctuation, what cannot be seen and the script of letters that look like
 * Latin ones; of punctuation alone, that.
 */
export function folded(name: string): string {
  const bare = name
    .normalize('NFKC')
    .toLowerCase()
    .replace(/[\s\p{P}\p{Cf}]/gu, '');
  return bare === '' ? name.trim() : inLatin(bare);
}

/** The same for warnings, which change no number: with ß as SS. */
export const alike = (name: string): string => folded(caseFolded(name));

/** Groups of two or more different names that are alike, in the order in which they are given. Pure. */
export function nearSpellings(names: Iterable<string>): string[][] {
  const groups = new Map<string, string[]>();
  for (const name of new Set(names)) {
    const key = alike(name);
    const group = groups.get(key);
    if (group === undefined) groups.set(key, [name]);
    else group.push(name);
  }
  return [...groups.values()].filter((group) => group.length > 1);
}

/**
 * Greek and Cyrillic letters that look like a Latin one as a capital or as a small letter, and that one. No
 * two of one script share theirs, so that texts of one script stay apart. Source: confusables of Unicode
 * UTS 39.
 */
const LOOKALIKES = new Map(
  'аa еe оo рp сc уy хx іi јj ѕs вb нh кk мm тt αa βb εe ζz ηh ιi κk μm νn οo ρp τt υy χx'
    .split(' ')
    .flatMap(([like, latin]) => [
      [like!, latin!],
      [like!.toUpperCase(), latin!.toUpperCase()],
    ]),
);

/** A text with those letters as the Latin ones that they look like. */
export function inLatin(text: string): string {
  return text.replace(/[\u0370-\u04ff]/g, (letter) => LOOKALIKES.get(letter) ?? letter);
}

/** A text in its decomposed compatibility form, without accents. */
export const withoutAccents = (text: string): string =>
  text.normalize('NFKD').replace(/[\u0300-\u036f]/g, '');

/** The words of a text without digits, in alphabetical order and without accents; null for no words. */
export function wordsOf(text: string): string | null {
  if (/\d/.test(text)) return null;
  return (
    withoutAccents(text)
      .match(/[\p{L}\p{M}]+/gu)
      ?.sort(byCodeUnits)
      .join(' ') ?? null
  );
}

/** The minute of a day that a time of day names; null for any other text. */
export function minuteOf(text: string): string | null {
  const [, hour, minute, half] = TIME_OF_DAY.exec(text) ?? [];
  if (hour === undefined || Number(minute) > 59 || Number(hour) > (half === undefined ? 23 : 12)) return null;
  const ofDay = half === undefined ? Number(hour) : (Number(hour) % 12) + (half === 'p' ? 12 : 0);
  return `${ofDay}:${minute}`;
}

/** Whether each word is the other's, or, with a full stop, has letters of it in their order, and some has. */
export function areShortFor(words: readonly string[], others: readonly string[]): boolean {
  let isShort = false;
  if (words.length !== others.length) return false;
  for (const [i, word] of words.entries()) {
    const other = others[i]!;
    if (word === other) continue;
    if (!SHORTENED.test(word) || SHORTENED.test(other)) return false;
    let at = 0;
    for (const letter of other) if (letter === word[at]) at += 1;
    if (at < word.length - 1 || word[0] !== other[0]) return false;
    isShort = true;
  }
  return isShort;
}

/** What people write where their source does not say; `none` is an answer. */
const NO_ANSWER: ReadonlySet<string> = new Set(
  (
    '|-|--|–|—|?|??|...|n/a|n.a.|na|#n/a|nan|null|nil|tba|tbc|tbd|to be announced|to be confirmed|' +
    "to be determined|unknown|unk|unclear|undisclosed|unspecified|undetermined|unreported|don't know|not known|" +
    'not available|not applicable|not disclosed|not given|not reported|not specified|not stated|none given|' +
    'no data|no answer|no information|unbekannt|keine angabe|inconnu|inconnue|desconocido|desconocida|' +
    'desconhecido|sconosciuto|onbekend|неизвестно|不明|未知'
  ).split('|'),
);

/** What says nothing of most questions, and is the answer to some, such as the state of a case. */
const OPEN: ReadonlySet<string> = new Set(
  (
    'n/k|not yet known|no comment|declined to comment|no reply|no response|did not respond|none reported|' +
    'inconclusive|unconfirmed|disputed|redacted|withheld|confidential|classified|pending|awaiting results|' +
    'under investigation'
  ).split('|'),
);
const NO_WORD = /^[\p{P}\p{S}\s]+$/u;

/** Whether a value says only that its source gives no answer, such as `n/a`. */
export const isNoAnswer = ({ kind, key }: Value): boolean =>
  kind === 'text' && NO_ANSWER.has(key.slice('t:'.length));

/** Whether a value leaves its question open, as `isNoAnswer` or in words that elsewhere are an answer. */
export const leavesOpen = (value: Value): boolean => {
  const text = value.key.slice('t:'.length);
  return isNoAnswer(value) || (value.kind === 'text' && (OPEN.has(text) || NO_WORD.test(text)));
};
