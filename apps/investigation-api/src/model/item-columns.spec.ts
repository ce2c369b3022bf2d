import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { covers } from '@platform/testing/covers';
import { SEED } from '@platform/testing/seed';
import { ENTITY_KINDS } from '@platform/opinion-fusion';
import type { Entity } from './entity.ts';
import { buffersOf, columnsOf, refAt } from './item-columns.ts';

fc.configureGlobal({ seed: SEED });

const MiB = 1024 * 1024;
const ref = fc.record({ kind: fc.constantFrom(...ENTITY_KINDS), id: fc.string({ unit: 'binary' }) });

/** The elements of an array in the binary form of Postgres. */
function elementsOf(array: Uint8Array): Buffer[] {
  const bytes = Buffer.from(array.buffer, array.byteOffset, array.length);
  const elements: Buffer[] = [];
  for (let at = 20; at < bytes.length; at += 4 + bytes.readInt32BE(at))
    elements.push(bytes.subarray(at + 4, at + 4 + bytes.readInt32BE(at)));
  expect(elements).toHaveLength(bytes.readInt32BE(12));
  return elements;
}

describe('columns of items', () => {
  it('items of 16 MiB make chunks of at most a mebibyte that share no memory, and lose no character', () => {
    covers('PLAT-F.22');
    const bodies = Array.from(
      { length: 1_600 },
      (_, n) => `{"id":"${n}","name":"${'\\"ä\u{1f600}'.repeat(1_300)}"}`,
    );
    const columns = columnsOf(bodies.map((body, n) => ({ kind: 'actors', id: `${n}`, body })));
    const chunks = columns.upserts.map((chunk) => elementsOf(chunk.bodies));
    expect(chunks.flat().map(String).join('') === bodies.join('')).toBe(true);
    expect(columns.upserts.map(({ count }) => count)).toEqual(chunks.map(({ length }) => length));
    expect(Math.max(...columns.upserts.map((chunk) => chunk.bodies.length))).toBeLessThan(1.1 * MiB);
    expect(structuredClone(columns, { transfer: buffersOf(columns) }).upserts).toHaveLength(chunks.length);
  });

  it('one item that is longer than a mebibyte has a chunk of its own', () => {
    const item = (id: string, length: number): Entity => ({ kind: 'claims', id, body: 'x'.repeat(length) });
    const { upserts } = columnsOf([item('a', 10), item('b', 2 * MiB), item('c', 10), item('d', 10)]);
    expect(upserts.map(({ count }) => count)).toEqual([1, 1, 2]);
  });

  it('removals name their items by place, each once, and keep back the upserts that they remove', () => {
    fc.assert(
      fc.property(fc.array(ref), fc.array(ref), fc.array(ref), (added, removed, both) => {
        const keyOf = ({ kind, id }: (typeof both)[number]) => `${kind} ${id}`;
        const upserts = [...added, ...both].map((one): Entity => ({ ...one, body: keyOf(one) }));
        const { upserts: kept, removals } = columnsOf(upserts, [...removed, ...both]);
        const gone = new Set([...removed, ...both].map(keyOf));
        const given = new Set(upserts.map(keyOf));
        const namedBy = (isGiven: boolean) =>
          removals
            .filter((chunk) => chunk.isGiven === isGiven)
            .flatMap((chunk) => Array.from({ length: chunk.refs.count }, (_, n) => keyOf(refAt(chunk, n))));
        expect(kept.flatMap(({ bodies }) => elementsOf(bodies).map(String))).toEqual(
          upserts.map(({ body }) => body).filter((key) => !gone.has(key)),
        );
        expect(namedBy(true).sort()).toEqual([...gone].filter((key) => given.has(key)).sort());
        expect(namedBy(false).sort()).toEqual([...gone].filter((key) => !given.has(key)).sort());
      }),
    );
  });

  it('40,000 removals make chunks whose keys fit into a mebibyte', () => {
    covers('PLAT-F.22');
    const { removals } = columnsOf(
      [],
      Array.from({ length: 40_000 }, (_, n) => ({ kind: 'claims' as const, id: `c${n}` })),
    );
    expect(removals.map(({ refs }) => refs.count)).toEqual([32_768, 7_232]);
    expect(refAt(removals[1]!, 0)).toEqual({ kind: 'claims', id: 'c32768' });
  });
});
