import { expectedProbability, opinionFromEvidence } from '@platform/subjective-logic';
import { PLACE_VALUES_MAX, RIVALS_MAX, TIED_WITHIN } from '../contract/constants.ts';
import { roundForComparison } from '../contract/rounding.ts';
import type { ClaimInput, RivalValue } from '../contract/types.ts';
import type { Claim } from '../model/model.ts';
import { CONFLICT, relation } from '../model/statements.ts';
import type { Bucket, Pair, StatementGroup } from '../model/statements.ts';
import { valuesAgree } from '../model/value.ts';
import { ValueOrder } from '../model/value-order.ts';
import { MaxByGroup } from '../weighing/max-by-group.ts';
import { weighBucket } from '../weighing/weigh-bucket.ts';
import type { Weighed } from '../weighing/weighing.ts';
import { Chances, logOddsFor } from './chances.ts';
import { inferredEvidence } from './inference.ts';
import {
  asLeading,
  broughtAgainst,
  candidatesOf,
  countActors,
  countSources,
  findCandidates,
  judgePair,
  leadingClaim,
} from './verdict.ts';
import type { Verdict } from './verdict.ts';

/**
 * What a verdict says besides its opinion: the values that rival for the lead and the chance that the leading
 * one is right.
 */
export interface Rivalry {
  readonly calibrated: number;
  /** Leading value first, at most as many as are asked for; empty where nothing leads. */
  readonly rivals: readonly RivalValue[];
  readonly isTied: boolean;
  /** What is likelier than the statement that leads; null where nothing is. */
  readonly likelier: Likelier | null;
}

/** A statement that is likelier than the one that leads, which has more weight. Chances are probabilities. */
export interface Likelier {
  /** In the words of its claim; `not` stands before a value that is denied as the leading one is. */
  readonly value: string;
  readonly isDenial: boolean;
  readonly chance: number;
  /** Of the statement that leads. */
  readonly leadingChance: number;
}

/** The chances of what is said on the question of a verdict, with the claims that may lead, best first. */
function chancesOf({ leading, inferences }: Verdict, pair: Pair, weighed: Weighed) {
  const candidates = candidatesOf(pair, weighed);
  const ordered = [leading!, ...candidates.filter((claim) => claim !== leading)];
  const { value, denies } = weighed.groupOf[leading!.index]!;
  const saysFalse = value.kind === 'boolean' && !value.truth;
  const spokenFor = denies ? [] : deniedButSpokenFor(pair, weighed);
  const inferred = logOddsFor(inferredEvidence(inferences));
  const chances = new Chances(pair, [...ordered, ...spokenFor], weighed, {
    claim: leading!,
    logOdds: saysFalse ? -inferred : inferred,
  });
  return { candidates, ordered, spokenFor, saysFalse, chances };
}

/** The chance of a claim that may lead. Probability. */
export function chanceIn(verdict: Verdict, pair: Pair, weighed: Weighed): (claim: Claim) => number {
  const { chances } = chancesOf(verdict, pair, weighed);
  return (claim) => chances.of(claim);
}

/**
 * Which rivals: the RIVALS_MAX that a verdict lists; all values, to count them, without chances and sources,
 * for which each takes as long as the question has values; or those of each scope and time, as `all_values`
 * has them.
 */
type Extent = 'listed' | 'counted' | 'everywhere';

