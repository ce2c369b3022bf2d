import { AGREE, CONFLICT, relation } from './statements.ts';
import type { Relation, StatementGroup } from './statements.ts';
import { StatementTree } from './statement-tree.ts';
import type { OnSpan } from './statement-tree.ts';
import { ValueOrder } from './value-order.ts';
import type { Ranks } from './value-order.ts';

/** Called with a position; returning true ends the visit. */
export type Visit = (position: number) => boolean | void;

/**
 * Which of some statements of one bucket agree and conflict with one of them; statements go by their position
 * in the list.
 */
export interface RelatedStatements {
  /** Positions of the statements that agree with the one at `position`, itself included, ascending. */
  agreeing(position: number): readonly number[];
  /** Positions of those that conflict with it, ascending. */
  conflicting(position: number): readonly number[];
  /** The latter in any order, each once. */
  visitConflicting(position: number, visit: Visit): void;
  /** Sums of whole numbers, given by position, over those in a relation to a statement. */
  sums(counts: Int32Array): Figures;
  /**
   * The largest of some numbers, given by position, among those in a relation to a statement; never below 0.
   */
  largest(amounts: Float64Array): Figures;
}

/** One number each about the statements that agree and conflict with the one at `position`. */
export interface Figures {
  agreeing(position: number): number;
  conflicting(position: number): number;
}

/** So few statements are compared with each other sooner than sorted. */
const COMPARED_MAX = 16;

/**
 * `relation` between all of some statements of one bucket; work grows with what is told, not with the pairs
 * there are.
 */
export function relatedStatements(groups: readonly StatementGroup[]): RelatedStatements {
  return groups.length <= COMPARED_MAX ? new ComparedStatements(groups) : new SortedStatements(groups);
}

class ComparedStatements implements RelatedStatements {
  readonly #groups: readonly StatementGroup[];

  constructor(groups: readonly StatementGroup[]) {
    this.#groups = groups;
  }

  agreeing(position: number): readonly number[] {
    return this.#related(position, AGREE);
  }

  conflicting(position: number): readonly number[] {
    return this.#related(position, CONFLICT);
  }

  visitConflicting(position: number, visit: Visit): void {
    for (const other of this.conflicting(position)) if (visit(other) === true) return;
  }

  sums(counts: Int32Array): Figures {
    return this.#figures((sum, other) => sum + counts[other]!);
  }

  largest(amounts: Float64Array): Figures {
    return this.#figures((most, other) => Math.max(most, amounts[other]!));
  }

