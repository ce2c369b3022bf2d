import {
  CALIBRATION,
  CREDIBILITY_FLOOR,
  ESTIMATION,
  RELIABILITY_RANGE,
  UNIDENTIFIED,
} from '../contract/constants.ts';
import { clamp } from '../contract/rounding.ts';
import type { EstimatedReliability } from '../contract/types.ts';
import type { Actor, Claim, Model } from '../model/model.ts';
import { reliabilityPosterior } from '../model/reliability-posterior.ts';
import { isBelowFloor } from '../model/reliability.ts';
import type { Pair } from '../model/statements.ts';
import type { DependenceClasses } from './dependence-classes.ts';
import { certainty, CertaintyBut, softmax } from './certainty.ts';
import { joinEchoes, outnumbering } from './echoes.ts';

/** The evidence of the claims on one statement: how likely it is right before others are considered. */
export interface StatementEstimate {
  /**
   * Stands in for the base reliability: 0 for a source that guesses, towards 1 for one that is always right.
   */
  readonly base: number;
  /** Log odds that the statement adds to its value, ≥ 0. */
  readonly logOdds: number;
  /** How often such a statement is right, which the credibility floor asks. Probability. */
  readonly right: number;
}

/** Reliabilities learned from the claims. */
export interface Estimate {
  /**
   * By claim id; claims without a comparable statement (denials, meta-claims, claims below the floor) are
   * absent.
   */
  readonly statements: ReadonlyMap<string, StatementEstimate>;
  /** By actor id. */
  readonly reliabilities: readonly EstimatedReliability[];
}

/** Which sources speak with one voice. */
type Voices = Pick<DependenceClasses, 'of' | 'count'>;

/** One value of one item; the classes that state it. */
interface Slot {
  readonly label: number;
  readonly classes: number[];
  readonly claims: Claim[];
  /** Positions in `classes` of those who are not identified, where they are several: together one voice. */
  readonly crowd: readonly number[];
  /** Voices: classes, the crowd as one. */
  readonly voices: number;
  /** Probability that it is right. */
  probability: number;
  /** By position in `classes`: how far the others know the truth of the item, 0..1. */
  known: number[];
}

/** Something asked: a subject, predicate, scope and time. */
interface Item {
  readonly domain: Domain;
  readonly slots: Slot[];
  /** Voices on all values. */
  votes: number;
}

/** The statistics of a predicate. */
interface Domain {
  readonly labels: Map<string, number>;
  /** Statements by class. */
  readonly said: Int32Array;
  items: Item[];
  /** Confusion matrices by class, `size` × `size`, truth first; for closed domains. */
  readonly confusions: Map<number, Float64Array>;
  /** How often each label is right; for closed domains. */
  shares: Float64Array;
}

/**
 * How often each source is right, by expectation–maximisation over dependence classes: the truth of each item
 * is inferred from what the classes say and how often each was found right, and the other way round, for a
 * fixed number of rounds from the shares of the votes. A class is right with one probability, with a Beta
 * prior around its members' declared reliability; in a closed domain, a class that says enough has a
 * confusion matrix with a Dirichlet prior after a few rounds. In an open domain, errors fall on wrong values
 * as often as these are stated. A statement tests its class only as far as the others know the truth, and not
 * where nobody differs: a class alone on many items does not confirm itself, and classes that never differ
 * count once (`joinEchoes`, over whose numberings log odds and tests are averaged), but those that lose by
 * this alone keep at least what was declared (`outnumbering`). Several who are not identified are one voice
 * on a value. Source: Dawid and Skene 1979; Raykar et al. 2010; Kim and Ghahramani 2012; Dong, Saha,
 * Srivastava 2012 for popular errors; reasoning model §11. The same claims give the same numbers. Never
 * throws.
 */
export function estimateReliability(
  model: Model,
  pairs: readonly Pair[],
  given: DependenceClasses,
  declared: Float64Array,
): Estimate {
  const apart = collect(pairs, given, declared);
  const statements = new Map<string, { base: number; logOdds: number; right: number }>();
  const tests: Tests[] = model.actors.map(() => ({ right: 0, tested: 0, said: 0 }));
  for (const { joined, share } of joinEchoes(apart, given.count)) {
    const classes = { count: given.count, of: (actor: Actor) => joined[given.of(actor)]! };
    const kept = outnumbering(apart, joined);
    const solutions = solve(() => collect(pairs, classes, declared), priors(model, classes), kept);
    for (const { items, learned, chance } of solutions) {
      const part = share * chance;
      for (const { domain, slots } of items) {
        for (const { label, claims } of slots) {
          for (const claim of claims) {
            const one = assess(domain, label, classes.of(claim.actor), claim.actor.base, learned);
            const known = statements.get(claim.id) ?? { base: 0, logOdds: 0, right: 0 };
            statements.set(claim.id, known);
            known.base += part * one.base;
            known.logOdds += part * one.logOdds;
            known.right += part * one.right;
          }
        }
      }
      testsOf(model, items, classes, kept).forEach(({ right, tested, said }, actor) => {
        tests[actor]!.right += part * right;
        tests[actor]!.tested += part * tested;
        tests[actor]!.said = said;
      });
    }
  }
  return { statements, reliabilities: model.actors.map((actor, i) => describe(actor, tests[i]!)) };
}

