import { ESTIMATION, RELIABILITY_RANGE } from '../contract/constants.ts';
import { clamp } from '../contract/rounding.ts';
import { certainty, CertaintyBut, logOfSum, softmax } from './certainty.ts';
import { isClosed, leftOut, weightOf, type Domain, type Item, type Slot } from './items.ts';

/** By class: how often it is right, and the statements that tested it. */
export interface Learned {
  readonly accuracy: Float64Array;
  readonly tested: Float64Array;
}

/** What was learned from one start, and how likely that is next to what another start led to. */
export interface Solution {
  readonly items: readonly Item[];
  readonly learned: Learned;
  /** The probability from 0 to 1. */
  readonly chance: number;
}

/**
 * What is learned from the shares of the votes, and where sources are declared differently reliable, also
 * from these reliabilities: where two camps contradict each other throughout, either side confirms itself,
 * and the start would decide which of the two is believed. Each counts by its posterior density.
 *
 * During the search a source that is declared to be right less often than not counts as right half of the
 * time. With less, it would speak against every value that it states, and make suspects of those who agree.
 * The worth of its statements, and the probability of a solution, begin at the declared number. Source: ADR
 * 0122.
 */
export function solve(
  collected: () => Item[],
  declared: Float64Array,
  kept: ReadonlySet<number>,
): readonly Solution[] {
  const prior = declared.map((mean) => Math.max(EVEN_ODDS, mean));
  const starts = [collected()];
  if (prior.some((mean) => mean !== prior[0])) {
    const items = collected();
    for (const item of items) updateOpen(item, prior);
    starts.push(items);
  }
  const found = starts.map((items) => learn(items, { prior, declared, kept }));
  const chances = softmax(starts.map((items, i) => logPosterior(items, declared, found[i]!.sought)));
  return starts.map((items, i) => ({ items, learned: found[i]!.learned, chance: chances[i]! }));
}

const EVEN_ODDS = 0.5;

/** Estimates truth and accuracy from each other, in a fixed number of rounds. */
function learn(
  items: readonly Item[],
  {
    prior,
    declared,
    kept,
  }: { readonly prior: Float64Array; readonly declared: Float64Array; readonly kept: ReadonlySet<number> },
): { readonly learned: Learned; readonly sought: Float64Array } {
  const sought = prior.slice();
  const accuracy = declared.slice();
  const tested = new Float64Array(prior.length);
  const domains = [...new Set(items.map(({ domain }) => domain))];
  const update = (means: Float64Array, own: Float64Array) => {
    updateAccuracy(items, means, own, tested);
    for (const cls of kept) own[cls] = Math.max(own[cls]!, means[cls]!);
  };
  for (let round = 1; round <= ESTIMATION.rounds; round += 1) {
    update(prior, sought);
    if (round === ESTIMATION.rounds) update(declared, accuracy);
    for (const domain of domains) {
      if (!isClosed(domain)) continue;
      updateShares(domain);
      if (round > ESTIMATION.plainRounds) updateConfusions(domain, sought, kept);
    }
    for (const item of items) updateTruth(item, sought);
  }
  return { learned: { accuracy, tested }, sought };
}

/**
 * A statement tests its source only as far as the other sources know the answer. An item on which all agree
 * tests none.
 */
function updateAccuracy(
  items: readonly Item[],
  prior: Float64Array,
  accuracy: Float64Array,
  given: Float64Array,
): void {
  const tested = given.fill(ESTIMATION.priorClaims);
  const right = prior.map((mean) => mean * ESTIMATION.priorClaims);
  for (const { slots } of items) {
    if (slots.length < 2) continue;
    for (const { classes, probability, known } of slots) {
      classes.forEach((cls, k) => {
        right[cls]! += known[k]! * probability;
        tested[cls]! += known[k]!;
      });
    }
  }
  for (let cls = 0; cls < accuracy.length; cls += 1) accuracy[cls] = right[cls]! / tested[cls]!;
  for (let cls = 0; cls < tested.length; cls += 1) tested[cls]! -= ESTIMATION.priorClaims;
}

/** How often each label of a closed domain is right; each counts for one item beforehand. */
function updateShares(domain: Domain): void {
  const shares = new Float64Array(domain.labels.size).fill(1);
  for (const { slots } of domain.items)
    for (const { label, probability } of slots) shares[label]! += probability;
  const total = shares.reduce((sum, share) => sum + share, 0);
  domain.shares = shares.map((share) => share / total);
}

/** Confusion matrices of a closed domain, for the classes with enough statements in it. */
function updateConfusions(domain: Domain, accuracy: Float64Array, kept: ReadonlySet<number>): void {
  const size = domain.labels.size;
  const counts = new Map<number, Float64Array>();
  for (const { slots } of domain.items) {
    for (const truth of slots) {
      for (const stated of slots) {
        for (const cls of stated.classes) {
          if (domain.said[cls]! < ESTIMATION.saidMin || kept.has(cls)) continue;
          let count = counts.get(cls);
          if (!count) counts.set(cls, (count = new Float64Array(size * size)));
          count[truth.label * size + stated.label]! += truth.probability;
        }
      }
    }
  }
  for (const [cls, count] of counts) {
    const right = bounded(accuracy[cls]!);
    for (let truth = 0; truth < size; truth += 1) {
      let sum = 0;
      for (let stated = 0; stated < size; stated += 1) sum += count[truth * size + stated]!;
      for (let stated = 0; stated < size; stated += 1) {
        const usual = stated === truth ? right : (1 - right) / Math.max(1, size - 1);
        count[truth * size + stated] =
          (count[truth * size + stated]! + ESTIMATION.rowPrior * usual) / (sum + ESTIMATION.rowPrior);
      }
    }
    domain.confusions.set(cls, count);
  }
}