  #figures(join: (figure: number, other: number) => number): Figures {
    return {
      agreeing: (position) => this.agreeing(position).reduce(join, 0),
      conflicting: (position) => this.conflicting(position).reduce(join, 0),
    };
  }

  #related(position: number, wanted: Relation): readonly number[] {
    const group = this.#groups[position]!;
    const found: number[] = [];
    for (let other = 0; other < this.#groups.length; other += 1)
      if (relation(group, this.#groups[other]!) === wanted) found.push(other);
    return found;
  }
}

/** Statements sorted by polarity, value and time. */
class SortedStatements implements RelatedStatements {
  readonly #groups: readonly StatementGroup[];
  readonly #values: ValueOrder;
  readonly #ranks: Int32Array;
  readonly #asserting: StatementTree;
  readonly #denying: StatementTree;
  readonly #marks: Uint8Array;

  constructor(groups: readonly StatementGroup[]) {
    this.#groups = groups;
    this.#values = new ValueOrder(groups.map(({ value }) => value));
    this.#ranks = Int32Array.from(groups, ({ value }) => this.#values.rankOf(value));
    const ofPolarity = (denying: boolean) =>
      groups.flatMap(({ denies }, position) => (denies === denying ? [position] : []));
    this.#asserting = new StatementTree(groups, ofPolarity(false), this.#ranks);
    this.#denying = new StatementTree(groups, ofPolarity(true), this.#ranks);
    this.#marks = new Uint8Array(groups.length);
  }

  agreeing(position: number): readonly number[] {
    return this.#ascending(position, AGREE);
  }

  conflicting(position: number): readonly number[] {
    return this.#ascending(position, CONFLICT);
  }

  visitConflicting(position: number, visit: Visit): void {
    this.#visit(position, CONFLICT, ({ order }, start, end) => {
      for (let i = start; i < end; i += 1) if (visit(order[i]!) === true) return true;
      return false;
    });
  }

  sums(counts: Int32Array): Figures {
    const ofTree = ({ order }: StatementTree) => {
      const before = new Float64Array(order.length + 1);
      for (let i = 0; i < order.length; i += 1) before[i + 1] = before[i]! + counts[order[i]!]!;
      return (start: number, end: number) => before[end]! - before[start]!;
    };
    return this.#figures(ofTree, (a, b) => a + b);
  }

  largest(amounts: Float64Array): Figures {
    return this.#figures(({ order }) => largestOf(Float64Array.from(order, (at) => amounts[at]!)), Math.max);
  }

  #figures(
    ofTree: (tree: StatementTree) => (start: number, end: number) => number,
    join: (a: number, b: number) => number,
  ): Figures {
    const ofSpan = new Map([this.#asserting, this.#denying].map((tree) => [tree, ofTree(tree)]));
    const figure = (position: number, wanted: Relation) => {
      let joint = 0;
      this.#visit(position, wanted, (tree, start, end) => {
        joint = join(joint, ofSpan.get(tree)!(start, end));
      });
      return joint;
    };
    return {
      agreeing: (position) => figure(position, AGREE),
      conflicting: (position) => figure(position, CONFLICT),
    };
  }

  /**
   * Visits the statements in a relation to one of them. Reasoning model §3: two denials never conflict; ADR
   * 0144: nor does the denial of a more exact date.
   */
  #visit(
    position: number,
    wanted: Relation,
    on: (tree: StatementTree, ...span: Parameters<OnSpan>) => ReturnType<OnSpan>,
  ): void {
    const group = this.#groups[position]!;
    const rank = this.#ranks[position]!;
    const among = (tree: StatementTree, ranks: readonly Ranks[]) =>
      tree.visit(ranks, group, (start, end) => on(tree, start, end));
    const agreeing = this.#values.agreeing.bind(this.#values, rank);
    if (wanted === AGREE && group.denies) among(this.#denying, agreeing('same'));
    else if (wanted === AGREE) among(this.#asserting, agreeing());
    else if (group.denies) among(this.#asserting, agreeing('finer'));
    else if (!among(this.#denying, agreeing('coarser')))
      among(this.#asserting, this.#values.disagreeing(rank));
  }

  /** What is visited, ascending: few positions are sorted, of many the marks are read off. */
  #ascending(position: number, wanted: Relation): number[] {
    const found: number[] = [];
    this.#visit(position, wanted, ({ order }, start, end) => {
      for (let i = start; i < end; i += 1) found.push(order[i]!);
    });
    if (found.length < this.#groups.length / 16) return found.sort((a, b) => a - b);
    const marks = this.#marks;
    for (const one of found) marks[one] = 1;
    let next = 0;
    for (let one = 0; one < marks.length; one += 1) {
      if (marks[one] === 0) continue;
      marks[one] = 0;
      found[next++] = one;
    }
    return found;
  }
}

/**
 * The largest of the amounts from `start` up to `end`, 0 at least, by a list of the larger of two, of four,
 * and so on.
 */
function largestOf(amounts: Float64Array): (start: number, end: number) => number {
  const size = amounts.length;
  const largest = new Float64Array(2 * size);
  largest.set(amounts, size);
  for (let i = size - 1; i > 0; i -= 1) largest[i] = Math.max(largest[2 * i]!, largest[2 * i + 1]!);
  return (start, end) => {
    let most = 0;
    for (let low = start + size, high = end + size; low < high; low >>= 1, high >>= 1) {
      if (low & 1) most = Math.max(most, largest[low++]!);
      if (high & 1) most = Math.max(most, largest[--high]!);
    }
    return most;
  };
}