/** The rivals of a verdict. Source: reasoning model §11; ADR 0148. Never throws. */
export function rivalryOf(verdict: Verdict, weighed: Weighed, extent: Extent = 'listed'): Rivalry {
  const most = extent === 'listed' ? RIVALS_MAX : Infinity;
  const { pair, leading, inferences } = verdict;
  const inferred = logOddsFor(inferredEvidence(inferences));
  if (!pair || !leading) return { calibrated: logistic(inferred), rivals: [], isTied: false, likelier: null };
  const {
    candidates,
    ordered,
    spokenFor: allSpokenFor,
    saysFalse,
    chances,
  } = chancesOf(verdict, pair, weighed);
  const spokenFor = extent === 'everywhere' ? ofEachPlace(allSpokenFor, weighed) : allSpokenFor;
  const chanceOf = (claim: Claim) => (extent === 'counted' ? 0 : chances.of(claim));
  const sourcesOf = (claim: Claim) =>
    extent === 'counted' ? NO_SOURCES : countSources(claim, pair, weighed);
  const distinct = distinctValues(ordered, weighed, most);
  const bestOf = (values: readonly Claim[], count: number) =>
    withOtherPlaces(values, ordered, pair, weighed, count);
  const best =
    extent === 'everywhere'
      ? ofEachPlace(ordered, weighed, bestOf(distinct.slice(0, RIVALS_MAX), RIVALS_MAX))
      : bestOf(distinct, most);
  const group = weighed.groupOf[leading.index]!;
  // Of yes and no, the one that leads is not always listed with the other: it may have too little weight, or
  // less than it has in another scope.
  const truth = saysFalse ? candidates.find((claim) => isTrueBeside(leading, claim, weighed)) : undefined;
  const tied = tiedOf(distinct, weighed);
  // Of tied values that do not compete, each scope and time with as much evidence is marked.
  const isTiedApart = tied.every((claim) => !competes(claim, leading, weighed));
  const isEven = (claim: Claim) =>
    tied.includes(claim) ||
    (tied.length > 0 &&
      isTiedApart &&
      !spokenFor.includes(claim) &&
      !competes(claim, leading, weighed) &&
      hasAsMuch(claim, tied[0]!, weighed));
  const told = (claim: Claim): RivalValue => ({
    ...describe(claim, chanceOf(claim), sourcesOf(claim), weighed),
    ...(claim !== leading && !competes(claim, leading, weighed) && { apart: true as const }),
    ...(isEven(claim) && { tied: true as const }),
  });
  const leadingChance = chances.of(leading);
  const isTied = tied.length > 0;
  // Of yes and no, the chance of the one says it of the other.
  const isOther = (claim: Claim) =>
    competes(claim, leading, weighed) &&
    (group.value.kind !== 'boolean' || weighed.groupOf[claim.index]!.value.kind !== 'boolean');
  const deniedBeside = spokenFor.filter((claim) => competes(claim, leading, weighed));
  const unstated = [
    ...(extent === 'everywhere' ? deniedBeside : distinctValues(deniedBeside, weighed, most - 1)).map(told),
    ...best.flatMap((claim) => oppositeOf(claim, leading, chances, pair, weighed)),
  ];
  const others = [
    ...best
      .slice(1)
      .filter(isOther)
      .map((claim) => ({
        value: valueOf(claim, weighed),
        isDenial: group.denies,
        chance: chanceOf(claim),
      })),
    ...(saysFalse ? [] : unstated)
      .filter(({ value }) => group.value.kind !== 'boolean' || value !== 'false')
      .map(({ value, calibrated_probability: chance }) => ({ value, isDenial: false, chance })),
  ];
  const likelier = isTied ? null : likelierThan(leadingChance, others);
  // In another scope or at another time, such a value takes nothing from the leading one.
  const unstatedApart: Claim[] = [];
  for (const claim of spokenFor) {
    const isListed = unstatedApart.some(
      (other) => isOfOnePlace(claim, other) && agrees(claim, other, weighed),
    );
    if (unstatedApart.length < most && isApart(claim, leading) && !isListed) unstatedApart.push(claim);
  }
  const listed = (stated: readonly RivalValue[]) =>
    [...stated.slice(0, Math.max(1, most - unstated.length)), ...unstated, ...unstatedApart.map(told)].slice(
      0,
      most,
    );
  if (!saysFalse) {
    const calibrated = group.denies ? 1 - leadingChance : leadingChance;
    return { calibrated, rivals: listed(best.map(told)), isTied, likelier };
  }
  const calibrated = chances.ofOpposite(leading);
  const first: RivalValue = {
    ...(truth ? told(truth) : { ...placeOf(leading), ...sourcesOfTrue(leading, pair, weighed) }),
    value: 'true',
    expected_probability: expectedProbability(verdict.opinion),
    calibrated_probability: calibrated,
  };
  const rivals = listed([first, ...best.filter((claim) => claim !== truth).map(told)]);
  return { calibrated, rivals, isTied, likelier };
}

/** The sources of true where the leading claim says false, and no claim that says true may lead. */
function sourcesOfTrue(leading: Claim, { buckets }: Pair, weighed: Weighed) {
  const groups = buckets.find(({ scope }) => scope === leading.scope)!.groups;
  const saying = groups.flatMap(({ claims }) =>
    claims.filter((claim) => isTrueBeside(leading, claim, weighed)),
  );
  const { sources, independentSources } = countActors(saying, weighed);
  return { source_count: sources, independent_source_count: independentSources };
}

/** Whether a claim says true for a time of which the leading one says false. */
function isTrueBeside(leading: Claim, claim: Claim, { groupOf }: Weighed): boolean {
  const { value } = groupOf[claim.index]!;
  return value.kind === 'boolean' && value.truth && !isApart(claim, leading);
}

