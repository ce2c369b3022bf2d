import { COPYING } from '../contract/constants.ts';
import type { Index } from './agreement.ts';

/** What is probably true, by slot, and how often each source is right; probabilities. */
export interface Truth {
  readonly probability: Float64Array;
  readonly accuracy: Float64Array;
}

/**
 * Truth, accuracy and dependence found together, each from the others in turn: the value with the most votes
 * is taken as true, pairs that share untrue values are suspected of copying, a suspected copy's vote counts
 * less, and votes weigh by the accuracy that follows. Stops when no accuracy moves, at the latest after
 * `roundsMax` rounds, since the iteration can alternate between close solutions. Source: Dong, Berti-Équille,
 * Srivastava 2009: the models Depen (dependence of a pair, vote count and independence I(S)) and Accu
 * (accuracy, value probability).
 */
export function findTruth(index: Index, minorityOf: Int32Array): Truth {
  const { slotsOf, itemOf } = index;
  const accuracy = new Float64Array(index.sources.length).fill(1 - COPYING.errorRate);
  const probability = new Float64Array(itemOf.length);
  const votes = firstVotes(index, minorityOf);
  const leads = new Uint8Array(itemOf.length);
  const agreeingPairs = pairsBySlot(index);

  for (let round = 0; round < COPYING.roundsMax; round++) {
    for (const known of slotsOf) {
      const most = known.reduce((high, slot) => Math.max(high, votes[slot]!), -Infinity);
      for (const slot of known) leads[slot] = votes[slot]! >= most - COPYING.tie ? 1 : 0;
    }
    countVotes(index, accuracy, suspect(index, accuracy, leads, minorityOf), agreeingPairs, votes);
    toProbabilities(index, votes, probability);
    if (updateAccuracy(index, probability, accuracy) < COPYING.settled) break;
  }
  return { probability, accuracy };
}

/** The sources of each slot, those of one minority counted once. */
function firstVotes({ sources, starts, slots, claimants }: Index, minorityOf: Int32Array): Float64Array {
  const votes = Float64Array.from(claimants);
  const counted = new Set<string>();
  for (let s = 0; s < sources.length; s++) {
    if (minorityOf[s]! < 0) continue;
    for (let i = starts[s]!; i < starts[s + 1]!; i++) {
      const vote = `${minorityOf[s]} ${slots[i]}`;
      if (counted.has(vote)) votes[slots[i]!]!--;
      counted.add(vote);
    }
  }
  return votes;
}

/** A source is taken to be right at least this often and wrong at least this often. */
export function bounded(accuracy: number): number {
  return Math.min(COPYING.accuracyMax, Math.max(1 - COPYING.accuracyMax, accuracy));
}

/** By pair: the posterior of dependence, and its parts by who copies. Probabilities. */
interface Suspicions {
  readonly dependence: Float64Array;
  readonly aCopies: Float64Array;
  readonly bCopies: Float64Array;
}

