import {
  COMMON_PLURALS,
  FIRST_WORDS,
  IRREGULAR_PLURALS,
  NOUNS,
  PREPOSITIONS,
  SAME_PLURALS,
  SINGULAR_IN_S,
  TITLES,
} from './predicate-words.ts';
import { lowered, type Part } from './value-words.ts';

/** `a` or `an`, as the word wants it. Pure. */
export const article = (word: string): string =>
  /^[aeiou]/i.test(word) && !/^(uni|use|eu|one)/i.test(word) ? 'an' : 'a';

/** Whether a word in small letters is the plural of something that can be counted. Pure. */
export function isPluralWord(word: string): boolean {
  if (IRREGULAR_PLURALS.has(word)) return true;
  return /[^sui]s$/.test(word) && !SINGULAR_IN_S.has(word);
}

/** Whether words name one thing that can be counted, or many: those before the first preposition. Pure. */
export function headOf(words: readonly string[]): readonly string[] {
  const end = words.findIndex((word, index) => index > 0 && PREPOSITIONS.has(word.toLowerCase()));
  return end < 0 ? words : words.slice(0, end);
}

/**
 * A subject in the middle of a sentence: `the bridge` for “Bridge”, `the Halden bridge collapse`, `the
 * freighter Maren`, `penguins`. A name stays as it is: whatever ends in a capitalized word of several. Pure.
 */
export function subjectPhrase(subject: string): Part[] {
  const all = subject.trim().split(/\s+/);
  const [first = '', second = ''] = all;
  const last = all.at(-1)!;
  if (all.length === 1 && COMMON_PLURALS.has(last.toLowerCase())) return [{ user: lowerFirst(subject) }];
  const head = headOf(all);
  const isWritten = /^\p{Ll}/u.test(last);
  if (MANY.test(first) && isWritten) return [{ user: lowerFirst(subject) }];
  if (head.length === 1 && all.length > 1 && isWritten) {
    const word = first.toLowerCase();
    if (isPlural(first)) return [{ user: lowerFirst(subject) }];
    return NOUNS.has(word) ? ['the ', { user: lowerFirst(subject) }] : [{ user: lowered(subject) }];
  }
  const isTitle = second !== '' && TITLES.has(first.toLowerCase()) && !NOUNS.has(second.toLowerCase());
  const isThing = all.length === 1 ? NOUNS.has(last.toLowerCase()) : isNoun(last);
  const isListed = FIRST_WORDS.has(first.toLowerCase()) && /^\p{Ll}/u.test(second);
  if (!isTitle && !isThing && !isListed) return [{ user: lowered(subject) }];
  if (/^(the|an?|this|that|its?|h(?:is|er)|their|our|my|your|no\.?|every)$|['’]s?$/i.test(first))
    return [{ user: lowered(subject) }];
  const isWord = all.length === 1 || isTitle || FIRST_WORDS.has(first.toLowerCase());
  return ['the ', { user: isWord ? lowerFirst(subject) : subject }];
}

const lowerFirst = (text: string) => text.charAt(0).toLowerCase() + text.slice(1);

/** A word in small letters for a thing that can be counted, alone or as many. */
const isNoun = (word: string) => NOUNS.has(word) || (word.endsWith('s') && NOUNS.has(word.slice(0, -1)));

const MANY =
  /^(all|both|few|many|most|several|some|these|those|two|three|four|five|six|seven|eight|nine|ten|\d+)$/i;

/** Whether a subject is several things: `the Wright brothers`, `three witnesses`, `women`. Pure. */
export function isPlural(subject: string): boolean {
  const all = subject.trim().split(/\s+/);
  if (/^\p{Lu}\p{Ll}+ and \p{Lu}/u.test(subject)) return true;
  const head = headOf(all);
  const last = head.at(-1)!;
  const word = last.toLowerCase();
  if (IRREGULAR_PLURALS.has(word) || COMMON_PLURALS.has(word)) return true;
  const before = head.slice(0, -1);
  if (SAME_PLURALS.has(word)) return before.some((one) => MANY.test(one) && one !== '1');
  if (before.length === 0) return NOUNS.has(word.slice(0, -1)) && word.endsWith('s');
  // A capitalized word of several ends a name, which may be one: the United States.
  return /^\p{Ll}+$/u.test(last) && isPluralWord(word);
}
