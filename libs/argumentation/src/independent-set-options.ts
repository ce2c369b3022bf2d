import type { SearchBudget } from './search-budget.ts';
import { type Choice, newChoice, type Option } from './choice.ts';
import type { Residual } from './residual.ts';
import { ResidualMap } from './residual-map.ts';

const GONE = 0;
/** May still be taken; in the end it is taken or has a neighbor that is. */
const FREE = 1;
/** Not taken, and still without a neighbor that is: one of its free neighbors has to be. */
const WAITING = 2;
/** Member in the end exactly when no neighbor is taken; excludes nobody. */
const FOLLOWING = 3;

/**
 * The maximal independent sets of a connected undirected graph as options of a choice: take a node, or leave
 * it and wait for a neighbor. What then is forced is done at once, what then falls apart is chosen
 * independently, and what was met before is shared. So long and thin graphs, such as claims along a time
 * line, are counted exactly though they have far more sets than could be listed: an AND/OR search graph (R.
 * Dechter and R. Mateescu, Artificial Intelligence 171, 2007) along the breadth-first order of E. Cuthill and
 * J. McKee (1969), in which what is open stays near the front. Where isFollower is 1 a node is no part of the
 * graph but joins a set that has none of its neighbors. Members are given as nodes[place]. Null when the
 * budget ends it, because the graph is not thin.
 */
export function independentSetOptions(
  neighbors: readonly (readonly number[])[],
  isFollower: Uint8Array,
  nodes: Int32Array,
  budget: SearchBudget,
): Option[] | null {
  return new IndependentSetSearch(neighbors, nodes, budget).run(isFollower);
}

class IndependentSetSearch {
  readonly #neighbors: readonly (readonly number[])[];
  readonly #nodes: Int32Array;
  readonly #budget: SearchBudget;
  /** Place in the order in which nodes are chosen. */
  readonly #ranks: Int32Array;
  readonly #states: Uint8Array;
  readonly #freeCounts: Int32Array;
  readonly #marks: Int32Array;
  #mark = 0;
  readonly #known = new ResidualMap<Choice>();
  readonly #pending: Choice[] = [];
  readonly #made: Choice[] = [];

  constructor(neighbors: readonly (readonly number[])[], nodes: Int32Array, budget: SearchBudget) {
    this.#neighbors = neighbors;
    this.#nodes = nodes;
    this.#budget = budget;
    this.#ranks = breadthFirstRanks(neighbors);
    this.#states = new Uint8Array(nodes.length);
    this.#freeCounts = new Int32Array(nodes.length);
    this.#marks = new Int32Array(nodes.length);
  }