/** Judges each pair, the leading values taken as true: several where they are tied, so that no id decides. */
function suspect(
  { pairs, itemOf, falseValues }: Index,
  accuracy: Float64Array,
  leads: Uint8Array,
  minorityOf: Int32Array,
): Suspicions {
  const { copyRate: c, prior } = COPYING;
  const dependence = new Float64Array(pairs.length);
  const aCopies = new Float64Array(pairs.length);
  const bCopies = new Float64Array(pairs.length);
  const right = accuracy.map(bounded);
  // How much likelier an agreement is if one copies the source than if both speak for themselves.
  const onTruth = right.map((own) => Math.log(c * (1 / own) + 1 - c));
  const onError = right.map(() => NaN);
  /** The number of false values that `onError` was worked out for, by source: most items have the same. */
  const among = new Float64Array(right.length);
  const onErrorOf = (source: number, falseValue: number): number => {
    if (among[source] !== falseValue) {
      among[source] = falseValue;
      onError[source] = Math.log(c * (falseValue / (1 - right[source]!)) + 1 - c);
    }
    return onError[source]!;
  };
  for (let i = 0; i < pairs.length; i++) {
    const { a, b, agreeing, differences } = pairs[i]!;
    if (minorityOf[a]! >= 0 && minorityOf[a] === minorityOf[b]) {
      dependence[i] = 1;
      aCopies[i] = bCopies[i] = 0.5;
      continue;
    }
    let byA = differences * Math.log(1 - c) + Math.log(prior / 2 / (1 - prior));
    let byB = byA;
    for (const slot of agreeing) {
      if (leads[slot]) {
        byA += onTruth[a]!;
        byB += onTruth[b]!;
      } else {
        byA += onErrorOf(a, falseValues[itemOf[slot]!]!);
        byB += onErrorOf(b, falseValues[itemOf[slot]!]!);
      }
    }
    const all = logSum(0, logSum(byA, byB));
    aCopies[i] = Math.exp(byA - all);
    bCopies[i] = Math.exp(byB - all);
    dependence[i] = aCopies[i]! + bCopies[i]!;
  }
  return { dependence, aCopies, bCopies };
}

/** The compared pairs that agree on a slot, and their sources. */
interface SlotPairs {
  readonly slot: number;
  /** Sources of the pairs, each once. */
  readonly members: number[];
  /** Numbers of the pairs; parallel to them the places of their sources among the members. */
  readonly pairs: number[];
  readonly a: number[];
  readonly b: number[];
}

/** By slot, slots of too many sources left out. */
function pairsBySlot({ pairs, claimants, sources }: Index): readonly SlotPairs[] {
  const bySlot = new Map<number, SlotPairs>();
  for (const [pair, { agreeing }] of pairs.entries()) {
    for (const slot of agreeing) {
      if (claimants[slot]! > COPYING.claimantsMax) continue;
      const known = bySlot.get(slot);
      if (known) known.pairs.push(pair);
      else bySlot.set(slot, { slot, members: [], pairs: [pair], a: [], b: [] });
    }
  }
  const place = new Int32Array(sources.length).fill(-1);
  for (const { members, pairs: own, a, b } of bySlot.values()) {
    const placeOf = (source: number) => {
      if (place[source] === -1) place[source] = members.push(source) - 1;
      return place[source]!;
    };
    for (const pair of own) {
      a.push(placeOf(pairs[pair]!.a));
      b.push(placeOf(pairs[pair]!.b));
    }
    for (const member of members) place[member] = -1;
  }
  return [...bySlot.values()];
}

/** ln(eˣ + eʸ) without overflow. */
export function logSum(x: number, y: number): number {
  const high = Math.max(x, y);
  return high + Math.log(Math.exp(x - high) + Math.exp(y - high));
}

/**
 * Vote count of each slot: Σ ln(n·A/(1 − A)) over its sources, each times its independence of those counted
 * before it.
 */
function countVotes(
  index: Index,
  accuracy: Float64Array,
  suspicions: Suspicions,
  agreeingPairs: readonly SlotPairs[],
  votes: Float64Array,
): void {
  const { sources, starts, slots, itemOf, falseValues } = index;
  const perItem = falseValues.map(Math.log);
  votes.fill(0);
  const room = makeRoom();
  const weights = Float64Array.from(sources, (_, s) => {
    const own = bounded(accuracy[s]!);
    return Math.log(own / (1 - own));
  });
  for (let s = 0; s < sources.length; s++) {
    for (let i = starts[s]!; i < starts[s + 1]!; i++)
      votes[slots[i]!]! += weights[s]! + perItem[itemOf[slots[i]!]!]!;
  }
  for (const agreeing of agreeingPairs)
    votes[agreeing.slot]! -= owedToCopying(
      agreeing,
      suspicions,
      weights,
      perItem[itemOf[agreeing.slot]!]!,
      room,
    );
}