/**
 * The best values where none of them leads: their claims have the same evidence for and against them. Empty
 * where one leads. Source: reasoning model §11; ADR 0043.
 */
function tiedOf(best: readonly Claim[], weighed: Weighed): readonly Claim[] {
  const [first] = best;
  if (!first) return [];
  const tied = best.filter((claim) => hasAsMuch(claim, first, weighed));
  return tied.length > 1 ? tied : [];
}

/** Whether as much speaks for and against a claim as for and against another one. */
function hasAsMuch(claim: Claim, other: Claim, weighed: Weighed): boolean {
  const isSame = (a: number, b: number) => Math.abs(a - b) < TIED_WITHIN;
  const [one, own] = [asLeading(claim, weighed), asLeading(other, weighed)];
  return isSame(one.r, own.r) && isSame(expectedProbability(one.opinion), expectedProbability(own.opinion));
}

/** Whether the two best values are tied in a scope and time, unless given that of the leading one. */
export function isTiedWithin({ pair, leading }: Verdict, weighed: Weighed, place = leading): boolean {
  if (!pair || !leading) return false;
  const competing = candidatesWithin(place ?? leading, pair, weighed).filter((claim) => claim !== leading);
  return tiedOf(distinctValues([leading, ...competing], weighed), weighed).length > 0;
}

/**
 * The claims that may lead a pair in the scope and time of a claim, best first: those that affirm a value, or
 * the denials where none there does. Never throws.
 */
export function candidatesWithin(place: Claim, pair: Pair, weighed: Weighed): readonly Claim[] {
  const isThere = (claim: Claim) => !isApart(claim, place);
  const best = candidatesOf(pair, weighed).filter(isThere);
  return best.length > 0 ? best : findCandidates(pair, weighed, isThere).claims;
}

/**
 * What a verdict says in the scope and time of a claim, of what is said of some of them alone, with the
 * claims weighed so; null where nothing there has weight. With `keeps` it stays about what leads the question
 * where that is there. An inference speaks for what leads the question. Never throws.
 */
export function verdictWithin(
  place: Claim,
  verdict: Verdict,
  weighed: Weighed,
  keeps = false,
): { readonly verdict: Verdict; readonly weighed: Weighed } | null {
  const { pair, leading, inferences } = verdict;
  if (!pair || !leading) return { verdict, weighed };
  const there = weighedWithin(place, pair, weighed);
  const isThere = !isApart(leading, place);
  if (keeps && isThere)
    return { verdict: { ...judgePair(there!.pair, leading, inferences, there!.weighed), pair }, weighed };
  const first = there && leadingClaim(there.pair, there.weighed);
  const parts = isThere ? inferences : [];
  return first && { verdict: judgePair(there.pair, first, parts, there.weighed), weighed: there.weighed };
}

/** The claims of a pair that are about some of the scope and time of a claim, weighed by themselves. */
function weighedWithin(place: Claim, pair: Pair, weighed: Weighed) {
  const whole = pair.buckets.find(({ scope }) => scope === place.scope);
  if (!whole) return null;
  const [weighings, groupOf] = [[...weighed.weighings], [...weighed.groupOf]];
  const groups = whole.groups
    .filter(({ from, to }) => !isApart({ from, to, scope: place.scope }, place))
    .map((group, index) => ({ ...group, index }));
  const claims = groups.flatMap((group) => group.claims);
  for (const group of groups) for (const { index } of group.claims) groupOf[index] = group;
  for (const { index } of claims) weighings[index] = { ...weighings[index]! };
  const bucket: Bucket = { scope: place.scope, groups, claims, repeaters: new Map() };
  weighBucket(bucket, groupOf, weighings, weighed.classes, new MaxByGroup(weighed.classes.count));
  const there = { ...weighed, weighings, groupOf, candidates: new Map() };
  return { pair: { ...pair, buckets: [bucket], claims }, weighed: there };
}

type Place = Pick<Claim, 'scope' | 'from' | 'to'>;

/** Whether two statements are of different scopes or times, so that they do not compete. Never throws. */
export function isApart(claim: Place, leading: Place): boolean {
  return claim.scope !== leading.scope || !(claim.from < leading.to && leading.from < claim.to);
}

/** Whether two statements are of one scope and exactly one time. Never throws. */
export function isOfOnePlace(one: Claim, other: Claim): boolean {
  return one.scope === other.scope && one.from === other.from && one.to === other.to;
}

