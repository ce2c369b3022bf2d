import type { InvestigationInput } from '@platform/opinion-fusion';
import { ApiError } from '../api/api-error.ts';
import type { Session } from '../api/wire.ts';
import { claimProblems, problemsOf } from '../edit/draft.ts';
import { KINDS, type Entity } from '../edit/kinds.ts';
import { atQuote, isOtherWords, unpinned } from '../edit/pin-conflict.ts';
import { itemsOf, keyOf, moved, movesTo, placesOf } from '../edit/payload-change.ts';
import { namedIn } from '../edit/referrers.ts';
import type { Problem } from '../api/problems.ts';
import {
  applied,
  inverse,
  isSame,
  itemOf,
  lostWords,
  movesOfAdded,
  recorded,
  updateOf,
  withPlaces,
  type Edit,
  type ItemEdit,
} from '../edit/edits.ts';
import { takenOver, type Conflict, type Ref } from './take-over.ts';

/** What a desk asks of the service. */
export interface DeskApi {
  /** Throws ApiError, 409 where the session has another version than `expected_version`. */
  readonly send: (change: Readonly<Record<string, unknown>>) => Promise<{ readonly version: string }>;
  /** Reads the session. Throws ApiError where the service refuses. */
  readonly read: () => Promise<Session>;
  /** Called with the investigation as it is stored, and where another user changed it, all of the session. */
  readonly stored: (payload: InvestigationInput, session?: Session) => void;
  readonly setTimer: (run: () => void, ms: number) => unknown;
  readonly clearTimer: (timer: never) => void;
}

export interface DeskState {
  /** The investigation as the user sees it: stored or not yet. */
  readonly payload: InvestigationInput;
  readonly isSaving: boolean;
  /** Items that are not stored as they stand here. */
  readonly unsaved: number;
  /** Of these, the ones that cannot be stored before something is filled in. */
  readonly incomplete: number;
  readonly error: unknown;
  readonly conflicts: readonly Conflict[];
  /** How often the desk took over what somebody else had stored. */
  readonly takeOvers: number;
  /** The last action, and whether it was taken back. */
  readonly last: { readonly label: string; readonly isUndone: boolean; readonly note?: string } | null;
  readonly canUndo: boolean;
  readonly canRedo: boolean;
  /** What undo takes back and what redo does again; null for nothing. */
  readonly undoes: string | null;
  readonly redoes: string | null;
}

/** The pause after the last edit before it is stored. */
const PAUSE_MS = 500;
/** A conflict is read and tried again this often at once; then the next edit or the user tries. */
const TRIES = 3;

const checked = new WeakMap<Entity, readonly Problem[]>();

/** What keeps an item from being stored; worked out once for each version of it. */
export function itemProblems(kind: string, item: Entity): readonly Problem[] {
  let problems = checked.get(item);
  if (problems === undefined) {
    const spec = KINDS.find((one) => one.kind === kind)!;
    problems = [...atQuote(problemsOf(spec.object, item)), ...(kind === 'claims' ? claimProblems(item) : [])];
    checked.set(item, problems);
  }
  return problems;
}

export type Desk = ReturnType<typeof createDesk>;

/**
 * An investigation under the user's hands: edits hold at once, are stored by themselves after a pause, and
 * can be taken back one by one, deletions among them. What somebody else changed meanwhile is taken over; a
 * field that both changed is a conflict, of which nothing is stored before the user has chosen.
 */
