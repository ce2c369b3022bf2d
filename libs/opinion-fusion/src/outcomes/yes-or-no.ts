import { normalise, parseValue } from '../model/value.ts';

/** How people answer a question, besides the spellings of claims. */
const YES = new Set('t 1 yep yeah yup aye ok okay right correct confirmed'.split(' '));
const NO = new Set([
  'f',
  '0',
  'nope',
  'nah',
  'nay',
  'untrue',
  'not true',
  'wrong',
  'incorrect',
  'not correct',
]);

/**
 * Whether a text answers a question with yes, in more spellings than claims may use (reasoning model §3);
 * null where it is neither yes nor no. Pure; never throws.
 */
export function readYesOrNo(text: string): boolean | null {
  const words = normalise(text).replace(/[.!]+$/, '');
  const value = parseValue(words);
  if (value.kind === 'boolean') return value.truth;
  return YES.has(words) ? true : NO.has(words) ? false : null;
}
