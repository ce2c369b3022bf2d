import { useState } from 'preact/hooks';
import { count, counted } from '@platform/viewer/browser';
import { sessionPath } from '../api/api.ts';
import { ApiError } from '../api/api-error.ts';
import type { Problem } from '../api/problems.ts';
import type { Session } from '../api/wire.ts';
import { useApi } from '../browser/api-context.ts';
import { randomCode } from '../browser/random-code.ts';
import { navigate } from '../browser/route.ts';
import { focusIfLost } from '../browser/focus.ts';
import { discardUnsaved } from '../browser/unsaved.ts';
import { Confirm } from '../components/confirm.tsx';
import { Toast } from '../components/toast.tsx';
import { CsvImport } from '../csv/csv-import.tsx';
import { FileImport } from '../csv/file-import.tsx';
import type { Desk, DeskState } from '../grid/desk.ts';
import { itemOf, lostWords, recorded, type Edit, type ItemEdit } from '../edit/edits.ts';
import { HistoryButtons, HistoryLine } from '../grid/history-line.tsx';
import { itemClash, updateClash } from '../edit/changed-elsewhere.ts';
import { Directory } from '../edit/directory.ts';
import { newIds } from '../edit/draft.ts';
import { EntityEditor } from '../edit/entity-editor.tsx';
import { EntitySection, sectionId } from '../edit/entity-section.tsx';
import { readItem, removeItem, writeItem } from '../edit/items.ts';
import { KINDS, nameOf, type Entity, type KindSpec } from '../edit/kinds.ts';
import { namedProblem, placeOf, shownName } from '../edit/named-problem.ts';
import { itemsOf } from '../edit/payload-change.ts';
import { PayloadJson } from '../edit/payload-json.tsx';
import { ProblemList } from '../components/problem-list.tsx';
import { SettingsForm } from '../edit/settings-form.tsx';
import { besideTaken } from '../files/taken-ids.ts';
import { settingsSet, takeBack, updateStored, type StoredEdit } from '../edit/stored-session.ts';

interface Props {
  readonly session: Session;
  /** Holds what was done here, too, to be taken back. */
  readonly desk: Desk;
  readonly state: DeskState;
  /** What kept the session from being judged. */
  readonly problems: readonly Problem[];
  /** Called with what a change makes of the session. */
  readonly changed: (change: (session: Session) => Session) => void;
  /** Judges what is stored. */
  readonly judge: () => void;
}

interface OpenItem {
  readonly what: 'entity';
  readonly spec: KindSpec;
  readonly entity: Entity | null;
  /** The item as it is stored and its user saw it last, null for none. */
  readonly seen: Entity | null;
  readonly problems?: readonly Problem[];
  /** How many were added in a row, and the last of them. */
  readonly round?: number;
  readonly last?: Entity;
}

type Open =
  | OpenItem
  | { readonly what: 'csv' }
  /** With a file that was chosen already. */
  | { readonly what: 'file'; readonly file?: File }
  /** With the session as its user saw it last. */
  | { readonly what: 'json'; readonly seen: Session }
  | null;

/** A message about the last change, with a way to undo it. */
interface Notice {
  readonly text: string;
  /** What is gone from the history once it was taken back. */
  readonly edit: Edit;
  /** Undoes the change. Throws ApiError where the service refuses. */
  readonly undo?: () => Promise<string | undefined>;
  readonly next?: { readonly label: string; readonly run: () => void };
}

