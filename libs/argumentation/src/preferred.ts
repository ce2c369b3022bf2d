import { bestExtensions } from './best-extensions.ts';
import { SearchBudget } from './search-budget.ts';
import { type Choice, reachable, settle } from './choice.ts';
import { Decomposition } from './decomposition.ts';
import { digraphOf } from './digraph.ts';
import type { AttackGraph } from './framework.ts';
import { mergeTwins, type Quotient } from './twins.ts';

export type { AttackGraph } from './framework.ts';

export interface PreferredSearch {
  /** Extensions listed at most, best first; ≥ 1. */
  limit: number;
  /**
   * Coherence of one extension, given as ascending node ids; higher is better, ties fall to the lexicographic
   * order of the node ids. Asked for at most 20,000 times in one call.
   */
  score: (members: readonly number[]) => number;
  /**
   * Conflicts of the SAT core over the whole call, ≥ 0. Each also stands for 5,000 steps of any other work.
   */
  conflictBudget: number;
  /** Asked every few hundred steps; true ends the search early. */
  shouldStop?: () => boolean;
}

export interface PreferredResult {
  /** Number of preferred extensions; a lower bound when isExact is false. */
  count: bigint;
  /** 1 for the nodes in every preferred extension; when isExact is false, those of them that are known. */
  acceptedByAll: Uint8Array;
  /** 1 for the nodes in some preferred extension; when isExact is false, those of them that are known. */
  acceptedBySome: Uint8Array;
  /** At most `limit` extensions, best first. */
  best: number[][];
  /** False when the budget or shouldStop ended the work. */
  isExact: boolean;
}

/**
 * The preferred extensions (maximal admissible sets: P. M. Dung, 1995, Definition 7) of an attack graph: how
 * many, which nodes are in all and in some of them, and the best by a score.
 *
 * `isExact` true: count, acceptedByAll and acceptedBySome are exact, and every listed set is a preferred
 * extension. The list is the best of all up to 20,000 extensions; above, it is what a deterministic local
 * search finds (`bestExtensions`).
 *
 * `isExact` false: the grounded extension is in every listed set, and every listed set is conflict-free and
 * admissible, though perhaps not maximal, and others may be missing. count is the number of different sets
 * found: each lies in a preferred extension of its own. acceptedByAll and acceptedBySome err on the side of 0
 * only.
 *
 * Same graph and search, same result, unless shouldStop ends it. Linear in the attacks and not covered by the
 * budget: reading the graph and merging nodes with the same attackers. Never throws.
 */
export function preferred(graph: AttackGraph, search: PreferredSearch): PreferredResult {
  const rivals = allRivals(graph, search);
  if (rivals !== null) return rivals;
  const quotient = mergeTwins(graph);
  const budget = new SearchBudget(search.conflictBudget, search.shouldStop);
  const root = preferredChoices(quotient, budget);
  const { count, isExact, always } = settle(root);

  const toMembers = memberLister(graph.size, quotient);
  const { best, isComplete } = bestExtensions(
    root,
    count,
    { limit: search.limit, score: search.score, members: toMembers },
    budget,
  );
  const acceptedByAll = new Uint8Array(graph.size);
  const acceptedBySome = new Uint8Array(graph.size);
  const mark = (marks: Uint8Array, nodes: Iterable<number>) => {
    for (const node of nodes) for (const member of quotient.classes[node]!) marks[member] = 1;
  };
  mark(acceptedByAll, always);
  for (const choice of reachable(root))
    for (const option of choice.options) mark(acceptedBySome, option.members);
  return { count, acceptedByAll, acceptedBySome, best, isExact: isExact && isComplete };
}

/** The preferred extensions of a quotient as choices over its nodes. */
export function preferredChoices(quotient: Quotient, budget: SearchBudget): Choice {
  const digraph = digraphOf(quotient, quotient.blocked);
  const nodes = Int32Array.from({ length: digraph.size }, (_, node) => node);
  return new Decomposition(digraph, budget).solve({ nodes, blocked: digraph.blocked });
}

/** Turns pieces over the nodes of a quotient into the ascending members in the graph. */
export function memberLister(
  size: number,
  { classes }: Quotient,
): (pieces: readonly Int32Array[]) => number[] {
  const isMember = new Uint8Array(size);
  return (pieces) => {
    const members: number[] = [];
    for (const piece of pieces)
      for (const node of piece) for (const member of classes[node]!) members.push(member);
    // One pass over all nodes orders the members faster than sorting unless they are few.
    if (members.length * 16 < size) return members.sort((a, b) => a - b);
    for (const member of members) isMember[member] = 1;
    let count = 0;
    for (let node = 0; node < size; node++) {
      if (isMember[node] === 0) continue;
      members[count++] = node;
      isMember[node] = 0;
    }
    return members;
  };
}

/**
 * Closed form where each node attacks every other one, as values that contradict each other do: one extension
 * each.
 */
function allRivals(
  { size, targets }: AttackGraph,
  { limit, score }: PreferredSearch,
): PreferredResult | null {
  for (let node = 0; node < size; node++) {
    if (targets[node]!.length !== size - 1 || targets[node]!.includes(node)) return null;
  }
  const scored = targets.map((_, node) => ({ node, score: score([node]) }));
  scored.sort((a, b) => b.score - a.score || a.node - b.node);
  return {
    count: BigInt(Math.max(1, size)),
    acceptedByAll: new Uint8Array(size).fill(size === 1 ? 1 : 0),
    acceptedBySome: new Uint8Array(size).fill(1),
    best: size === 0 ? [[]] : scored.slice(0, limit).map(({ node }) => [node]),
    isExact: true,
  };
}
