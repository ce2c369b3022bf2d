/** Sections 6 and 11 of the reasoning model: who leads, the verdict, its rivals, chances and estimate. */

import {
  agree,
  bears,
  byId,
  contradict,
  isFiner,
  overlap,
  round12,
  saysAgree,
  statement,
  same,
} from './reference-claims.fixture.ts';
import type { ReferenceClaim } from './reference-claims.fixture.ts';
import { byNumbers } from './reference-frameworks.fixture.ts';
import { asNumber, toDouble } from './reference-values.fixture.ts';
import { fusedCrowds, opinionOf } from './reference-weights.fixture.ts';
import type { Contribution, Opinion, Scales } from './reference-weights.fixture.ts';

export type Pair = readonly [subject: string, predicate: string];

export const reaches = (x: number, threshold: number) => round12(x) >= threshold;

/** The claims that may lead, best first. */
function candidates(
  scales: Scales,
  [subject, predicate]: Pair,
  place: ReferenceClaim | null = null,
  within: ReferenceClaim | null = null,
): ReferenceClaim[] {
  const heard = scales.claims.filter(
    (claim) =>
      claim.subject === subject &&
      claim.predicate === predicate &&
      (place === null || isOfOneTime(claim, place)) &&
      scales.g(claim) > 0 &&
      !scales.isBarred(claim),
  );
  const affirming = heard.filter((claim) => statement(claim).affirms);
  return (affirming.length > 0 ? affirming : heard).toSorted((a, b) => {
    const [x, y] = [scales.opinionAsLeading(a, within), scales.opinionAsLeading(b, within)];
    return (
      byNumbers(y.r, x.r) ||
      byNumbers(y.p, x.p) ||
      byNumbers(scales.exactSupport(b, within), scales.exactSupport(a, within)) ||
      byId(a.scope, b.scope) ||
      byNumbers(a.start, b.start) ||
      byNumbers(a.end, b.end) ||
      yesFirst(a) - yesFirst(b) ||
      byId(a.id, b.id)
    );
  });
}

const isOfOneTime = (claim: ReferenceClaim, other: ReferenceClaim) =>
  claim.scope === other.scope && overlap(claim, other);

/** Yes stands before no, and no before other answers. */
function yesFirst(claim: ReferenceClaim): number {
  const { says } = statement(claim);
  if (says.form !== 'boolean') return 2;
  return says.truth ? 0 : 1;
}

export const leader = (scales: Scales, pair: Pair) => candidates(scales, pair)[0] ?? null;

/** The verdict led by a claim: swapped when it denies or says false; then the inferences. */
export function verdict(
  scales: Scales,
  [subject, predicate]: Pair,
  led: ReferenceClaim | null,
  inferred = scales.inferred(subject, predicate),
  place: ReferenceClaim | null = null,
): Opinion {
  if (!led) return opinionOf(inferred, 0);
  const { r, s } = scales.opinionOfVerdict(led, place);
  const { says, affirms } = statement(led);
  const isSwapped = !affirms || (says.form === 'boolean' && !says.truth);
  return isSwapped ? opinionOf(s + inferred, r) : opinionOf(r + inferred, s);
}

/** What holds on a pair in the scope and time of a claim, which may be one of another input. */
export function answerWithin<Status extends string>(
  scales: Scales,
  pair: Pair,
  place: ReferenceClaim | null,
  statusOf: (opinion: Opinion) => Status,
) {
  const first = leader(scales, pair);
  const isElsewhere = place !== null && first !== null && !isOfOneTime(first, place);
  const led = candidates(scales, pair, place, place)[0] ?? null;
  const opinion = verdict(scales, pair, led, isElsewhere ? 0 : undefined, place);
  return {
    leading_value: led && (led.value.form === 'boolean' ? 'true' : led.input.value),
    truth_status: statusOf(opinion),
    expected_probability: opinion.p,
    tied: (led !== null && isTiedWithin(scales, pair, led, place ?? led, place)) || undefined,
    denied: (led !== null && !statement(led).affirms) || undefined,
  };
}

function isTiedWithin(
  scales: Scales,
  pair: Pair,
  leading: ReferenceClaim,
  place = leading,
  within: ReferenceClaim | null = null,
): boolean {
  const listed: ReferenceClaim[] = [];
  for (const claim of [leading, ...candidates(scales, pair, place, within)])
    if (listed.length < 8 && !listed.some((other) => saysAgree(claim, other))) listed.push(claim);
  const isSame = (a: number, b: number) => Math.abs(a - b) < 1e-9;
  const own = scales.opinionAsLeading(leading, within);
  return listed.slice(1).some((claim) => {
    const { r, p } = scales.opinionAsLeading(claim, within);
    return isSame(r, own.r) && isSame(p, own.p);
  });
}

