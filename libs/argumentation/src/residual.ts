import type { SearchBudget } from './search-budget.ts';
import type { Digraph } from './digraph.ts';

/**
 * What is left of a framework once part of it is decided: some nodes, ascending, and which of them are
 * blocked. Its solutions are the maximal admissible sets of the subframework without blocked members: the
 * base function of P. Baroni, M. Giacomin, G. Guida, "SCC-recursiveness: a general schema for argumentation
 * semantics", 2005, section 5.2, where the unblocked nodes are the candidates.
 */
export interface Residual {
  readonly nodes: Int32Array;
  /** One entry per node of `nodes`. */
  readonly blocked: Uint8Array;
}

/** A residual after the forced part: every solution is `accepted` with one solution of each part. */
export interface Reduced {
  readonly accepted: number[];
  /** Weakly connected, none attacks another, in the order of their first nodes. */
  readonly parts: Residual[];
}

/** Working arrays over the nodes of a whole graph, all zero between two uses. */
export class Scratch {
  readonly isPresent: Uint8Array;
  readonly isBlocked: Uint8Array;
  readonly counts: Int32Array;
  readonly freeCounts: Int32Array;
  readonly labels: Int32Array;

  constructor(size: number) {
    this.isPresent = new Uint8Array(size);
    this.isBlocked = new Uint8Array(size);
    this.counts = new Int32Array(size);
    this.freeCounts = new Int32Array(size);
    this.labels = new Int32Array(size);
  }

  enter({ nodes, blocked }: Residual): void {
    for (let k = 0; k < nodes.length; k++) {
      this.isPresent[nodes[k]!] = 1;
      this.isBlocked[nodes[k]!] = blocked[k]!;
    }
  }

  leave({ nodes }: Residual): void {
    for (const node of nodes) {
      this.isPresent[node] = 0;
      this.isBlocked[node] = 0;
      this.counts[node] = 0;
      this.freeCounts[node] = 0;
      this.labels[node] = 0;
    }
  }
}

/**
 * Decides what needs no choice, until nothing changes, and splits the rest. An attack **binds** unless its
 * attacker is blocked and its target is blocked too or attacks back (then accepting the target answers the
 * attack by itself).
 * - An unblocked node without binding attackers is accepted; what it attacks leaves.
 * - A node all of whose attackers are blocked is never out, so what it attacks becomes blocked.
 * - A blocked node that binds nobody leaves: it is not a member and threatens none.
 * Linear in the attacks of the nodes.
 */
export function reduce(graph: Digraph, residual: Residual, scratch: Scratch, budget: SearchBudget): Reduced {
  scratch.enter(residual);
  const accepted = new Propagation(graph, residual, scratch, budget).run();
  const parts = weakComponents(graph, residual, scratch, budget);
  scratch.leave(residual);
  return { accepted, parts };
}

class Propagation {
  readonly #graph: Digraph;
  readonly #nodes: Int32Array;
  readonly #isPresent: Uint8Array;
  readonly #isBlocked: Uint8Array;
  /** How many binding attackers of each node are present. */
  readonly #binding: Int32Array;
  /** How many unblocked attackers of each node are present. */
  readonly #free: Int32Array;
  readonly #isNeverOut: Int32Array;
  readonly #budget: SearchBudget;
  readonly #pending: number[] = [];
  readonly #accepted: number[] = [];

  constructor(graph: Digraph, { nodes }: Residual, scratch: Scratch, budget: SearchBudget) {
    this.#graph = graph;
    this.#nodes = nodes;
    this.#isPresent = scratch.isPresent;
    this.#isBlocked = scratch.isBlocked;
    this.#binding = scratch.counts;
    this.#free = scratch.freeCounts;
    this.#isNeverOut = scratch.labels;
    this.#budget = budget;
  }

