import type { Item, Question } from './data-set.ts';
import { best, clamp, normalize, softmax, tally } from './methods/shared.ts';

/** Priors of the model of estimated reliability. */
export interface Priors {
  /** Mean of the Beta prior on a source's reliability, and how many claims it is worth. */
  readonly mean: number;
  readonly strength: number;
  /** Reliability stays within [1 − most, most]. */
  readonly most: number;
  /**
   * Claims a source must have made before it gets a confusion matrix, and what a row's prior is worth.
   * Claims.
   */
  readonly matrixFrom: number;
  readonly matrixStrength: number;
}

/** How evidence becomes a chance of being right. */
export interface Calibration {
  /** Exponent of the posterior. */
  readonly tau: number;
  /** Correlation of errors: the exponent is divided by 1 + rho·(n − 1) for n votes. */
  readonly rho: number;
  /** Share of the mixture that counts votes as if errors on an item had one cause. */
  readonly mixture: number;
  /** Weight of the possibility that no claimed value is right, on open questions. */
  readonly unseen: number;
  /** Votes added to n in n/(n + doubt). */
  readonly doubt: number;
}

/** The evidence on one item after estimation. */
export interface Evidence {
  /** Index of the leading value. */
  readonly leading: number;
  /**
   * ln P(votes | value is right), up to a constant, and the same for "none of the claimed values"; null where
   * closed.
   */
  readonly logs: readonly number[];
  readonly logUnseen: number | null;
  /** Share of the leading value in the weight ln(A/(1 − A)) of all votes. */
  readonly share: number;
  readonly votes: number;
}

const ROUNDS = 30;
const CLOSED_AT_MOST = 12;
const WEIGHT_AT_LEAST = 0.01;

/**
 * Reliability of sources by expectation–maximization: one accuracy each, and a confusion matrix where the
 * values are out of at most twelve classes and the source has said enough. Errors on open questions fall on
 * the wrong values as often as these are claimed (PopAccu). A claim tests its source only as far as the
 * others know the answer: it counts 1 − H/ln K, where H is the entropy of the item's posterior without this
 * claim, and nothing where nobody differs.
 *
 * This is the engine's model without dependence classes, stated a second time for the fit of its constants.
 * Sources: Dawid, Skene 1979; Raykar et al. 2010; Dong, Saha, Srivastava 2012 (see `methods`).
 */
export function estimate(question: Question, priors: Priors): (Evidence | null)[] {
  const closed = question.classes.length > 1 && question.classes.length <= CLOSED_AT_MOST;
  const items = closed ? question.items.map((item) => overClasses(item, question.classes)) : question.items;
  const classCount = question.classes.length;
  const said = new Int32Array(question.sourceCount);
  for (const { votes } of items) for (const { source } of votes) said[source]!++;

  let probabilities = items.map((item) => normalize(tally(item)));
  let terms: number[][][] = [];
  let logs: number[][] = [];
  let accuracy: Float64Array = new Float64Array(question.sourceCount);
  for (let round = 0; round < ROUNDS; round++) {
    accuracy = estimateAccuracy(items, probabilities, logs, terms, priors, question.sourceCount);
    const matrices =
      closed && round > 0 ? confusion(items, probabilities, accuracy, said, classCount, priors) : null;
    const shares = matrices ? classShares(probabilities, classCount) : null;
    terms = items.map((item) =>
      item.votes.map(
        ({ source, value }) =>
          matrices?.[source]?.map((row) => row[value]!) ?? oneCoin(item, value, accuracy[source]!, closed),
      ),
    );
    logs = items.map((item, i) =>
      item.values.map((_, j) => terms[i]!.reduce((sum, term) => sum + term[j]!, shares ? shares[j]! : 0)),
    );
    probabilities = logs.map((all) => (all.length === 0 ? [] : softmax(all)));
  }
  return items.map((item, i) =>
    item.votes.length === 0 ? null : toEvidence(item, logs[i]!, accuracy, closed),
  );
}

/** The chance that the leading value is right. */
export function calibrate({ leading, logs, logUnseen, share, votes }: Evidence, by: Calibration): number {
  const exponent = by.tau / (1 + by.rho * (votes - 1));
  const unseen = logUnseen === null ? [] : [logUnseen * exponent + Math.log(by.unseen)];
  const posterior = softmax([...logs.map((log) => log * exponent), ...unseen])[leading]!;
  return (1 - by.mixture) * posterior + by.mixture * share * (votes / (votes + by.doubt));
}

/**
 * The item over all classes, those claimed first in the order of their first claim, so that ties keep that
 * order.
 */