/**
 * ln of the posterior density of what was learned, but for a constant: of the prior, and of the statements
 * where sources differ, each right with its class's one probability. Confusion matrices stay out, because
 * they would forgive a class that is wrong throughout.
 */
function logPosterior(items: readonly Item[], prior: Float64Array, accuracy: Float64Array): number {
  const right = accuracy.map((own) => Math.log(bounded(own)));
  const wrong = accuracy.map((own) => Math.log(1 - bounded(own)));
  let sum = 0;
  for (let cls = 0; cls < prior.length; cls += 1)
    sum += ESTIMATION.priorClaims * (prior[cls]! * right[cls]! + (1 - prior[cls]!) * wrong[cls]!);
  for (const { slots } of items) {
    if (slots.length < 2) continue;
    const weigh = (slot: Slot, logs: Float64Array) =>
      slot.classes.reduce((all, cls, k) => all + weightOf(slot, k) * logs[cls]!, 0);
    const allWrong = slots.reduce((all, slot) => all + weigh(slot, wrong), 0);
    sum += allWrong + logOfSum(slots.map((slot) => weigh(slot, right) - weigh(slot, wrong)));
  }
  return sum;
}

/** The probability of each value of an item, and how far it is known without each statement. */
function updateTruth(item: Item, accuracy: Float64Array): void {
  if (isClosed(item.domain)) updateClosed(item, accuracy);
  else updateOpen(item, accuracy);
}

/** In a closed domain any of its few labels may be right. */
function updateClosed({ domain, slots }: Item, accuracy: Float64Array): void {
  const size = domain.labels.size;
  const labels = [...domain.labels.values()];
  /** ln P(the class states it | each label is right). */
  const likelihoods = ({ label: stated }: Slot, cls: number): number[] => {
    const confusion = domain.confusions.get(cls);
    if (confusion) return labels.map((label) => Math.log(confusion[label * size + stated]!));
    const right = bounded(accuracy[cls]!);
    const wrong = Math.log((1 - right) / (size - 1));
    return labels.map((label) => (label === stated ? Math.log(right) : wrong));
  };
  const logs = labels.map((label) => Math.log(domain.shares[label]!));
  const told = slots.map((slot) => slot.classes.map((cls) => likelihoods(slot, cls)));
  slots.forEach((slot, i) =>
    told[i]!.forEach((own, k) => own.forEach((log, j) => (logs[j]! += weightOf(slot, k) * log))),
  );
  const chances = softmax(logs);
  slots.forEach((slot, i) => {
    slot.probability = chances[slot.label]!;
    slot.known = slot.classes.map((_, k) =>
      certainty(softmax(logs.map((log, j) => log - leftOut(slot, k, (at) => told[i]![at]![j]!)))),
    );
  });
}

/**
 * In an open domain one of the values stated is right, and errors fall on wrong values as often as these are
 * stated: a class states a wrong one with (1 − accuracy) · its votes / the votes that are wrong where another
 * is right. So a statement changes the chances of all other values alike but for these votes, and leaving one
 * statement out takes the same time whatever the number of values.
 */
function updateOpen({ slots, votes }: Item, accuracy: Float64Array): void {
  const { smoothing } = ESTIMATION;
  if (slots.length < 2) {
    for (const slot of slots) {
      slot.probability = 1;
      slot.known = slot.classes.map(() => 0);
    }
    return;
  }
  /** By value: ln of the votes that would be wrong if it were right. */
  const wrongVotes = slots.map(({ voices }) => Math.log(votes - voices + smoothing * (slots.length - 1)));
  /** What one class's statement of a value adds to its log odds over all others, their wrong votes aside. */
  const gain = ({ voices }: Slot, cls: number) => {
    const right = bounded(accuracy[cls]!);
    return Math.log(right) - Math.log((1 - right) * (voices + smoothing));
  };
  const logs = slots.map((slot, i) =>
    slot.classes.reduce(
      (sum, cls, k) => sum + weightOf(slot, k) * gain(slot, cls),
      -(votes - slot.voices) * wrongVotes[i]!,
    ),
  );
  const chances = softmax(logs);
  // Leaving out a statement for another value takes this from each value.
  const others = new CertaintyBut(logs.map((log, i) => log + wrongVotes[i]!));
  slots.forEach((slot, i) => {
    slot.probability = chances[i]!;
    slot.known = slot.classes.map((_, k) =>
      others.with(i, logs[i]! - leftOut(slot, k, (at) => gain(slot, slot.classes[at]!))),
    );
  });
}

/** A probability within the range of reliabilities, so that no logarithm is infinite. */
export function bounded(probability: number): number {
  return clamp(probability, 1 - RELIABILITY_RANGE.high, RELIABILITY_RANGE.high);
}