/**
 * How much of a slot's vote count is owed to copying. The first source counted is the one most surely copied
 * by another, then always the one that most surely depends on one already counted; each counts the share I(S)
 * = Π (1 − c·P(S depends on S′)) over those before it. Ties fall to the more accurate one, then to the
 * smaller id.
 */
function owedToCopying(
  { members, pairs, a, b }: SlotPairs,
  { dependence, aCopies, bCopies }: Suspicions,
  weights: Float64Array,
  perItem: number,
  { matrix, rank, independence, counted }: Room,
): number {
  const size = members.length;
  rank.fill(0, 0, size);
  independence.fill(1, 0, size);
  counted.fill(0, 0, size);
  matrix.fill(0, 0, size * size);
  for (let k = 0; k < pairs.length; k++) {
    const pair = pairs[k]!;
    const [one, other] = [a[k]!, b[k]!];
    matrix[one * size + other] = matrix[other * size + one] = dependence[pair]!;
    rank[one] = Math.max(rank[one]!, bCopies[pair]!);
    rank[other] = Math.max(rank[other]!, aCopies[pair]!);
  }
  let owed = 0;
  for (let step = 0; step < size; step++) {
    let next = -1;
    for (let i = 0; i < size; i++) {
      if (counted[i] === 1) continue;
      const tied = next === -1 ? NaN : rank[i]! - rank[next]!;
      const ahead = Math.abs(tied) <= COPYING.tie ? weights[members[i]!]! - weights[members[next]!]! : tied;
      if (next === -1 || ahead > COPYING.tie) next = i;
      else if (ahead >= -COPYING.tie && members[i]! < members[next]!) next = i;
    }
    if (step === 0) rank.fill(0, 0, size);
    counted[next] = 1;
    owed += (weights[members[next]!]! + perItem) * (1 - independence[next]!);
    for (let i = 0; i < size; i++) {
      const dependent = matrix[next * size + i]!;
      if (dependent > rank[i]!) rank[i] = dependent;
      independence[i]! *= 1 - COPYING.copyRate * dependent;
    }
  }
  return owed;
}

/** Working memory of `owedToCopying`, for slots of up to `claimantsMax` sources; `matrix` is square. */
interface Room {
  readonly matrix: Float64Array;
  readonly rank: Float64Array;
  readonly independence: Float64Array;
  readonly counted: Uint8Array;
}

function makeRoom(): Room {
  const size = COPYING.claimantsMax;
  return {
    matrix: new Float64Array(size * size),
    rank: new Float64Array(size),
    independence: new Float64Array(size),
    counted: new Uint8Array(size),
  };
}

/** Probability of each slot: eᵛᵒᵗᵉˢ over the sum for all n + 1 values an item could have. */
function toProbabilities(
  { slotsOf, falseValues }: Index,
  votes: Float64Array,
  probability: Float64Array,
): void {
  slotsOf.forEach((known, item) => {
    const high = known.reduce((max, slot) => Math.max(max, votes[slot]!), 0);
    let sum = Math.max(0, falseValues[item]! + 1 - known.length) * Math.exp(-high);
    for (const slot of known) sum += Math.exp(votes[slot]! - high);
    for (const slot of known) probability[slot] = Math.exp(votes[slot]! - high) / sum;
  });
}

/** Accuracy of each source: the mean probability of what it says. Returns the largest change. */
function updateAccuracy({ starts, slots }: Index, probability: Float64Array, accuracy: Float64Array): number {
  let largest = 0;
  for (let s = 0; s < accuracy.length; s++) {
    const count = starts[s + 1]! - starts[s]!;
    if (count === 0) continue;
    let sum = 0;
    for (let i = starts[s]!; i < starts[s + 1]!; i++) sum += probability[slots[i]!]!;
    largest = Math.max(largest, Math.abs(sum / count - accuracy[s]!));
    accuracy[s] = sum / count;
  }
  return largest;
}
