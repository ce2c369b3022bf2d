import type { EntityKind } from '@platform/opinion-fusion';
import { itemsOf, movesOf, placesOf, type Move } from '../edit/payload-change.ts';
import type { Entity } from '../edit/kinds.ts';

/** One item before and after an edit; null where it was not there or is not any more. */
export interface ItemEdit {
  readonly kind: EntityKind;
  readonly id: string;
  readonly before: Entity | null;
  readonly after: Entity | null;
  /** Where the item stood among its kind, so that undoing its deletion puts it back there. */
  readonly place?: number;
}

/** What one action of the user did, taken back as one. */
export interface Edit {
  /** What was done, as the line that offers to undo it says it. */
  readonly label: string;
  readonly items: readonly ItemEdit[];
}

export const keyOf = ({ kind, id }: Pick<ItemEdit, 'kind' | 'id'>): string => `${kind} ${id}`;

export const isSame = (one: unknown, other: unknown): boolean =>
  one === other || JSON.stringify(one ?? null) === JSON.stringify(other ?? null);

/** The item with an id, null where there is none. */
export function itemOf(payload: object, { kind, id }: Pick<ItemEdit, 'kind' | 'id'>): Entity | null {
  const items = itemsOf(payload, kind);
  const place = placesOf(items).get(id);
  return place === undefined ? null : items[place]!;
}

/** The investigation with its items as they are after the edits. Pure. */
export function applied<Payload extends object>(payload: Payload, edits: readonly ItemEdit[]): Payload {
  const lists: Record<string, Entity[]> = {};
  for (const kind of new Set(edits.map((edit) => edit.kind))) {
    const items = [...itemsOf(payload, kind)];
    const places = new Map(placesOf(itemsOf(payload, kind)));
    const gone = new Set<string>();
    const back: ItemEdit[] = [];
    for (const edit of edits.filter((one) => one.kind === kind)) {
      const place = places.get(edit.id);
      if (edit.after === null) gone.add(edit.id);
      else if (place !== undefined) items[place] = edit.after;
      else if (edit.place !== undefined) back.push(edit);
      else {
        places.set(edit.id, items.length);
        items.push(edit.after);
      }
    }
    const kept = gone.size === 0 ? items : items.filter(({ id }) => !gone.has(id));
    for (const { place, after } of back.toSorted((a, b) => a.place! - b.place!))
      kept.splice(place!, 0, after!);
    lists[kind] = kept;
  }
  return { ...payload, ...lists };
}

/** Fields of an item that an edit changed. */
const changedFields = (before: Entity, after: Entity) =>
  [...new Set([...Object.keys(before), ...Object.keys(after)])].filter(
    (name) => !isSame(before[name], after[name]),
  );

/**
 * An item with the changes that led from `from` to `to`, where they were made to another version of it; null
 * where both changed the same field.
 */
export function merged(from: Entity, to: Entity, other: Entity): Entity | null {
  const fields = changedFields(from, to);
  if (fields.some((name) => !isSame(from[name], other[name]) && !isSame(to[name], other[name]))) return null;
  const next: Record<string, unknown> = { ...other };
  for (const name of fields) {
    if (to[name] === undefined) delete next[name];
    else next[name] = to[name];
  }
  return next as Entity;
}

/**
 * The edit that takes another back from an investigation as it stands now, and the items of which it cannot
 * be taken back because somebody else changed the same field, or deleted them. Pure.
 */
export function inverse(
  edit: Edit,
  payload: object,
): { readonly edit: Edit; readonly lost: readonly ItemEdit[] } {
  const lost: ItemEdit[] = [];
  const items = edit.items.flatMap((item): ItemEdit[] => {
    const { kind, id, before, after, place } = item;
    const now = itemOf(payload, item);
    if (isSame(now, before)) return [];
    if (now === null || before === null || after === null) {
      if (isSame(now, after))
        return [{ kind, id, before: now, after: before, ...(place !== undefined && { place }) }];
      lost.push(item);
      return [];
    }
    const next = merged(after, before, now);
    if (next === null) lost.push(item);
    return next === null ? [] : [{ kind, id, before: now, after: next }];
  });
  return { edit: { label: edit.label, items }, lost };
}

/** The edits with the places of the items that they delete. */
export function withPlaces(payload: object, items: readonly ItemEdit[]): ItemEdit[] {
  return items.map((item) => {
    if (item.after !== null || item.before === null) return item;
    const place = placesOf(itemsOf(payload, item.kind)).get(item.id);
    return place === undefined ? item : { ...item, place };
  });
}

/**
 * The moves that put the items which edits add to `payload` where they stand in `seen`: before the next one
 * that both have.
 */
export function movesOfAdded(edits: readonly ItemEdit[], payload: object, seen: object): Move[] {
  const added = edits.filter(({ before, after }) => before === null && after !== null);
  return [...new Set(added.map(({ kind }) => kind))].flatMap((kind) => {
    const there = placesOf(itemsOf(payload, kind));
    const items = itemsOf(seen, kind).filter(({ id }) => there.has(id));
    return movesOf(kind, items, new Set(added.filter((edit) => edit.kind === kind).map(({ id }) => id)));
  });
}
