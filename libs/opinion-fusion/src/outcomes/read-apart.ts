import { saysTheSame } from '../model/same-value.ts';
import { alike, areShortFor, withoutAccents, wordsOf } from '../model/spellings.ts';
import { normalise, parseValue } from '../model/value.ts';

/** Characters of a value that a caution quotes. */
const QUOTED_LENGTH = 60;
const AT_THE_ENDS = /^[\s\p{P}]+|[\s\p{P}]+$/gu;
const POWER_OF_TEN = /\d[\d.,]*e[+-]?\d{1,2}(?!\d)/i;

/**
 * A caution about two values that were compared as different ones although they may be meant as one: numbers
 * of different units, which are not converted, or of the same digits, of which one has a suffix or unit
 * (`300` and `300 m`, which is 300 million); numbers of which one has a decimal comma or a power of ten;
 * texts that differ in accents, case, punctuation, the order of words, or in a word that is cut short. null =
 * there is none. Pure; never throws.
 */
export function readApart(outcome: string, said: string): string | null {
  if (saysTheSame(outcome, said)) return null;
  const [one, other] = [parseValue(outcome), parseValue(said)];
  const apart = (texts: readonly string[]) => `${texts.join(' and ')} were compared as different values`;
  const asRead = [readAs(outcome), readAs(said)];
  if (one.kind === 'number' && other.kind === 'number')
    if (one.unit !== other.unit || digitsOf(outcome) === digitsOf(said))
      return `${apart(asRead)}: units are not converted, and a lone m or t after a number is million or trillion unless the question has lengths or masses. Write the outcome as the claims do, or write the unit out.`;
  if (inOtherNotation(outcome).has(said) || inOtherNotation(said).has(outcome))
    return `${apart(asRead)}: a point stands before decimals, a comma between thousands, and powers of ten are text. Write the outcome as the claims do.`;
  return areSpellings(outcome, said)
    ? `${apart([quoted(outcome), quoted(said)])}, although they look like two spellings of one. Write the outcome as the claims do.`
    : null;
}

const digitsOf = (text: string) => /\d[\d.,]*/.exec(text)?.[0];
const quoted = (text: string) => `\`${[...text.trim()].slice(0, QUOTED_LENGTH).join('')}\``;

function readAs(text: string): string {
  const value = parseValue(text);
  const read = value.kind === 'number' ? [value.amount, value.unit].join(' ').trim() : value.kind;
  return `${quoted(text)} (read as ${read})`;
}

/** What a text with a number says where points and commas change places, or a power of ten is worked out. */
function inOtherNotation(text: string): { has: (said: string) => boolean } {
  const swapped = text.replace(/[.,]/g, (sign) => (sign === '.' ? ',' : '.'));
  const workedOut = (of: string) =>
    of.replace(POWER_OF_TEN, (power) => String(Number(power.replaceAll(',', ''))));
  const readings = /\d/.test(text) ? [swapped, workedOut(text), workedOut(swapped)] : [];
  return { has: (said) => readings.some((reading) => saysTheSame(reading, said)) };
}

/** Whether two texts look like spellings of one value. */
function areSpellings(one: string, other: string): boolean {
  const bare = [one, other].map((text) => text.replace(AT_THE_ENDS, '')) as [string, string];
  if (!bare.includes('') && saysTheSame(...bare)) return true;
  if ([one, other].some((text) => parseValue(text).kind !== 'text')) return false;
  const [a, b] = [normalise(one), normalise(other)];
  if (alike(withoutAccents(a)) === alike(withoutAccents(b))) return true;
  const [words, others] = [a.split(' '), b.split(' ')];
  return (
    (wordsOf(a) !== null && wordsOf(a) === wordsOf(b)) ||
    areShortFor(words, others) ||
    areShortFor(others, words)
  );
}
