import type { ShareSnapshot } from '../snapshot.ts';

/** Id of the element that holds the snapshot as JSON. */
export const ISLAND_ID = 'snapshot';

/**
 * JSON that may stand inside a script element of type application/json: a browser neither runs it nor lets
 * the content security policy judge it. No `<` is left in it, so nothing in it can end the element.
 */
export function islandJson(snapshot: ShareSnapshot): string {
  return JSON.stringify(snapshot).replaceAll('<', '\\u003c');
}
