import type { Slice } from '../pages.ts';

/** The condition of a slice of what is sorted by name. */
export function behind(slice: Slice | undefined) {
  return slice?.after == null ? {} : { name: { gt: slice.after } };
}

/** The order by name, and the length of a slice. */
export function byName(slice: Slice | undefined) {
  return { orderBy: { name: 'asc' as const }, ...(slice === undefined ? {} : { take: slice.limit }) };
}
