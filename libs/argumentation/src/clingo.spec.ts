import { describe, expect, it } from '@jest/globals';
import { covers } from '@platform/testing/covers';
import { compareMembers } from './best-extensions.ts';
import { preferredByClingo } from './clingo.fixture.ts';
import type { AttackGraph } from './framework.ts';
import { investigationGraph, randomGraph, sideBySide } from './investigation-framework.fixture.ts';
import { preferred } from './preferred.ts';

/** Our preferred extensions, all of them, in lexicographic order. */
function preferredSets(graph: AttackGraph): number[][] {
  const result = preferred(graph, { limit: 10_000, score: () => 0, conflictBudget: 1_000_000 });
  expect(result.isExact).toBe(true);
  expect(result.count).toBe(BigInt(result.best.length));
  expect([...result.best].sort(compareMembers)).toEqual(result.best);
  return result.best;
}

const periods = (seed: number, superseding: number, values: number[], claims: number) =>
  investigationGraph(seed, { values, claims, spanning: claims >> 1, metas: claims >> 3, superseding });

const FRAMEWORKS: [string, AttackGraph][] = [
  ['400 claims that all conflict in time, mutual attacks', periods(1, 0, [3, 3, 4, 4], 246)],
  ['400 claims, one in fifty conflicts superseding', periods(2, 0.02, [3, 3, 4, 4], 246)],
  ['400 claims, one in ten conflicts superseding', periods(3, 0.1, [3, 3, 3, 3], 246)],
  ['300 claims, one in three conflicts superseding', periods(4, 0.33, [2, 3, 3, 2], 185)],
  ['three disputes side by side', sideBySide([0, 1, 2].map((k) => periods(5 + k, 0.1 * k, [2, 3], 80)))],
  ['200 arguments, sparse one-way attacks', randomGraph(1, 200, 0.01, false)],
  ['200 arguments, one-way attacks', randomGraph(2, 200, 0.015, false)],
  ['300 arguments, sparse one-way attacks', randomGraph(3, 300, 0.006, false)],
  ['100 arguments, denser one-way attacks', randomGraph(4, 100, 0.05, false)],
  ['60 arguments, mutual attacks', randomGraph(5, 60, 0.4, true)],
  ['200 arguments, dense mutual attacks', randomGraph(6, 200, 0.8, true)],
];

describe('preferred extensions against clingo with the ASPARTIX encoding', () => {
  covers('RM-0.19', 'RM-7.19');
  it.each(FRAMEWORKS)('%s', async (_, graph) => {
    const { extensions } = await preferredByClingo(graph);
    expect(preferredSets(graph)).toEqual(extensions);
  });
});
