import { ESTIMATION, RELIABILITY_RANGE } from '../contract/constants.ts';
import { clamp } from '../contract/rounding.ts';
import type { EstimatedReliability } from '../contract/types.ts';
import type { Claim, Model } from '../model/model.ts';
import { isBelowFloor } from '../model/reliability.ts';
import type { Pair } from '../model/statements.ts';
import type { DependenceClasses } from './dependence-classes.ts';

/** What the claims tell of one statement: how likely it is right before others are heard. */
export interface StatementEstimate {
  /** Stands in for the base reliability: 0 for a source that guesses, towards 1 for one that is always right. */
  readonly base: number;
  /** Log odds that the statement adds to its value, ≥ 0. */
  readonly logOdds: number;
}

/** Reliabilities learned from the claims. */
export interface Estimate {
  /** By claim id; claims that say nothing comparable (denials, meta-claims, claims below the floor) are absent. */
  readonly statements: ReadonlyMap<string, StatementEstimate>;
  /** By actor id. */
  readonly reliabilities: readonly EstimatedReliability[];
}

/** One value of one item; the classes that state it. */
interface Slot {
  readonly label: number;
  readonly classes: number[];
  readonly claims: Claim[];
  /** Probability that it is right. */
  probability: number;
  /** By position in `classes`: how far the others know the truth of the item, 0..1. */
  known: number[];
}

/** Something asked: a subject, predicate, scope and time. */
interface Item {
  readonly domain: Domain;
  readonly slots: Slot[];
  /** Votes, one for each class and value. */
  votes: number;
}

/** What is known of a predicate. */
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
 * How often each source is right, by expectation–maximisation over dependence classes: the truth of each item is inferred from
 * what the classes say and how often each was found right, and the other way round, for a fixed number of rounds from the
 * shares of the votes. A class is right with one probability, with a Beta prior around its members' declared reliability; in a
 * closed domain, a class that says enough has a confusion matrix with a Dirichlet prior. In an open domain, errors fall on wrong
 * values as often as these are stated. A statement tests its class only as far as the others know the truth, and not where
 * nobody differs: a class alone on many items does not confirm itself.
 * Source: Dawid and Skene 1979; Raykar et al. 2010; Kim and Ghahramani 2012; Dong, Saha, Srivastava 2012 for popular errors;
 * reasoning model §11. The same claims give the same numbers. Never throws.
 */
export function estimateReliability(
  model: Model,
  pairs: readonly Pair[],
  classes: DependenceClasses,
  declared: Float64Array,
): Estimate {
  const items = collect(pairs, classes, declared);
  const prior = priors(model, classes);
  const accuracy = prior.slice();
  const domains = [...new Set(items.map(({ domain }) => domain))];
  for (let round = 0; round < ESTIMATION.rounds; round += 1) {
    updateAccuracy(items, prior, accuracy);
    for (const domain of domains) if (isClosed(domain)) updateConfusions(domain, accuracy);
    for (const item of items) updateTruth(item, accuracy);
  }
  const statements = new Map<string, StatementEstimate>();
  for (const { domain, slots } of items)
    for (const { label, claims } of slots)
      for (const claim of claims)
        statements.set(claim.id, assess(domain, label, classes.of(claim.actor), accuracy));
  return { statements, reliabilities: describe(model, items, classes) };
}

const isClosed = ({ labels }: Domain) => labels.size <= ESTIMATION.closedMax;

function collect(pairs: readonly Pair[], classes: DependenceClasses, declared: Float64Array): Item[] {
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
        item.slots.push({
          label,
          classes: speaking,
          claims: heard,
          probability: 0,
          known: speaking.map(() => 1),
        });
        item.votes += speaking.length;
        for (const cls of speaking) domain.said[cls]! += 1;
      }
    }
  }
  for (const { slots, votes } of items)
    for (const slot of slots) slot.probability = slot.classes.length / votes;
  return items;
}

/** By class: the mean declared reliability of its members. */
function priors({ actors }: Model, classes: DependenceClasses): Float64Array {
  const sum = new Float64Array(classes.count);
  const count = new Int32Array(classes.count);
  for (const actor of actors) {
    sum[classes.of(actor)]! += actor.base;
    count[classes.of(actor)]! += 1;
  }
  return sum.map((total, cls) => total / count[cls]!);
}

/** A statement tests its source only as far as the others know the answer; where nobody differs, it tests nothing. */
function updateAccuracy(items: readonly Item[], prior: Float64Array, accuracy: Float64Array): void {
  const right = prior.map((mean) => mean * ESTIMATION.priorClaims);
  const tested = new Float64Array(prior.length).fill(ESTIMATION.priorClaims);
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
}

