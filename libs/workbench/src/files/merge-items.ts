import { nameKey } from '../edit/directory.ts';
import { nameOf, type Entity } from '../edit/kinds.ts';
import { withKnownSources, type KnownSource } from './creators.ts';
import { isNothing } from './field-values.ts';
import type { ItemLists } from './item-lists.ts';
import { BY_CONTENT, changesIn, withReferences } from './namesakes.ts';
import { compareVersions, type Versions } from './object-versions.ts';
import type { Change } from './replaced-items.ts';
import { keptReason } from './standing-claims.ts';

/** An item of a file that stays out of what is there, because that differs from it, and why. */
export interface KeptItem {
  readonly kind: string;
  readonly id: string;
  readonly reason: string;
}

/** What a file adds to the items that are there. */
export interface Merge extends Omit<Versions, 'older' | 'olderOpinions' | 'later' | 'edited'> {
  readonly items: ItemLists;
  readonly kept: readonly KeptItem[];
  /** Sources of the file that are there by the id of their creator. */
  readonly sources: readonly KnownSource[];
}

/**
 * What a file adds to the items that are there, which it does not change: an item whose id was made from its
 * content is left out where it is there already, and is in `kept` where that differs from it, as after an
 * edit. A source or subject whose name one that is there has by itself is that one, for all that refers to
 * it, and is in `kept` where it says what that one does not; of its type only where the file `isTyped`, which
 * states it: else its reader guessed it. Items with ids of their own replace those with the same id, and so
 * do claims of a later version of their object; those of an earlier one are in `kept`. Pure.
 */
export function itemsToMerge(
  inFile: ItemLists,
  there: ItemLists,
  { isTyped = false }: { readonly isTyped?: boolean } = {},
): Merge {
  const { lists, sources } = withKnownSources(inFile, there);
  const { older, olderOpinions, later, edited, ...versions } = compareVersions(lists, there);
  const { read } = versions;
  const byId = new Map(
    Object.entries(there).map(([kind, list]) => [kind, new Map(list.map((item) => [item.id, item]))]),
  );
  const keptBy = (kind: string, { id }: Entity) =>
    BY_CONTENT.test(id) ? byId.get(kind)?.get(id) : undefined;
  const meant = new Map<string, string>();
  for (const kind of ['actors', 'subjects']) {
    const list = read[kind] ?? [];
    const [present, named] = [idsByName(there[kind] ?? []), idsByName(list)];
    for (const item of list) {
      const name = nameKey(nameOf(item));
      const [id, ...others] = present.get(name) ?? [];
      const isOne = id !== undefined && others.length === 0 && named.get(name)!.length === 1;
      const isNew = BY_CONTENT.test(item.id) && keptBy(kind, item) === undefined;
      if (isOne && isNew) meant.set(`${kind} ${item.id}`, id);
    }
  }
  const items: Record<string, readonly Entity[]> = {};
  const leftOut = older
    .filter(({ claim }) => {
      const present = keptBy('claims', claim);
      return present === undefined || !isSame(claim, present);
    })
    .map(({ claim: { id }, object, names }) => ({
      kind: 'claims',
      id,
      reason: names === undefined ? ofEarlier(object) : ofNames(object, names === 'lost'),
    }));
  const edits = edited.map(({ grade: { id } }) => ({ kind: 'evidence', id, reason: STAYS_EDITED }));
  const opinions = olderOpinions.map(({ item: { id }, object }) => ({
    kind: 'evidence',
    id,
    reason: ofEarlier(object),
  }));
  const kept: KeptItem[] = [...leftOut, ...opinions, ...edits];
  for (const { inFile: item, present } of sources) {
    const changes = changesIn('actors', present, { ...item, name: present['name'] }, isTyped);
    const ofGrade = changes.filter(({ field }) => field !== 'depends_on');
    if (ofGrade.length > 0)
      kept.push({ kind: 'actors', id: present.id, reason: keptReason(present, item, ofGrade) });
  }
  for (const [kind, given] of Object.entries(read)) {
    const added: Entity[] = [];
    for (const item of given.map((one) => withReferences(one, meant))) {
      const named = byId.get(kind)?.get(meant.get(`${kind} ${item.id}`) ?? '');
      const present = named ?? keptBy(kind, item);
      if (present === undefined) {
        added.push(item);
        continue;
      }
      if (named === undefined && isSame(item, present)) continue;
      const placed = later.get(item.id);
      if (placed !== undefined) {
        const now = withReferences(placed, meant);
        if (!isSame(now, present)) added.push(now);
        const differing = changesIn(kind, now, item, isTyped);
        if (isRetracted(now) && !isRetracted(item)) differing.unshift(STAYS_RETRACTED);
        if (differing.length > 0)
          kept.push({ kind, id: present.id, reason: keptReason(present, item, differing) });
        continue;
      }
      const changes = changesIn(kind, present, item, isTyped);
      // What is there by its name may well have more than the file states.
      if (named !== undefined && changes.length === 0) continue;
      const differing = changes.length > 0 ? changes : unstatedIn(item, present);
      kept.push({ kind, id: present.id, reason: keptReason(present, item, differing) });
    }
    if (added.length > 0) items[kind] = added;
  }
  return { ...versions, items, kept, sources };
}

const ofEarlier = (object: string) =>
  `is of an earlier version of ${object} than the session has: it is left out`;
const ofNames = (object: string, areLost: boolean) =>
  areLost
    ? `is of ${object} without what it names, whose name the session has: send both in one file to take it over`
    : `is of ${object} with a name that somebody else gave what it names: it is left out`;
const STAYS_EDITED =
  'stays as it was edited since its import, although the later version states no grade: delete it where that is right';
const isRetracted = ({ epistemic_status: status }: Entity) => status === 'retracted';
/** Nobody can tell whether its source withdrew a claim or someone here did. */
const STAYS_RETRACTED: Change = { field: 'epistemic_status', before: 'retracted', after: undefined };

/** The fields of an item that is there and that its file does not state, as after it set them back. */
function unstatedIn(inFile: Entity, present: Entity): Change[] {
  return Object.entries(present).flatMap(([field, before]) =>
    !isNothing(before) && isNothing(inFile[field]) ? [{ field, before, after: undefined }] : [],
  );
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
