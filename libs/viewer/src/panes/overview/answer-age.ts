import { byWeight, type Contribution, type Part } from '@platform/opinion-fusion';
import { shortened } from '../../format/text.ts';
import { answerWord, otherValues, sameWords } from '../../format/words.ts';
import type { Claim, Model, Verdict } from '../../model.ts';
import { isOpposite } from '../../components/claim-statement.tsx';
import { isVoice } from './sides.ts';

/** The share of its weight that age leaves a contribution, in [0, 1]. Pure. */
export const decayOf = ({ factors }: Contribution) =>
  factors.find(({ name }) => name === 'decay')?.value ?? 1;

/** `2015`, `2012 to 2015`: when claims were said. */
export function yearsOf(claims: readonly Claim[]): string {
  const years = claims.flatMap(({ input }) => input.assertion_time?.slice(0, 4) ?? []).toSorted();
  return years[0] === years.at(-1) ? (years[0] ?? '') : `${years[0]!} to ${years.at(-1)!}`;
}

/** ` 1200 was said in 2024 and counts less for its age, …`: a value that age alone has put behind. */
export function olderValue({ explanation, result }: Verdict, { claimById }: Model): Part[] {
  if (result.leading_value === null || result.leading_value === 'true') return [];
  const voiced = explanation!.contributions.filter((one) => isVoice(one) && one.counted > 0);
  const weigh = (list: readonly Contribution[], left: (one: Contribution) => number) =>
    list.reduce((sum, one) => sum + one.counted / left(one), 0);
  const leading = voiced.filter(({ side }) => side === 'support');
  const times = (list: readonly Contribution[]) =>
    list.map(({ claim_id }) => Date.parse(claimById.get(claim_id ?? '')?.input.assertion_time ?? ''));
  const earliest = Math.min(...times(leading));
  // Of values of which both were said early and late, a reader would call neither older.
  const isOlder = (list: readonly Contribution[]) =>
    times(list).every((time) => time < earliest) &&
    weigh(list, decayOf) > CLEARLY * weigh(leading, decayOf) &&
    weigh(list, () => 1) < weigh(leading, () => 1);
  for (const { value } of byWeight(otherValues(result)).flat()) {
    const own = voiced.filter(({ side, claim_id }) => {
      const claim = claimById.get(claim_id ?? '');
      return side === 'opposition' && claim && !isOpposite(claim) && sameWords(claim.input.value, value);
    });
    const years = yearsOf(own.flatMap(({ claim_id }) => claimById.get(claim_id ?? '') ?? []));
    if (years !== '' && isOlder(own))
      return [
        ' ',
        { user: shortened(answerWord(value), 80) },
        ` was said in ${years} and counts less for its age, without which it would have more weight.`,
      ];
  }
  return [];
}

/** What is only as heavy without age would not lead. */
const CLEARLY = 1.05;
