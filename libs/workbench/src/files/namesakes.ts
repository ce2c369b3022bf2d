import { nameKey } from '../edit/directory.ts';
import { nameOf, REFERENCES, type Entity } from '../edit/kinds.ts';
import { isNothing } from './field-values.ts';
import type { ItemLists } from './item-lists.ts';
import { changesOf, fieldsOf, quoted, replacedItems, type Change } from './replaced-items.ts';
import { keptReason, restatedClaims, type StandingClaim } from './standing-claims.ts';

/** A source or subject of a file that has the name of other ones under another id. */
export interface Namesake {
  readonly kind: 'actors' | 'subjects';
  readonly id: string;
  readonly name: string;
  /** Ids of those with its name that it may stand for: of its type where there are such, else all. */
  readonly others: readonly string[];
  /** The spellings of the name that those and the item itself have, each once. */
  readonly names: readonly string[];
  /** It is there under its own id as well, so that leaving it out of the file makes nothing one. */
  readonly isThere: boolean;
}

/**
 * Ids that readers of files make from the content of an item: its kind and 16 hexadecimal digits, for claims
 * of an object of STIX or MISP with the object, its version and its creator.
 */
export const BY_CONTENT = /^[a-z]+-[0-9a-f]{16}(?:\.[\w-]+){0,4}$/;

/** The field in which items of a list say what they are. */
const TYPE_FIELDS = { actors: 'source_type', subjects: 'subject_type' } as const;

/**
 * The sources and subjects of a file that have the name of another one, which is there or comes earlier in
 * the file, without regard to spaces and case, as of ß and SS. `added` is what the file adds or replaces.
 * Pure.
 */
export function namesakesOf(read: ItemLists, added: ItemLists, there: ItemLists): Namesake[] {
  return (['actors', 'subjects'] as const).flatMap((kind) => {
    const present = new Map((there[kind] ?? []).map((item) => [item.id, item]));
    for (const item of added[kind] ?? []) if (present.has(item.id)) present.set(item.id, item);
    const known = new Map<string, Entity[]>();
    for (const item of present.values()) note(known, item);
    const own = (read[kind] ?? []).flatMap(({ id }) => present.get(id) ?? []);
    const place = new Map(own.map(({ id }, index) => [id, index]));
    return [
      // Those of whom all are in the file are named once, with the last of them.
      ...own.filter((item, index) => !othersOf(known, item).some(({ id }) => (place.get(id) ?? -1) > index)),
      ...(added[kind] ?? []).filter(({ id }) => !present.has(id)),
    ].flatMap((item): Namesake[] => {
      const isThere = present.has(item.id);
      const others = othersOf(known, item);
      if (others.length === 0) {
        if (!isThere) note(known, item);
        return [];
      }
      const alike = others.filter((other) => other[TYPE_FIELDS[kind]] === item[TYPE_FIELDS[kind]]);
      const meant = alike.length > 0 ? alike : others;
      const names = [...new Set([...meant, item].map(nameOf))];
      return [{ kind, id: item.id, name: nameOf(item), others: meant.map(({ id }) => id), names, isThere }];
    });
  });
}

/** Whether a namesake can be taken as one with another one: it is new, and there is no choice of others. */
export const isOne = ({ others, isThere }: Namesake): boolean => !isThere && others.length === 1;

const idsOf = (list: readonly Entity[] = []) => new Set(list.map(({ id }) => id));

function note(known: Map<string, Entity[]>, item: Entity): void {
  const name = nameKey(nameOf(item));
  if (name !== '') known.set(name, [...(known.get(name) ?? []), item]);
}

const othersOf = (known: ReadonlyMap<string, readonly Entity[]>, item: Entity): readonly Entity[] =>
  (known.get(nameKey(nameOf(item))) ?? []).filter(({ id }) => id !== item.id);

/** The items without namesakes that can be taken as one; what refers to one refers to the other. Pure. */
export function asOne(items: ItemLists, namesakes: readonly Namesake[]): ItemLists {
  const meant = meantBy(namesakes);
  const lists = Object.entries(items).map(([kind, list]) => [
    kind,
    list.filter(({ id }) => !meant.has(`${kind} ${id}`)).map((item) => withReferences(item, meant)),
  ]);
  return Object.fromEntries(lists.filter(([, list]) => list!.length > 0)) as ItemLists;
}

const meantBy = (namesakes: readonly Namesake[]) =>
  new Map(namesakes.filter(isOne).map(({ kind, id, others }) => [`${kind} ${id}`, others[0]!]));

/**
 * What namesakes among `items` that are taken as one state otherwise than the ones that they are taken as,
 * which stay as they are: where these are, and what differs. Pure.
 */
export function differingNamesakes(
  items: ItemLists,
  namesakes: readonly Namesake[],
  there: ItemLists,
  quote = quoted,
): StandingClaim[] {
  const meant = meantBy(namesakes);
  const all = [there, items].flatMap(({ actors = [], subjects = [] }) => [
    ...actors.map((item) => [`actors ${item.id}`, item] as const),
    ...subjects.map((item) => [`subjects ${item.id}`, item] as const),
  ]);
  const byId = new Map(all);
  return namesakes.filter(isOne).flatMap(({ kind, id, others: [other] }) => {
    const [kept, item] = [byId.get(`${kind} ${other}`)!, withReferences(byId.get(`${kind} ${id}`)!, meant)];
    const changes = changesIn(kind, kept, item, !BY_CONTENT.test(id));
    return changes.length === 0
      ? []
      : [{ path: `${kind} ${other}`, reason: keptReason(kept, item, changes, quote) }];
  });
}

/** What an item of a file states and one that is there has not; its type only where the file states it. */
export function changesIn(kind: string, present: Entity, inFile: Entity, isTyped: boolean): Change[] {
  const types: readonly string[] = Object.values(TYPE_FIELDS);
  return changesOf(present, inFile, fieldsOf(kind)).filter(
    ({ field }) => !isNothing(inFile[field.split('.', 1)[0]!]) && (isTyped || !types.includes(field)),
  );
}

/** An item, or a part of it, that refers to those which others are taken as, by kind and id. */
export function withReferences<Part extends object>(part: Part, meant: ReadonlyMap<string, string>): Part {
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
 * deleted since, the file puts them back. An item is not there where another one has its id, and one that
 * states a claim that is there otherwise was not deleted. Pure.
 */
export function putBack(read: ItemLists, there: ItemLists, added: ItemLists): Entity[] {
  const known = new Map(Object.entries(there).map(([kind, list]) => [kind, idsOf(list)]));
  const others = new Set(
    replacedItems(read, added, there).others.map(({ kind, after }) => `${kind} ${after.id}`),
  );
  const wasRead = ['claims', 'evidence'].some((kind) =>
    read[kind]?.some(({ id }) => known.get(kind)?.has(id) && !others.has(`${kind} ${id}`)),
  );
  if (!wasRead) return [];
  const restating = new Set(restatedClaims(read, added, there).flatMap(({ others: ones }) => ones));
  return Object.entries(added).flatMap(([kind, list]) =>
    list.filter((item) => !known.get(kind)?.has(item.id) && !restating.has(item)),
  );
}
