import { readPlace, type Slice } from '../pages.ts';

/** The condition of a slice of what is sorted by creation, then by id. */
export function behind(slice: Slice | undefined) {
  if (slice?.after == null) return {};
  const { createdAt, id } = readPlace(slice.after);
  // The first condition is the one that an index is searched by.
  return { createdAt: { gte: createdAt }, OR: [{ createdAt: { gt: createdAt } }, { id: { gt: id } }] };
}

/** The order by creation, then by id, and the length of a slice. */
export function byCreation(slice: Slice | undefined) {
  return {
    orderBy: [{ createdAt: 'asc' as const }, { id: 'asc' as const }],
    ...(slice === undefined ? {} : { take: slice.limit }),
  };
}