/** By class: how often it is right, and the statements that tested it. */
interface Learned {
  readonly accuracy: Float64Array;
  readonly tested: Float64Array;
}

/** What was learned from one start, and how likely that is next to what another start led to. */
interface Solution {
  readonly items: readonly Item[];
  readonly learned: Learned;
  /** Probability. */
  readonly chance: number;
}

/**
 * What is learned from the shares of the votes, and where sources are declared differently reliable, also
 * from these reliabilities: where two camps contradict each other throughout, either side confirms itself,
 * and the start would decide which of the two is believed. Each counts by its posterior density.
 */
function solve(collected: () => Item[], prior: Float64Array, kept: ReadonlySet<number>): readonly Solution[] {
  const starts = [collected()];
  if (prior.some((mean) => mean !== prior[0])) {
    const items = collected();
    for (const item of items) updateOpen(item, prior);
    starts.push(items);
  }
  const learned = starts.map((items) => learn(items, prior, kept));
  const chances = softmax(starts.map((items, i) => logPosterior(items, prior, learned[i]!)));
  return starts.map((items, i) => ({ items, learned: learned[i]!, chance: chances[i]! }));
}

/** Truth and accuracy from each other. */
function learn(items: readonly Item[], prior: Float64Array, kept: ReadonlySet<number>): Learned {
  const accuracy = prior.slice();
  const tested = new Float64Array(prior.length);
  const domains = [...new Set(items.map(({ domain }) => domain))];
  for (let round = 0; round < ESTIMATION.rounds; round += 1) {
    updateAccuracy(items, prior, accuracy, tested);
    for (const cls of kept) accuracy[cls] = Math.max(accuracy[cls]!, prior[cls]!);
    for (const domain of domains) {
      if (!isClosed(domain)) continue;
      updateShares(domain);
      if (round >= ESTIMATION.plainRounds) updateConfusions(domain, accuracy, kept);
    }
    for (const item of items) updateTruth(item, accuracy);
  }
  return { accuracy, tested };
}

const isClosed = ({ labels }: Domain) => labels.size <= ESTIMATION.closedMax;

function collect(pairs: readonly Pair[], classes: Voices, declared: Float64Array): Item[] {
  const domains = new Map<string, Domain>();
  const items: Item[] = [];
  for (const { predicate, buckets } of pairs) {
    let domain = domains.get(predicate);
    if (!domain) {
      domain = {
        labels: new Map(),
        said: new Int32Array(classes.count),
        items: [],
        confusions: new Map(),
        shares: new Float64Array(),
      };
      domains.set(predicate, domain);
    }
    for (const { groups } of buckets) {
      const itemOf = new Map<string, Item>();
      for (const { denies, value, from, to, claims } of groups) {
        if (denies) continue;
        const heard = claims.filter(
          (claim) => claim.status !== 'retracted' && !isBelowFloor(declared[claim.index]!),
        );
        if (heard.length === 0) continue;
        const when = `${from} ${to}`;
        let item = itemOf.get(when);
        if (!item) {
          item = { domain, slots: [], votes: 0 };
          itemOf.set(when, item);
          items.push(item);
          domain.items.push(item);
        }
        let label = domain.labels.get(value.key);
        if (label === undefined) domain.labels.set(value.key, (label = domain.labels.size));
        const speaking = [...new Set(heard.map(({ actor }) => classes.of(actor)))];
        const crowd = crowdOf(speaking, heard, classes);
        const voices = crowd.length > 1 ? speaking.length - crowd.length + 1 : speaking.length;
        item.slots.push({
          label,
          classes: speaking,
          claims: heard,
          crowd: crowd.length > 1 ? crowd : [],
          voices,
          probability: 0,
          known: speaking.map(() => 1),
        });
        item.votes += voices;
        for (const cls of speaking) domain.said[cls]! += 1;
      }
    }
  }
  for (const { slots, votes } of items) for (const slot of slots) slot.probability = slot.voices / votes;
  return items;
}

/** The positions of classes for which nobody speaks who is identified. */
function crowdOf(speaking: readonly number[], heard: readonly Claim[], classes: Voices): number[] {
  if (!heard.some(({ actor }) => UNIDENTIFIED.has(actor.type))) return [];
  const identified = new Set(
    heard.filter(({ actor }) => !UNIDENTIFIED.has(actor.type)).map(({ actor }) => classes.of(actor)),
  );
  return speaking.flatMap((cls, position) => (identified.has(cls) ? [] : [position]));
}

/** How far the class at a position counts. */
const weightOf = ({ crowd }: Slot, position: number) => (crowd.includes(position) ? 1 / crowd.length : 1);