export function createDesk(session: Session, api: DeskApi) {
  /** As the service has it, by what it said last. */
  let base = session.payload;
  let { version } = session;
  let payload = base;
  let undos: readonly Edit[] = [];
  let redos: readonly Edit[] = [];
  let last: DeskState['last'] = null;
  let error: unknown = null;
  let conflicts: readonly Conflict[] = [];
  let dirty = new Map<string, Ref>();
  /** What was sent without a response: see `Work`. */
  let sent = new Map<string, readonly (Entity | null)[]>();
  let takeOvers = 0;
  /** What items are known by on the screen where that is not their own key. */
  const rowKeys = new Map<string, string>();
  let saving: Promise<void> | null = null;
  let refreshing: Promise<void> | null = null;
  let timer: unknown;
  let state = describe();
  const listeners = new Set<() => void>();

  function describe(): DeskState {
    return {
      payload,
      isSaving: saving !== null,
      unsaved: dirty.size,
      incomplete: [...dirty.values()].filter(isIncomplete).length,
      error,
      conflicts,
      takeOvers,
      last,
      canUndo: undos.length > 0,
      canRedo: redos.length > 0,
      undoes: undos.at(-1)?.label ?? null,
      redoes: redos.at(-1)?.label ?? null,
    };
  }

  function changed(): void {
    state = describe();
    for (const listener of listeners) listener();
  }

  function isIncomplete(ref: Ref): boolean {
    const item = itemOf(payload, ref);
    return item !== null && itemProblems(ref.kind, item).length > 0;
  }

  function put(items: readonly ItemEdit[]): void {
    payload = applied(payload, items);
    note(items);
    conflicts = conflicts.filter(({ mine }) => dirty.has(keyOf(mine)));
    schedule();
  }

  /** Notes which items are not as they are stored. */
  function note(refs: readonly Ref[]): void {
    for (const { kind, id } of refs) {
      const ref = { kind, id };
      const isStored = isSame(itemOf(payload, ref), itemOf(base, ref)) && !sent.has(keyOf(ref));
      if (isStored) dirty.delete(keyOf(ref));
      else dirty.set(keyOf(ref), ref);
    }
  }

  function schedule(): void {
    api.clearTimer(timer as never);
    timer = dirty.size === 0 ? undefined : api.setTimer(() => void flush(), PAUSE_MS);
    changed();
  }

  /** Stores what can be stored, and returns once it is, or once it is known why not. */
  function flush(): Promise<void> {
    api.clearTimer(timer as never);
    saving ??= store().finally(() => {
      saving = null;
      changed();
    });
    changed();
    return saving;
  }

  async function store(): Promise<void> {
    error = null;
    for (let tries = 0; tries < TRIES;) {
      const edits = sendable();
      const next = applied(base, edits);
      const moves = movesTo(base, next, payload);
      if (edits.length === 0 && moves.length === 0) return;
      try {
        const update = { ...updateOf(edits), ...(moves.length > 0 && { moves }) };
        const stored = await api.send({ ...update, expected_version: version });
        version = stored.version;
        base = moved(next, moves);
        sent = new Map();
        note([...dirty.values()]);
        api.stored(base);
      } catch (failure) {
        if (!(failure instanceof ApiError) || failure.status !== 409) {
          error = failure;
          if (isUnanswered(failure))
            for (const edit of edits) sent.set(keyOf(edit), [...(sent.get(keyOf(edit)) ?? []), edit.after]);
          return;
        }
        tries += 1;
        try {
          takeOver(await api.read(), new Map());
        } catch (unread) {
          error = unread;
          return;
        }
      }
    }
  }

  /**
   * The unsaved items that are whole, in no conflict, and refer to no new item that waits itself, whose id
   * may be another one's by then; as edits of what is stored, new ones in the order in which they stand.
   */
  function sendable(): ItemEdit[] {
    const held = new Set(conflicts.map(({ mine }) => keyOf(mine)));
    const place = ({ kind, id }: Ref) => placesOf(itemsOf(payload, kind)).get(id) ?? -1;
    const refs = [...dirty.values()];
    const waiting = new Set<string>();
    for (const ref of refs) if (held.has(keyOf(ref)) || isIncomplete(ref)) waiting.add(keyOf(ref));
    const isNew = (key: string) => {
      const ref = dirty.get(key);
      return waiting.has(key) && ref !== undefined && itemOf(base, ref) === null;
    };
    for (let before = -1; before < waiting.size;) {
      before = waiting.size;
      for (const ref of refs) if (namedIn(itemOf(payload, ref) ?? {}).some(isNew)) waiting.add(keyOf(ref));
    }
    return refs
      .filter((ref) => !waiting.has(keyOf(ref)))
      .map((ref) => ({ ...ref, before: itemOf(base, ref), after: itemOf(payload, ref) }))
      .toSorted((a, b) => place(a) - place(b));
  }

  /** Takes over what the service has now: see `takenOver`. `unknown` is what may be stored nevertheless. */
  function takeOver(stored: Session, unknown = sent): void {
    const taken = takenOver(
      { base, payload, undos, redos, conflicts, dirty: [...dirty.values()], sent },
      stored.payload,
    );
    ({ payload, undos, redos } = taken);
    base = stored.payload;
    version = stored.version;
    sent = unknown;
    takeOvers += 1;
    for (const [key, id] of taken.newIds) {
      const kind = key.slice(0, key.indexOf(' '));
      rowKeys.set(`${kind} ${id}`, rowKeys.get(key) ?? key);
      rowKeys.set(key, `${key} ${takeOvers}`);
    }
    dirty = new Map();
    note(taken.dirty);
    conflicts = taken.conflicts.filter(({ mine }) => dirty.has(keyOf(mine)));
    api.stored(base, stored);
    changed();
  }

  /** What is stored is read again by storing itself, and what was read before that is old. */
  async function readAgain(): Promise<void> {
    const seen = version;
    const stored = await api.read().catch(() => null);
    if (stored === null || saving !== null || version !== seen || stored.version === seen) return;
    takeOver(stored);
    schedule();
  }

  return {
    state: (): DeskState => state,
    subscribe(listener: () => void): () => void {
      listeners.add(listener);
      return () => void listeners.delete(listener);
    },

    /** Does something; it can be taken back. Edits that change nothing are none. */
    edit(label: string, items: readonly Omit<ItemEdit, 'before'>[]): void {
      const edit = recorded(label, items, payload);
      if (edit.items.length === 0) return;
      undos = [...undos, edit];
      redos = [];
      last = { label, isUndone: false };
      put(edit.items);
    },

    /** Puts an edit that is stored already into the history, so that it is taken back in its turn. */
    record(edit: Edit): void {
      if (edit.items.length === 0) return;
      undos = [...undos, edit];
      redos = [];
      last = { label: edit.label, isUndone: false };
      changed();
    },

    /** Whether a recorded edit can still be taken back. */
    holds: (edit: Edit): boolean => undos.includes(edit),

    /** Takes an edit out of the history that was taken back otherwise. */
    forget(edit: Edit): void {
      if (undos.at(-1) === edit) last = null;
      undos = undos.filter((one) => one !== edit);
      changed();
    },

    undo(): void {
      const edit = undos.at(-1);
      if (edit === undefined) return;
      undos = undos.slice(0, -1);
      const back = inverse(edit, payload);
      const items = withPlaces(payload, back.items);
      redos = [...redos, { ...edit, items: items.map(turned) }];
      last = { label: edit.label, isUndone: true, ...noteOf(lostWords(back.lost)) };
      put(items);
    },

    redo(): void {
      const edit = redos.at(-1);
      if (edit === undefined) return;
      redos = redos.slice(0, -1);
      const again = inverse({ ...edit, items: edit.items.map(turned) }, payload);
      const items = withPlaces(payload, again.items);
      undos = [...undos, { ...edit, items }];
      last = { label: edit.label, isUndone: false, ...noteOf(lostWords(again.lost, 'done again')) };
      put(items);
    },

    /** Ends a conflict: with the user's own item, or with that of the other user. */
    resolve({ mine, theirs }: Conflict, choice: 'mine' | 'theirs'): void {
      conflicts = conflicts.filter((one) => one.mine !== mine);
      if (choice === 'theirs') {
        const edit = { ...mine, before: itemOf(payload, mine), after: theirs };
        payload = applied(payload, [edit]);
        payload = moved(payload, movesOfAdded([edit], payload, base));
        note([mine]);
      }
      schedule();
    },

    /** The session as something else in this page stored or read it. */
    adopt(next: Session): void {
      if (next.payload === base) return;
      takeOver(next);
      schedule();
    },

    /** Takes over what others have stored since; nothing where the service cannot be asked. */
    refresh(): Promise<void> {
      if (saving !== null) return saving;
      refreshing ??= readAgain().finally(() => (refreshing = null));
      return refreshing;
    },

    /** Whether an item is not stored as it stands here. */
    isUnsaved: ({ id }: Entity): boolean => dirty.has(keyOf({ kind: 'claims', id })),

    /** What an item is known by while the desk is open, also after it got another id. */
    rowKey: (ref: Ref): string => rowKeys.get(keyOf(ref)) ?? keyOf(ref),
    flush,
  };
}

const turned = ({ before, after, ...item }: ItemEdit): ItemEdit => ({
  ...item,
  before: after,
  after: before,
});

/** Whether a request may have been done although it failed. */
const isUnanswered = (failure: unknown) =>
  !(failure instanceof ApiError) || failure.status === 0 || failure.status >= 500;

const noteOf = (note: string | undefined) => (note === undefined ? {} : { note });

/**
 * The investigation without the items that could not be judged as they stand. One whose quote is not the
 * passage that it pins is judged without the pin, which weighs nothing.
 */
export function judgeable(payload: InvestigationInput): InvestigationInput {
  const lists = KINDS.map(({ kind }) => [
    kind,
    itemsOf(payload, kind).flatMap((item) => {
      const problems = itemProblems(kind, item);
      if (isOtherWords(problems)) return [unpinned(item)];
      return problems.length === 0 ? [item] : [];
    }),
  ]);
  return { ...payload, ...(Object.fromEntries(lists) as object) };
}
