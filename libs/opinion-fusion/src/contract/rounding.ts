/**
 * Decimals to which numbers are compared: below it lies the noise of the order of additions. Reasoning model,
 * "Engine".
 */
const COMPARED_DECIMALS = 1e12;

/** A number as comparisons and thresholds see it: rounded to 12 decimals. */
export function roundForComparison(x: number): number {
  return Math.round(x * COMPARED_DECIMALS) / COMPARED_DECIMALS;
}

/** Ascending by UTF-16 code units, the order of ids everywhere. */
export function byCodeUnits(a: string, b: string): number {
  return a < b ? -1 : a > b ? 1 : 0;
}

/** `x` moved into [low, high]. */
export function clamp(x: number, low: number, high: number): number {
  return x < low ? low : x > high ? high : x;
}

/** Order of things that have an id. */
export function byId(a: { readonly id: string }, b: { readonly id: string }): number {
  return byCodeUnits(a.id, b.id);
}

/** The list in the order of ids; the list itself where it has that order already. */
export function sortedById<T extends { readonly id: string }>(list: readonly T[]): readonly T[] {
  for (let i = 1; i < list.length; i += 1) if (byId(list[i - 1]!, list[i]!) > 0) return list.toSorted(byId);
  return list;
}