/** What leaving out the class at a position takes from a sum of gains: one voice, of a crowd the crowd's. */
function leftOut({ crowd }: Slot, position: number, gain: (position: number) => number): number {
  if (!crowd.includes(position)) return gain(position);
  return crowd.reduce((sum, at) => sum + gain(at), 0) / crowd.length;
}

/** By class: the mean declared reliability of its members. */
function priors({ actors }: Model, classes: Voices): Float64Array {
  const sum = new Float64Array(classes.count);
  const count = new Int32Array(classes.count);
  for (const actor of actors) {
    sum[classes.of(actor)]! += actor.base;
    count[classes.of(actor)]! += 1;
  }
  return sum.map((total, cls) => total / Math.max(1, count[cls]!));
}

/**
 * A statement tests its source only as far as the others know the answer; where nobody differs, it tests
 * nothing.
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

/** What each class that says enough states in a closed domain when each label is right. */
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
function logPosterior(items: readonly Item[], prior: Float64Array, { accuracy }: Learned): number {
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
  /** By value: ln of the votes that are wrong where it is right. */
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
  // With one statement less that speaks for another value, each value has lost this.
  const others = new CertaintyBut(logs.map((log, i) => log + wrongVotes[i]!));
  slots.forEach((slot, i) => {
    slot.probability = chances[i]!;
    slot.known = slot.classes.map((_, k) =>
      others.with(i, logs[i]! - leftOut(slot, k, (at) => gain(slot, slot.classes[at]!))),
    );
  });
}

/** ln Σ eˣ without overflow. */
function logOfSum(logs: readonly number[]): number {
  const high = Math.max(...logs);
  return high + Math.log(logs.reduce((sum, log) => sum + Math.exp(log - high), 0));
}

/**
 * What a class's statement of a label is worth: the log odds that it is right by what was learned, and as far
 * as nothing tested the class, at least those of the reliability declared. By log odds alone, who is
 * declared no better than chance would have no voice even where nobody differs.
 */
function assess(
  domain: Domain,
  label: number,
  cls: number,
  declared: number,
  { accuracy, tested }: Learned,
): StatementEstimate {
  const size = domain.labels.size;
  const confusion = isClosed(domain) ? domain.confusions.get(cls) : undefined;
  let right = accuracy[cls]!;
  if (confusion) {
    let stated = 0;
    for (let truth = 0; truth < size; truth += 1) stated += confusion[truth * size + label]!;
    right = confusion[label * size + label]! / stated;
  }
  const { high } = RELIABILITY_RANGE;
  const falseValues = isClosed(domain) ? Math.max(1, size - 1) : ESTIMATION.falseValues;
  const most = positiveLogit(high, falseValues);
  const learned = positiveLogit(bounded(right), falseValues);
  // In a closed domain, who guesses agrees with others by chance, so that what is worth less than the floor
  // fades to nothing, and steadily: a step would turn verdicts.
  const faded = (weight: number) => weight * (isClosed(domain) ? fadedBy(weight / most) : 1);
  const untested = ESTIMATION.priorClaims / (ESTIMATION.priorClaims + tested[cls]!);
  const given = positiveLogit(bounded(declared), falseValues);
  const surplus = Math.max(CALIBRATION.perItem * declared, given) - faded(given);
  const logOdds = faded(learned) + untested * surplus;
  return { base: clamp(logOdds / most, 0, high), logOdds, right };
}

/** How much is left of a weight: all from the credibility floor on. Share. */
const fadedBy = (weight: number) => Math.min(1, weight / CREDIBILITY_FLOOR) ** ESTIMATION.fading;

/** ln(n·q/(1 − q)), at least 0. */
function positiveLogit(q: number, n: number): number {
  return Math.max(0, Math.log((n * q) / (1 - q)));
}

/** What was learned of an actor by itself: its statements that tested it, how many of them were right. */
interface Tests {
  right: number;
  tested: number;
  said: number;
}

function testsOf(
  { actors }: Model,
  items: readonly Item[],
  classes: Voices,
  kept: ReadonlySet<number>,
): readonly Tests[] {
  const tests: Tests[] = actors.map(() => ({ right: 0, tested: 0, said: 0 }));
  for (const { slots } of items) {
    for (const { classes: speaking, claims, probability, known } of slots) {
      for (const { actor } of claims) {
        const weight = slots.length < 2 ? 0 : known[speaking.indexOf(classes.of(actor))]!;
        const own = tests[actor.index]!;
        own.right += weight * probability;
        own.tested += weight;
        own.said += 1;
      }
    }
  }
  actors.forEach((actor, i) => {
    const own = tests[i]!;
    // What did not count against a source tested nothing.
    if (kept.has(classes.of(actor)) && own.right < actor.base * own.tested) own.right = own.tested = 0;
  });
  return tests;
}

/** An actor's own posterior, and how many statements it made. */
function describe(actor: Actor, { right, tested, said }: Tests): EstimatedReliability {
  return { actor_id: actor.id, ...reliabilityPosterior(actor.base, { right, tested }), claims: said };
}

function bounded(probability: number): number {
  return clamp(probability, 1 - RELIABILITY_RANGE.high, RELIABILITY_RANGE.high);
}
