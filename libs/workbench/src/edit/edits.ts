import type { EntityKind, InvestigationInput } from '@platform/opinion-fusion';
import { count, plain, shortened } from '@platform/viewer/browser';
import { KINDS, nameOf, type Entity } from './kinds.ts';
import { itemsOf, keyOf, movesOf, placesOf, type Move } from './payload-change.ts';
import { keptByReferences, referencesTo } from './referrers.ts';

/** Items that a sentence names, and the characters of a name. */
const ITEMS_NAMED = 3;
const NAME_LENGTH = 60;

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
  /** References to items that were not there, as the user left them: see `referencesTo`. */
  readonly known: ReadonlySet<string>;
}

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

/** What somebody does to an investigation, with all that it takes to take it back. Pure. */
export function recorded(
  label: string,
  items: readonly Omit<ItemEdit, 'before'>[],
  payload: InvestigationInput,
): Edit {
  const real = withPlaces(
    payload,
    items
      .map((item) => ({ ...item, before: itemOf(payload, item) }))
      .filter(({ before, after }) => !isSame(before, after)),
  );
  const keys = (isIt: (item: ItemEdit) => boolean) => new Set(real.filter(isIt).map(keyOf));
  const references = [
    ...referencesTo(
      payload,
      keys(({ before }) => before === null),
    ),
    ...referencesTo(
      applied(payload, real),
      keys(({ after }) => after === null),
    ),
  ];
  return { label, items: real, known: new Set(references.map(({ key }) => key)) };
}

/**
 * The edits that take another back from an investigation as it stands now, and the items of which it cannot
 * be taken back because somebody else changed the same field since, deleted them, or refers to them. Pure.
 */
export function inverse(
  edit: Edit,
  payload: object,
): { readonly items: readonly ItemEdit[]; readonly lost: readonly ItemEdit[] } {
  const lost = new Set<string>();
  const items = edit.items.flatMap((item): ItemEdit[] => {
    const { kind, id, before, after, place } = item;
    const now = itemOf(payload, item);
    if (isSame(now, before)) return [];
    if (now === null || before === null || after === null) {
      if (isSame(now, after))
        return [{ kind, id, before: now, after: before, ...(place !== undefined && { place }) }];
      lost.add(keyOf(item));
      return [];
    }
    const next = merged(after, before, now);
    if (next === null) lost.add(keyOf(item));
    return next === null ? [] : [{ kind, id, before: now, after: next }];
  });
  for (const key of keptBack(items, payload, edit.known)) lost.add(key);
  return {
    items: items.filter((item) => !lost.has(keyOf(item))),
    lost: edit.items.filter((item) => lost.has(keyOf(item))),
  };
}

/** The deletions among some edits that would leave references to nothing, other than those `known`. Pure. */
export function keptBack(
  edits: readonly ItemEdit[],
  payload: object,
  known: ReadonlySet<string>,
): ReadonlySet<string> {
  const gone = edits.filter(({ after }) => after === null);
  const rest = applied(
    payload,
    edits.filter(({ after }) => after !== null),
  );
  return keptByReferences(rest, new Set(gone.map(keyOf)), known);
}

/** Which items of an edit could not be taken back, or done again; undefined where there are none. */
export function lostWords(
  lost: readonly ItemEdit[],
  what: 'taken back' | 'done again' = 'taken back',
): string | undefined {
  if (lost.length === 0) return undefined;
  const names = lost.slice(0, ITEMS_NAMED).map(({ id, before, after }) => {
    const name = plain(nameOf(after ?? before ?? {}));
    return `“${shortened(name || plain(id), NAME_LENGTH)}”`;
  });
  const more = lost.length - names.length;
  return `Not all of it was ${what}: ${names.join(', ')}${more > 0 ? ` and ${count(more)} more` : ''} ${lost.length === 1 ? 'was' : 'were'} changed, deleted or referred to since.`;
}

/** The update (UpdateSessionRequest) of some edits. */
export function updateOf(edits: readonly ItemEdit[]): Record<string, unknown> {
  const update: Record<string, unknown> = {};
  for (const { kind, removalsField } of KINDS) {
    const own = edits.filter((edit) => edit.kind === kind);
    const kept = own.flatMap(({ after }) => (after === null ? [] : [after]));
    const gone = own.filter(({ after }) => after === null).map(({ id }) => id);
    if (kept.length > 0) update[kind] = kept;
    if (gone.length > 0) update[removalsField] = gone;
  }
  return update;
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
