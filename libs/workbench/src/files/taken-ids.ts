import type { EntityKind } from '@platform/opinion-fusion';
import { nameKey } from '../edit/directory.ts';
import { isSame, type Edit, type ItemEdit } from '../edit/edits.ts';
import { KINDS, nameOf, type Entity } from '../edit/kinds.ts';
import { itemsOf, keyOf, placesOf, type Move } from '../edit/payload-change.ts';
import { BY_CONTENT, withReferences } from './namesakes.ts';

/**
 * Two people may each add an item under one id: that of a name that two sources spell otherwise, or one that
 * both typed. The one that is stored later gets another id, and what refers to it goes along.
 */

/** New ids by the old ones (`keyOf`). */
export type NewIds = ReadonlyMap<string, string>;

/**
 * Whether two items under one id are two items. They are one where the id was made from the content of both,
 * and where they are sources or subjects of one name.
 */
export function isAnother(kind: EntityKind, mine: Entity, theirs: Entity): boolean {
  if (isSame(mine, theirs) || BY_CONTENT.test(mine.id)) return false;
  return (kind !== 'actors' && kind !== 'subjects') || nameKey(nameOf(mine)) !== nameKey(nameOf(theirs));
}

/** Gives ids in place of others, never the same twice: `daily-2` for `daily`. */
export function otherIds(isTaken: (key: string) => boolean): (kind: EntityKind, id: string) => string {
  const given = new Set<string>();
  return (kind, id) => {
    let other;
    let number = 2;
    do other = `${id}-${number++}`;
    while (isTaken(keyOf({ kind, id: other })) || given.has(keyOf({ kind, id: other })));
    given.add(keyOf({ kind, id: other }));
    return other;
  };
}

/** An item with its new id, where it has one, that refers to others by theirs. Pure. */
export function withNewIds(kind: EntityKind, item: Entity, newIds: NewIds): Entity {
  if (newIds.size === 0) return item;
  const { id } = item;
  const next = { ...withReferences(item, newIds), id: newIds.get(keyOf({ kind, id })) ?? id };
  return isSame(next, item) ? item : next;
}

/**
 * An update (UpdateSessionRequest) that was made from `seen`, with other ids for what it adds where `stored`
 * has another item under its id by now. Pure.
 */
export function besideTaken(
  change: Readonly<Record<string, unknown>>,
  seen: object,
  stored: object,
): Readonly<Record<string, unknown>> {
  const added = KINDS.flatMap(({ kind }) =>
    itemsOf(change, kind)
      .filter(({ id }) => !placesOf(itemsOf(seen, kind)).has(id))
      .map((item) => ({ kind, id: item.id, item })),
  );
  const keys = new Set(added.map(keyOf));
  const there = new Map(
    KINDS.flatMap(({ kind }) => itemsOf(stored, kind).map((item) => [keyOf({ kind, id: item.id }), item])),
  );
  const otherId = otherIds((key) => keys.has(key) || there.has(key));
  const newIds = new Map<string, string>();
  for (const { kind, id, item } of added) {
    const theirs = there.get(keyOf({ kind, id }));
    if (theirs !== undefined && isAnother(kind, item, theirs))
      newIds.set(keyOf({ kind, id }), otherId(kind, id));
  }
  if (newIds.size === 0) return change;
  const lists = KINDS.filter(({ kind }) => kind in change).map(({ kind }) => [
    kind,
    itemsOf(change, kind).map((item) => withNewIds(kind, item, newIds)),
  ]);
  const idOf = (kind: EntityKind, id: string) => newIds.get(keyOf({ kind, id })) ?? id;
  const moves = (change['moves'] as readonly Move[] | undefined)?.map(({ kind, id, before }) => ({
    kind,
    id: idOf(kind, id),
    before: before === null ? null : idOf(kind, before),
  }));
  return { ...change, ...(Object.fromEntries(lists) as object), ...(moves && { moves }) };
}

/** What lies before or after an investigation in the history of a desk, the nearest edit first. */
export type Direction = 'past' | 'future';

/**
 * Edits of the history of a desk with new ids for its items of which somebody else gave the id to another
 * one, `taken`: those that stand on the desk have theirs in `now`, each other one gets one of its own. Edits
 * that stored the other items themselves stay. Pure, but for `otherId`.
 */
export function renamedHistory(
  edits: readonly Edit[],
  direction: Direction,
  now: NewIds,
  taken: ReadonlyMap<string, Entity>,
  otherId: (kind: EntityKind, id: string) => string,
): readonly Edit[] {
  if (taken.size === 0) return edits;
  const [near, far] = direction === 'past' ? (['after', 'before'] as const) : (['before', 'after'] as const);
  let ids = now;
  return edits.map((edit) => {
    const theirs = new Set<string>();
    const next = new Map(ids);
    for (const item of edit.items) {
      const [key, other] = [keyOf(item), taken.get(keyOf(item))];
      if (other === undefined) continue;
      if (item[near] !== null && isSame(item[near], other)) theirs.add(key);
      else if (item[far] === null) next.delete(key);
      else if (item[near] === null && isAnother(item.kind, item[far], other))
        next.set(key, otherId(item.kind, item.id));
    }
    const own = (map: NewIds) => new Map([...map].filter(([key]) => !theirs.has(key)));
    const [nearIds, farIds] = [own(ids), own(next)];
    ids = next;
    return direction === 'past' ? renamedEdit(edit, farIds, nearIds) : renamedEdit(edit, nearIds, farIds);
  });
}

function renamedEdit(edit: Edit, before: NewIds, after: NewIds): Edit {
  const both = new Map([...before, ...after]);
  if (both.size === 0) return edit;
  const items = edit.items.map((item): ItemEdit => {
    const own = item.after === null ? before : after;
    const next = {
      ...item,
      id: own.get(keyOf(item)) ?? item.id,
      before: item.before && withNewIds(item.kind, item.before, before),
      after: item.after && withNewIds(item.kind, item.after, after),
    };
    return next.id === item.id && next.before === item.before && next.after === item.after ? item : next;
  });
  if (items.every((item, at) => item === edit.items[at])) return edit;
  const nameOfKey = (key: string) => {
    const id = both.get(key);
    return id === undefined ? key : `${key.slice(0, key.indexOf(' '))} ${id}`;
  };
  const known = [...edit.known].map((key) => JSON.stringify((JSON.parse(key) as string[]).map(nameOfKey)));
  return { ...edit, items, known: new Set(known) };
}
