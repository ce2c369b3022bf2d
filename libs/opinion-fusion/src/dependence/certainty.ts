/** Probabilities in proportion to eˣ, which sum to 1. */
export function softmax(logs: readonly number[]): number[] {
  const high = logs.reduce((most, log) => Math.max(most, log), -Infinity);
  const weights = logs.map((log) => Math.exp(log - high));
  const sum = weights.reduce((total, weight) => total + weight, 0);
  return weights.map((weight) => weight / sum);
}

/** ln Σ eˣ without overflow. */
export function logOfSum(logs: readonly number[]): number {
  const high = Math.max(...logs);
  return high + Math.log(logs.reduce((sum, log) => sum + Math.exp(log - high), 0));
}

/**
 * 1 − H/ln K of the chances of K values: 1 where one is certain, 0 where all are equal or there is one alone.
 */
export function certainty(chances: readonly number[]): number {
  if (chances.length < 2) return 0;
  const entropy = chances.reduce((sum, p) => (p > 0 ? sum - p * Math.log(p) : sum), 0);
  return Math.max(0, 1 - entropy / Math.log(chances.length));
}

/** `certainty` of the softmax of at least two logarithms of which one is replaced, in constant time. */
export class CertaintyBut {
  readonly #high: number;
  /**
   * Sums of e^x and of x·e^x before and from each place, x being a logarithm less the highest: nothing is
   * subtracted.
   */
  readonly #weightBefore: Float64Array;
  readonly #weightFrom: Float64Array;
  readonly #momentBefore: Float64Array;
  readonly #momentFrom: Float64Array;

  constructor(logs: readonly number[]) {
    const size = logs.length;
    this.#high = logs.reduce((most, log) => Math.max(most, log), -Infinity);
    const weights = logs.map((log) => Math.exp(log - this.#high));
    const moments = weights.map((weight, i) => (weight === 0 ? 0 : weight * (logs[i]! - this.#high)));
    const before = (list: readonly number[]) => {
      const sums = new Float64Array(size + 1);
      for (let i = 0; i < size; i += 1) sums[i + 1] = sums[i]! + list[i]!;
      return sums;
    };
    const from = (list: readonly number[]) => before(list.toReversed()).reverse();
    [this.#weightBefore, this.#weightFrom] = [before(weights), from(weights)];
    [this.#momentBefore, this.#momentFrom] = [before(moments), from(moments)];
  }

  /** The certainty with `log` in the given place. */
  with(place: number, log: number): number {
    const x = log - this.#high;
    // The highest is the largest of all there are now, so that no power overflows.
    const shift = Math.max(0, x);
    let weight = this.#weightBefore[place]! + this.#weightFrom[place + 1]!;
    let moment = this.#momentBefore[place]! + this.#momentFrom[place + 1]! - shift * weight;
    const scale = Math.exp(-shift);
    weight *= scale;
    moment *= scale;
    const own = Math.exp(x - shift);
    weight += own;
    if (own > 0) moment += own * (x - shift);
    const entropy = Math.log(weight) - moment / weight;
    return Math.max(0, 1 - entropy / Math.log(this.#weightBefore.length - 1));
  }
}
