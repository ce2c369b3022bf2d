import { dateText } from './date-words.ts';

/** A piece of a sentence: words of the page, or words that a user wrote, whose direction is isolated. */
export type Part = string | { readonly user: string };

/** In “A is so” a name of one letter stands, and no article. */
const ARTICLE = /^(?:(?:The|A(?! (?:is|was|has|can) )|An|There|It|Its|This|That) (?=\p{Ll}|$)|The (?=\d))/u;

/** A phrase within a sentence: its article begins with a small letter, unless it is part of a name. Pure. */
export const lowered = (text: string): string => text.replace(ARTICLE, (first) => first.toLowerCase());

/** A value within a sentence: dates and times of day as people say them. Pure. */
export const valueText = (value: string): string =>
  value.trim() === '' ? '(empty)' : (dateText(value) ?? lowered(value));

/** `red, blue and green`; empty for an empty list. Pure. */
export function listed(words: readonly string[], joiner: 'and' | 'or' = 'and'): string {
  const last = words.at(-1) ?? '';
  return words.length < 2 ? last : `${words.slice(0, -1).join(', ')} ${joiner} ${last}`;
}
