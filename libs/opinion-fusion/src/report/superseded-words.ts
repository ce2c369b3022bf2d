import type { Superseded } from '../contract/types.ts';
import { cut } from './conditions.ts';
import type { Part } from './statements.ts';

/** Longest names that are told. Characters. */
const NAME_LENGTH = 80;

/** `what BBC and one other said is superseded`, without a full stop. Pure. */
export function supersededWords({ sources, source_count: count }: Superseded): Part[] {
  const others = count - 1;
  return [
    'what ',
    { user: cut(sources[0]!, NAME_LENGTH) },
    others === 0 ? '' : ` and ${inWords(others)} ${others === 1 ? 'other' : 'others'}`,
    ' said is superseded',
  ];
}

const NUMBERS = 'no one two three four five six seven eight nine ten eleven twelve'.split(' ');
/** A number in words up to twelve. */
export const inWords = (count: number) => NUMBERS[count] ?? String(count);