function overClasses(item: Item, classes: readonly string[]): Item & { order: readonly number[] } {
  const labels = item.values.map((value) => classes.indexOf(value));
  return {
    values: classes,
    votes: item.votes.map(({ source, value }) => ({ source, value: labels[value]! })),
    order: [...labels, ...classes.keys()],
  };
}

function estimateAccuracy(
  items: readonly Item[],
  probabilities: readonly (readonly number[])[],
  logs: readonly (readonly number[])[],
  terms: readonly (readonly (readonly number[])[])[],
  { mean, strength, most }: Priors,
  sources: number,
): Float64Array {
  const right = new Float64Array(sources).fill(mean * strength);
  const tested = new Float64Array(sources).fill(strength);
  items.forEach(({ values, votes }, i) => {
    votes.forEach(({ source, value }, v) => {
      const weight =
        logs.length === 0 ? 1 : knownByOthers(values.length, votes.length, logs[i]!, terms[i]![v]!);
      right[source]! += weight * probabilities[i]![value]!;
      tested[source]! += weight;
    });
  });
  return right.map((r, s) => clamp(r / tested[s]!, 1 - most, most));
}

/** How well the other votes tell the answer: 1 − H/ln K of the posterior without this vote. */
function knownByOthers(
  values: number,
  votes: number,
  logs: readonly number[],
  term: readonly number[],
): number {
  if (votes === 1 || values === 1) return 0;
  const rest = softmax(logs.map((log, j) => log - term[j]!));
  const entropy = rest.reduce((sum, p) => (p > 0 ? sum - p * Math.log(p) : sum), 0);
  return 1 - entropy / Math.log(values);
}

/** ln P(this vote | value j is right) for each value j, by the source's one accuracy. */
function oneCoin({ values, votes }: Item, value: number, accuracy: number, closed: boolean): number[] {
  const claimed = tallyCounts(values.length, votes);
  return values.map((_, j) => {
    if (j === value) return Math.log(accuracy);
    const popular = (claimed[value]! + 0.5) / (votes.length - claimed[j]! + 0.5 * (values.length - 1));
    return Math.log((1 - accuracy) * (closed ? 1 / (values.length - 1) : popular));
  });
}

function tallyCounts(values: number, votes: Item['votes']): number[] {
  const counts = new Array<number>(values).fill(0);
  for (const { value } of votes) counts[value]!++;
  return counts;
}

/** ln of each source's confusion matrix; null for sources that said too little. */
function confusion(
  items: readonly Item[],
  probabilities: readonly (readonly number[])[],
  accuracy: Float64Array,
  said: Int32Array,
  classes: number,
  { matrixFrom, matrixStrength }: Priors,
): (number[][] | null)[] {
  const counts = [...said].map((count, s) =>
    count < matrixFrom
      ? null
      : Array.from({ length: classes }, (_, j) =>
          Array.from(
            { length: classes },
            (_, l) => matrixStrength * (j === l ? accuracy[s]! : (1 - accuracy[s]!) / (classes - 1)),
          ),
        ),
  );
  items.forEach(({ votes }, i) => {
    for (const { source, value } of votes) {
      counts[source]?.forEach((row, j) => (row[value]! += probabilities[i]![j]!));
    }
  });
  return counts.map((rows) => rows && rows.map((row) => normalize(row).map(Math.log)));
}

function classShares(probabilities: readonly (readonly number[])[], classes: number): number[] {
  return normalize(
    Array.from({ length: classes }, (_, j) => probabilities.reduce((sum, p) => sum + p[j]!, 1)),
  ).map(Math.log);
}

function toEvidence(
  item: Item & { order?: readonly number[] },
  logs: readonly number[],
  accuracy: Float64Array,
  closed: boolean,
): Evidence {
  const order = item.order ?? [...logs.keys()];
  const leading = order[best(order.map((j) => logs[j]!))]!;
  const weights = tally(
    item,
    accuracy.map((a) => Math.max(WEIGHT_AT_LEAST, Math.log(a / (1 - a)))),
  );
  const claimed = tallyCounts(item.values.length, item.votes);
  const logUnseen = item.votes.reduce(
    (sum, { source, value }) =>
      sum + Math.log(((1 - accuracy[source]!) * claimed[value]!) / item.votes.length),
    0,
  );
  return {
    leading,
    logs,
    logUnseen: closed ? null : logUnseen,
    share: weights[leading]! / weights.reduce((sum, weight) => sum + weight, 0),
    votes: item.votes.length,
  };
}
