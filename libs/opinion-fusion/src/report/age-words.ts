import type { AgeDecides, InvestigationResult, SubjectResult } from '../contract/types.ts';
import { leadingOf } from '../verdict/leading-of.ts';
import { boundText } from './date-words.ts';
import type { Part } from './statements.ts';

/** What `ageWords` reads; results of older engines have no `age_decides`. */
type Aged = Pick<SubjectResult, 'leading_value'> & {
  readonly rival_values?: SubjectResult['rival_values'] | undefined;
  /** Comparisons list the values that are tied. */
  readonly tied?: boolean | readonly string[] | undefined;
  readonly age_decides?: AgeDecides | undefined;
};

/** What age decides of a verdict, and by which half-life, where it does. */
export type AgePart = Pick<SubjectResult, 'age_decides'> & { decay_half_life_days?: number };

/** `age_decides` of a verdict and the half-life it was judged by, in days; empty without it. */
export const agePart = (
  { age_decides: age }: Pick<SubjectResult, 'age_decides'>,
  { decay_half_life_days: days }: Pick<InvestigationResult, 'decay_half_life_days'>,
): AgePart => (age ? { age_decides: age, decay_half_life_days: days } : {});

const STATUS_WORDS = {
  True: 'there would be enough evidence for it',
  False: 'there would be enough evidence against it',
  Both: 'there would be evidence of weight for it and against it',
  Neither: 'there would be too little evidence',
} as const;

/**
 * What age decides of a verdict, without a full stop: `age decides: without it 1200 would lead (42 % of the
 * weight is lost to age; half-life 180 days, the default)`; `when` says when that value was said. Empty where
 * age decides nothing. Of values that are tied in different scopes and times, the one that leads in its own
 * stays. Pure.
 */
export function ageWords(
  { leading_value: leading, tied, rival_values: rivals = [], age_decides: age }: Aged,
  halfLifeDays: number,
  when = '',
): Part[] {
  if (!age) return [];
  const isTied = tied && rivals.filter((rival) => rival.tied && !rival.apart).length !== 1;
  const stays = isTied ? age.tied : !age.tied && age.leading_value === leading;
  const would: Part[] = stays
    ? [STATUS_WORDS[age.truth_status]]
    : age.tied
      ? ['no value would lead']
      : [{ user: leadingOf(age)! }, `${when === '' ? '' : `, said in ${when},`} would lead`];
  const days = `half-life ${Number(halfLifeDays.toPrecision(4))} days${age.default_half_life ? ', the default' : ''}`;
  const lost = `${Math.round(100 * age.weight_lost)} % of the weight is lost to age`;
  return ['age decides: without it ', ...would, ` (${lost}; ${days})`];
}

/**
 * What helps most where age decides: `a recent source`, or one of shortly before `as_of`, after which claims
 * are left out. Pure.
 */
export const recentSource = (asOf: string | null | undefined): string =>
  asOf == null ? 'a recent source' : `a source of shortly before ${boundText(asOf)}`;
