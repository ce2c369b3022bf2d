import { OBJECTS, type EntityKind } from '@platform/opinion-fusion';
import { KINDS, type Entity } from './kinds.ts';

/** Puts an item in front of another one of its list (UpdateSessionRequest), null = at the end. */
export interface Move {
  readonly kind: EntityKind;
  readonly id: string;
  readonly before: string | null;
}

type Payload = Readonly<Record<string, unknown>>;

/** What names an item among those of every kind. */
export const keyOf = ({ kind, id }: Pick<Move, 'kind' | 'id'>): string => `${kind} ${id}`;

/**
 * The update (UpdateSessionRequest) that turns one investigation into another: the fields and items that
 * differ, the ids of removed items, and the items that stand elsewhere.
 */
export function payloadChange(before: Payload, after: Payload): Record<string, unknown> {
  const change: Record<string, unknown> = {};
  for (const { kind, removalsField } of KINDS) {
    const old = new Map(itemsOf(before, kind).map((item) => [item.id, JSON.stringify(item)]));
    const items = itemsOf(after, kind);
    const changed = items.filter((item) => old.get(item.id) !== JSON.stringify(item));
    for (const { id } of items) old.delete(id);
    if (changed.length > 0) change[kind] = changed;
    if (old.size > 0) change[removalsField] = [...old.keys()];
  }
  const moves = movesTo(before, after, after);
  if (moves.length > 0) change['moves'] = moves;
  for (const [name, field] of Object.entries(OBJECTS.InvestigationInput)) {
    if (field.kind === 'list' || before[name] === after[name]) continue;
    change[name] = after[name] ?? (field.nullable ? null : field.default);
  }
  return change;
}

/**
 * What must be moved for the items of `merged`, which an update makes of `before`, to stand in the order of
 * `wanted`.
 */
export function movesTo(before: object, merged: object, wanted: object): Move[] {
  return KINDS.flatMap(({ kind }) => {
    const places = placesOf(itemsOf(before, kind));
    const there = placesOf(itemsOf(merged, kind));
    const items = itemsOf(wanted, kind).filter(({ id }) => there.has(id));
    let highest = -1;
    const loose = new Set<string>();
    for (const { id } of items) {
      const place = places.get(id) ?? -1;
      if (place > highest) highest = place;
      else loose.add(id);
    }
    return movesOf(kind, items, loose, (id) => !places.has(id));
  });
}

/**
 * The moves that put `loose` items where they stand among the others of a list, the last one first, as each
 * needs the one that it stands before. New items at the end are there already.
 */
export function movesOf(
  kind: EntityKind,
  items: readonly Entity[],
  loose: ReadonlySet<string>,
  isNew = (_id: string) => true,
): Move[] {
  const moves: Move[] = [];
  for (let place = items.length - 1, isEnd = true; place >= 0; place--) {
    const { id } = items[place]!;
    isEnd &&= loose.has(id) && isNew(id);
    if (!isEnd && loose.has(id)) moves.push({ kind, id, before: items[place + 1]?.id ?? null });
  }
  return moves;
}

/** An investigation with its items moved, one move after the other, as the service does it. Pure. */
export function moved<Payload extends object>(payload: Payload, moves: readonly Move[]): Payload {
  const lists: Record<string, readonly Entity[]> = {};
  for (const { kind, id, before } of moves) {
    const items = lists[kind] ?? itemsOf(payload, kind);
    const item = items.find((one) => one.id === id);
    const others = items.filter((one) => one !== item);
    const place = before === null ? others.length : others.findIndex((one) => one.id === before);
    if (item !== undefined && place >= 0) lists[kind] = others.toSpliced(place, 0, item);
  }
  return { ...payload, ...lists };
}

/** The items of one list, none when it is absent. */
export function itemsOf(payload: object, kind: string): readonly Entity[] {
  return ((payload as Payload)[kind] as readonly Entity[] | null | undefined) ?? [];
}

const indexes = new WeakMap<readonly Entity[], ReadonlyMap<string, number>>();

/** Where each item of a list stands, by its id; worked out once for each list. */
export function placesOf(items: readonly Entity[]): ReadonlyMap<string, number> {
  let places = indexes.get(items);
  if (places === undefined) {
    places = new Map(items.map(({ id }, place) => [id, place]));
    indexes.set(items, places);
  }
  return places;
}