  run(): number[] {
    const { inStart, inFrom, inMutual } = this.#graph;
    for (const node of this.#nodes) {
      for (let edge = inStart[node]!; edge < inStart[node + 1]!; edge++) {
        const attacker = inFrom[edge]!;
        if (this.#isPresent[attacker] === 0) continue;
        if (this.#isBlocked[attacker] === 0) {
          this.#free[node]!++;
          this.#binding[node]!++;
        } else if (inMutual[edge] === 0) this.#binding[node]!++;
      }
      this.#budget.tryConsume(1 + inStart[node + 1]! - inStart[node]!);
      if (this.#free[node] === 0) this.#pending.push(node);
    }
    while (this.#pending.length > 0) this.#settle(this.#pending.pop()!);
    for (const node of this.#nodes) {
      this.#isNeverOut[node] = 0;
      if (this.#isPresent[node] === 1 && this.#isBlocked[node] === 1 && !this.#bindsAnybody(node)) {
        this.#isPresent[node] = 0;
      }
    }
    return this.#accepted;
  }

  /** Called for nodes without unblocked attackers. */
  #settle(node: number): void {
    if (this.#isPresent[node] === 0) return;
    const { outStart, outTo } = this.#graph;
    if (this.#isBlocked[node] === 0 && this.#binding[node] === 0) {
      this.#accepted.push(node);
      this.#isPresent[node] = 0;
      for (let edge = outStart[node]!; edge < outStart[node + 1]!; edge++) {
        if (this.#isPresent[outTo[edge]!] === 1) this.#remove(outTo[edge]!);
      }
      return;
    }
    if (this.#isNeverOut[node] === 0) {
      this.#isNeverOut[node] = 1;
      for (let edge = outStart[node]!; edge < outStart[node + 1]!; edge++) this.#block(outTo[edge]!);
    }
    if (this.#isBlocked[node] === 1) this.#remove(node);
  }

  /** Takes a node that is out, or whose effects are all drawn, from the residual. */
  #remove(node: number): void {
    const { outStart, outTo, outMutual } = this.#graph;
    this.#isPresent[node] = 0;
    const wasBlocked = this.#isBlocked[node] === 1;
    this.#budget.tryConsume(1 + outStart[node + 1]! - outStart[node]!);
    for (let edge = outStart[node]!; edge < outStart[node + 1]!; edge++) {
      const target = outTo[edge]!;
      if (this.#isPresent[target] === 0) continue;
      if (!wasBlocked) this.#free[target]!--;
      if (!wasBlocked || outMutual[edge] === 0) this.#binding[target]!--;
      if (this.#free[target] === 0) this.#pending.push(target);
    }
  }

  #block(node: number): void {
    if (this.#isPresent[node] === 0 || this.#isBlocked[node] === 1) return;
    const { outStart, outTo, outMutual } = this.#graph;
    this.#isBlocked[node] = 1;
    this.#budget.tryConsume(1 + outStart[node + 1]! - outStart[node]!);
    for (let edge = outStart[node]!; edge < outStart[node + 1]!; edge++) {
      const target = outTo[edge]!;
      if (this.#isPresent[target] === 0) continue;
      this.#free[target]!--;
      if (outMutual[edge] === 1) this.#binding[target]!--;
      if (this.#free[target] === 0) this.#pending.push(target);
    }
    if (this.#free[node] === 0) this.#pending.push(node);
  }

  #bindsAnybody(node: number): boolean {
    const { outStart, outTo, outMutual } = this.#graph;
    for (let edge = outStart[node]!; edge < outStart[node + 1]!; edge++) {
      const target = outTo[edge]!;
      if (this.#isPresent[target] === 1 && this.#isBlocked[target] === 0 && outMutual[edge] === 0)
        return true;
    }
    return false;
  }
}

/** True when an attack between present nodes still means something; see `reduce`. */
export function binds(isBlocked: Uint8Array, from: number, to: number, isMutual: number): boolean {
  return isBlocked[from] === 0 || (isBlocked[to] === 0 && isMutual === 0);
}

function weakComponents(
  graph: Digraph,
  { nodes }: Residual,
  scratch: Scratch,
  budget: SearchBudget,
): Residual[] {
  const { outStart, outTo, outMutual, inStart, inFrom, inMutual } = graph;
  const { isPresent, isBlocked, labels } = scratch;
  const sizes: number[] = [];
  const stack: number[] = [];
  for (const start of nodes) {
    if (isPresent[start] === 0 || labels[start] !== 0) continue;
    const label = sizes.push(0);
    labels[start] = label;
    stack.push(start);
    while (stack.length > 0) {
      const node = stack.pop()!;
      sizes[label - 1]!++;
      budget.tryConsume(1 + outStart[node + 1]! - outStart[node]! + inStart[node + 1]! - inStart[node]!);
      for (let edge = outStart[node]!; edge < outStart[node + 1]!; edge++) {
        const other = outTo[edge]!;
        if (isPresent[other] === 0 || labels[other] !== 0) continue;
        if (!binds(isBlocked, node, other, outMutual[edge]!)) continue;
        labels[other] = label;
        stack.push(other);
      }
      for (let edge = inStart[node]!; edge < inStart[node + 1]!; edge++) {
        const other = inFrom[edge]!;
        if (isPresent[other] === 0 || labels[other] !== 0) continue;
        if (!binds(isBlocked, other, node, inMutual[edge]!)) continue;
        labels[other] = label;
        stack.push(other);
      }
    }
  }
  const parts = sizes.map((size) => ({ nodes: new Int32Array(size), blocked: new Uint8Array(size) }));
  const filled = new Int32Array(sizes.length);
  for (const node of nodes) {
    if (isPresent[node] === 0) continue;
    const label = labels[node]! - 1;
    const at = filled[label]!++;
    parts[label]!.nodes[at] = node;
    parts[label]!.blocked[at] = isBlocked[node]!;
  }
  return parts;
}
