import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { SEED } from '@platform/testing/seed';
import { movedPositions } from './sql-moves.ts';

fc.configureGlobal({ seed: SEED });

const HASHES = ['a', 'b', 'c', 'd', 'e', 'f'];
const items = fc
  .uniqueArray(fc.integer({ min: -3, max: 12 }), { maxLength: HASHES.length })
  .map((positions) =>
    positions.toSorted((a, b) => a - b).map((position, index) => ({ hash: HASHES[index]!, position })),
  );
const move = fc.record({
  hash: fc.constantFrom(...HASHES),
  before: fc.option(fc.constantFrom(...HASHES)),
});

describe('the positions of moved items', () => {
  it('moves leave the order of a list that is moved item by item, with every position given once', () => {
    fc.assert(
      fc.property(items, fc.array(move, { maxLength: 6 }), (list, moves) => {
        let order = list.map(({ hash }) => hash);
        for (const { hash, before } of moves) {
          const others = order.filter((other) => other !== hash);
          const place = before === null ? others.length : others.indexOf(before);
          if (order.includes(hash) && place >= 0) order = others.toSpliced(place, 0, hash);
        }
        const changed = movedPositions(list, moves);
        const after = list.map(({ hash, position }) => [changed.get(hash) ?? position, hash] as const);
        expect(new Set(after.map(([position]) => position)).size).toBe(list.length);
        expect(after.toSorted(([a], [b]) => a - b).map(([, hash]) => hash)).toEqual(order);
      }),
    );
  });

  it('an item put back where it was removed moves no other', () => {
    const list = [1, 3, 4, 9].map((position, index) => ({ hash: HASHES[index]!, position }));
    expect([...movedPositions(list, [{ hash: 'd', before: 'b' }])]).toEqual([['d', 2]]);
    expect([...movedPositions(list, [{ hash: 'd', before: 'a' }])]).toEqual([['d', 0]]);
  });
});