/** What the verdict would be if nothing had aged, where that is another leading value, tie or status. */
export function ageDecides(
  scales: Scales,
  unaged: Scales,
  pair: Pair,
  { led, opinion }: { readonly led: ReferenceClaim | null; readonly opinion: Opinion },
  statusOf: (opinion: Opinion) => string,
) {
  if (!led) return undefined;
  const isAbout = (claim: ReferenceClaim): boolean =>
    claim.target === null
      ? claim.subject === pair[0] && claim.predicate === pair[1]
      : scales.byName.get(claim.target)!.status !== 'retracted' && isAbout(scales.byName.get(claim.target)!);
  const counted = scales.claims.filter(
    (claim) =>
      isAbout(claim) && !['retracted', 'superseded'].includes(claim.status) && !scales.isBelowFloor(claim),
  );
  const leaves = counted.map((claim) => scales.ageing(claim).decay);
  const [least, most] = [Math.min(1, ...leaves), Math.max(0, ...leaves)];
  const isEven = !reaches(most - least, round12(0.1 * most));
  const first = candidates(unaged, pair, led)[0] ?? led;
  const isDenied = [led, first].every((claim) => !statement(claim).affirms);
  const stays = isEven || isDenied;
  const then = unaged.byName.get(stays ? led.id : first.id)!;
  const would = verdict(unaged, pair, then, scales.inferred(...pair));
  const ties = isTiedWithin(scales, pair, led);
  const wouldTie = stays ? ties : isTiedWithin(unaged, pair, then);
  const isOfYesAndNo = [led, then].every((claim) => statement(claim).says.form === 'boolean');
  const leadsAlike = isOfYesAndNo || saysAgree(led, then);
  if (ties === wouldTie && (ties || leadsAlike) && statusOf(would) === statusOf(opinion)) return undefined;
  const sum = (weight: (claim: ReferenceClaim) => number) =>
    counted.reduce((total, claim) => total + weight(claim), 0);
  const given = sum((claim) => scales.reliability(claim));
  const left = sum((claim) => scales.reliability(claim) * scales.ageing(claim).decay);
  const lost = given > 0 ? 1 - left / given : 0;
  if (!reaches(lost, 0.1)) return undefined;
  return {
    leading_value: statement(then).says.form === 'boolean' ? 'true' : then.input.value,
    tied: wouldTie || undefined,
    truth_status: statusOf(would),
    expected_probability: would.p,
    weight_lost: lost,
    default_half_life: scales.input.decay_half_life_days == null || undefined,
  };
}

/**
 * Section 11: the weighted median of the numbers beside the leading one, each class sharing its strongest
 * voice.
 */
export function numericEstimate(scales: Scales, [subject, predicate]: Pair, led: ReferenceClaim | null) {
  if (!led) return undefined;
  const isAt = (claim: ReferenceClaim) =>
    claim.start < led.end && led.start < claim.end && claim.scope === led.scope;
  const weight = (claim: ReferenceClaim) => scales.fromVoice(claim, scales.kappa(claim)).amount;
  const stated = scales.claims
    .filter((claim) => claim.subject === subject && claim.predicate === predicate && isAt(claim))
    .filter((claim) => statement(claim).affirms && weight(claim) > 0)
    .flatMap((claim) => {
      const number = asNumber(statement(claim).says);
      return number.form === 'number'
        ? [{ claim, unit: number.unit, amount: toDouble(number.amount), weight: weight(claim) }]
        : [];
    });
  const unitWeights = new Map<string, number>();
  for (const { claim, unit, weight: own } of stated)
    if (statement(claim).says.form === 'number') unitWeights.set(unit, (unitWeights.get(unit) ?? 0) + own);
  const [heaviest] = [...unitWeights].toSorted((x, y) => byNumbers(y[1], x[1]) || byId(x[0], y[0]));
  const leading = asNumber(statement(led).says);
  const unit = leading.form === 'number' && unitWeights.has(leading.unit) ? leading.unit : heaviest?.[0];
  const heard = stated.filter((one) => one.unit === unit).toSorted((x, y) => x.amount - y.amount);
  if (heard.length === 0) return undefined;
  const classes = [...new Set(heard.map(({ claim }) => scales.classOf(claim.actor.id)))].map((name) => {
    const own = heard.filter(({ claim }) => scales.classOf(claim.actor.id) === name);
    const isKnown = own.some(({ claim }) => scales.fromVoice(claim).isIdentified);
    return { own, isKnown, strongest: Math.max(...own.map((one) => one.weight)) };
  });
  const sum = (numbers: readonly number[]) => numbers.reduce((total, number) => total + number, 0);
  const crowd = classes.filter(({ isKnown }) => !isKnown).map(({ strongest }) => strongest);
  const crowdLeft = sum(crowd.toSorted((x, y) => y - x).map((amount, i) => amount * 0.9 ** i)) / sum(crowd);
  const weights = classes.map(({ strongest, isKnown }) => strongest * (isKnown ? 1 : crowdLeft));
  const share = (one: (typeof heard)[number]) => {
    const index = classes.findIndex(({ own }) => own.includes(one));
    const within = one.weight / sum(classes[index]!.own.map(({ weight: each }) => each));
    return (within * weights[index]!) / sum(weights);
  };
  const n = sum(weights) ** 2 / sum(weights.map((each) => each ** 2));
  const k = rankOfInterval(Math.floor(round12(n)));
  const end = k / Math.floor(round12(n));
  const upTo = (amount: number) => sum(heard.filter((one) => one.amount <= amount).map(share));
  const amounts = heard.map(({ amount }) => amount);
  const first = (holds: (share: number) => boolean) =>
    amounts.find((amount) => holds(upTo(amount))) ?? amounts.at(-1)!;
  const [below, above] = [first((x) => reaches(x, 0.5)), first((x) => round12(x - 0.5) > 0)];
  const isFew = k === 0;
  return {
    median: below === above ? below : below / 2 + above / 2,
    low: isFew ? amounts[0] : first((x) => round12(x - end) >= 0),
    high: isFew ? amounts.at(-1) : first((x) => round12(x - 1 + end) > 0),
    unit,
    claims: heard.length,
    few_sources: isFew || undefined,
  };
}