  /** The marks of a residual here are 0 for free, 1 for waiting and 2 for following nodes. */
  run(isFollower: Uint8Array): Option[] | null {
    const size = this.#nodes.length;
    const root = newChoice({
      nodes: Int32Array.from({ length: size }, (_, k) => k),
      blocked: isFollower.map((mark) => 2 * mark),
    });
    this.#pending.push(root);
    for (let choice = this.#pending.pop(); choice !== undefined; choice = this.#pending.pop()) {
      if (this.#budget.isSpent) return null;
      const node = this.#firstFree(choice.residual);
      for (const isTaken of [true, false]) {
        const option = this.#decide(choice.residual, node, isTaken);
        if (option !== null) choice.options.push(option);
      }
      this.#made.push(choice);
    }
    this.#dropDeadEnds();
    return root.options;
  }

  #firstFree({ nodes, blocked }: Residual): number {
    let first = -1;
    for (let k = 0; k < nodes.length; k++) {
      if (blocked[k] === 0 && (first === -1 || this.#ranks[nodes[k]!]! < this.#ranks[first]!))
        first = nodes[k]!;
    }
    return first;
  }

  /** The consequences of taking or leaving a node; null when some node can then never be attacked. */
  #decide({ nodes, blocked }: Residual, node: number, isTaken: boolean): Option | null {
    for (let k = 0; k < nodes.length; k++) this.#states[nodes[k]!] = blocked[k]! + FREE;
    const members: number[] = [];
    if (isTaken) this.#take(node, members);
    else this.#states[node] = WAITING;
    const isPossible = this.#takeForced(nodes, members);
    const parts = isPossible ? this.#parts(nodes) : [];
    for (const each of nodes) this.#states[each] = GONE;
    if (!isPossible) return null;
    return { members: Int32Array.from(members, (place) => this.#nodes[place]!), parts };
  }

  #take(node: number, members: number[]): void {
    members.push(node);
    this.#states[node] = GONE;
    for (const other of this.#neighbors[node]!) this.#states[other] = GONE;
    this.#budget.tryConsume(this.#neighbors[node]!.length);
  }

  /** Takes free nodes without free neighbors and the last hope of waiting ones, again and again. */
  #takeForced(nodes: Int32Array, members: number[]): boolean {
    const states = this.#states;
    for (let isChanged = true; isChanged;) {
      isChanged = false;
      for (const node of nodes) {
        if (states[node] === GONE) continue;
        let freeCount = 0;
        let hope = node;
        for (const other of this.#neighbors[node]!) {
          if (states[other] !== FREE) continue;
          freeCount++;
          hope = other;
        }
        this.#budget.tryConsume(1 + this.#neighbors[node]!.length);
        this.#freeCounts[node] = freeCount;
        if (states[node] === FOLLOWING) {
          if (freeCount > 0) continue;
          states[node] = GONE;
          members.push(node);
        } else if (states[node] === WAITING && freeCount === 0) return false;
        else if (freeCount === (states[node] === FREE ? 0 : 1)) {
          this.#take(hope, members);
          isChanged = true;
        }
      }
    }
    for (const node of nodes) if (states[node] === WAITING && this.#isSureToBeMet(node)) states[node] = GONE;
    return true;
  }

  /**
   * True when a free neighbor has all its own free neighbors among the neighbors: one of these is taken in
   * any case.
   */
  #isSureToBeMet(node: number): boolean {
    const row = this.#neighbors[node]!;
    this.#mark++;
    for (const other of row) if (this.#states[other] === FREE) this.#marks[other] = this.#mark;
    return row.some((other) => {
      if (this.#states[other] !== FREE || this.#freeCounts[other]! >= this.#freeCounts[node]!) return false;
      this.#budget.tryConsume(this.#neighbors[other]!.length);
      return this.#neighbors[other]!.every(
        (each) => this.#states[each] !== FREE || this.#marks[each] === this.#mark,
      );
    });
  }

  /** The connected parts of what is left; waiting and following nodes touch free ones only. */
  #parts(nodes: Int32Array): Choice[] {
    const states = this.#states;
    this.#mark++;
    const parts: Choice[] = [];
    for (const start of nodes) {
      if (states[start] === GONE || this.#marks[start] === this.#mark) continue;
      const part = [start];
      this.#marks[start] = this.#mark;
      for (let k = 0; k < part.length; k++) {
        const isFree = states[part[k]!] === FREE;
        for (const other of this.#neighbors[part[k]!]!) {
          if (this.#marks[other] === this.#mark) continue;
          if (states[other] === GONE || (states[other] !== FREE && !isFree)) continue;
          this.#marks[other] = this.#mark;
          part.push(other);
        }
        this.#budget.tryConsume(1 + this.#neighbors[part[k]!]!.length);
      }
      const sorted = Int32Array.from(part).sort();
      parts.push(
        this.#choice({
          nodes: sorted,
          blocked: Uint8Array.from(sorted, (n) => states[n]! - FREE),
        }),
      );
    }
    return parts;
  }

  #choice(residual: Residual): Choice {
    const known = this.#known.get(residual);
    if (known !== undefined) return known;
    const choice = newChoice(residual);
    this.#known.set(residual, choice);
    this.#pending.push(choice);
    return choice;
  }

  /**
   * Drops options with a part that has none. Parts first: they have fewer nodes, or as many with higher
   * marks.
   */
  #dropDeadEnds(): void {
    const marks = new Map(
      this.#made.map((choice) => [choice, choice.residual.blocked.reduce((sum, mark) => sum + mark, 0)]),
    );
    this.#made.sort(
      (a, b) => a.residual.nodes.length - b.residual.nodes.length || marks.get(b)! - marks.get(a)!,
    );
    for (const choice of this.#made) {
      choice.options = choice.options.filter(({ parts }) => parts.every((part) => part.options.length > 0));
    }
  }
}

/** The place of each node in a breadth-first order that starts far out. */
function breadthFirstRanks(neighbors: readonly (readonly number[])[]): Int32Array {
  const ranks = new Int32Array(neighbors.length);
  let start = 0;
  for (let pass = 0; pass < 2; pass++) {
    const order = [start];
    ranks.fill(-1);
    ranks[start] = 0;
    for (let k = 0; k < order.length; k++) {
      for (const other of neighbors[order[k]!]!) {
        if (ranks[other] !== -1) continue;
        ranks[other] = order.length;
        order.push(other);
      }
    }
    start = order[order.length - 1]!;
  }
  return ranks;
}
