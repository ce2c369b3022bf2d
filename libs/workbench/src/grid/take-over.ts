import type { InvestigationInput } from '@platform/opinion-fusion';
import {
  applied,
  isSame,
  itemOf,
  keptBack,
  merged,
  movesOfAdded,
  type Edit,
  type ItemEdit,
} from '../edit/edits.ts';
import { KINDS, type Entity } from '../edit/kinds.ts';
import { itemsOf, keyOf, moved, placesOf } from '../edit/payload-change.ts';
import { referencesTo } from '../edit/referrers.ts';
import { isAnother, otherIds, renamedHistory, withNewIds, type NewIds } from '../files/taken-ids.ts';

/** Names an item of the investigation. */
export type Ref = Pick<ItemEdit, 'kind' | 'id'>;

/** An item that the user and somebody else changed in the same field. */
export interface Conflict {
  readonly mine: ItemEdit;
  /** As it is stored now; null for deleted. */
  readonly theirs: Entity | null;
}

/** What lies on a desk. */
export interface Work {
  /** The investigation as the service had it last. */
  readonly base: InvestigationInput;
  /** As the user sees it. */
  readonly payload: InvestigationInput;
  readonly undos: readonly Edit[];
  readonly redos: readonly Edit[];
  readonly conflicts: readonly Conflict[];
  /** Items that are not stored as they stand in `payload`, or of which that is not known. */
  readonly dirty: readonly Ref[];
  /** Items (`keyOf`) as they were sent without a response, so that they may be stored; null for deleted. */
  readonly sent: ReadonlyMap<string, readonly (Entity | null)[]>;
}

/**
 * The desk once it took over what the service has now: all but what the user changed, which is merged field
 * by field, and what the user added, which gets another id where somebody else gave its id to another item.
 * `dirty` are the items that were dirty, by their new ids. Pure.
 */
export function takenOver(
  work: Work,
  stored: InvestigationInput,
): Pick<Work, 'payload' | 'undos' | 'redos' | 'conflicts' | 'dirty'> & { readonly newIds: NewIds } {
  const isOwn = (ref: Ref, item: Entity | null) =>
    work.sent.get(keyOf(ref))?.some((one) => isSame(one, item)) ?? false;
  const { undos, redos, newIds } = renamed(work, stored, isOwn);
  const seen = newIds.size === 0 ? work.payload : withIds(work.payload, newIds);
  const mine = work.dirty.map((ref): ItemEdit => {
    const id = newIds.get(keyOf(ref)) ?? ref.id;
    const next = { kind: ref.kind, id };
    const after = itemOf(seen, next);
    return { ...next, before: id === ref.id ? itemOf(work.base, ref) : null, after };
  });
  const clashes: Conflict[] = [];
  const kept = mine.flatMap((edit): ItemEdit[] => {
    const theirs = itemOf(stored, edit);
    if (isSame(theirs, edit.before) || isSame(theirs, edit.after) || isOwn(edit, theirs)) return [edit];
    if (edit.before === null && edit.after === null) return [];
    if (isSameSource(edit, theirs) && !isChangedSince(edit, undos)) return [];
    const next = mergedWith(edit, theirs);
    if (next !== null) return [{ ...edit, after: next }];
    clashes.push({ mine: edit, theirs });
    return [edit];
  });
  const dropped = kept.filter((edit) => !clashes.some(({ mine: one }) => one === edit));
  const known = referencesTo(seen, new Set(dropped.filter(({ after }) => after === null).map(keyOf)));
  for (const key of keptBack(dropped, stored, new Set(known.map((one) => one.key)))) {
    const edit = kept.find((one) => keyOf(one) === key)!;
    clashes.push({ mine: edit, theirs: itemOf(stored, edit) });
  }
  const payload = applied(stored, kept);
  const older = work.conflicts.filter(
    ({ mine: one }) => !clashes.some(({ mine: other }) => keyOf(other) === keyOf(one)),
  );
  return {
    payload: moved(payload, movesOfAdded(kept, payload, seen)),
    undos,
    redos,
    conflicts: [...older, ...clashes],
    dirty: mine,
    newIds,
  };
}

/** The history with new ids for what stands under an id that is another item's by now, and the ids. */
function renamed(
  { base, payload, undos, redos, conflicts, dirty }: Work,
  stored: InvestigationInput,
  isOwn: (ref: Ref, item: Entity) => boolean,
): Pick<Work, 'undos' | 'redos'> & { readonly newIds: NewIds } {
  const inConflict = new Set(conflicts.map(({ mine }) => keyOf(mine)));
  const taken = new Map<string, Entity>();
  for (const { kind } of KINDS) {
    const there = placesOf(itemsOf(base, kind));
    for (const theirs of itemsOf(stored, kind)) {
      const ref = { kind, id: theirs.id };
      if (there.has(theirs.id) || inConflict.has(keyOf(ref)) || isOwn(ref, theirs)) continue;
      const own = itemOf(payload, ref);
      if (own === null || isAnother(kind, own, theirs)) taken.set(keyOf(ref), theirs);
    }
  }
  const edits = [...undos, ...redos];
  const used = new Set(edits.flatMap(({ items }) => items.map(keyOf)));
  const otherId = otherIds(
    (key) => used.has(key) || KINDS.some(({ kind }) => has(stored, kind, key) || has(payload, kind, key)),
  );
  const newIds = new Map<string, string>();
  for (const ref of dirty)
    if (taken.has(keyOf(ref)) && itemOf(payload, ref) !== null)
      newIds.set(keyOf(ref), otherId(ref.kind, ref.id));
  return {
    undos: renamedHistory(undos.toReversed(), 'past', newIds, taken, otherId).toReversed(),
    redos: renamedHistory(redos.toReversed(), 'future', newIds, taken, otherId).toReversed(),
    newIds,
  };
}

const has = (payload: object, kind: string, key: string) =>
  key.startsWith(`${kind} `) && placesOf(itemsOf(payload, kind)).has(key.slice(kind.length + 1));

function withIds(payload: InvestigationInput, newIds: NewIds): InvestigationInput {
  const lists = KINDS.map(({ kind }) => [
    kind,
    itemsOf(payload, kind).map((item) => withNewIds(kind, item, newIds)),
  ]);
  return { ...payload, ...(Object.fromEntries(lists) as object) };
}

/** An item with what the user and somebody else changed; null where they cannot be merged. */
function mergedWith(edit: ItemEdit, theirs: Entity | null): Entity | null {
  const { before, after } = edit;
  if (theirs === null || after === null) return null;
  if (before === null) return isSameSource(edit, theirs) ? merged({ id: edit.id }, after, theirs) : null;
  return merged(before, after, theirs);
}

/** Whether a new source or subject is the one that somebody else made of the same name. */
const isSameSource = ({ kind, before, after }: ItemEdit, theirs: Entity | null): boolean =>
  (kind === 'actors' || kind === 'subjects') &&
  before === null &&
  after !== null &&
  theirs !== null &&
  !isAnother(kind, after, theirs);

/** Whether the user changed an item after adding it. */
const isChangedSince = (ref: Ref, undos: readonly Edit[]): boolean =>
  undos.some(({ items }) => items.some((item) => keyOf(item) === keyOf(ref) && item.before !== null));
