import type { Ask, ListKind } from './needs.ts';
import { LISTS } from './needs.ts';
import { itemRanges, memberRanges, skipSpace, type Range } from './json-parts.ts';
import { isObject, InvalidMessageError, type JsonObject } from './message.ts';
import { objectOf, type Place } from './objects.ts';

/** The lists in a result by its shape, for a response whose request is not known. */
export function listsInside(result: JsonObject): ListKind[] {
  return Object.values(LISTS).filter(({ key }) => Array.isArray(result[key]));
}

/** What must be allowed for each item of the list: null for an item without a name in one spelling. */
export function asksOf(place: Place, list: ListKind, result: JsonObject): (Ask | null)[] {
  const items = result[list.key];
  if (!Array.isArray(items)) throw new InvalidMessageError(`the server's list has no \`${list.key}\``);
  return items.map((item) => {
    const name = isObject(item) ? item[list.nameKey] : undefined;
    try {
      const attributes = { 'mcp.name': String(name) };
      return { action: list.action, object: objectOf(place, list.kind, name), attributes };
    } catch {
      return null;
    }
  });
}

/**
 * The text of a response with those items of its list that `isShown`, each as the server spelled it. The text
 * itself when all are. A list that differs by caller is for no shared cache: `cacheScope` becomes private.
 */
export function keepItems(text: string, list: ListKind, isShown: readonly boolean[]): string {
  const envelope = memberRanges(text, skipSpace(text, 0));
  const result = memberRanges(text, (envelope.get('result') as Range)[0]);
  const [start, end] = result.get(list.key) as Range;
  const scope = result.get('cacheScope');
  const edits: [Range, string][] = [];
  if (isShown.includes(false)) {
    const kept = itemRanges(text, start).filter((_, index) => isShown[index]);
    edits.push([[start, end], `[${kept.map(([from, to]) => text.slice(from, to)).join(',')}]`]);
  }
  if (scope !== undefined && text.slice(...scope) !== '"private"') edits.push([scope, '"private"']);
  // From the end on, so that the places before stay where they are.
  return edits
    .sort(([[a]], [[b]]) => b - a)
    .reduce((edited, [[from, to], by]) => edited.slice(0, from) + by + edited.slice(to), text);
}
