import { expectedProbability } from '@platform/subjective-logic';
import { AGE_DECIDES_FROM, RECENT_FROM } from '../contract/constants.ts';
import { roundForComparison } from '../contract/rounding.ts';
import type { AgeDecides } from '../contract/types.ts';
import type { Claim } from '../model/model.ts';
import { isStanding } from '../model/reliability.ts';
import type { Pair, StatementGroup } from '../model/statements.ts';
import { valuesAgree } from '../model/value.ts';
import type { Weighed } from '../weighing/weighing.ts';
import { withMetas } from './investigation-parts.ts';
import { candidatesWithin, isTiedWithin } from './rivals.ts';
import { truthStatus } from './truth-status.ts';
import { judgePair } from './verdict.ts';
import type { Verdict } from './verdict.ts';

/** Whether age has taken weight of what is said on a question. Never throws. */
export function hasAged({ claims }: Pair, { weighings }: Pick<Weighed, 'weighings'>): boolean {
  const isAged = ({ index }: Claim) => {
    const { silent, ageing } = weighings[index]!;
    return !silent && roundForComparison(ageing.decay) < 1;
  };
  return [...withMetas(claims)].some(isAged);
}

/**
 * What a verdict would be if nothing on its question had aged, where another value of its scope and time
 * would lead than now, or none, or the status would be another; null elsewhere, and where age takes little.
 * Of claims of about the same age, and of denials, only the status counts. `unaged` holds the claims weighed
 * so; inferences count as they do. Source: RM-11.220, RM-11.226. Never throws.
 */
export function ageDecides(verdict: Verdict, weighed: Weighed, unaged: Weighed): AgeDecides | null {
  const { pair, leading, inferences } = verdict;
  if (!pair || !leading) return null;
  const [first = leading] = candidatesWithin(leading, pair, unaged);
  const { lost, least, most } = ageOf(pair, weighed);
  if (roundForComparison(lost) < AGE_DECIDES_FROM) return null;
  const isEven = roundForComparison(most - least) < roundForComparison(AGE_DECIDES_FROM * most);
  const [group, other] = [leading, first].map(({ index }) => weighed.groupOf[index]!) as [
    StatementGroup,
    StatementGroup,
  ];
  // Of values that are only denied none leads, with or without age.
  const stays = isEven || (group.denies && other.denies);
  const would = judgePair(pair, stays ? leading : first, inferences, unaged);
  const isTied = isTiedWithin(verdict, weighed);
  const wouldTie = stays ? isTied : isTiedWithin(would, unaged);
  // Of yes and no the status tells which leads.
  const isSame =
    stays ||
    (group.value.kind === 'boolean' && other.value.kind === 'boolean') ||
    valuesAgree(group.value, other.value);
  const status = truthStatus(would.opinion);
  if (isTied === wouldTie && (isTied || isSame) && status === truthStatus(verdict.opinion)) return null;
  return {
    leading_value: would.leadingValue!,
    ...(wouldTie && { tied: true as const }),
    truth_status: status,
    expected_probability: expectedProbability(would.opinion),
    weight_lost: lost,
    ...(weighed.model.input.decay_half_life_days == null && { default_half_life: true as const }),
  };
}

/** Whether all that is said on a question is older than half of a half-life. Source: RM-11.227. */
export const isOld = (pair: Pair, weighed: Weighed): boolean => ageOf(pair, weighed).most < RECENT_FROM;

/**
 * Share of the weight of the claims on a question, and of those about them, that age has taken, and the
 * least and the most that it leaves one of them; 0, 1 and 0 where none stands.
 */
function ageOf({ claims }: Pair, { weighings }: Weighed): { lost: number; least: number; most: number } {
  let [given, left, least, most] = [0, 0, 1, 0];
  const counted = new Set(claims);
  for (const claim of counted) {
    // What is said about a claim goes with it.
    if (claim.status === 'retracted') continue;
    for (const meta of claim.metas) counted.add(meta);
    const { reliability, belowFloor, ageing } = weighings[claim.index]!;
    if (!isStanding(claim) || belowFloor) continue;
    given += reliability;
    left += reliability * ageing.decay;
    least = Math.min(least, ageing.decay);
    most = Math.max(most, ageing.decay);
  }
  return { lost: given > 0 ? 1 - left / given : 0, least, most };
}
