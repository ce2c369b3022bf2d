import type { Part } from './value-words.ts';

const NUMBERS = 'no one two three four five six seven eight nine ten eleven twelve'.split(' ');

/** A number in words up to twelve. Pure. */
export const inWords = (count: number): string => NUMBERS[count] ?? String(count);

/** `one other`, `two others`. Pure. */
export const othersInWords = (count: number): string =>
  `${inWords(count)} ${count === 1 ? 'other' : 'others'}`;

/** `BBC and two others`, the name of the first of some sources. Pure. */
export const andOthers = (user: string, others: number): Part[] => [
  { user },
  ...(others === 0 ? [] : [` and ${othersInWords(others)}`]),
];
