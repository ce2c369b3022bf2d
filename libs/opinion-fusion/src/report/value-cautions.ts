import { quote } from '../contract/quote.ts';
import type { Warnings } from '../contract/warnings.ts';
import type { Claim } from '../model/model.ts';
import { isStanding } from '../model/reliability.ts';
import { alike, areShortFor, minuteOf, isNoAnswer, SHORTENED, wordsOf } from '../model/spellings.ts';
import type { Bucket } from '../model/statements.ts';
import type { Value } from '../model/value.ts';
import type { Weighed } from '../weighing/weighing.ts';
import { numbersInWords, warnOfNumbersAmongWords } from './numbers-among-words.ts';

/** Signs and spaces at the ends of a text. */
const AT_THE_ENDS = /^[\s\p{P}]+|[\s\p{P}]+$/gu;
/**
 * A text that begins with yes, no or not and continues in words, so that it is read as text, not as a
 * boolean.
 */
const BEGINS_AS_BOOLEAN = /^(?:(?:yes|no|true|false)(?: ?[,;:.!(–—-]+ ?)|not )\S/u;
/** Where other claims state numbers, these words stand for a number. */
const NO_ONE: ReadonlySet<string> = new Set(['none', 'nobody', 'no one']);
/** A code or letter, as which a yes or no may be meant among others of as many letters. */
const CODE = /^\p{L}{1,2}$/u;

/**
 * Warns of each text that differs from another value of its question and scope in punctuation or characters
 * that look alike only, such as `Yes.` and `yes`, in accents, in the order of its words, in how a time of day
 * is written, or as a short and a long form, such as `St.` and `Saint`, and of `0` and `1` beside a yes or
 * no; the two are kept apart. Warns, too, of what says that nothing is known and yet competes with the
 * answers, of a number in words beside numbers, of a yes or no with words after it, which is neither, and of
 * one that may be a code, such as `NO` beside `SE`. Source: reasoning model §11. Never throws.
 */
export function warnOfNearValues({ pairs, weighings, model }: Weighed, warnings: Warnings): void {
  const isHeard = (claim: Claim) => isStanding(claim) && !weighings[claim.index]!.belowFloor;
  const codes = codesByPredicate(pairs, isHeard);
  for (const { subject, predicate, buckets, claims } of pairs) {
    const asked = `${quote(predicate)} of ${quote(subject.id)}`;
    const like = (claim: Claim) => codes.get(predicate)?.get(lettersOf(claim));
    const code = claims.find((claim) => claim.value.kind === 'boolean' && isHeard(claim) && like(claim));
    if (code?.value.kind === 'boolean') {
      const other = like(code)!;
      warnings.add(
        'code_read_as_boolean',
        code.id,
        `The value ${quote(code.input.value)} of claim ${quote(code.id)} on ${asked} was read as the answer ${code.value.truth ? 'yes' : 'no'}; write it out if it is a name, a code or a letter, as ${quote(other.input.value)} of claim ${quote(other.id)} seems to be.`,
      );
    }
    for (const bucket of buckets) {
      const heard = heardValues(bucket, isHeard);
      const texts = textsAmong(heard);
      const inWords = numbersInWords(texts, heard);
      warnOfNumbersAmongWords(texts, heard, asked, warnings);
      for (const claim of texts) {
        const text = textOf(claim);
        if (isNoAnswer(claim.value))
          warnings.add(
            'no_answer',
            claim.id,
            `The value ${quote(claim.input.value)} of claim ${quote(claim.id)} on ${asked} counts as an answer that contradicts the others; leave the claim out if its source does not say.`,
          );
        else if (inWords.has(claim) || (NO_ONE.has(text) && isAmong(bucket, 'number')))
          warnings.add(
            'number_in_words',
            claim.id,
            `The value ${quote(claim.input.value)} of claim ${quote(claim.id)} on ${asked} was read as text, with which no number agrees; write it in digits if a number is meant.`,
          );
        else if (BEGINS_AS_BOOLEAN.test(text) && isAmong(bucket, 'boolean'))
          warnings.add(
            'no_answer',
            claim.id,
            `The value ${quote(claim.input.value)} of claim ${quote(claim.id)} on ${asked} was read as text, which contradicts yes and no alike; give the yes or no alone as the value, and the rest in content.`,
          );
      }
      for (const [claim, other, likeness] of [
        ...alikeValues(bucket, isHeard),
        ...shortAndLong(bucket, isHeard),
        ...withAddition(bucket, isHeard),
        ...numbersAsTimes(heard),
        ...numbersAsBooleans(heard),
      ])
        warnings.add(
          'values_nearly_meet',
          claim.id,
          `The values ${quote(claim.input.value)} of claim ${quote(claim.id)} and ${quote(other.input.value)} of claim ${quote(other.id)} on ${asked} ${likeness}, and are kept apart; use one spelling if they mean the same.`,
        );
      for (const [text, other] of nearValues(bucket, isHeard, model.valueOf)) {
        warnings.add(
          'values_nearly_meet',
          text.id,
          `The values ${quote(text.input.value)} of claim ${quote(text.id)} and ${quote(other.input.value)} of claim ${quote(other.id)} on ${quote(predicate)} of ${quote(subject.id)} differ only in case, white space, punctuation or characters that look alike, and are kept apart; use one spelling if they mean the same.`,
        );
      }
    }
  }
}

/** By predicate, a text of one letter and one of two, where some are stated. */
function codesByPredicate(
  pairs: Weighed['pairs'],
  isHeard: (claim: Claim) => boolean,
): Map<string, ReadonlyMap<number, Claim>> {
  const codes = new Map<string, Map<number, Claim>>();
  for (const { predicate, claims } of pairs) {
    for (const claim of claims) {
      const letters = claim.value.kind === 'text' && isHeard(claim) ? lettersOf(claim) : 0;
      if (letters === 0) continue;
      const known = codes.get(predicate) ?? new Map<number, Claim>();
      codes.set(predicate, known);
      if (!known.has(letters)) known.set(letters, claim);
    }
  }
  return codes;
}

/** 1 or 2 for a value of so many letters alone, else 0. */
function lettersOf({ input }: Claim): number {
  const text = input.value.trim();
  return CODE.test(text) ? text.length : 0;
}

/** Texts, each with the first value that it nearly is. */
function* nearValues(
  { groups }: Bucket,
  isHeard: (claim: Claim) => boolean,
  valueOf: Weighed['model']['valueOf'],
): Iterable<readonly [Claim, Claim]> {
  if (groups.length < 2) return;
  const byKey = new Map<string, Claim>();
  const byFold = new Map<string, Claim>();
  const texts: Claim[] = [];
  for (const { value, claims } of groups) {
    const claim = claims.find(isHeard);
    if (!claim || byKey.has(value.key)) continue;
    byKey.set(value.key, claim);
    if (value.kind === 'text') texts.push(claim);
  }
  for (const claim of texts) {
    const text = claim.value.key.slice('t:'.length);
    const fold = alike(text);
    const twin = byFold.get(fold);
    const bare = text.replace(AT_THE_ENDS, '');
    const read = bare === text || bare === '' ? undefined : byKey.get(valueOf(bare).key);
    const isText = read?.value.kind === 'text';
    if (twin) yield [claim, twin];
    else if (read && !isText) yield [claim, read];
    else byFold.set(fold, claim);
  }
}

const isAmong = ({ groups }: Bucket, kind: Value['kind']) => groups.some(({ value }) => value.kind === kind);

const textOf = (claim: Claim) => claim.value.key.slice('t:'.length);

/** The first claim that is heard of each value, where there are several. */
function heardValues({ groups }: Bucket, isHeard: (claim: Claim) => boolean): Claim[] {
  if (groups.length < 2) return [];
  const heard = new Map<string, Claim>();
  for (const { value, claims } of groups) {
    const claim = heard.has(value.key) ? undefined : claims.find(isHeard);
    if (claim) heard.set(value.key, claim);
  }
  return heard.size < 2 ? [] : [...heard.values()];
}

const textsAmong = (claims: readonly Claim[]) => claims.filter(({ value }) => value.kind === 'text');
const heardTexts = (bucket: Bucket, isHeard: (claim: Claim) => boolean) =>
  textsAmong(heardValues(bucket, isHeard));

/** Texts, each with the first before it of the same words or time of day, and how they are alike. */
function* alikeValues(
  bucket: Bucket,
  isHeard: (claim: Claim) => boolean,
): Iterable<readonly [Claim, Claim, string]> {
  const firstBy = new Map<string, Claim>();
  for (const claim of heardTexts(bucket, isHeard)) {
    const text = textOf(claim);
    const likeness = minuteOf(text) ?? wordsOf(text);
    if (likeness === null) continue;
    const first = firstBy.get(likeness);
    if (!first) firstBy.set(likeness, claim);
    else if (alike(textOf(first)) !== alike(text))
      yield [
        claim,
        first,
        minuteOf(text) === null ? 'have the same words but for accents or order' : 'are the same time of day',
      ];
  }
}

/** Numbers of two decimals, each with the text that is the same time of day: `12.30` and `12:30`. */
function* numbersAsTimes(heard: readonly Claim[]): Iterable<readonly [Claim, Claim, string]> {
  const textByMinute = new Map<string, Claim>();
  for (const claim of textsAmong(heard)) {
    const minute = minuteOf(textOf(claim));
    if (minute !== null && !textByMinute.has(minute)) textByMinute.set(minute, claim);
  }
  if (textByMinute.size === 0) return;
  for (const claim of heard) {
    const minute = claim.value.kind === 'number' ? minuteOf(claim.input.value.trim()) : null;
    const text = minute === null ? undefined : textByMinute.get(minute);
    if (text) yield [claim, text, 'may be the same time of day'];
  }
}

/** `0` and `1`, each with the first yes or no, as which tables often write them. */
function* numbersAsBooleans(heard: readonly Claim[]): Iterable<readonly [Claim, Claim, string]> {
  const boolean = heard.find(({ value }) => value.kind === 'boolean');
  if (!boolean) return;
  for (const claim of heard) {
    const { value } = claim;
    if (value.kind === 'number' && value.unit === '' && (value.amount === 0 || value.amount === 1))
      yield [claim, boolean, 'are a number and a yes or no'];
  }
}

/**
 * Texts of which one is made of the initials of the other's words, up to one more or less (`USA`, `United
 * States`), or has a word with a full stop in place of a longer one (`St. Kitts`, `Saint Kitts`; `J. Smith`).
 */
function* shortAndLong(
  bucket: Bucket,
  isHeard: (claim: Claim) => boolean,
): Iterable<readonly [Claim, Claim, string]> {
  const texts = heardTexts(bucket, isHeard).map((claim) => ({ claim, words: textOf(claim).split(' ') }));
  const byInitials = new Map<string, typeof texts>();
  for (const text of texts) {
    if (text.words.length < 2) continue;
    const all = text.words.map((word) => word[0]!).join('');
    const long = text.words.flatMap((word) => (SMALL_WORDS.has(word) ? [] : [word[0]!])).join('');
    for (const key of new Set([all, long])) {
      const alike = byInitials.get(key);
      if (alike) alike.push(text);
      else byInitials.set(key, [text]);
    }
  }
  for (const { claim, words } of texts) {
    const letters =
      words.length === 1 && ACRONYM.test(claim.input.value.trim()) ? words[0]!.replaceAll('.', '') : '';
    const isShort = words.some((word) => SHORTENED.test(word));
    if (letters === '' && !isShort) continue;
    const spelledOut =
      letters === ''
        ? byInitials
            .get(words.map((word) => word[0]!).join(''))
            ?.slice(0, COMPARED_MAX)
            .find((other) => other.claim !== claim && areShortFor(words, other.words))
        : [letters, letters.slice(0, -1)]
            .filter((initials) => initials.length > 1)
            .map((initials) => byInitials.get(initials)?.[0])
            .find((other) => other !== undefined);
    // Of those that differ in punctuation only another warning tells.
    if (spelledOut && alike(textOf(claim)) !== alike(textOf(spelledOut.claim)))
      yield [claim, spelledOut.claim, 'look like a short and a long form of one name'];
  }
}

/** Texts that are another one and, after a comma or in brackets, something more: `London, UK`, `London`. */
function* withAddition(
  bucket: Bucket,
  isHeard: (claim: Claim) => boolean,
): Iterable<readonly [Claim, Claim, string]> {
  const texts = heardTexts(bucket, isHeard);
  const byText = new Map(texts.map((claim) => [textOf(claim), claim]));
  for (const claim of texts) {
    const text = textOf(claim);
    const short = byText.get(text.slice(0, Math.max(0, text.search(ADDITION))));
    if (short) yield [claim, short, 'differ in what one adds'];
  }
}

const ADDITION = /(?:,| \() ?\S/u;

/** Words that initials may leave out. */
const SMALL_WORDS: ReadonlySet<string> = new Set('of the and for in de la le di der von'.split(' '));
const ACRONYM = /^(?:\p{Lu}\.?){2,6}$/u;
/** Long forms with which a short form is compared, so that many alike stay cheap. */
const COMPARED_MAX = 64;
