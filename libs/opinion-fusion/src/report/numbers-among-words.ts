import { quote } from '../contract/quote.ts';
import type { Warnings } from '../contract/warnings.ts';
import { CARDINALS, holdsNumber, looksLikeNumber } from '../model/looks-like-number.ts';
import type { Claim } from '../model/model.ts';

/**
 * Warns of each text with a number among words, such as `200 civilians killed in the raid`, where another
 * value of its question and scope holds a number: nobody can say whether the words are part of a quantity,
 * so the two contradict each other however near the numbers are. `texts` has a claim of each text, `others`
 * one of each value. What looks like a number as a whole was told when it was read. Source: reasoning model
 * §11. Never throws.
 */
export function warnOfNumbersAmongWords(
  texts: readonly Claim[],
  others: readonly Claim[],
  asked: string,
  warnings: Warnings,
): void {
  const holders = new Set(others.filter(({ value }) => holdsNumber(value)));
  const hasNumber = others.some(({ value }) => value.kind === 'number');
  for (const claim of texts) {
    const isTold = holders.has(claim) ? holders.size > 1 : hasNumber && isPerhapsMoney(claim);
    if (!isTold || looksLikeNumber(claim.value)) continue;
    warnings.add(
      'value_read_as_text',
      claim.id,
      `The value ${quote(claim.input.value)} of claim ${quote(claim.id)} on ${asked} looks like a number among words, and was read as text, which agrees only with the same text; write the number with one unit, such as \`200 people\`, and the rest in content if a number is meant.`,
    );
  }
}

/** `R5` and `RM5` are five rand and five ringgit, or names. */
const isPerhapsMoney = ({ value }: Claim) => /^t:rm? ?\d[\d.,]*$/.test(value.key);

/**
 * The texts that begin with a number in words and stand beside a number: one in digits, or another in words
 * before the same words, as in `five dead` and `six dead`.
 */
export function numbersInWords(texts: readonly Claim[], others: readonly Claim[]): ReadonlySet<Claim> {
  const isBesideDigits = others.some(({ value }) => holdsNumber(value));
  const found = new Set<Claim>();
  const firstByRest = new Map<string, Claim>();
  for (const claim of texts) {
    const [first = '', rest = ''] = claim.value.key.slice('t:'.length).split(/ (.*)/u);
    if (!CARDINALS.has(first)) continue;
    const twin = rest === '' ? undefined : firstByRest.get(rest);
    firstByRest.set(rest, claim);
    if (twin) found.add(twin);
    if (twin || isBesideDigits) found.add(claim);
  }
  return found;
}
