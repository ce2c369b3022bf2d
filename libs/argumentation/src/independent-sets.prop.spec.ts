import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { SEED } from '@platform/testing/seed';
import { soak } from '@platform/testing/soak';
import { compareMembers } from './best-extensions.ts';
import { SearchBudget } from './search-budget.ts';
import { listSolutions, newChoice } from './choice.ts';
import { independentSetOptions } from './independent-set-options.ts';
import { maximalIndependentSets } from './maximal-independent-sets.ts';

fc.configureGlobal({ seed: SEED });

/** Connected graphs of 1 to 14 nodes: a random tree and random edges, many or few. */
const connectedGraphs = fc
  .record({
    parents: fc.array(fc.nat({ max: 999 }), { maxLength: 13 }),
    extra: fc.array(fc.tuple(fc.nat({ max: 13 }), fc.nat({ max: 13 })), { maxLength: 30 }),
  })
  .map(({ parents, extra }) => {
    const rows = Array.from({ length: parents.length + 1 }, () => new Set<number>());
    const join = (a: number, b: number) => {
      if (a === b || a >= rows.length || b >= rows.length) return;
      rows[a]!.add(b);
      rows[b]!.add(a);
    };
    for (const [k, parent] of parents.entries()) join(k + 1, parent % (k + 1));
    for (const [a, b] of extra) join(a, b);
    return rows.map((row) => [...row].sort((a, b) => a - b));
  });

function bruteForce(neighbors: number[][]): number[][] {
  const sets: number[][] = [];
  for (let bits = 0; bits < 1 << neighbors.length; bits++) {
    const isIn = (node: number) => ((bits >> node) & 1) === 1;
    const isMaximalIndependent = neighbors.every((row, node) => isIn(node) !== row.some(isIn));
    if (isMaximalIndependent) sets.push(neighbors.map((_, node) => node).filter(isIn));
  }
  return sets.sort(compareMembers);
}

describe('maximal independent sets against every subset of random graphs', () => {
  it('maximal independent sets equal those found over every subset of random graphs', () => {
    fc.assert(
      fc.property(connectedGraphs, (graph) => {
        const { sets, isComplete } = maximalIndependentSets(graph, new SearchBudget(Infinity));
        expect(isComplete).toBe(true);
        expect(sets.map((set) => [...set]).sort(compareMembers)).toEqual(bruteForce(graph));
      }),
      { numRuns: soak(1_000) },
    );
  });

  it('maximal independent sets are given as choices, each once, with the followers that no neighbor keeps out', () => {
    fc.assert(
      fc.property(connectedGraphs, fc.nat({ max: 7 }), (graph, attempts) => {
        // The last few nodes follow, but for neighbors of those that do.
        const isFollower = new Uint8Array(graph.length);
        for (let k = 1; k <= attempts && k < graph.length; k++) {
          const node = graph.length - k;
          if (graph[node]!.every((other) => isFollower[other] === 0)) isFollower[node] = 1;
        }
        const core = graph.map((row, node) =>
          isFollower[node] === 1 ? [] : row.filter((n) => isFollower[n] === 0),
        );
        const expected = bruteForce(core).map((set) =>
          set.filter((node) => isFollower[node] === 0 || graph[node]!.every((other) => !set.includes(other))),
        );
        const nodes = Int32Array.from(graph, (_, node) => node);
        const root = newChoice({ nodes, blocked: new Uint8Array(nodes.length) });
        root.options = independentSetOptions(graph, isFollower, nodes, new SearchBudget(Infinity))!;
        const { sets, isComplete } = listSolutions(root, new SearchBudget(Infinity));
        expect(isComplete).toBe(true);
        expect(sets.map((set) => [...set]).sort(compareMembers)).toEqual(expected.sort(compareMembers));
      }),
      { numRuns: soak(2_000) },
    );
  });
});
