import { capital, plain, shortened } from '@platform/viewer/browser';
import type { Problem } from '../api/problems.ts';
import { KINDS, labelOf, nameOf, type Entity, type KindSpec } from './kinds.ts';
import { itemsOf } from './payload-change.ts';

/** Characters of a name that are shown. */
const NAME_LENGTH = 60;

/** A place in a list of the payload, such as `claims[2]`. */
const ITEM = /\b([a-z]+)\[(\d+)\]/;
const DANGLING = /^names no (\w+): (`.*?`) is not among the ids of \w+(?:, in `.*?`)?/;

/** What a list calls one item, and the item. */
export interface Place {
  readonly spec: KindSpec;
  readonly entity: Entity;
  /** What the path begins with, such as `claims[2].`. */
  readonly prefix: string;
}

/** The item that a path such as `claims[2].actor_id` begins with; null where there is none. Pure. */
export function placeOf(path: string, payload: object): Place | null {
  const [prefix, kind, index] = /^(\w+)\[(\d+)\]\.?/.exec(path) ?? [];
  const spec = KINDS.find((candidate) => candidate.kind === kind);
  const entity = spec && itemsOf(payload, spec.kind)[Number(index)];
  return entity ? { spec, entity, prefix: prefix! } : null;
}

/** The name of an item, shortened, or its id where it has none. Pure. */
export const shownName = (item: Entity): string =>
  shortened(plain(nameOf(item)) || plain(item.id), NAME_LENGTH);

/**
 * A problem of the whole investigation as its author knows the items: the item by its name, the field by its
 * label, and in the message names in the place of ids and of places in lists. `place` is null where the path
 * leads to no item. Pure.
 */
export function namedProblem(
  { path, message }: Problem,
  payload: object,
): { place: string | null; message: string } {
  const found = placeOf(path, payload);
  const field = found === null ? '' : path.slice(found.prefix.length).replace(/[.[].*$/, '');
  const place = found === null ? null : `${itemWords(found)}${field === '' ? '' : `, ${labelOf(field)}`}`;
  const named = message
    .replace(DANGLING, (_, word: string, id: string) => `names ${oneOf(word)} that does not exist: ${id}`)
    .replace(new RegExp(ITEM, 'g'), (whole) => {
      const other = placeOf(whole, payload);
      return other === null ? whole : itemWords(other);
    })
    .replace(/; there is `(.*)`$/, (whole, id: string) => {
      const meant = KINDS.flatMap(({ kind }) => itemsOf(payload, kind)).find((item) => item.id === id);
      return meant === undefined ? whole : `; there is “${shownName(meant)}”`;
    });
  return { place, message: named };
}

const itemWords = ({ spec, entity }: Place) =>
  `${capital(spec.one.replace(/^an? /, ''))} “${shownName(entity)}”`;

/** One item, with its article, of the list whose items the engine calls by `word`. */
const oneOf = (word: string) => KINDS.find(({ kind }) => kind === `${word}s`)?.one ?? `a ${word}`;
