import { describe, expect, it } from '@jest/globals';
import { covers } from '@platform/testing/covers';
import type { AttackGraph } from './framework.ts';
import {
  graphFrom,
  investigationGraph,
  randomFrom,
  randomGraph,
  sideBySide,
} from './investigation-framework.fixture.ts';
import { preferred, type PreferredSearch } from './preferred.ts';

const share = (members: readonly number[]) =>
  members.reduce((sum, node) => sum + ((node * 7_919) % 101), 0) / Math.max(1, members.length);
const search = (changes: Partial<PreferredSearch> = {}): PreferredSearch => ({
  limit: 64,
  score: share,
  conflictBudget: 20_000,
  ...changes,
});

/** Rivals a ↔ b, as many pairs as asked for. */
const pairs = (count: number) =>
  graphFrom(Array.from({ length: 2 * count }, (_, node) => [node % 2 === 0 ? node + 1 : node - 1]));

function expectAdmissible({ targets }: AttackGraph, members: readonly number[]): void {
  const accepted = new Set(members);
  const attacked = new Set(members.flatMap((node) => targets[node]!));
  expect(members.filter((node) => attacked.has(node))).toEqual([]);
  const unanswered = targets.flatMap((row, node) =>
    attacked.has(node) ? [] : row.filter((target) => accepted.has(target)),
  );
  expect(unanswered).toEqual([]);
}

describe('counting', () => {
  covers('RM-7.19', 'RM-7.20');
  it('preferred() counts 400 entangled claims over five periods: 4 · 4 · 5 · 6 · 6 = 2,880', () => {
    for (const superseding of [0, 0.02]) {
      const graph = investigationGraph(1, {
        values: [4, 4, 5, 6, 6],
        claims: 250,
        spanning: 120,
        metas: 30,
        superseding,
      });
      const result = preferred(graph, search());
      expect(result.isExact).toBe(true);
      expect(result.count).toBe(2_880n);
      expect(result.best).toHaveLength(64);
    }
  });

  it('preferred() counts 400 claims over 12 periods with 3 values each, too many to list, in one component', () => {
    const shape = {
      values: new Array<number>(12).fill(3),
      claims: 250,
      spanning: 120,
      metas: 30,
      superseding: 0,
    };
    const graph = investigationGraph(1, shape);
    const result = preferred(graph, search({ limit: 8 }));
    expect(result.isExact).toBe(true);
    expect(result.count).toBe(3n ** 12n);
    for (const members of result.best) expectAdmissible(graph, members);
  });

  it('preferred() counts a product over components without listing it', () => {
    const result = preferred(pairs(500), search({ limit: 3 }));
    expect(result.isExact).toBe(true);
    expect(result.count).toBe(2n ** 500n);
    expect([...result.acceptedByAll]).toEqual(new Array(1_000).fill(0));
    expect([...result.acceptedBySome]).toEqual(new Array(1_000).fill(1));
  });

  it('preferred() counts a chain of disputes in which each decides the next, through parts that it meets again', () => {
    // Dispute k is 2k ↔ 2k + 1, and 2k attacks 2k + 2: after 2k the next is decided for 2k + 3, after 2k + 1
    // it is open.
    const disputes = 60;
    const graph = graphFrom(
      Array.from({ length: 2 * disputes }, (_, node) =>
        node % 2 === 1 ? [node - 1] : [node + 1, ...(node + 2 < 2 * disputes ? [node + 2] : [])],
      ),
    );
    let [open, decided] = [1n, 1n];
    for (let k = 1; k < disputes; k++) [open, decided] = [open + decided, open];
    expect(preferred(graph, search({ limit: 1 })).count).toBe(open + decided);
  });
});

