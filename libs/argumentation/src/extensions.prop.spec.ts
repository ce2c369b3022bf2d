import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { SEED } from '@platform/testing/seed';
import { covers } from '@platform/testing/covers';
import { soak } from '@platform/testing/soak';
import { type BitGraph, bitGraph, bruteForce } from './brute-force.fixture.ts';
import {
  completeExtensions,
  groundedExtension,
  preferredExtensions,
  stableExtensions,
} from './extensions.ts';
import { preferred } from './preferred.ts';

fc.configureGlobal({ seed: SEED });

const RUNS = soak(3_000);

/**
 * Frameworks of at most 12 arguments: from sparse to dense, from one-way to mutual attacks, with and without
 * self-attacks, and with parts that attack in one direction only, so that every step of the decomposition is
 * taken.
 */
const frameworks: fc.Arbitrary<BitGraph> = fc
  .record({
    size: fc.integer({ min: 0, max: 12 }),
    density: fc.integer({ min: 1, max: 9 }),
    mutual: fc.integer({ min: 0, max: 10 }),
    self: fc.constantFrom(0, 0, 0, 1, 3),
    layer: fc.constantFrom(1, 3, 4, 12),
    rolls: fc.array(fc.nat({ max: 99 }), { minLength: 300, maxLength: 300 }),
  })
  .map(({ size, density, mutual, self, layer, rolls }) => {
    const pairs: [number, number][] = [];
    let roll = 0;
    for (let a = 0; a < size; a++) {
      if (rolls[roll++ % 300]! < self * 5) pairs.push([a, a]);
      for (let b = a + 1; b < size; b++) {
        const isSameLayer = Math.floor(a / layer) === Math.floor(b / layer);
        if (rolls[roll++ % 300]! >= density * (isSameLayer ? 10 : 4)) continue;
        const isMutual = isSameLayer && rolls[roll++ % 300]! < mutual * 10;
        const isBackward = isSameLayer && rolls[roll++ % 300]! < 50;
        if (isMutual || !isBackward) pairs.push([a, b]);
        if (isMutual || isBackward) pairs.push([b, a]);
      }
    }
    return bitGraph(size, pairs);
  });

const name = (node: number) => String.fromCharCode(97 + node);
const named = (sets: number[][]) => sets.map((set) => set.map(name));
const framework = (graph: BitGraph) => ({
  arguments: graph.targets.map((_, node) => name(node)).reverse(),
  attacks: graph.targets.flatMap((targets, node) =>
    targets.map((target): [string, string] => [name(node), name(target)]),
  ),
});

describe('all four semantics against every subset of random frameworks', () => {
  covers('RM-0.17', 'RM-0.18');
  it('all four semantics give the same extensions as a search over every subset of random frameworks, sorted', () => {
    fc.assert(
      fc.property(frameworks, (graph) => {
        const expected = bruteForce(graph);
        const input = framework(graph);
        expect([groundedExtension(input)]).toEqual(named(expected.grounded));
        expect(completeExtensions(input)).toEqual(named(expected.complete));
        expect(preferredExtensions(input)).toEqual(named(expected.preferred));
        expect(stableExtensions(input)).toEqual(named(expected.stable));
      }),
      { numRuns: RUNS },
    );
  });
});

/** Not additive, and equal for many sets, as a coherence score may be. */
const roughScore = (members: readonly number[]) =>
  members.length === 0
    ? 0
    : Math.round((4 * members.reduce((sum, m) => sum + ((m * 7) % 5), 0)) / members.length);

describe('preferred() against every subset of random frameworks', () => {
  it('preferred() counts, marks and ranks as a search over every subset does, within the budget', () => {
    covers('RM-0.18');
    fc.assert(
      fc.property(frameworks, fc.integer({ min: 1, max: 6 }), (graph, limit) => {
        const expected = bruteForce(graph).preferred;
        const result = preferred(graph, { limit, score: roughScore, conflictBudget: 10_000 });
        expect(result.isExact).toBe(true);
        expect(result.count).toBe(BigInt(expected.length));
        const nodes = graph.targets.map((_, node) => node);
        expect([...result.acceptedByAll]).toEqual(
          nodes.map((n) => (expected.every((set) => set.includes(n)) ? 1 : 0)),
        );
        expect([...result.acceptedBySome]).toEqual(
          nodes.map((n) => (expected.some((set) => set.includes(n)) ? 1 : 0)),
        );
        // expected is in lexicographic order and sorting is stable.
        expect(result.best).toEqual(
          [...expected].sort((a, b) => roughScore(b) - roughScore(a)).slice(0, limit),
        );
      }),
      { numRuns: RUNS },
    );
  });

  it('preferred() is sound when the budget ends the search: admissible sets, certain marks, a lower bound', () => {
    covers('RM-7.21');
    let cutShort = 0;
    fc.assert(
      fc.property(frameworks, fc.nat({ max: 40 }), (graph, steps) => {
        const expected = bruteForce(graph);
        let asked = 0;
        const shouldStop = () => ++asked > 0;
        const result = preferred(graph, {
          limit: 100,
          score: roughScore,
          conflictBudget: steps / 1_000,
          shouldStop: steps === 0 ? shouldStop : undefined,
        });
        if (!result.isExact) cutShort++;
        expect(result.best.length).toBeGreaterThan(0);
        expect(result.count).toBeGreaterThanOrEqual(1n);
        expect(result.count).toBeLessThanOrEqual(BigInt(expected.preferred.length));
        for (const set of result.best) {
          expect(expected.grounded[0]!.every((node) => set.includes(node))).toBe(true);
          expect(isAdmissible(graph, set)).toBe(true);
        }
        for (let node = 0; node < graph.size; node++) {
          if (result.acceptedByAll[node] === 1)
            expect(expected.preferred.every((set) => set.includes(node))).toBe(true);
          if (result.acceptedBySome[node] === 1)
            expect(expected.preferred.some((set) => set.includes(node))).toBe(true);
        }
      }),
      { numRuns: RUNS },
    );
    expect(cutShort).toBeGreaterThan(RUNS / 20);
  });
});

function isAdmissible({ attacks, attackedBy }: BitGraph, set: number[]): boolean {
  const members = set.reduce((bits, node) => bits | (1 << node), 0);
  const attacked = set.reduce((bits, node) => bits | attacks[node]!, 0);
  return (attacked & members) === 0 && set.every((node) => (attackedBy[node]! & ~attacked) === 0);
}