/** In a closed domain: what each class that says enough states when each label is right, and how often it is. */
function updateConfusions(domain: Domain, accuracy: Float64Array): void {
  const size = domain.labels.size;
  const shares = new Float64Array(size).fill(1);
  const counts = new Map<number, Float64Array>();
  for (const { slots } of domain.items) {
    for (const truth of slots) {
      shares[truth.label]! += truth.probability;
      for (const stated of slots) {
        for (const cls of stated.classes) {
          if (domain.said[cls]! < ESTIMATION.saidMin) continue;
          let count = counts.get(cls);
          if (!count) counts.set(cls, (count = new Float64Array(size * size)));
          count[truth.label * size + stated.label]! += truth.probability;
        }
      }
    }
  }
  const total = shares.reduce((sum, share) => sum + share, 0);
  domain.shares = shares.map((share) => share / total);
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

/** The probability of each value of an item, and how far it is known without each statement. */
function updateTruth({ domain, slots, votes }: Item, accuracy: Float64Array): void {
  const { shareTrust, smoothing } = ESTIMATION;
  const closed = isClosed(domain);
  const size = domain.labels.size;
  const labels = closed ? [...domain.labels.values()] : slots.map(({ label }) => label);
  /** In an open domain: ln of the votes that are wrong where each label is right. */
  const wrongVotes = slots.map(({ classes }) =>
    Math.log(votes - classes.length + smoothing * (slots.length - 1)),
  );
  /** ln P(the class states it | each label is right). */
  const likelihoods = ({ label: stated, classes }: Slot, cls: number): number[] => {
    const confusion = closed ? domain.confusions.get(cls) : undefined;
    if (confusion) return labels.map((label) => Math.log(confusion[label * size + stated]!));
    const right = bounded(accuracy[cls]!);
    const wrong = closed
      ? Math.log((1 - right) / (size - 1))
      : Math.log((1 - right) * (classes.length + smoothing));
    return labels.map((label, j) => {
      if (label === stated) return Math.log(right);
      return closed ? wrong : wrong - wrongVotes[j]!;
    });
  };
  const logs = labels.map((label) => (closed ? shareTrust * Math.log(domain.shares[label]!) : 0));
  for (const slot of slots)
    for (const cls of slot.classes) likelihoods(slot, cls).forEach((log, j) => (logs[j]! += log));
  const chances = softmax(logs);
  slots.forEach((slot, i) => {
    slot.probability = chances[closed ? slot.label : i]!;
    slot.known = slot.classes.map((cls) => {
      const own = likelihoods(slot, cls);
      return certainty(softmax(logs.map((log, j) => log - own[j]!)));
    });
  });
}

function softmax(logs: readonly number[]): number[] {
  const high = logs.reduce((most, log) => Math.max(most, log), -Infinity);
  const weights = logs.map((log) => Math.exp(log - high));
  const sum = weights.reduce((total, weight) => total + weight, 0);
  return weights.map((weight) => weight / sum);
}

/** 1 − H/ln K of the chances of K values: 1 where one is certain, 0 where all are equal or there is one alone. */
function certainty(chances: readonly number[]): number {
  if (chances.length < 2) return 0;
  const entropy = chances.reduce((sum, p) => (p > 0 ? sum - p * Math.log(p) : sum), 0);
  return Math.max(0, 1 - entropy / Math.log(chances.length));
}

/** What a class's statement of a label is worth. */
function assess(domain: Domain, label: number, cls: number, accuracy: Float64Array): StatementEstimate {
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
  const logOdds = positiveLogit(bounded(right), falseValues);
  return { base: clamp(logOdds / positiveLogit(high, falseValues), 0, high), logOdds };
}

/** ln(n·q/(1 − q)), at least 0. */
function positiveLogit(q: number, n: number): number {
  return Math.max(0, Math.log((n * q) / (1 - q)));
}

/** Mean and 90 % interval of each actor's own posterior; the interval is normal on the scale of log odds (delta method). */
function describe(
  { actors }: Model,
  items: readonly Item[],
  classes: DependenceClasses,
): EstimatedReliability[] {
  const right = new Float64Array(actors.length);
  const tested = new Float64Array(actors.length);
  const said = new Int32Array(actors.length);
  for (const { slots } of items) {
    for (const { classes: speaking, claims, probability, known } of slots) {
      for (const { actor } of claims) {
        const weight = slots.length < 2 ? 0 : known[speaking.indexOf(classes.of(actor))]!;
        right[actor.index]! += weight * probability;
        tested[actor.index]! += weight;
        said[actor.index]! += 1;
      }
    }
  }
  return actors.map((actor) => {
    const own = { right: right[actor.index]!, tested: tested[actor.index]! };
    const a = own.right + actor.base * ESTIMATION.priorClaims;
    const b = own.tested - own.right + (1 - actor.base) * ESTIMATION.priorClaims;
    const mean = a / (a + b);
    const reach = ESTIMATION.interval * Math.sqrt(1 / a + 1 / b);
    const at = (shift: number) => 1 / (1 + Math.exp(-(Math.log(a / b) + shift)));
    return { actor_id: actor.id, mean, low: at(-reach), high: at(reach), claims: said[actor.index]! };
  });
}

function bounded(probability: number): number {
  return clamp(probability, 1 - RELIABILITY_RANGE.high, RELIABILITY_RANGE.high);
}