describe('ranking', () => {
  covers('RM-7.20');
  it('preferred() finds the best of a product too large to list when the score adds up over components', () => {
    const random = randomFrom(9);
    const weights = Array.from({ length: 200 }, () => random());
    const weight = (node: number) => weights[node]!;
    const result = preferred(
      pairs(100),
      search({ score: (m) => m.reduce((sum, node) => sum + weight(node), 0) }),
    );
    const best = Array.from({ length: 100 }, (_, k) =>
      weight(2 * k) > weight(2 * k + 1) ? 2 * k : 2 * k + 1,
    );
    const losses = Array.from({ length: 100 }, (_, k) => Math.abs(weight(2 * k) - weight(2 * k + 1)));
    // The second best gives up where that costs least.
    const cheapest = losses.indexOf(Math.min(...losses));
    const second = best.map((node, k) => (k === cheapest ? node ^ 1 : node));
    expect(result.best.slice(0, 2)).toEqual([best, second]);
    expect(result.best).toHaveLength(64);
    expect(new Set(result.best.map(String)).size).toBe(64);
  });

  it('preferred() lists preferred extensions only, and no neighbor beats the first, when the score is a mean', () => {
    const graph = sideBySide([
      pairs(12),
      investigationGraph(2, { values: [3, 4], claims: 40, spanning: 10, metas: 5, superseding: 0 }),
    ]);
    const { best, count } = preferred(graph, search());
    expect(count).toBe(2n ** 12n * 12n);
    for (const members of best) expectAdmissible(graph, members);
    for (let pair = 0; pair < 12; pair++) {
      const swapped = best[0]!.map((node) => (node >> 1 === pair ? node ^ 1 : node));
      expect(share(swapped)).toBeLessThanOrEqual(share(best[0]!));
    }
  });

  it('preferred() breaks ties by the members', () => {
    expect(preferred(pairs(2), search({ score: () => 1, limit: 3 })).best).toEqual([
      [0, 2],
      [0, 3],
      [1, 2],
    ]);
  });
});

describe('budget', () => {
  covers('RM-7.21');
  const explosive: [string, AttackGraph][] = [
    ['2,000 arguments, sparse mutual attacks', randomGraph(1, 2_000, 0.002, true)],
    ['2,000 arguments, mutual attacks', randomGraph(1, 2_000, 0.05, true)],
    ['2,000 arguments, one-way attacks', randomGraph(1, 2_000, 0.002, false)],
  ];

  it.each(explosive)('preferred() stops at its budget and reports it: %s', (_, graph) => {
    const result = preferred(graph, search({ conflictBudget: 1_000 }));
    expect(result.isExact).toBe(false);
    expect(result.best.length).toBeGreaterThan(0);
    expect(result.count).toBeGreaterThan(0n);
    for (const members of result.best) expectAdmissible(graph, members);
    expect(preferred(graph, search({ conflictBudget: 1_000 }))).toEqual(result);
  });

  it('preferred() stops when asked to, within a bounded number of questions, and still lists something', () => {
    let asked = 0;
    const shouldStop = () => ++asked > 5;
    const result = preferred(explosive[1]![1], search({ conflictBudget: Infinity, shouldStop }));
    expect(result.isExact).toBe(false);
    expect(result.best.length).toBeGreaterThan(0);
    expect(asked).toBeLessThan(20);
  });

  it('preferred() leaves budget to the small parts next to one that would take all of it', () => {
    const graph = sideBySide([randomGraph(1, 1_000, 0.05, true), pairs(3)]);
    const result = preferred(graph, search({ conflictBudget: 500 }));
    expect(result.isExact).toBe(false);
    expect(Array.from(result.acceptedBySome.slice(1_000))).toEqual([1, 1, 1, 1, 1, 1]);
    expect(result.count % 8n).toBe(0n);
  });
});

describe('edges', () => {
  it('a framework without arguments has one empty extension', () => {
    expect(preferred({ size: 0, targets: [] }, search())).toMatchObject({
      count: 1n,
      best: [[]],
      isExact: true,
    });
  });

  it('an argument that attacks itself is in no extension, and a single unattacked one is', () => {
    expect(preferred({ size: 1, targets: [[]] }, search())).toMatchObject({ count: 1n, best: [[0]] });
    expect(preferred({ size: 1, targets: [[0]] }, search())).toMatchObject({ count: 1n, best: [[]] });
  });

  it('arguments that all attack each other have one extension each', () => {
    const graph = graphFrom([
      [1, 2],
      [0, 2],
      [0, 1],
    ]);
    const result = preferred(graph, search({ score: (members) => members[0]!, limit: 2 }));
    expect(result).toMatchObject({ count: 3n, best: [[2], [1]], isExact: true });
    expect([...result.acceptedByAll, ...result.acceptedBySome]).toEqual([0, 0, 0, 1, 1, 1]);
  });
});