/** The largest k with at most 5 % of all 2^n outcomes of n throws showing fewer than k heads. */
function rankOfInterval(n: number): number {
  let row = [1n];
  for (let i = 0; i < n; i += 1) row = [1n, ...row.slice(1).map((x, j) => x + row[j]!), 1n];
  const fewer = (k: number) => row.slice(0, k).reduce((total, ways) => total + ways, 0n);
  return row.findLastIndex((_, k) => 20n * fewer(k) <= 2n ** BigInt(n));
}

export function sourcesOf(scales: Scales, led: ReferenceClaim | null) {
  return actorsOf(
    scales,
    scales.claims.filter(
      (claim) => led && (claim === led || (agree(claim, led) && scales.countsFor(claim, led))),
    ),
  );
}

function actorsOf(scales: Scales, claims: readonly ReferenceClaim[]) {
  const behind = claims.filter((claim) => scales.g(claim) > 0);
  return {
    source_count: new Set(behind.map(({ actor }) => actor.id)).size,
    independent_source_count: new Set(behind.map(({ actor }) => scales.classOf(actor.id))).size,
  };
}

/** Values that are denied, and that nobody states in the scope and time of the denial. */
export function denials(scales: Scales, pair: Pair, led: ReferenceClaim | null) {
  if (!led) return undefined;
  const heard = scales.claims.filter(
    (claim) =>
      claim.subject === pair[0] &&
      claim.predicate === pair[1] &&
      scales.g(claim) > 0 &&
      !scales.isBarred(claim),
  );
  const isApart = (claim: ReferenceClaim) => claim.scope !== led.scope || !overlap(claim, led);
  const byValue: ReferenceClaim[][] = [];
  for (const claim of heard.toSorted((a, b) => byId(a.id, b.id))) {
    if (statement(claim).affirms || (!statement(led).affirms && !isApart(claim))) continue;
    if (heard.some((other) => statement(other).affirms && contradict(other, claim))) continue;
    const isSame = ([first]: readonly ReferenceClaim[]) =>
      first!.scope === claim.scope &&
      first!.start === claim.start &&
      first!.end === claim.end &&
      saysAgree(first!, claim);
    const known = byValue.find(isSame);
    if (known) known.push(claim);
    else byValue.push([claim]);
  }
  const told = byValue
    .map((claims) => {
      const [first] = claims.toSorted(byDispute(scales));
      return {
        value: first!.input.value,
        ...placeOf(first!),
        apart: isApart(first!) || undefined,
        source_count: new Set(claims.map(({ actor }) => actor)).size,
      };
    })
    .toSorted(
      (a, b) =>
        byNumbers(b.source_count, a.source_count) ||
        byId(a.value, b.value) ||
        byId(JSON.stringify(a), JSON.stringify(b)),
    );
  return told.length === 0 ? undefined : told.slice(0, 8);
}

