import type { SearchBudget } from './search-budget.ts';

/** Steps of work charged for each member of a set that is kept: it bounds memory as well as time. */
export const WORK_PER_KEPT_MEMBER = 16;

export interface SetList {
  /** Each set is in ascending order. */
  readonly sets: Int32Array[];
  /** False when the budget ended the search before all were found. */
  readonly isComplete: boolean;
}

/**
 * All maximal independent sets of the undirected graph on 0 … neighbors.length − 1, which are the preferred
 * extensions of a symmetric irreflexive framework (S. Coste-Marquis, C. Devred, P. Marquis, "Symmetric
 * argumentation frameworks", 2005, Proposition 4). They are the maximal cliques of the complement: Bron and
 * Kerbosch (1973) with the pivot of E. Tomita, A. Tanaka, H. Takahashi (2006), branching in the degeneracy
 * order of the complement (D. Eppstein, M. Löffler, D. Strash, 2010). Sets are bits in machine words; the
 * search keeps its own stack. Space is quadratic in the nodes.
 */
export function maximalIndependentSets(
  neighbors: readonly (readonly number[])[],
  budget: SearchBudget,
): SetList {
  const size = neighbors.length;
  if (size === 0) return { sets: [new Int32Array(0)], isComplete: true };
  const nodeAt = complementDegeneracyOrder(neighbors);
  const words = (size + 31) >>> 5;
  if (!budget.tryConsume(size * words)) return { sets: [], isComplete: false };
  const closed = closedNeighborhoods(neighbors, nodeAt, words);

  // Level d holds three sets: open (may still join), excluded (would join, but was tried before) and
  // branches.
  const level = 3 * words;
  let stack = new Int32Array(level * 16);
  const chosen: number[] = [];
  const sets: Int32Array[] = [];
  for (let k = 0; k < size; k++) stack[k >>> 5]! |= 1 << (k & 31);
  if (!chooseBranches(stack, 0, words, closed, budget)) return { sets, isComplete: false };
  let depth = 0;
  while (depth >= 0) {
    const base = depth * level;
    const node = takeLowest(stack, base + 2 * words, words);
    if (node === -1) {
      depth--;
      chosen.pop();
      continue;
    }
    const next = base + level;
    if (next + level > stack.length) {
      const larger = new Int32Array(stack.length * 2);
      larger.set(stack);
      stack = larger;
    }
    const row = node * words;
    let anyOpen = 0;
    let anyExcluded = 0;
    for (let w = 0; w < words; w++) {
      const outside = ~closed[row + w]!;
      anyOpen |= stack[next + w] = stack[base + w]! & outside;
      anyExcluded |= stack[next + words + w] = stack[base + words + w]! & outside;
    }
    stack[base + (node >>> 5)]! &= ~(1 << (node & 31));
    stack[base + words + (node >>> 5)]! |= 1 << (node & 31);
    chosen[depth] = node;
    chosen.length = depth + 1;
    if (!budget.tryConsume(words)) return { sets, isComplete: false };
    if (anyOpen === 0) {
      if (anyExcluded === 0) {
        sets.push(Int32Array.from(chosen, (k) => nodeAt[k]!).sort());
        budget.tryConsume(WORK_PER_KEPT_MEMBER * chosen.length);
      }
      continue;
    }
    if (!chooseBranches(stack, next, words, closed, budget)) return { sets, isComplete: false };
    depth++;
  }
  return { sets, isComplete: true };
}

/**
 * Writes the branches of the level at `base`: the open part of the closed neighborhood that has the smallest
 * one, over all open and excluded nodes. Every maximal set takes one of them, or it could be extended.
 */
function chooseBranches(
  stack: Int32Array,
  base: number,
  words: number,
  closed: Int32Array,
  budget: SearchBudget,
): boolean {
  let fewest = Infinity;
  let pivot = -1;
  // Excluded nodes first: one without open neighbors shows that no maximal set is left here.
  for (let half = 1; half >= 0; half--) {
    const enough = 1 - half;
    for (let w = 0; w < words && fewest > enough; w++) {
      let rest = stack[base + half * words + w]!;
      while (rest !== 0) {
        const node = (w << 5) + 31 - Math.clz32(rest & -rest);
        rest &= rest - 1;
        let count = 0;
        for (let v = 0, row = node * words; v < words && count < fewest; v++) {
          const word = stack[base + v]! & closed[row + v]!;
          if (word !== 0) count += bitCount(word);
        }
        if (!budget.tryConsume(words)) return false;
        if (count < fewest) {
          fewest = count;
          pivot = node;
          if (count <= enough) break;
        }
      }
    }
  }
  for (let w = 0; w < words; w++) stack[base + 2 * words + w] = stack[base + w]! & closed[pivot * words + w]!;
  return true;
}

function takeLowest(stack: Int32Array, from: number, words: number): number {
  for (let w = 0; w < words; w++) {
    const word = stack[from + w]!;
    if (word === 0) continue;
    stack[from + w] = word & (word - 1);
    return (w << 5) + 31 - Math.clz32(word & -word);
  }
  return -1;
}

function bitCount(word: number): number {
  word -= (word >>> 1) & 0x55555555;
  word = (word & 0x33333333) + ((word >>> 2) & 0x33333333);
  return Math.imul((word + (word >>> 4)) & 0x0f0f0f0f, 0x01010101) >>> 24;
}

/**
 * Nodes such that each has, among those after it, as few non-neighbors as can be: repeatedly the one with
 * most neighbors left.
 */
function complementDegeneracyOrder(neighbors: readonly (readonly number[])[]): Int32Array {
  const size = neighbors.length;
  const buckets: number[][] = Array.from({ length: size }, () => []);
  const degree = neighbors.map((list) => list.length);
  for (let node = size - 1; node >= 0; node--) buckets[degree[node]!]!.push(node);
  const order = new Int32Array(size);
  const isTaken = new Uint8Array(size);
  let top = size - 1;
  for (let k = 0; k < size;) {
    const node = buckets[top]!.pop();
    if (node === undefined) {
      top--;
      continue;
    }
    if (isTaken[node] === 1 || degree[node] !== top) continue;
    isTaken[node] = 1;
    order[k++] = node;
    for (const other of neighbors[node]!) if (isTaken[other] === 0) buckets[--degree[other]!]!.push(other);
  }
  return order;
}

function closedNeighborhoods(
  neighbors: readonly (readonly number[])[],
  nodeAt: Int32Array,
  words: number,
): Int32Array {
  const closed = new Int32Array(neighbors.length * words);
  const placeOf = new Int32Array(neighbors.length);
  for (let k = 0; k < nodeAt.length; k++) placeOf[nodeAt[k]!] = k;
  for (let k = 0; k < nodeAt.length; k++) {
    const row = k * words;
    closed[row + (k >>> 5)]! |= 1 << (k & 31);
    for (const other of neighbors[nodeAt[k]!]!) {
      const place = placeOf[other]!;
      closed[row + (place >>> 5)]! |= 1 << (place & 31);
    }
  }
  return closed;
}
