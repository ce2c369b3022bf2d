import type { SearchBudget } from './search-budget.ts';
import { CdclSolver, type Literal, not } from './cdcl.ts';
import type { Digraph } from './digraph.ts';
import { binds, type Residual } from './residual.ts';

/**
 * What the clauses describe: the complete labellings; the stable ones; or, for `preferred`, labellings whose
 * maximal sets of in-nodes are those of the complete ones, without the attacks that do not bind.
 */
export type Semantics = 'preferred' | 'complete' | 'stable';

/** A labelling by places, ascending; the places in neither list are undecided. */
export interface Labelling {
  readonly accepted: readonly number[];
  readonly rejected: readonly number[];
}

/**
 * Complete labellings as clauses, after C. Cerutti, M. Giacomin, M. Vallati, "ArgSemSAT: solving
 * argumentation problems using SAT", 2014: a node is in exactly when its attackers are out, and out exactly
 * when one of them is in. Variable v says that node v is in, variable size + v that it is out; neither means
 * undecided. A blocked node is never in, for no reason of its own. For stable labellings nothing is
 * undecided. Nodes are numbered by their place in the residual.
 */
export class LabellingSolver {
  readonly size: number;
  readonly #solver: CdclSolver;
  readonly #blocked: Uint8Array;
  readonly #budget: SearchBudget;

  constructor(graph: Digraph, residual: Residual, semantics: Semantics, budget: SearchBudget) {
    this.#blocked = residual.blocked;
    this.#budget = budget;
    this.size = residual.nodes.length;
    const { attackers, adjacent } = localRows(graph, residual, semantics);
    this.#solver = new CdclSolver(2 * this.size, this.size, this.#implications(adjacent), budget);
    for (let node = 0; node < this.size; node++) {
      const isOut = this.#out(node);
      const mayBeIn = this.#blocked[node] === 0;
      if (!mayBeIn) this.#solver.addClause([not(this.literalIn(node))]);
      this.#solver.addClause([not(isOut), ...attackers[node]!.map((attacker) => this.literalIn(attacker))]);
      if (mayBeIn) {
        this.#solver.addClause([
          this.literalIn(node),
          ...attackers[node]!.map((attacker) => not(this.#out(attacker))),
        ]);
      }
      if (semantics === 'stable') this.#solver.addClause([this.literalIn(node), isOut]);
      budget.tryConsume(2 * attackers[node]!.length + adjacent[node]!.length);
    }
  }

  /**
   * A labelling whose set of in-nodes is maximal among those not excluded yet; null when there is none or
   * when the budget is spent, which `budget.isSpent` tells apart.
   */
  next(): Labelling | null {
    if (this.#solver.search() !== 'model') return null;
    const accepted: number[] = [];
    const rejected: number[] = [];
    for (let place = 0; place < this.size; place++) {
      if (this.#solver.value(this.literalIn(place)) === 1) accepted.push(place);
      else if (this.#solver.value(this.#out(place)) === 1) rejected.push(place);
    }
    return { accepted, rejected };
  }

  /** From now on a literal of this clause must hold; none does in the labelling found last. */
  exclude(clause: readonly Literal[]): void {
    this.#solver.exclude(clause);
  }

  /**
   * The unblocked nodes, of those asked for by their place, that no labelling not yet excluded accepts, as
   * far as propagation can tell: assuming them in contradicts itself (failed literals: J. W. Freeman, 1995).
   */
  refuted(isAsked: (place: number) => boolean): number[] {
    const refuted: number[] = [];
    for (let place = 0; place < this.size && !this.#budget.isSpent; place++) {
      if (this.#blocked[place] === 1 || !isAsked(place)) continue;
      if (this.#solver.isRefuted(this.literalIn(place))) refuted.push(place);
    }
    return refuted;
  }

  /** The literal that the node at this place is in. */
  literalIn(place: number): Literal {
    return 2 * place;
  }

  #out(node: number): Literal {
    return 2 * (this.size + node);
  }

  /** In: the neighbors either way are out. Not out: the neighbors are not in. Never in and out. */
  #implications(adjacent: readonly (readonly number[])[]): { start: Int32Array; to: Int32Array } {
    const start = new Int32Array(4 * this.size + 1);
    let total = 0;
    const sizes = new Int32Array(4 * this.size);
    for (let node = 0; node < this.size; node++) {
      sizes[this.literalIn(node)] = sizes[not(this.#out(node))] = adjacent[node]!.length;
      sizes[this.literalIn(node)]!++;
      sizes[this.#out(node)] = 1;
    }
    for (let literal = 0; literal < sizes.length; literal++) {
      start[literal] = total;
      total += sizes[literal]!;
    }
    start[sizes.length] = total;
    const to = new Int32Array(total);
    for (let node = 0; node < this.size; node++) {
      let whenIn = start[this.literalIn(node)]!;
      let whenNotOut = start[not(this.#out(node))]!;
      to[whenIn++] = not(this.#out(node));
      to[start[this.#out(node)]!] = not(this.literalIn(node));
      for (const other of adjacent[node]!) {
        to[whenIn++] = this.#out(other);
        to[whenNotOut++] = not(this.literalIn(other));
      }
    }
    return { start, to };
  }
}

/** For each place its attackers, and all it attacks or is attacked by, as places. */
function localRows(
  graph: Digraph,
  { nodes, blocked }: Residual,
  semantics: Semantics,
): { attackers: number[][]; adjacent: number[][] } {
  const counts = (from: number, to: number, isMutual: number) =>
    semantics !== 'preferred' || binds(blocked, from, to, isMutual);
  const placeOf = new Map<number, number>();
  for (let place = 0; place < nodes.length; place++) placeOf.set(nodes[place]!, place);
  const attackers: number[][] = Array.from(nodes, () => []);
  const adjacent: number[][] = Array.from(nodes, () => []);
  for (let place = 0; place < nodes.length; place++) {
    const node = nodes[place]!;
    for (let edge = graph.inStart[node]!; edge < graph.inStart[node + 1]!; edge++) {
      const attacker = placeOf.get(graph.inFrom[edge]!);
      const isMutual = graph.inMutual[edge]!;
      if (attacker === undefined || !counts(attacker, place, isMutual)) continue;
      attackers[place]!.push(attacker);
      adjacent[place]!.push(attacker);
      // A mutual attack is met again from the other side, unless one direction does not count.
      if (isMutual === 0 || !counts(place, attacker, isMutual)) adjacent[attacker]!.push(place);
    }
  }
  return { attackers, adjacent };
}
