import { RIVALS_MAX, SPELLINGS_MAX } from '../contract/constants.ts';
import { byCodeUnits, roundForComparison } from '../contract/rounding.ts';
import type { Denial, SubjectResult } from '../contract/types.ts';
import type { Claim } from '../model/model.ts';
import { AGREE, CONFLICT, relation } from '../model/statements.ts';
import type { StatementGroup } from '../model/statements.ts';
import { valuesAgree } from '../model/value.ts';
import type { Weighed } from '../weighing/weighing.ts';
import { isApart, isOfOnePlace, mostDisputed, placeOf } from './rivals.ts';
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

/** The same as results list them. Never throws. */
export function listedDenials(
  verdict: Verdict,
  weighed: Weighed,
): Pick<SubjectResult, 'denials' | 'all_denials'> {
  const all = deniedValues(verdict, weighed).map(({ denial }) => denial);
  if (all.length === 0) return {};
  return { denials: all.slice(0, RIVALS_MAX), ...(all.length >= RIVALS_MAX && { all_denials: all }) };
}

/** In the words in which the value is listed as a rival, where it is one. */
function denialOf(claims: readonly Claim[], leading: Claim, weighed: Weighed): Denial {
  const [first] = claims.toSorted(mostDisputed(weighed)) as [Claim];
  return {
    value: first.input.value,
    ...placeOf(first),
    ...(isApart(first, leading) && { apart: true as const }),
    source_count: new Set(claims.map(({ actor }) => actor)).size,
  };
}

/**
 * How other claims write the value that a denial is of, those that state it and those that deny it too, the
 * weightiest first, at most SPELLINGS_MAX; none for a claim that denies nothing. Never throws.
 */
export function spellingsOfDenied({
  pairs,
  weighings,
  groupOf,
}: Weighed): (claim: Claim) => readonly string[] {
  const weightOf = ({ index }: Claim) => roundForComparison(weighings[index]!.weight);
  const groupsBeside = new Map<StatementGroup, readonly StatementGroup[]>();
  for (const { groups } of pairs.flatMap(({ buckets }) => buckets))
    for (const group of groups) if (group.denies) groupsBeside.set(group, groups);
  const known = new Map<StatementGroup, readonly string[]>();
  const spellingsOf = (group: StatementGroup) =>
    (groupsBeside.get(group) ?? [])
      .filter((other) => other === group || relation(group, other) === (other.denies ? AGREE : CONFLICT))
      .flatMap(({ claims }) => claims.filter(({ index }) => weighings[index]!.weight > 0))
      .toSorted((a, b) => weightOf(b) - weightOf(a) || a.index - b.index)
      .map(({ input }) => input.value);
  return ({ index, input }: Claim): readonly string[] => {
    const group = groupOf[index]!;
    if (!known.has(group)) known.set(group, [...new Set(spellingsOf(group))].slice(0, SPELLINGS_MAX));
    return known.get(group)!.filter((value) => value !== input.value);
  };
}