/** Denials, the one with most against it first, then by weight. */
function byDispute(scales: Scales) {
  const against = (claim: ReferenceClaim) => round12(scales.opinionAsLeading(claim).s);
  return (a: ReferenceClaim, b: ReferenceClaim) =>
    byNumbers(against(b), against(a)) ||
    byNumbers(round12(scales.g(b)), round12(scales.g(a))) ||
    byId(a.id, b.id);
}

/** The other words of what a claim denies: of claims that state that value and of those that deny it. */
export function deniedAs(scales: Scales, claim: ReferenceClaim) {
  if (claim.subject === null || statement(claim).affirms) return undefined;
  const words = scales.claims
    .filter((other) => scales.g(other) > 0 && (contradict(other, claim) || agree(other, claim)))
    .toSorted((a, b) => byNumbers(round12(scales.g(b)), round12(scales.g(a))) || byId(a.id, b.id))
    .map(({ input }) => input.value);
  const others = [...new Set(words)].slice(0, 32).filter((word) => word !== claim.input.value);
  return others.length === 0 ? undefined : others;
}

/** Section 11: the rivals, whether they are tied, and the chance that the leading value is right. */
export function rivalry(scales: Scales, pair: Pair, led: ReferenceClaim | null, opinion: Opinion, most = 8) {
  const inferred = 1.213 * scales.inferred(...pair);
  if (!led)
    return { calibrated_probability: 1 / (1 + Math.exp(-inferred)), rival_values: [], tied: undefined };
  const all = candidates(scales, pair);
  const distinct: ReferenceClaim[] = [];
  for (const claim of [led, ...all])
    if (distinct.length < most && !distinct.some((other) => saysAgree(claim, other))) distinct.push(claim);
  // A value is listed again in each other scope, and where it is contradicted by what contradicts none of
  // those listed.
  const competes = (claim: ReferenceClaim) =>
    claim.scope === led.scope && overlap(claim, led) && !saysAgree(claim, led);
  const isBetween = (one: ReferenceClaim, other: ReferenceClaim) => {
    const [first, last] = one.end <= other.start ? [one, other] : [other, one];
    const gap = { start: first.end, end: last.start };
    return (
      gap.start < gap.end &&
      all.some(
        (claim) =>
          claim.scope === one.scope &&
          claim.start < gap.end &&
          gap.start < claim.end &&
          !saysAgree(claim, one),
      )
    );
  };
  const standsFor = (other: ReferenceClaim, claim: ReferenceClaim) =>
    other.scope === claim.scope &&
    saysAgree(claim, other) &&
    ((competes(claim) && competes(other)) ||
      (other.start <= claim.start && claim.end <= other.end) ||
      (!isBetween(other, claim) &&
        scales.claims.every(
          (third) => !(scales.g(third) > 0 && contradict(claim, third)) || contradict(other, third),
        )));
  const chosen = [...distinct];
  for (const claim of all)
    if (chosen.length < most && !chosen.some((other) => standsFor(other, claim))) chosen.push(claim);
  const best = [led, ...all.filter((claim) => claim !== led && chosen.includes(claim))];
  const { says, affirms } = statement(led);
  const saysFalse = says.form === 'boolean' && !says.truth;
  const isOpposed = (claim: ReferenceClaim) =>
    statement(claim).says.form === 'boolean' && contradict(claim, led);
  const opposite = saysFalse ? all.find(isOpposed) : undefined;
  // Values that are denied, that nobody states and for which something speaks.
  const spokenFor: ReferenceClaim[] = [];
  const heard = scales.claims.filter(
    (claim) => claim.subject === pair[0] && claim.predicate === pair[1] && scales.g(claim) > 0,
  );
  const against = (claim: ReferenceClaim) => round12(scales.opinionAsLeading(claim).s);
  for (const claim of heard
    .filter(
      (one) =>
        affirms &&
        !statement(one).affirms &&
        !scales.isBarred(one) &&
        against(one) > 0 &&
        !heard.some(
          (other) =>
            statement(other).affirms &&
            other.scope === one.scope &&
            overlap(other, one) &&
            saysAgree(other, one),
        ),
    )
    .toSorted(byDispute(scales)))
    spokenFor.push(claim);
  const { chance, otherOf } = chances(
    scales,
    pair,
    [led, ...all, ...spokenFor],
    saysFalse ? -inferred : inferred,
  );
  const first = scales.opinionAsLeading(best[0]!);
  const isSame = (a: number, b: number) => Math.abs(a - b) < 1e-9;
  const isEven = (claim: ReferenceClaim) =>
    isSame(first.r, scales.opinionAsLeading(claim).r) && isSame(first.p, scales.opinionAsLeading(claim).p);
  const tied = distinct.slice(1).some(isEven) || undefined;
  const isTiedApart = distinct.every((claim) => !isEven(claim) || !competes(claim));
  const told = (claim: ReferenceClaim) => {
    const own = statement(claim);
    const { r, s } = scales.opinionAsLeading(claim);
    return {
      value: own.says.form === 'boolean' ? String(own.says.truth) : claim.input.value,
      expected_probability: (own.affirms ? opinionOf(r, s) : opinionOf(s, r)).p,
      calibrated_probability: own.affirms ? chance(claim).own : 1 - chance(claim).own,
      ...placeOf(claim),
      tied:
        (tied && isEven(claim) && (distinct.includes(claim) || (isTiedApart && !competes(claim)))) ||
        undefined,
      denied: !own.affirms || undefined,
      disputed: (!own.affirms && s > 1e-12) || undefined,
      apart: (claim !== led && !competes(claim)) || undefined,
      ...sourcesOf(scales, claim),
    };
  };
  const isHere = (claim: ReferenceClaim) => claim.scope === led.scope && overlap(claim, led);
  const unstated = [
    ...spokenFor
      .filter(competes)
      .filter((claim, at, list) => !list.slice(0, at).some((other) => saysAgree(other, claim)))
      .slice(0, 7)
      .map(told),
    ...best.flatMap((claim) => {
      const other = otherOf(claim);
      if (!other || other.support <= 0 || !isHere(claim) || (claim === led && saysFalse)) return [];
      return [
        {
          ...told(claim),
          value: other.value,
          tied: undefined,
          apart: undefined,
          denied: true,
          disputed: true,
          expected_probability: opinionOf(other.brought, scales.opinionAsLeading(claim).r).p,
          calibrated_probability: other.own,
        },
      ];
    }),
  ];
  const unstatedApart = spokenFor
    .filter((claim) => !isHere(claim))
    .filter(
      (claim, at, list) =>
        !list
          .slice(0, at)
          .some(
            (other) =>
              other.scope === claim.scope &&
              other.start === claim.start &&
              other.end === claim.end &&
              saysAgree(other, claim),
          ),
    )
    .map((claim) => ({ ...told(claim), tied: undefined }));
  const listed = <R>(values: readonly R[]) => [
    ...values.slice(0, Math.max(1, most - unstated.length)),
    ...unstated,
    ...unstatedApart,
  ];
  if (!saysFalse) {
    const { own } = chance(led);
    return {
      calibrated_probability: affirms ? own : 1 - own,
      rival_values: listed(best.map(told)).slice(0, most),
      tied,
      denied: !affirms || undefined,
    };
  }
  const { own, isClosed } = chance(led);
  const calibrated_probability = isClosed ? 1 - own : opposite ? chance(opposite).own : otherOf(led)!.own;
  const leading = {
    ...(opposite
      ? told(opposite)
      : { ...placeOf(led), ...actorsOf(scales, scales.claims.filter(isOpposed)) }),
    value: 'true',
    expected_probability: opinion.p,
    calibrated_probability,
  };
  return {
    calibrated_probability,
    rival_values: listed([leading, ...best.filter((claim) => claim !== opposite).map(told)]).slice(0, most),
    tied,
  };
}