/** The scope of a claim and the time that it is about, as written. */
export function placeOf({
  scope,
  input,
}: {
  readonly scope: string;
  readonly input: Pick<ClaimInput, 'event_start_time' | 'event_end_time'>;
}): Pick<RivalValue, 'scope' | 'event_start_time' | 'event_end_time'> {
  return {
    ...(scope !== '' && { scope }),
    ...(input.event_start_time && { event_start_time: input.event_start_time }),
    ...(input.event_end_time && { event_end_time: input.event_end_time }),
  };
}

function likelierThan(leadingChance: number, others: readonly Omit<Likelier, 'leadingChance'>[]) {
  let likelier: Likelier | null = null;
  for (const other of others)
    if (other.chance > (likelier?.chance ?? leadingChance) + TIED_WITHIN)
      likelier = { ...other, leadingChance };
  return likelier;
}

/**
 * The denials of values that nobody states with weight and for which something speaks, evidence or a claim
 * against the denial; the most disputed first. Source: ADR 0130. Never throws.
 */
export function deniedButSpokenFor({ buckets }: Pair, weighed: Weighed): readonly Claim[] {
  const { weighings, barred } = weighed;
  const isStated = (group: StatementGroup, other: StatementGroup) =>
    !other.denies &&
    group.from < other.to &&
    other.from < group.to &&
    valuesAgree(group.value, other.value) &&
    other.claims.some(({ index }) => weighings[index]!.weight > 0);
  const denials = buckets.flatMap(({ groups }) =>
    groups
      .filter((group) => group.denies && !groups.some((other) => isStated(group, other)))
      .flatMap(({ claims }) => claims)
      .filter((claim) => weighings[claim.index]!.weight > 0 && !barred.has(claim)),
  );
  return denials
    .filter((claim) => roundForComparison(asLeading(claim, weighed).s) > 0)
    .toSorted(mostDisputed(weighed));
}

/** The order in which denials of one value give it their words: the most disputed first, then by weight. */
export function mostDisputed(weighed: Weighed): (a: Claim, b: Claim) => number {
  const disputeOf = (claim: Claim) => roundForComparison(asLeading(claim, weighed).s);
  const weightOf = ({ index }: Claim) => roundForComparison(weighed.weighings[index]!.weight);
  return (a, b) => disputeOf(b) - disputeOf(a) || weightOf(b) - weightOf(a) || a.index - b.index;
}

/** The other of yes and no than a rival of the leading claim says, where something speaks for it alone. */
function oppositeOf(
  claim: Claim,
  leading: Claim,
  chances: Chances,
  pair: Pair,
  weighed: Weighed,
): RivalValue[] {
  const { value } = weighed.groupOf[claim.index]!;
  if (value.kind !== 'boolean' || isApart(claim, leading)) return [];
  const chance = chances.ofUnstated(claim);
  if (chance === null) return [];
  // Where no leads, yes is listed first.
  if (claim === leading && !value.truth) return [];
  return [
    {
      ...describe(claim, 1 - chance, countSources(claim, pair, weighed), weighed),
      value: String(!value.truth),
      denied: true,
      disputed: true,
      expected_probability: expectedProbability(
        opinionFromEvidence(broughtAgainst(claim, pair, weighed), asLeading(claim, weighed).r),
      ),
      calibrated_probability: chance,
    },
  ];
}

/** The candidates in leading order, each agreeing with none listed before, whatever their scope. */
function distinctValues(
  candidates: readonly Claim[],
  weighed: Weighed,
  most: number = RIVALS_MAX,
): readonly Claim[] {
  if (most > RIVALS_MAX) return allDistinctValues(candidates, weighed);
  const distinct: Claim[] = [];
  for (const claim of candidates) {
    if (distinct.some((other) => agrees(claim, other, weighed))) continue;
    distinct.push(claim);
    if (distinct.length === most) break;
  }
  return distinct;
}

/** The same of very many, by order: each value listed marks those that agree with it. */
function allDistinctValues(candidates: readonly Claim[], { groupOf }: Weighed): readonly Claim[] {
  const valueIn = ({ index }: Claim) => groupOf[index]!.value;
  const order = new ValueOrder(candidates.map(valueIn));
  const isSaid = new Uint8Array(candidates.length);
  return candidates.filter((claim) => {
    const rank = order.rankOf(valueIn(claim));
    if (isSaid[rank] === 1) return false;
    for (const { first, last } of order.agreeing(rank)) isSaid.fill(1, first, last + 1);
    return true;
  });
}

