import { inWords, type Part } from '@platform/opinion-fusion';
import type { Tally } from '../sides.ts';

/** `, and so do two more that are not independent of them`. */
export const alike = (copies: Tally, of: number): Part[] =>
  copies.copies === 0 ? [] : [`, and so ${copies.copies === 1 ? 'does' : 'do'} ${further(copies, of)}`];

/** `two more that are not independent of them`; that they may not be where nobody declared so. */
export const further = ({ copies, suspected }: Tally, of: number): string =>
  `${inWords(copies)} more that ${suspected ? 'may not be' : copies === 1 ? 'is not' : 'are not'} independent of ${of === 1 ? 'it' : 'them'}`;
