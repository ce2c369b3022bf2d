/**
 * Shared by the many things that have none of something; not frozen, for loops over frozen arrays are slow.
 */
export const NONE: readonly never[] = [];

/**
 * The list with one item more; a list that holds something already is grown in place, the shared empty one
 * never is.
 */
export function appended<T>(list: readonly T[], item: T): readonly T[] {
  if (list.length === 0) return [item];
  (list as T[]).push(item);
  return list;
}