/** How many rivals are not listed, where eight are. */
export function unlisted(...asked: readonly [Scales, Pair, ReferenceClaim | null, Opinion]) {
  const { rival_values: listed } = rivalry(...asked);
  if (listed.length < 8) return {};
  const { rival_values: all } = rivalry(...asked, Infinity);
  const isApart = (one: object) => 'apart' in one && one.apart === true;
  const apart = all.filter(isApart).length - listed.filter(isApart).length;
  return { more_rival_values: all.length - listed.length, more_values_apart: apart || undefined };
}

const placeOf = ({ scope, input }: ReferenceClaim) => ({
  scope: scope || undefined,
  event_start_time: input.event_start_time ?? undefined,
  event_end_time: input.event_end_time ?? undefined,
});

/** The claims that are heard where one of them is judged. */
interface Heard {
  readonly judged: ReferenceClaim;
  readonly claims: readonly ReferenceClaim[];
}

/**
 * The posterior over the rivals of one scope: log odds of voices, divided by 1 + 0.05 (n − 1) for n classes
 * heard, both with the discount of crowds.
 */
function chances(
  scales: Scales,
  [subject, predicate]: Pair,
  ordered: readonly ReferenceClaim[],
  inferred: number,
) {
  const onPair = scales.claims.filter((claim) => claim.subject === subject && claim.predicate === predicate);
  const logOddsIn = (contributions: readonly Contribution[]) =>
    1.213 *
    fusedCrowds(
      contributions.map((one) => ({
        ...one,
        amount: Math.min(one.amount, 1 + Math.log(Math.max(one.amount, 1))),
      })),
    );
  const unstated = new Map<ReferenceClaim, ReferenceClaim>();
  const isOther = (claim: ReferenceClaim) => [...unstated.values()].includes(claim);
  const isCandidate = (claim: ReferenceClaim) =>
    !isOther(claim) && ordered.some((other) => same(claim, other));
  /** Copies of claims whose statements count with their own claims only. */
  const lone = new Set<ReferenceClaim>();
  const aloneOf = (claim: ReferenceClaim) => {
    const copy = { ...claim };
    lone.add(copy);
    return copy;
  };
  const isSuperseded = (claim: ReferenceClaim) =>
    lone.has(claim) && statement(claim).affirms && !isCandidate(claim);
  const isLeftOut = ({ judged }: Heard, other: ReferenceClaim) =>
    agree(other, judged) && !scales.countsFor(other, judged);
  /** Of what is said, the claims about a value on one side. */
  const about = (heard: Heard, claim: ReferenceClaim, affirms: boolean) =>
    heard.claims.filter(
      (other) =>
        statement(other).affirms === affirms &&
        ((!isOther(claim) && same(other, claim)) ||
          (isSuperseded(claim) && !affirms && contradict(other, claim)) ||
          (!lone.has(claim) &&
            (statement(claim).affirms === affirms ? agree(other, claim) : contradict(other, claim)))),
    );
  /** Those of them against which what is brought counts. */
  const bearing = (heard: Heard, claim: ReferenceClaim, affirms: boolean) =>
    about(heard, claim, affirms).filter((other) =>
      statement(claim).affirms === affirms ? bears(other, claim) : !isFiner(other, claim),
    );
  /** Those of them whose voices count. */
  const speaking = (heard: Heard, claim: ReferenceClaim, affirms: boolean) =>
    about(heard, claim, affirms).filter(
      (other) => !scales.isMute(other) && (claim !== heard.judged || !isLeftOut(heard, other)),
    );
  /** What claims about a claim bring against it, if it is heard. */
  const disputing = (other: ReferenceClaim, isUndated = false) => {
    if (scales.isMute(other)) return [];
    return isUndated ? scales.undatedMetas(other, 'refutes') : scales.fromMetas(other, 'refutes');
  };
  const excludes = (a: ReferenceClaim, b: ReferenceClaim) =>
    a.scope === b.scope && overlap(a, b) && !saysAgree(a, b);
  /** One claim of each statement of a scope, those that may lead first, in leading order. */
  const heardOnceIn = (scope: string) => {
    const heard = onPair.filter((one) => scales.g(one) > 0);
    const hasThird = onPair.some((one) => one.scope === scope && isThird(one));
    // Of yes and no, evidence against the one speaks for the other, no matter who has taken it back.
    const disowned = hasThird
      ? []
      : onPair.filter(
          (one) => isYesOrNo(one) && scales.fromRefutingItems(one).some(({ amount }) => amount > 0),
        );
    return [...ordered, ...heard, ...disowned]
      .filter((one) => one.scope === scope)
      .filter((one, at, list) => !list.slice(0, at).some((earlier) => same(earlier, one)));
  };
  /** Of some statements the rivals of one, each value once: seven others in full, the rest by themselves. */
  const excludedBy = (claim: ReferenceClaim, among: readonly ReferenceClaim[]) => {
    const first: ReferenceClaim[] = [];
    const rest: ReferenceClaim[] = [];
    for (const other of among) {
      if (!excludes(claim, other) || first.some((one) => saysAgree(one, other))) continue;
      if (first.length < (isCandidate(claim) ? 7 : 8) && isCandidate(other)) first.push(other);
      else rest.push(other);
    }
    return { first, rest: rest.map(aloneOf) };
  };
  const isYesOrNo = (claim: ReferenceClaim) => statement(claim).says.form === 'boolean';
  // What is brought against one of yes and no speaks for the other where a third answer is given.
  const isThird = (claim: ReferenceClaim) =>
    !isYesOrNo(claim) && scales.g(claim) > 0 && (statement(claim).affirms || isCandidate(claim));
  const isOpen = (claim: ReferenceClaim) =>
    isYesOrNo(claim) && onPair.some((third) => isThird(third) && excludes(third, claim));
  const refutedFor = (heard: Heard, claim: ReferenceClaim) => [
    ...bearing(heard, claim, false),
    ...(isOpen(claim) && !lone.has(claim)
      ? heard.claims.filter((other) => isYesOrNo(other) && excludes(other, claim))
      : []),
  ];
  const otherFor = (claim: ReferenceClaim): ReferenceClaim | undefined => {
    const { says } = statement(claim);
    if (says.form !== 'boolean' || !isCandidate(claim) || !isOpen(claim)) return undefined;
    if (onPair.some((one) => scales.g(one) > 0 && isYesOrNo(one) && excludes(one, claim))) return undefined;
    const first = onPair.find((one) => scales.g(one) > 0 && same(one, claim))!;
    if (!unstated.has(first))
      unstated.set(first, {
        ...first,
        value: { form: 'boolean', truth: !says.truth },
        valence: 'supports',
      });
    return unstated.get(first);
  };
  for (const claim of onPair) if (scales.g(claim) > 0) otherFor(claim);
  const voicesFor = (heard: Heard, claim: ReferenceClaim) => [
    ...refutedFor(heard, claim).flatMap((other) => disputing(other)),
    ...speaking(heard, claim, true).flatMap((other) => [
      scales.fromVoice(other),
      ...scales.fromMetas(other, 'supports'),
    ]),
  ];
  const isInferred = (claim: ReferenceClaim) =>
    !lone.has(claim) && !isOther(claim) && same(claim, ordered[0]!);
  // A value is right only if one of those who assert it or dispute its denial is.
  const reliability = (heard: Heard, claim: ReferenceClaim) =>
    fusedCrowds([
      ...refutedFor(heard, claim).flatMap((other) => [
        ...disputing(other, true),
        ...scales.undatedItems(other),
      ]),
      ...speaking(heard, claim, true).flatMap((other) => [
        ...(scales.g(other) > 0
          ? [scales.fromVoice(other, scales.reliability(other) / scales.g(other))]
          : []),
        ...scales.undatedMetas(other, 'supports'),
      ]),
    ]) + (isInferred(claim) ? Math.max(0, inferred) / 1.213 : 0);
  // What is said on one side, in log odds; what is brought against the other is not divided by the design
  // effect.
  const side = (heard: Heard, claim: ReferenceClaim, affirms: boolean, effect: number) => {
    const against = (affirms ? refutedFor(heard, claim) : bearing(heard, claim, true)).flatMap((other) => [
      ...scales.fromRefutingItems(other),
      ...disputing(other),
    ]);
    const proof = logOddsIn(against);
    const voices = speaking(heard, claim, affirms).flatMap((other) => [
      scales.fromVoice(other),
      ...scales.fromMetas(other, 'supports'),
    ]);
    return (logOddsIn([...against, ...voices]) - proof) / effect + proof;
  };
  const support = (heard: Heard, claim: ReferenceClaim, effect: number) =>
    side(heard, claim, true, effect) + (isInferred(claim) ? inferred / effect : 0);
  // What is of the time of a statement is heard where it is judged.
  const heardWith = (judged: ReferenceClaim): Heard => ({
    judged,
    claims: onPair.filter((other) => other.scope === judged.scope && overlap(other, judged)),
  });
  const alone = (claim: ReferenceClaim, heard = heardWith(claim)) => {
    const heardOnce = heardOnceIn(claim.scope);
    const { first, rest } = excludedBy(
      claim,
      heardOnce.filter((other) => statement(other).affirms),
    );
    const voices = fusedCrowds(
      heard.claims
        .filter((other) => scales.g(other) > 0 && !isLeftOut(heard, other))
        .map((other) => ({
          ...scales.fromVoice(other),
          amount:
            scales.g(other) /
            scales.succession(other) /
            Math.max(scales.reliability(other), scales.fromVoice(other).isIdentified ? 0.7 : 0),
        })),
    );
    const effect = 1 + 0.05 * Math.max(0, voices - 1);
    const unopposed = (one: ReferenceClaim) => support(heard, one, effect);
    const unbounded = (one: ReferenceClaim) => unopposed(one) - side(heard, one, false, effect);
    const logit = (p: number) => (p < 1 ? Math.log(p / (1 - p)) : Infinity);
    const share = (one: ReferenceClaim) =>
      Math.min(1, Math.exp(logit(Math.max(0.15, reliability(heard, one))) - unopposed(one)));
    const spokenFor = [
      ...(statement(claim).affirms
        ? excludedBy(
            claim,
            heardOnce.filter((other) => !statement(other).affirms && isCandidate(other)),
          ).first
        : []),
      ...[claim, ...first]
        .flatMap((one) => otherFor(one) ?? [])
        .filter((other) => other !== claim && excludes(other, claim) && unopposed(other) > 0),
    ];
    const rivals = [...first, ...rest, ...spokenFor];
    const stated = [claim, ...rivals];
    const isClosed = statement(claim).affirms && stated.every(isYesOrNo);
    // What the sources of one of two answers say for it is at most as they are reliable, or nothing.
    const bounded = (one: ReferenceClaim) =>
      isClosed
        ? unbounded(one) -
          unopposed(one) +
          Math.min(unopposed(one), logit(Math.max(0.5, reliability(heard, one))))
        : unbounded(one);
    // What only the unidentified state counts as if they all stated one value. The leading value keeps its
    // odds, and so does the likeliest, which the others of the crowd make room for.
    const odds = (one: ReferenceClaim) => unbounded(one) + Math.log(share(one));
    const most = Math.max(...stated.map(odds));
    const likeliest = stated.filter((one) => odds(one) >= most - 1e-9);
    const leads = stated.find((one) => !isOther(one) && same(one, ordered[0]!)) ?? likeliest[0]!;
    const isOfCrowd = (one: ReferenceClaim) =>
      statement(one).affirms &&
      refutedFor(heard, one).every((other) =>
        scales.fromRefutingItems(other).every(({ amount }) => amount <= 0),
      ) &&
      voicesFor(heard, one).every(({ amount, isIdentified }) => amount <= 0 || !isIdentified);
    const crowd = stated.filter((one) => Math.abs(odds(one) - odds(leads)) >= 1e-9 && isOfCrowd(one));
    const likeliestOfCrowd = likeliest.length === 1 ? crowd.filter((one) => likeliest.includes(one)) : [];
    const scattered = crowd.filter((one) => !likeliestOfCrowd.includes(one));
    const voicesLeft = (one: ReferenceClaim) => {
      const part = unopposed(one) > 0 ? Math.min(1, Math.max(0, unbounded(one) / unopposed(one))) : 0;
      // A part of log odds, of which an item makes 1.213 and each further one less.
      return voicesFor(heard, one).map((voice) => ({
        ...voice,
        amount: part * Math.min(voice.amount, 1 + Math.log(Math.max(voice.amount, 1))),
      }));
    };
    const asOne = (all: readonly ReferenceClaim[]) =>
      Math.exp((1.213 * fusedCrowds(all.flatMap(voicesLeft))) / effect);
    const room = asOne(crowd) - (likeliestOfCrowd.length > 0 ? asOne(likeliestOfCrowd) : 0);
    const sum = scattered.reduce((total, one) => total + Math.exp(unbounded(one)), 0);
    const left = (one: ReferenceClaim) =>
      (crowd.length > 1 && scattered.includes(one) ? Math.min(1, room / sum) : 1) *
      (spokenFor.includes(one) ? share(one) : 1);
    const own = bounded(claim);
    const others = rivals.reduce(
      (sum, other) =>
        sum +
        (Math.max(
          0,
          Math.exp(bounded(other) - own) - (isSuperseded(other) && !isClosed ? Math.exp(-own) : 0),
        ) *
          left(other)) /
          left(claim),
      0,
    );
    const unsaid = isClosed && rivals.length > 0 ? 0 : Math.exp(-own) / left(claim);
    const all = 1 + others + unsaid;
    // On an open question the odds are at most those of the reliabilities, or of the least that counts where
    // nobody asserts the value, times what the rest leaves.
    const chance = isClosed ? 1 / all : 1 / (1 + (all - 1) / share(claim));
    return { own: chance, isClosed, support: unopposed(claim) };
  };
  // Of the values denied for one time at most one is right: odds of each by itself, of all given that.
  const deniedChance = (claim: ReferenceClaim) => {
    const heard = heardWith(claim);
    const odds = (one: ReferenceClaim) => alone(one, heard).own / (1 - alone(one, heard).own);
    const { first, rest } = excludedBy(
      claim,
      heardOnceIn(claim.scope).filter((other) => !statement(other).affirms),
    );
    return odds(claim) / [...first, ...rest].reduce((sum, other) => sum + odds(other), 1 + odds(claim));
  };
  return {
    chance: (claim: ReferenceClaim) =>
      statement(claim).affirms ? alone(claim) : { ...alone(claim), own: 1 - deniedChance(claim) },
    /** The other of yes and no, where nobody states it and a third answer is given. */
    otherOf: (claim: ReferenceClaim) => {
      const other = otherFor(claim);
      const { says } = statement(claim);
      if (!other || says.form !== 'boolean') return null;
      const brought = onPair
        .filter((one) => agree(one, claim) && bears(one, claim))
        .flatMap((one) => [...scales.fromRefutingItems(one), ...disputing(one)]);
      return { ...alone(other), value: String(!says.truth), brought: fusedCrowds(brought) };
    },
  };
}
