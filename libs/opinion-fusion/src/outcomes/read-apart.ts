import { saysTheSame } from '../model/same-value.ts';
import { parseValue } from '../model/value.ts';

/**
 * A caution about two numbers that were compared as different values although they may be meant as one: the
 * same digits, of which one has a suffix or unit (`300` and `300 m`, which is 300 million), or numbers of
 * different units, which are not converted. null = there is none. Pure; never throws.
 */
export function readApart(outcome: string, said: string): string | null {
  const [one, other] = [parseValue(outcome), parseValue(said)];
  if (one.kind !== 'number' || other.kind !== 'number' || saysTheSame(outcome, said)) return null;
  if (one.unit === other.unit && digitsOf(outcome) !== digitsOf(said)) return null;
  const words = [outcome, said].map((text, index) => readAs(text, [one, other][index]!));
  return `${words.join(' and ')} were compared as different values: units are not converted, and a lone m or t after a number is million or trillion unless the question has lengths or masses. Write the outcome as the claims do, or write the unit out.`;
}

const digitsOf = (text: string) => /\d[\d.,]*/.exec(text)?.[0];

function readAs(text: string, { amount, unit }: { readonly amount: number; readonly unit: string }): string {
  return `\`${[...text.trim()].slice(0, 60).join('')}\` (read as ${[amount, unit].join(' ').trim()})`;
}
