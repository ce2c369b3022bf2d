import { foldName } from '../edit/directory.ts';
import { nameOf, REFERENCES, type Entity } from '../edit/kinds.ts';
import type { ItemLists } from './merge-items.ts';

/** A source or subject of a file whose name another one has, next to which it would stand as a second one. */
export interface Namesake {
  readonly kind: 'actors' | 'subjects';
  readonly id: string;
  readonly name: string;
  /** Id of the one with the same name, which is there or earlier in the file. */
  readonly of: string;
}

/** The items that a file adds under a name that another one has, without regard to case and spaces. Pure. */
export function namesakesOf(items: ItemLists, there: ItemLists): Namesake[] {
  return (['actors', 'subjects'] as const).flatMap((kind) => {
    const added = items[kind] ?? [];
    const [present, own] = [idsOf(there[kind]), idsOf(added)];
    const idByName = new Map<string, string>();
    for (const item of there[kind] ?? []) if (!own.has(item.id)) note(idByName, item);
    for (const item of added) if (present.has(item.id)) note(idByName, item);
    return added
      .filter(({ id }) => !present.has(id))
      .flatMap((item): Namesake[] => {
        const of = note(idByName, item);
        return of === item.id ? [] : [{ kind, id: item.id, name: nameOf(item), of }];
      });
  });
}

const idsOf = (list: readonly Entity[] = []) => new Set(list.map(({ id }) => id));

/** The first id with the name of an item, its own where the item is the first or has no name. */
function note(idByName: Map<string, string>, item: Entity): string {
  const name = foldName(nameOf(item));
  if (name === '') return item.id;
  const id = idByName.get(name) ?? item.id;
  idByName.set(name, id);
  return id;
}

/** The items without those namesakes; what refers to one refers to the item whose name it has. Pure. */
export function asOne(items: ItemLists, namesakes: readonly Namesake[]): ItemLists {
  const meant = new Map(namesakes.map(({ kind, id, of }) => [`${kind} ${id}`, of]));
  const lists = Object.entries(items).map(([kind, list]) => [
    kind,
    list.filter(({ id }) => !meant.has(`${kind} ${id}`)).map((item) => withReferences(item, meant)),
  ]);
  return Object.fromEntries(lists.filter(([, list]) => list!.length > 0)) as ItemLists;
}

function withReferences<Part extends object>(part: Part, meant: ReadonlyMap<string, string>): Part {
  const read = (key: string, value: unknown): unknown => {
    if (typeof value === 'string') return meant.get(`${REFERENCES[key]} ${value}`) ?? value;
    if (Array.isArray(value)) {
      const parts = value.map((one) => read(key, one));
      return REFERENCES[key] === undefined ? parts : [...new Set(parts)];
    }
    return typeof value === 'object' && value !== null ? withReferences(value, meant) : value;
  };
  return Object.fromEntries(Object.entries(part).map(([key, value]) => [key, read(key, value)])) as Part;
}

/**
 * The items that a file adds while others of it are there, as after an earlier import: where these were
 * deleted since, the file puts them back. Pure.
 */
export function putBack(read: ItemLists, there: ItemLists, added: ItemLists): Entity[] {
  const isThere = Object.entries(there).map(([kind, list]) => [kind, idsOf(list)] as const);
  const known = new Map(isThere);
  const wasRead = ['claims', 'evidence'].some((kind) =>
    read[kind]?.some(({ id }) => known.get(kind)?.has(id)),
  );
  if (!wasRead) return [];
  return Object.entries(added).flatMap(([kind, list]) => list.filter(({ id }) => !known.get(kind)?.has(id)));
}
