import type { StatementGroup } from './statements.ts';
import type { Ranks } from './value-order.ts';

/** Told a part of the tree's `order`, from `start` up to `end`; true ends the search. */
export type OnSpan = (start: number, end: number) => boolean | void;

/** A part of so few statements is looked through one by one. */
const LEAF_MAX = 8;
/** Of each part: lowest and highest rank, earliest and latest beginning, earliest and latest end. */
const BOX = 6;
/** The same three by statement: rank, beginning, end. */
const AXES = 3;

/**
 * Statements by value and time: a k-d tree over rank, beginning and end (J. L. Bentley, "Multidimensional
 * binary search trees used for associative searching", CACM 1975). What is asked for is told in spans, so
 * that the work grows with the spans and not with the statements in them.
 */
export class StatementTree {
  /** Positions of the statements; each span is a part of it. */
  readonly order: Int32Array;
  readonly #points: Float64Array;
  readonly #boxes: number[] = [];

  /** `positions` of the statements held; the rank of a statement's value by its position. */
  constructor(groups: readonly StatementGroup[], positions: readonly number[], ranks: Int32Array) {
    this.#points = new Float64Array(groups.length * AXES);
    for (const position of positions) {
      const { from, to } = groups[position]!;
      this.#points.set([ranks[position]!, from, to], position * AXES);
    }
    this.order = Int32Array.from(positions);
    this.#build(0, 0, this.order.length, 0);
  }

  /**
   * Finds the statements whose value has one of the ranks, in ascending stretches, and whose time overlaps;
   * true when ended.
   */
  visit(ranks: readonly Ranks[], when: { readonly from: number; readonly to: number }, on: OnSpan): boolean {
    return this.order.length > 0 && this.#visit(0, 0, this.order.length, ranks, when.from, when.to, on);
  }

  #build(part: number, start: number, end: number, depth: number): void {
    const points = this.#points;
    const at = part * BOX;
    for (let axis = 0; axis < AXES; axis += 1) {
      let least = Infinity;
      let most = -Infinity;
      for (let i = start; i < end; i += 1) {
        const x = points[this.order[i]! * AXES + axis]!;
        if (x < least) least = x;
        if (x > most) most = x;
      }
      this.#boxes[at + 2 * axis] = least;
      this.#boxes[at + 2 * axis + 1] = most;
    }
    if (end - start <= LEAF_MAX) return;
    let axis = depth % AXES;
    for (
      let tried = 1;
      tried < AXES && this.#boxes[at + 2 * axis] === this.#boxes[at + 2 * axis + 1];
      tried += 1
    )
      axis = (axis + 1) % AXES;
    const along = (position: number) => points[position * AXES + axis]!;
    this.order.subarray(start, end).sort((a, b) => {
      const [x, y] = [along(a), along(b)];
      return x < y ? -1 : x > y ? 1 : a - b;
    });
    const middle = (start + end) >> 1;
    this.#build(2 * part + 1, start, middle, axis + 1);
    this.#build(2 * part + 2, middle, end, axis + 1);
  }

  #visit(
    part: number,
    start: number,
    end: number,
    ranks: readonly Ranks[],
    from: number,
    to: number,
    on: OnSpan,
  ): boolean {
    const boxes = this.#boxes;
    const at = part * BOX;
    const [earliest, latest] = [boxes[at + 2]!, boxes[at + 5]!];
    if (!(earliest < to && from < latest)) return false;
    const overlapping = boxes[at + 3]! < to && from < boxes[at + 4]!;
    const wanted = within(ranks, boxes[at]!, boxes[at + 1]!);
    if (wanted === NONE) return false;
    if (overlapping && wanted === ALL) return on(start, end) === true;
    if (end - start > LEAF_MAX) {
      const middle = (start + end) >> 1;
      return (
        this.#visit(2 * part + 1, start, middle, ranks, from, to, on) ||
        this.#visit(2 * part + 2, middle, end, ranks, from, to, on)
      );
    }
    for (let i = start; i < end; i += 1) {
      const point = this.order[i]! * AXES;
      const [rank, begins, ends] = [this.#points[point]!, this.#points[point + 1]!, this.#points[point + 2]!];
      if (begins < to && from < ends && within(ranks, rank, rank) === ALL && on(i, i + 1) === true)
        return true;
    }
    return false;
  }
}

const NONE = 0;
const SOME = 1;
const ALL = 2;

/** How many of the ranks from `low` to `high` lie in stretches that ascend. */
function within(
  stretches: readonly Ranks[],
  low: number,
  high: number,
): typeof NONE | typeof SOME | typeof ALL {
  // The first stretch that does not end before `low`.
  let at = 0;
  let end = stretches.length;
  while (at < end) {
    const middle = (at + end) >> 1;
    if (stretches[middle]!.last < low) at = middle + 1;
    else end = middle;
  }
  const stretch = stretches[at];
  if (stretch === undefined || stretch.first > high) return NONE;
  return stretch.first <= low && high <= stretch.last ? ALL : SOME;
}
