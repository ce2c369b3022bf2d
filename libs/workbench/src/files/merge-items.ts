import { nameKey } from '../edit/directory.ts';
import { nameOf, type Entity } from '../edit/kinds.ts';
import type { ItemLists } from './item-lists.ts';
import { keptReason } from './standing-claims.ts';

/** Ids that readers of files make from the content of an item: its kind and 16 hexadecimal digits. */
const BY_CONTENT = /^[a-z]+-[0-9a-f]{16}$/;
/** Which field of a claim names an item of a list. */
const NAMED_BY = { actors: 'actor_id', subjects: 'subject_id' } as const;

/** An item of a file that stays out of what is there, because that differs from it, and why. */
export interface KeptItem {
  readonly kind: string;
  readonly id: string;
  readonly reason: string;
}

/**
 * What a file adds to the items that are there, which it does not change: an item whose id was made from its
 * content is left out where it is there already, and is in `kept` where that differs from it, as after an
 * edit. A source or subject whose name one that is there has by itself is that one, and so are its claims.
 * Items with ids of their own replace those with the same id. Pure.
 */
export function itemsToMerge(
  read: ItemLists,
  there: ItemLists,
): { items: ItemLists; kept: readonly KeptItem[] } {
  const byId = new Map(
    Object.entries(there).map(([kind, list]) => [kind, new Map(list.map((item) => [item.id, item]))]),
  );
  const keptBy = (kind: string, { id }: Entity) =>
    BY_CONTENT.test(id) ? byId.get(kind)?.get(id) : undefined;
  const items = new Map(Object.entries(read));
  for (const [kind, field] of Object.entries(NAMED_BY)) {
    const list = items.get(kind) ?? [];
    const [present, named] = [idsByName(there[kind] ?? []), idsByName(list)];
    const meant = new Map(
      list.flatMap((item): [string, string][] => {
        const name = nameKey(nameOf(item));
        const [id, ...others] = present.get(name) ?? [];
        const isOne = id !== undefined && others.length === 0 && named.get(name)!.length === 1;
        const isNew = BY_CONTENT.test(item.id) && keptBy(kind, item) === undefined;
        return isOne && isNew ? [[item.id, id]] : [];
      }),
    );
    items.set(
      kind,
      list.filter(({ id }) => !meant.has(id)),
    );
    items.set(
      'claims',
      (items.get('claims') ?? []).map((claim) => {
        const id = meant.get(claim[field] as string);
        return id === undefined ? claim : { ...claim, [field]: id };
      }),
    );
  }
  const kept: KeptItem[] = [];
  for (const [kind, list] of items) {
    for (const item of list) {
      const present = keptBy(kind, item);
      if (present !== undefined && !isSame(item, present))
        kept.push({ kind, id: item.id, reason: keptReason(present, item) });
    }
    items.set(
      kind,
      list.filter((item) => keptBy(kind, item) === undefined),
    );
  }
  return { items: Object.fromEntries([...items].filter(([, list]) => list.length > 0)), kept };
}

/** Whether two items have the same fields with the same values, in whatever order. */
function isSame(one: Entity, other: Entity): boolean {
  const fields = (item: Entity) => JSON.stringify(Object.entries(item).sort(([a], [b]) => (a < b ? -1 : 1)));
  return fields(one) === fields(other);
}

function idsByName(list: readonly Entity[]): ReadonlyMap<string, readonly string[]> {
  const ids = new Map<string, string[]>();
  for (const item of list) {
    const name = nameKey(nameOf(item));
    ids.set(name, [...(ids.get(name) ?? []), item.id]);
  }
  return ids;
}