/** All that a session is judged by, to look at and to change. */
export function EditTab({ session, desk, state, problems, changed, judge }: Props) {
  const api = useApi();
  const [open, setOpen] = useState<Open>(null);
  const [isDeleting, setDeleting] = useState(false);
  const [notice, setNotice] = useState<Notice | null>(null);
  const { session_id: id, payload } = session;
  const close = () => setOpen(null);
  /** The message about what the history has taken back since is gone. */
  const isNoticed = notice !== null && !(state.last?.isUndone && !desk.holds(notice.edit));

  /** Shows an item as it is stored now, null for one that is gone. */
  function show({ kind }: KindSpec, itemId: string, stored: Entity | null): void {
    changed((now) => {
      const items = itemsOf(now.payload, kind);
      const place = items.findIndex((item) => item.id === itemId);
      const others = items.filter((item) => item.id !== itemId);
      const next = stored === null ? others : place < 0 ? [...items, stored] : items.with(place, stored);
      return { ...now, payload: { ...now.payload, [kind]: next } };
    });
  }

  /** Adds the item that the editor has open, under another id where its own is taken. Throws ApiError. */
  async function addItem(opened: OpenItem, entity: Entity): Promise<void> {
    const { kind } = opened.spec;
    const item = namedAfter(opened.spec, entity, state.payload);
    const seen = { ...session, payload: { ...payload, [kind]: [] } };
    try {
      await saveChange({ [kind]: [item] }, `Added “${shownName(item)}”`, seen);
    } catch (failure) {
      if (!(failure instanceof ApiError)) throw failure;
      // Somebody else made the same source: saving again replaces it.
      if (failure.status === 412) setOpen({ ...opened, seen: await readItem(api, id, opened.spec, item.id) });
      throw withoutPrefix(failure, `${kind}[0].`);
    }
  }

  /** Writes or, given null, deletes the item that the editor has open. Throws ApiError. */
  async function putItem(
    opened: OpenItem & { seen: Entity },
    itemId: string,
    next: Entity | null,
  ): Promise<Edit> {
    const { spec, seen } = opened;
    const stored = await readItem(api, id, spec, itemId);
    const clash = itemClash(spec, { seen, stored, next });
    if (clash) {
      show(spec, itemId, stored);
      setOpen({ ...opened, seen: stored });
      throw clash;
    }
    if (next === null) await removeItem(api, id, spec, itemId);
    const written = next && (await writeItem(api, id, spec, next));
    const label = `${next === null ? 'Deleted' : 'Changed'} “${shownName(next ?? seen)}”`;
    const edit = recorded(label, [{ kind: spec.kind, id: itemId, after: written }], payload);
    show(spec, itemId, written);
    desk.record(edit);
    return edit;
  }

  /** Sends an update made from the session as its user saw it, and gives what it did. Throws ApiError. */
  async function saveChange(
    change: Readonly<Record<string, unknown>>,
    label: string | typeof importWords,
    seen = session,
  ): Promise<StoredEdit> {
    let sent = change;
    const { before, after } = await updateStored(api, id, (stored) => {
      sent = besideTaken(change, seen.payload, stored.payload);
      const clash = updateClash(sent, seen, stored);
      if (clash) {
        changed(() => stored);
        if (open?.what === 'json') setOpen({ ...open, seen: stored });
        throw clash;
      }
      return sent;
    });
    changed(() => after);
    const items = KINDS.flatMap(({ kind, removalsField }) =>
      [...itemsOf(sent, kind).map((item) => item.id), ...((sent[removalsField] ?? []) as string[])].map(
        (itemId) => ({ kind, id: itemId, after: itemOf(after.payload, { kind, id: itemId }) }),
      ),
    );
    const real = recorded('', items, before.payload);
    const edit = {
      ...real,
      label: typeof label === 'string' ? label : label(real.items),
      settings: settingsSet(sent, before.payload, after.payload),
    };
    desk.record(edit);
    return edit;
  }

  /** Takes back what is stored already, and says what of it stays. Throws ApiError. */
  async function undo(edit: Edit & Partial<StoredEdit>): Promise<string | undefined> {
    const { session: stored, lost } = await takeBack(api, id, { settings: [], ...edit }, payload);
    changed(() => stored);
    desk.forget(edit);
    return lostWords(lost);
  }

  /** Deletes the item that the editor has open and offers to put it back. Throws ApiError. */
  async function removeOpen(opened: OpenItem): Promise<void> {
    const seen = opened.seen ?? opened.entity!;
    const edit = await putItem({ ...opened, seen }, opened.entity!.id, null);
    focusIfLost(sectionId(opened.spec));
    setNotice({
      text: `Deleted “${shownName(seen)}”.`,
      edit,
      undo: () => undo(edit),
    });
  }

  /** Says what an import did, and offers to take it back. */
  function imported(edit: StoredEdit, notes: string): void {
    setNotice({
      text: `${importWords(edit.items)}. ${notes}`.trim(),
      edit,
      next: { label: 'Judge', run: judge },
      undo: () => undo(edit),
    });
  }

  /** Deletes the session. Throws ApiError where the service refuses. */
  async function deleteSession(): Promise<void> {
    await api('DELETE', sessionPath(id));
    discardUnsaved();
    navigate({ screen: 'sessions' });
  }

  /** Opens the item that a problem of the whole investigation is in, with what is wrong with it. */
  function openProblem({ path }: Problem): void {
    const place = placeOf(path, payload);
    if (place === null) return;
    const { spec, entity, prefix } = place;
    const own = problems
      .filter((problem) => problem.path.startsWith(prefix))
      .map((problem) => ({ ...problem, path: problem.path.slice(prefix.length) }));
    setOpen({ what: 'entity', spec, entity, seen: entity, problems: own });
  }

  return (
    <div class="edit">
      {problems.length > 0 && (
        <section class="failure" aria-labelledby="edit-problems" role="alert">
          <h2 id="edit-problems">It cannot be judged yet</h2>
          <ProblemList
            problems={problems}
            named={(problem) => namedProblem(problem, payload)}
            open={openProblem}
          />
        </section>
      )}
      <div class="claims-tools">
        <p class="claims-state">
          <HistoryLine desk={desk} state={state} />
        </p>
        <div class="claims-actions">
          <HistoryButtons desk={desk} state={state} />
        </div>
      </div>
      <SettingsForm
        key={id}
        name={session.name}
        payload={payload}
        save={async (change) => void (await saveChange(change, 'Settings changed'))}
      />
      <nav class="edit-jump" aria-label="Lists">
        <ul>
          {KINDS.map((spec) => (
            <li key={spec.kind}>
              <a href={`#${sectionId(spec)}`}>
                {spec.title} <span class="count">{count(itemsOf(payload, spec.kind).length)}</span>
              </a>
            </li>
          ))}
        </ul>
      </nav>
      {KINDS.map((spec) => (
        <EntitySection
          key={spec.kind}
          spec={spec}
          payload={payload}
          open={(entity) => setOpen({ what: 'entity', spec, entity, seen: entity })}
          actions={
            spec.kind === 'claims' && (
              <>
                <button type="button" onClick={() => setOpen({ what: 'csv' })}>
                  Import CSV
                </button>
                <button type="button" onClick={() => setOpen({ what: 'file' })}>
                  Import another file
                </button>
              </>
            )
          }
        />
      ))}
      <footer class="edit-foot">
        <button type="button" onClick={() => setOpen({ what: 'json', seen: session })}>
          Edit everything as JSON
        </button>
        {(session.role === 'owner' || session.role === null) && (
          <button type="button" class="danger" onClick={() => setDeleting(true)}>
            Delete investigation
          </button>
        )}
      </footer>
      {isDeleting && (
        <Confirm
          title="Delete the investigation?"
          yes="Delete it"
          busy="Deleting …"
          no="Keep it"
          onYes={deleteSession}
          close={() => setDeleting(false)}
        >
          <p>
            {counted(itemsOf(payload, 'claims').length, 'claim')}, all judgements and the published page are
            deleted. This cannot be undone.
          </p>
        </Confirm>
      )}
      {open?.what === 'entity' && (
        <EntityEditor
          key={open.round}
          spec={open.spec}
          initial={open.entity ?? newItem(open, payload, state.payload)}
          isNew={open.entity === null}
          takenIds={idsOf(open.spec, payload, state.payload)}
          payload={payload}
          problems={open.problems}
          save={async (entity) => {
            if (open.seen === null) await addItem(open, entity);
            else await putItem({ ...open, seen: open.seen }, open.seen.id, { ...entity, id: open.seen.id });
          }}
          remove={() => removeOpen(open)}
          close={close}
          another={(last) => setOpen({ ...open, last, round: (open.round ?? 0) + 1 })}
        />
      )}
      {open?.what === 'csv' && (
        <CsvImport
          payload={payload}
          save={(change) => saveChange(change, importWords)}
          done={imported}
          chooseWorkbook={(file) => setOpen({ what: 'file', file })}
          close={close}
        />
      )}
      {open?.what === 'file' && (
        <FileImport
          sessionId={id}
          payload={payload}
          chosen={open.file}
          save={(change) => saveChange(change, importWords)}
          done={imported}
          close={close}
        />
      )}
      {isNoticed && <Toast key={notice.text} {...notice} close={() => setNotice(null)} />}
      {open?.what === 'json' && (
        <PayloadJson
          payload={payload}
          save={async (change) => void (await saveChange(change, 'Edited as JSON', open.seen))}
          close={close}
        />
      )}
    </div>
  );
}