/**
 * These values and, as far as `most` allows, the candidates of which no listed claim of the same value
 * and scope is contradicted by all that contradicts them, or of which each such claim is of a time with
 * another value between, so that each scope and time has the values that are said in it; in leading order. Of
 * the rivals of the leading claim, each value is listed once. Source: ADR 0134.
 */
function withOtherPlaces(
  distinct: readonly Claim[],
  candidates: readonly Claim[],
  { buckets }: Pair,
  weighed: Weighed,
  most: number,
): readonly Claim[] {
  const { groupOf, weighings } = weighed;
  const [leading] = distinct;
  const listed = [...distinct];
  const isListed = new Set(listed);
  const conflicts = (claim: Claim, group: StatementGroup) =>
    relation(groupOf[claim.index]!, group) === CONFLICT;
  // Of a value that returns, each of its times is told.
  const returns = (other: Claim, claim: Claim) => {
    const [from, to] = [Math.min(other.to, claim.to), Math.max(other.from, claim.from)];
    return candidates.some(
      (between) =>
        between.scope === claim.scope &&
        between.from < to &&
        from < between.to &&
        from < to &&
        !agrees(between, claim, weighed),
    );
  };
  const standsFor = (other: Claim, claim: Claim) =>
    other.scope === claim.scope &&
    agrees(claim, other, weighed) &&
    ((other.from <= claim.from && claim.to <= other.to) ||
      (competes(claim, leading!, weighed) && competes(other, leading!, weighed)) ||
      (!returns(other, claim) &&
        buckets
          .find(({ scope }) => scope === claim.scope)!
          .groups.every(
            (group) =>
              !conflicts(claim, group) ||
              conflicts(other, group) ||
              group.claims.every(({ index }) => weighings[index]!.weight <= 0),
          )));
  for (const claim of candidates) {
    if (listed.length >= most) break;
    // A listed claim stands for itself, so that it need not be compared.
    if (isListed.has(claim) || listed.some((other) => standsFor(other, claim))) continue;
    listed.push(claim);
    isListed.add(claim);
  }
  return candidates.filter((claim) => isListed.has(claim));
}

/**
 * Those of some claims that say a value of each scope and time, in their order; of those that share some
 * scope and time PLACE_VALUES_MAX, as each chance takes as long as there are others. `kept` are among them.
 */
function ofEachPlace(
  claims: readonly Claim[],
  weighed: Weighed,
  kept: readonly Claim[] = [],
): readonly Claim[] {
  const isKept = new Set(kept);
  const ofScope = new Map<string, Claim[]>();
  return claims.filter((claim) => {
    const listed = ofScope.get(claim.scope) ?? [];
    ofScope.set(claim.scope, listed);
    const there = listed.filter((other) => !isApart(claim, other));
    const isNew = !there.some((other) => isOfOnePlace(claim, other) && agrees(claim, other, weighed));
    if (!isKept.has(claim) && (!isNew || there.length >= PLACE_VALUES_MAX)) return false;
    listed.push(claim);
    return true;
  });
}

/** Whether a claim gives another value for the scope and time of the leading one. */
function competes(claim: Claim, leading: Claim, weighed: Weighed): boolean {
  return !isApart(claim, leading) && !agrees(claim, leading, weighed);
}

/** Whether two claims are about one value, in whatever scopes and times. */
function agrees(one: Claim, other: Claim, { groupOf }: Weighed): boolean {
  return valuesAgree(groupOf[one.index]!.value, groupOf[other.index]!.value);
}

const NO_SOURCES = { sources: 0, independentSources: 0 };

function describe(
  claim: Claim,
  chance: number,
  { sources, independentSources }: typeof NO_SOURCES,
  weighed: Weighed,
): RivalValue {
  const { r, s } = asLeading(claim, weighed);
  const { denies } = weighed.groupOf[claim.index]!;
  return {
    value: valueOf(claim, weighed),
    ...placeOf(claim),
    ...(denies && { denied: true as const }),
    ...(denies && roundForComparison(s) > 0 && { disputed: true as const }),
    expected_probability: expectedProbability(denies ? opinionFromEvidence(s, r) : opinionFromEvidence(r, s)),
    calibrated_probability: denies ? 1 - chance : chance,
    source_count: sources,
    independent_source_count: independentSources,
  };
}

/** The value of a claim as results list it. Never throws. */
export const valueOf = (claim: Claim, { groupOf }: Weighed): string => {
  const { value } = groupOf[claim.index]!;
  return value.kind === 'boolean' ? String(value.truth) : claim.input.value;
};

function logistic(x: number): number {
  return 1 / (1 + Math.exp(-x));
}
