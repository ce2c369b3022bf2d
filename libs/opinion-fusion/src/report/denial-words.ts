import type { Denial, NumericEstimate } from '../contract/types.ts';
import { cut } from './conditions.ts';
import type { Part } from './statements.ts';
import { namedOfTie, whereSaid } from './summary.ts';
import { inWords } from './counted-words.ts';
import { valueText } from './value-words.ts';

/** Longest values that are told. Characters. */
const VALUE_LENGTH = 80;

/**
 * Values that sources deny and none states, without a full stop: `two sources deny Ms Gray; one source denies
 * Norda (in phase 2)`, and how many more there are; empty without any. `more` follows each. Pure.
 */
export function denialWords<D extends Denial>(
  denials: readonly D[],
  more: (denial: D) => readonly Part[] = () => [],
): Part[] {
  const { named, rest } = namedOfTie(denials);
  const words = named.flatMap((denial, index): Part[] => {
    const { value, source_count: count } = denial;
    const where = whereSaid(denial);
    return [
      `${index === 0 ? '' : '; '}${inWords(count)} ${count === 1 ? 'source denies' : 'sources deny'} `,
      {
        user: `${cut(valueText(value), VALUE_LENGTH)}${where === '' ? '' : ` (${cut(where, VALUE_LENGTH)})`}`,
      },
      ...more(denial),
    ];
  });
  return rest === null ? words : [...words, `; ${rest} are denied`];
}

/**
 * An estimate without a full stop: `in the middle: 62,000 (90 % interval 40,000 to 150,000)`; of sources too
 * few for that, `(all from 40,000 to 150,000)`. Pure.
 */
export function estimateWords({ median, low, high, unit, few_sources: isFew }: NumericEstimate): string {
  const [middle, from, to] = [median, low, high].map((number) => NUMBER.format(number));
  const range = low === high ? '' : ` (${isFew ? 'all from' : '90 % interval'} ${from!} to ${to!})`;
  return `in the middle${unit === '' ? '' : `, by ${unit}`}: ${middle!}${range}`;
}

/** Four digits, which may be a year, are not grouped. */
const NUMBER = new Intl.NumberFormat('en', { maximumSignificantDigits: 12, useGrouping: 'min2' });
