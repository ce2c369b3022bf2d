import { RIVALS_MAX } from '../contract/constants.ts';
import { byCodeUnits, roundForComparison } from '../contract/rounding.ts';
import type { Denial } from '../contract/types.ts';
import type { Claim } from '../model/model.ts';
import { CONFLICT, relation } from '../model/statements.ts';
import { valuesAgree } from '../model/value.ts';
import type { Weighed } from '../weighing/weighing.ts';
import { isApart, isOfOnePlace, placeOf } from './rivals.ts';
import type { Verdict } from './verdict.ts';

/** A value that is denied, with the claims that deny it, by id. */
export interface DeniedValue {
  readonly denial: Denial;
  readonly claims: readonly Claim[];
}

/**
 * The values that claims with weight deny and none states in the same scope and time, those that most sources
 * deny first; where a denial leads, those of other scopes and times alone, because the verdict is about the
 * others. Source: ADR 0130. Never throws.
 */
export function deniedValues({ pair, leading }: Verdict, weighed: Weighed): readonly DeniedValue[] {
  if (!pair || !leading) return [];
  const { weighings, barred, groupOf } = weighed;
  const counts = (claim: Claim) => weighings[claim.index]!.weight > 0 && !barred.has(claim);
  const isSame = (one: Claim, other: Claim) =>
    isOfOnePlace(one, other) && valuesAgree(groupOf[one.index]!.value, groupOf[other.index]!.value);
  const denied: Claim[][] = [];
  for (const { groups } of pair.buckets) {
    const stated = groups.filter((group) => !group.denies && group.claims.some(counts));
    for (const group of groups) {
      const claims = group.denies ? group.claims.filter(counts) : [];
      const [first] = claims;
      if (!first || stated.some((other) => relation(group, other) === CONFLICT)) continue;
      if (groupOf[leading.index]!.denies && !isApart(first, leading)) continue;
      const known = denied.find(([one]) => isSame(one!, first));
      if (known) known.push(...claims);
      else denied.push([...claims]);
    }
  }
  return denied
    .map((claims) => ({ claims, denial: denialOf(claims, leading, weighed) }))
    .toSorted(
      ({ denial: a }, { denial: b }) =>
        b.source_count - a.source_count ||
        byCodeUnits(a.value, b.value) ||
        byCodeUnits(JSON.stringify(a), JSON.stringify(b)),
    );
}

/** The first of these as results list them. Never throws. */
export const listedDenials = (verdict: Verdict, weighed: Weighed): Denial[] =>
  deniedValues(verdict, weighed)
    .slice(0, RIVALS_MAX)
    .map(({ denial }) => denial);

/** In the words of the claim with most weight. */
function denialOf(claims: readonly Claim[], leading: Claim, { weighings }: Weighed): Denial {
  const weightOf = ({ index }: Claim) => roundForComparison(weighings[index]!.weight);
  const [strongest] = claims.toSorted((a, b) => weightOf(b) - weightOf(a) || a.index - b.index) as [Claim];
  return {
    value: strongest.input.value,
    ...placeOf(strongest),
    ...(isApart(strongest, leading) && { apart: true as const }),
    source_count: new Set(claims.map(({ actor }) => actor)).size,
  };
}