/** The ids of a list as it is stored and as it stands on the desk. */
const idsOf = ({ kind }: KindSpec, ...payloads: readonly object[]) =>
  new Set(payloads.flatMap((payload) => itemsOf(payload, kind).map(({ id }) => id)));

/** An error of an update that sent one item, as the form of the item names its fields. */
const withoutPrefix = ({ status, message, problems, ...error }: ApiError, prefix: string) =>
  new ApiError(status, message.replaceAll(`\n${prefix}`, '\n').replace(prefix, ''), { ...error, problems });

/** Whether an id is one that forms offer, which nobody has chosen. */
const OFFERED = /^[a-z]-[0-9a-z]{5}$/;

/**
 * A new source or subject with an id after its name where nobody chose one, as in the grid: two people who
 * add one of a name, add one.
 */
function namedAfter({ kind }: KindSpec, item: Entity, payload: object): Entity {
  if ((kind !== 'actors' && kind !== 'subjects') || !OFFERED.test(item.id)) return item;
  const known = new Directory(itemsOf(payload, kind), (id) => ({ id }));
  return { ...item, id: known.propose(nameOf(item)) };
}

/** What a new item begins with: an id, and what stays of the one that was added before it. */
function newItem({ spec, last }: OpenItem, ...payloads: readonly object[]): Entity {
  const stays = (spec.stays ?? []).filter((field) => typeof last?.[field] === 'string');
  return {
    id: newIds(spec.idLetter, idsOf(spec, ...payloads), randomCode)(),
    // A date as it was typed, not the instant that it was stored as.
    ...Object.fromEntries(stays.map((field) => [field, String(last![field]).replace(/T00:00:00Z$/, '')])),
  };
}

/** What an import did to how many claims, or to how many items where it has no claims. */
function importWords(items: readonly ItemEdit[]): string {
  const claims = items.filter(({ kind }) => kind === 'claims');
  const [noun, main] = claims.length > 0 ? ['claim', claims] : ['item', items];
  const replaced = main.filter(({ before }) => before !== null).length;
  const added = main.length - replaced;
  const others = items.filter((item) => item.before !== null && !main.includes(item)).length;
  return [
    added > 0 || replaced === 0 ? `${counted(added, noun)} added` : '',
    replaced > 0 ? `${added > 0 ? count(replaced) : counted(replaced, noun)} replaced` : '',
    others > 0 ? `${counted(others, 'other item')} replaced` : '',
  ]
    .filter(Boolean)
    .join(', ');
}
