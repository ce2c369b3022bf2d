import type { Superseded } from '../contract/types.ts';
import { cut } from './conditions.ts';
import { andOthers } from './counted-words.ts';
import type { Part } from './value-words.ts';

/** Longest names that are told. Characters. */
const NAME_LENGTH = 80;

/** `what BBC and one other said is superseded`, without a full stop. Pure. */
export const supersededWords = ({ sources, source_count: count }: Superseded): Part[] => [
  'what ',
  ...andOthers(cut(sources[0]!, NAME_LENGTH), count - 1),
  ' said is superseded',
];
