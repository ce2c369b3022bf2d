import { foldName } from '../edit/directory.ts';
import { nameOf, type Entity } from '../edit/kinds.ts';

/** Lists of items by their kind, such as `claims`. */
export type ItemLists = Readonly<Record<string, readonly Entity[]>>;

/** Ids that readers of files make from the content of an item: its kind and 16 hexadecimal digits. */
const BY_CONTENT = /^[a-z]+-[0-9a-f]{16}$/;
/** Which field of a claim names an item of a list. */
const NAMED_BY = { actors: 'actor_id', subjects: 'subject_id' } as const;

/**
 * What a file adds to the items that are there, which it does not change: an item whose id was made from its
 * content is left out where it is there already, however it was edited, and so is a source or subject whose
 * name one that is there has by itself; its claims are then of that one. Items with ids of their own replace
 * those with the same id. Pure.
 */
export function itemsToMerge(read: ItemLists, there: ItemLists): { items: ItemLists; kept: number } {
  let kept = 0;
  const items = new Map<string, readonly Entity[]>();
  for (const [kind, list] of Object.entries(read)) {
    const ids = new Set((there[kind] ?? []).map(({ id }) => id));
    const added = list.filter(({ id }) => !(BY_CONTENT.test(id) && ids.has(id)));
    kept += list.length - added.length;
    items.set(kind, added);
  }
  for (const [kind, field] of Object.entries(NAMED_BY)) {
    const added = items.get(kind) ?? [];
    const [present, named] = [idsByName(there[kind] ?? []), idsByName(read[kind] ?? [])];
    const meant = new Map(
      added.flatMap((item): [string, string][] => {
        const name = foldName(nameOf(item));
        const [id, ...others] = present.get(name) ?? [];
        const isOne = id !== undefined && others.length === 0 && named.get(name)!.length === 1;
        return isOne && BY_CONTENT.test(item.id) ? [[item.id, id]] : [];
      }),
    );
    kept += meant.size;
    items.set(
      kind,
      added.filter(({ id }) => !meant.has(id)),
    );
    items.set(
      'claims',
      (items.get('claims') ?? []).map((claim) => {
        const id = meant.get(claim[field] as string);
        return id === undefined ? claim : { ...claim, [field]: id };
      }),
    );
  }
  return { items: Object.fromEntries([...items].filter(([, list]) => list.length > 0)), kept };
}

function idsByName(list: readonly Entity[]): ReadonlyMap<string, readonly string[]> {
  const ids = new Map<string, string[]>();
  for (const item of list) {
    const name = foldName(nameOf(item));
    ids.set(name, [...(ids.get(name) ?? []), item.id]);
  }
  return ids;
}
