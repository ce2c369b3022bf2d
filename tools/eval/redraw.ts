import type { DataSet } from './data-set.ts';
import { mulberry32 } from './random.ts';

/**
 * The set with every label drawn anew, independently, with equal chance from the labels that its own item
 * has. How hard an item is stays; copying cannot be left, so every source suspected of copying in the result
 * is suspected wrongly.
 */
export function redraw(set: DataSet, seed: number): DataSet {
  const next = mulberry32(seed);
  const said: string[][] = set.items.map(() => []);
  for (const [, item, value] of set.claims) said[item]!.push(value);
  return {
    ...set,
    claims: set.claims.map(([source, item]) => [
      source,
      item,
      said[item]![Math.floor(next() * said[item]!.length)]!,
    ]),
  };
}
