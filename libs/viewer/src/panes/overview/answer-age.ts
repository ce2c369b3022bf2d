import { ageWords, type Contribution, type Part } from '@platform/opinion-fusion';
import { shortened } from '../../format/text.ts';
import { answerWord, sameWords } from '../../format/words.ts';
import type { Claim, Model, Verdict } from '../../model.ts';
import { isOpposite } from '../../components/claim-statement.tsx';

/** The share of its weight that age leaves a contribution, in [0, 1]. Pure. */
export const decayOf = ({ factors }: Contribution) =>
  factors.find(({ name }) => name === 'decay')?.value ?? 1;

/** `2015`, `2012 to 2015`: when claims were said. */
export function yearsOf(claims: readonly Claim[]): string {
  const years = claims.flatMap(({ input }) => input.assertion_time?.slice(0, 4) ?? []).toSorted();
  return years[0] === years.at(-1) ? (years[0] ?? '') : `${years[0]!} to ${years.at(-1)!}`;
}

/**
 * `Age decides: without it 1200, said in 2024, would lead (…).`: what would be if nothing had aged. Empty
 * where that is no other. Pure.
 */
export function ageOf({ claims, result }: Verdict, { judged }: Model): Part[] {
  const own = claims.filter(
    (claim) => !isOpposite(claim) && sameWords(claim.input.value, result.age_decides?.leading_value ?? ''),
  );
  const [, ...words] = ageWords(result, judged.result.decay_half_life_days, yearsOf(own));
  if (words.length === 0) return [];
  const shown = words.map((part) =>
    typeof part === 'string' ? part : { user: shortened(answerWord(part.user), 80) },
  );
  return ['Age decides: without it ', ...shown, '.'];
}
