import { DISPUTED_FROM, RIVALS_MAX } from '../contract/constants.ts';
import type { RivalValue, SubjectResult } from '../contract/types.ts';
import type { Claim } from '../model/model.ts';
import { CONFLICT, relation, type Pair } from '../model/statements.ts';
import { valuesAgree } from '../model/value.ts';
import { chanceIn, deniedButSpokenFor, isApart, placeOf } from '../verdict/rivals.ts';
import { candidatesOf, type Verdict } from '../verdict/verdict.ts';
import { metaEvidence, refuted } from '../weighing/claim-weighing.ts';
import { bearsOn } from '../weighing/counts-for.ts';
import type { Weighed } from '../weighing/weighing.ts';
import { tiedValues } from './summary.ts';
import { joinedTimes, sharedTime } from './times.ts';

type More = Pick<SubjectResult, 'more_rival_values' | 'more_values_apart' | 'more_tied_values'>;

/** How many values a verdict does not list, by kind; nothing where it lists all of a few. Pure. */
export function moreValues(listed: readonly RivalValue[], all: readonly RivalValue[], tied: boolean): More {
  if (listed.length < RIVALS_MAX) return {};
  const more = (count: (values: readonly RivalValue[]) => number) => count(all) - count(listed);
  const apart = more((values) => values.filter((one) => one.apart).length);
  const tie = more((values) => tiedValues({ tied, rival_values: values })?.length ?? 0);
  return {
    more_rival_values: more(({ length }) => length),
    ...(apart > 0 && { more_values_apart: apart }),
    ...(tie > 0 && { more_tied_values: tie }),
  };
}

/**
 * The scopes and times, other than those of the leading value, in which what holds is disputed: what a claim
 * says there, another one denies or says otherwise, or evidence or a claim about it speaks against it.
 * Nothing where all values that a question has are of one scope and time. Source: ADR 0154. Pure.
 */
export function disputedPlaces(
  verdict: Verdict,
  all: readonly RivalValue[],
  weighed: Weighed,
): Pick<SubjectResult, 'disputed_apart'> {
  const { pair, leading } = verdict;
  if (!pair || !leading) return {};
  const said = claimsApart(pair, leading, weighed);
  if (said.length === 0 && !all.some(({ apart }) => apart)) return {};
  const against = againstIn(pair, leading, weighed);
  const any = disputesOf(said, against, weighed);
  if (any.length === 0) return { disputed_apart: [] };
  const chanceOf = chanceIn(verdict, pair, weighed);
  const likely = said
    .filter((claim) => any.some((place) => isWithin(place, placeOf(claim))))
    .slice(0, RATED_MAX)
    .map((claim) => ({ claim, chance: chanceOf(claim) }))
    .filter(({ chance }) => chance >= DISPUTED_FROM);
  const doubtful = new Set(
    likely.filter(({ chance }) => chance <= 1 - DISPUTED_FROM).map(({ claim }) => claim),
  );
  const told = disputesOf(
    likely.map(({ claim }) => claim),
    (claim) => (doubtful.has(claim) ? against(claim) : []),
    weighed,
  );
  const slight = any.filter((place) => !told.some((one) => isWithin(one, place)));
  return { disputed_apart: [...told, ...slight.map((place) => ({ ...place, is_slight: true as const }))] };
}

/** Values whose chances decide whether a dispute is slight, the weightiest; each takes long among many. */
const RATED_MAX = 64;

type Place = ReturnType<typeof placeOf>;

const isWithin = (one: Place, other: Place) => one.scope === other.scope && sharedTime(one, other) !== null;

/**
 * The best claim of each statement that does not compete with the leading one, the weightiest first, and the
 * denials for whose value something speaks.
 */
function claimsApart(pair: Pair, leading: Claim, weighed: Weighed): readonly Claim[] {
  const valueIn = ({ index }: Claim) => weighed.groupOf[index]!.value;
  const isOther = (claim: Claim) => isApart(claim, leading) || valuesAgree(valueIn(claim), valueIn(leading));
  return [
    ...candidatesOf(pair, weighed).filter((claim) => claim !== leading && isOther(claim)),
    ...deniedButSpokenFor(pair, weighed).filter((claim) => isApart(claim, leading)),
  ];
}

/**
 * Tells the times for which the value of a claim is denied, or something else is brought against it, other
 * than what counts against the leading claim as well.
 */
function againstIn(pair: Pair, leading: Claim, weighed: Weighed): (claim: Claim) => readonly Place[] {
  const { groupOf, weighings, barred } = weighed;
  const denials = pair.claims.filter(
    (claim) => groupOf[claim.index]!.denies && weighings[claim.index]!.weight > 0 && !barred.has(claim),
  );
  const conflicts = (one: Claim, other: Claim) =>
    one.scope === other.scope && relation(groupOf[one.index]!, groupOf[other.index]!) === CONFLICT;
  return (claim) => {
    const isOwn = isApart(claim, leading);
    const isAttacked = groupOf[claim.index]!.claims.some((one) => attacks(one, weighed) > 0);
    return [
      ...denials
        .filter((denial) => conflicts(denial, claim) && (isOwn || !conflicts(denial, leading)))
        .flatMap((denial) => bothTimes(claim, denial)),
      ...(isAttacked && (isOwn || !bearsOn(claim, leading)) ? [placeOf(claim)] : []),
    ];
  };
}

/** What evidence and claims about it bring against a claim. Items. */
const attacks = (claim: Claim, { weighings }: Weighed): number =>
  refuted([claim], weighings) +
  claim.metas
    .filter(({ valence }) => valence === 'Refutes')
    .reduce((sum, { index }) => sum + metaEvidence(weighings[index]!), 0);

/** Where one of the claims states another value than another one, or something is against it. */
function disputesOf(
  claims: readonly Claim[],
  against: (claim: Claim) => readonly Place[],
  { groupOf }: Weighed,
): readonly Place[] {
  const places = new Map<string, Place>();
  for (const [index, one] of claims.entries()) {
    for (const place of against(one)) places.set(JSON.stringify(place), place);
    for (const other of claims.slice(index + 1)) {
      if (one.scope !== other.scope) continue;
      if (relation(groupOf[one.index]!, groupOf[other.index]!) !== CONFLICT) continue;
      const key = `${one.scope} ${Math.max(one.from, other.from)} ${Math.min(one.to, other.to)}`;
      if (places.has(key)) continue;
      for (const place of bothTimes(one, other)) places.set(key, place);
    }
  }
  const all = [...places.values()];
  return [...new Set(all.map(({ scope }) => scope))].flatMap((scope) =>
    joinedTimes(all.filter((place) => place.scope === scope)),
  );
}

/** The scope of two claims with the time that both are of; empty where there is none. */
function bothTimes(one: Claim, other: Claim): readonly Place[] {
  const time = sharedTime(one.input, other.input);
  return time === null ? [] : [placeOf({ scope: one.scope, input: time })];
}
