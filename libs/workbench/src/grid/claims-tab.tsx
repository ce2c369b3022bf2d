import { useEffect, useMemo, useRef, useState } from 'preact/hooks';
import { count, counted, plain, shortened } from '@platform/viewer/browser';
import type { Model } from '@platform/viewer/browser';
import type { EntityKind } from '@platform/opinion-fusion';
import { Failure } from '../components/failure.tsx';
import { SpellingNotices } from '../csv/spelling-notices.tsx';
import { Field } from '../components/field.tsx';
import { EntityEditor } from '../edit/entity-editor.tsx';
import { KINDS, nameOf, type Entity } from '../edit/kinds.ts';
import { itemsOf, placesOf } from '../edit/payload-change.ts';
import { isOtherWords } from '../edit/pin-conflict.ts';
import { referrersOf } from '../edit/referrers.ts';
import { nearSpelled, respelled, type Spellings } from '../files/near-spelled.ts';
import { listsOf, quoted } from '../files/overlap-words.ts';
import { randomCode } from '../browser/random-code.ts';
import type { Goal } from '../browser/tabs.ts';
import { ClaimsGrid, type Sort } from './claims-grid.tsx';
import { ADVANCED_COLUMNS, COLUMNS, deletionOf, typeCells } from './columns.ts';
import { Conflicts } from './conflicts.tsx';
import { itemProblems, type Desk, type DeskState } from './desk.ts';
import { goneItems, type GoneItem } from './gone-items.ts';
import { GoneNotices } from './gone-notices.tsx';
import { HistoryButtons, HistoryLine } from './history-line.tsx';
import { incompleteWords } from './incomplete.ts';
import { LiveVerdicts } from './live-verdicts.tsx';
import { MadeSources } from './made-sources.tsx';
import { PinConflicts } from './pin-conflicts.tsx';
import { refusalWords, rowsNamed } from './refusals.ts';
import { areaOf, at, type Place, type Selection } from './selection.ts';
import { shownClaims, type Show } from './shown-claims.ts';

const CLAIMS = KINDS.find(({ kind }) => kind === 'claims')!;
const ORIGIN = at({ row: 0, column: 0 });
const NAMES_MAX = 3;

interface Props {
  readonly desk: Desk;
  readonly state: DeskState;
  readonly isShown: boolean;
  /** The judgement on view, to which the live one is compared; null where there is none. */
  readonly model: Model | null;
  /** A claim, or the claims of a source or subject, to be shown. */
  readonly goal: Goal | null;
}

/** Claims as a grid that is typed and pasted into, with the verdicts next to it. */
export function ClaimsTab({ desk, state, isShown, model, goal }: Props) {
  const { payload } = state;
  const [filter, setFilter] = useState('');
  const [show, setShow] = useState<Show>('all');
  const [sort, setSort] = useState<Sort | null>(null);
  const [isAdvanced, setAdvanced] = useState(false);
  const [chosenCells, select] = useState<Selection>(ORIGIN);
  const [opened, setOpened] = useState<{ readonly claim: Entity; readonly key: string } | null>(null);
  const [said, setSaid] = useState('');
  /** What is kept of items is kept by their row keys: they may get other ids. */
  const keyOfClaim = ({ id }: Entity) => desk.rowKey({ kind: 'claims', id });
  const open = (claim: Entity) => setOpened({ claim, key: keyOfClaim(claim) });
  /** Claims made while a filter was on stay on view. */
  const made = useRef<ReadonlySet<string>>(new Set());
  /** Row keys of the sources that were made in the grid and whose types nobody has looked at yet. */
  const [madeSources, setMadeSources] = useState<ReadonlySet<string>>(new Set());
  /** Spellings that the user means as they are. */
  const [apart, setApart] = useState<ReadonlySet<string>>(new Set());
  const columns = isAdvanced ? [...COLUMNS, ...ADVANCED_COLUMNS] : COLUMNS;
  const all = itemsOf(payload, 'claims');
  const order = useRef<readonly string[]>([]);
  const asked = JSON.stringify([filter, show, sort]);
  const lastAsked = useRef('');
  const takeOvers = useRef(state.takeOvers);
  const [claims, follows] = useMemo(() => {
    // Rows stay where they are while they are edited: filter and order are applied when they are chosen.
    if (lastAsked.current !== asked) made.current = new Set();
    const before = lastAsked.current === asked ? order.current : null;
    lastAsked.current = asked;
    const idOf = new Map(all.map((claim) => [keyOfClaim(claim), claim.id]));
    const idsOf = (keys: Iterable<string>) => [...keys].flatMap((key) => idOf.get(key) ?? []);
    const kept = before && idsOf(before);
    const shown = shownClaims(payload, { filter, show, sort, kept, made: new Set(idsOf(made.current)) });
    order.current = shown.map(keyOfClaim);
    const isTakenOver = takeOvers.current !== state.takeOvers;
    takeOvers.current = state.takeOvers;
    return [shown, isTakenOver && before !== null ? followed(before, order.current) : null] as const;
  }, [asked, all, payload.actors, payload.subjects]);
  // The cells that are chosen stay those of their claims when rows of others come or go.
  const lastFollowed = useRef(follows);
  let selection = chosenCells;
  if (follows !== lastFollowed.current) {
    lastFollowed.current = follows;
    if (follows !== null) select((selection = follows(selection)));
  }
  /** Another view begins at its first row. */
  const view = (change: () => void) => {
    change();
    select(ORIGIN);
  };
  const [held, pinConflicts] = useMemo(() => {
    if (state.incomplete === 0) return ['', []];
    const isHeld = (claim: Entity) => desk.isUnsaved(claim) && itemProblems('claims', claim).length > 0;
    const incomplete = all.filter(isHeld);
    const others = incomplete.filter((claim) => isOtherWords(itemProblems('claims', claim)));
    return [incompleteWords(incomplete, placesOf(claims)), others];
  }, [state, claims]);
  const spellings = useMemo(
    () => nearSpelled(listsOf(payload)).filter((one) => !apart.has(spellingKey(one))),
    [all, payload.inferences, apart],
  );
  const gone = useMemo(() => goneItems(payload, all), [all, payload.actors, payload.subjects]);
  const unchecked = itemsOf(payload, 'actors').filter(({ id }) =>
    madeSources.has(desk.rowKey({ kind: 'actors', id })),
  );
  const area = areaOf(selection);
  const chosen = claims.slice(area.top, area.bottom + 1);

  useEffect(() => {
    if (goal === null) return;
    setFilter(goal.to === 'filter' ? goal.filter : '');
    setShow('all');
    setSort(null);
    const place = goal.to === 'claim' ? placesOf(all).get(goal.id) : goal.to === 'add-claim' ? all.length : 0;
    select(at({ row: place ?? 0, column: 0 }));
    requestAnimationFrame(() => document.querySelector<HTMLElement>('.claims-grid .cell-editor')?.focus());
  }, [goal]);

  function type(place: Place, texts: readonly (readonly string[])[], label = 'Cell changed'): void {
    const inputs = texts.flatMap((cells, row) =>
      cells.flatMap((text, column) => {
        const field = columns[place.column + column]?.field;
        return field === undefined
          ? []
          : [{ claim: claims[place.row + row], row: place.row + row, field, text }];
      }),
    );
    const typed = typeCells(payload, inputs, columns, randomCode);
    const keysOf = (kind: EntityKind, ids: readonly string[]) => ids.map((id) => desk.rowKey({ kind, id }));
    made.current = new Set([...made.current, ...keysOf('claims', typed.madeClaims)]);
    const sources = typed.madeSources.map(({ id }) => id);
    if (sources.length > 0) setMadeSources(new Set([...madeSources, ...keysOf('actors', sources)]));
    const deleted = typed.items.filter(({ kind, after }) => kind === 'claims' && after === null).length;
    const parts = [
      deleted > 0 ? `${counted(deleted, 'claim')} deleted` : label,
      typed.madeClaims.length > 1 ? `${counted(typed.madeClaims.length, 'claim')} added` : '',
      madeWords('source', typed.madeSources),
      madeWords('subject', typed.madeSubjects),
    ];
    desk.edit(parts.filter(Boolean).join('; '), typed.items);
    setSaid([refusalWords(typed.refused), typed.note].filter(Boolean).join(' '));
  }

  function chooseType(names: readonly string[], type: string): void {
    const chosen = unchecked.filter((source) => names.includes(nameOf(source)));
    desk.edit(
      `${chosen.length === 1 ? `“${shortened(plain(nameOf(chosen[0]!)), 40)}” is` : `${counted(chosen.length, 'source')} are`} of the type ${type}`,
      chosen.map((source) => ({ kind: 'actors', id: source.id, after: { ...source, source_type: type } })),
    );
  }

  function replaceGone({ field, claims: naming, one }: GoneItem, chosen: Entity): void {
    desk.edit(
      `${counted(naming.length, 'claim')} of the ${one} “${shortened(plain(nameOf(chosen)), 40)}”`,
      naming.map((claim) => ({ kind: 'claims', id: claim.id, after: { ...claim, [field]: chosen.id } })),
    );
  }

  function spell(one: Spellings): void {
    const before = listsOf(payload);
    const edits = Object.entries(respelled(before, [one])).flatMap(([kind, items]) =>
      items
        .filter((item, at) => item !== before[kind]![at])
        .map((after) => ({ kind: kind as EntityKind, id: after.id, after })),
    );
    desk.edit(`${quoted(one.use)} for all: ${counted(one.items.length, 'item')}`, edits);
  }

  function remove(items: readonly Entity[]): void {
    const gone = new Set(items.map(({ id }) => id));
    const referring = items.flatMap(({ id }) => referrersOf(payload, 'claims', id));
    const others = new Set(referring.filter(({ item }) => !gone.has(item.id)).map(({ item }) => item.id))
      .size;
    const still =
      others === 0
        ? ''
        : `; ${counted(others, 'other item')} still ${others === 1 ? 'refers' : 'refer'} to them`;
    desk.edit(`${counted(items.length, 'claim')} deleted${still}`, deletionOf(items));
    select(at({ row: area.top, column: area.left }));
  }

  return (
    <div>
      <header class="pane-header">
        <h2>Claims</h2>
        <p>
          Type or paste from a spreadsheet. Sources and subjects that are new are made. It is saved as you go.
        </p>
      </header>
      <Conflicts desk={desk} state={state} />
      <div class="claims-tools">
        <Field label="Filter">
          {(control) => (
            <input
              {...control}
              type="search"
              value={filter}
              onInput={({ currentTarget: { value } }) => view(() => setFilter(value))}
            />
          )}
        </Field>
        <Field label="Show">
          {(control) => (
            <select
              {...control}
              value={show}
              onChange={({ currentTarget: { value } }) => view(() => setShow(value as Show))}
            >
              <option value="all">all claims</option>
              <option value="incomplete">not complete yet</option>
              <option value="unlinked">without a link</option>
              <option value="undated">without a date</option>
              <option value="denying">that deny</option>
            </select>
          )}
        </Field>
        <div class="claims-actions">
          <HistoryButtons desk={desk} state={state} />
          <button type="button" disabled={chosen.length === 0} onClick={() => remove(chosen)}>
            Delete {chosen.length > 1 ? `${count(chosen.length)} rows` : 'row'}
          </button>
          <button
            type="button"
            class="toggle"
            aria-pressed={isAdvanced}
            onClick={() => setAdvanced(!isAdvanced)}
          >
            Advanced
          </button>
        </div>
      </div>
      <p class="claims-state">
        <span role="status">
          {stateWords(state, held)}
          {claims.length < all.length && ` ${count(claims.length)} of ${counted(all.length, 'claim')} shown.`}
          {claims.length === all.length && ` ${counted(all.length, 'claim')}.`}
        </span>
        <HistoryLine desk={desk} state={state} />
        {said !== '' && (
          <span class="field-error" role="alert">
            {said}
          </span>
        )}
      </p>
      <MadeSources
        sources={unchecked}
        claims={all}
        choose={chooseType}
        close={() => setMadeSources(new Set())}
      />
      <SpellingNotices
        spellings={spellings}
        where={({ items }) => rowsOf(items, placesOf(claims))}
        use={spell}
        keep={(one) => setApart(new Set([...apart, spellingKey(one)]))}
      />
      <GoneNotices
        gone={gone}
        payload={payload}
        where={(items) => rowsOf(items, placesOf(claims))}
        choose={replaceGone}
      />
      <PinConflicts
        claims={pinConflicts}
        rows={placesOf(claims)}
        change={(label, claim) => desk.edit(label, [{ kind: 'claims', id: claim.id, after: claim }])}
        open={open}
      />
      <Failure error={state.error} retry={() => void desk.flush()} />
      <div class="claims-parts">
        <ClaimsGrid
          payload={payload}
          claims={claims}
          columns={columns}
          sort={sort}
          sortBy={(field) => view(() => setSort(nextSort(sort, field)))}
          selection={withinRows(selection, claims.length)}
          select={select}
          type={type}
          rowKey={keyOfClaim}
          open={open}
          undo={desk.undo}
          redo={desk.redo}
          isUnsaved={desk.isUnsaved}
        />
        <LiveVerdicts payload={payload} isShown={isShown} model={model} claim={claims[selection.focus.row]} />
      </div>
      {opened && (
        <EntityEditor
          spec={CLAIMS}
          initial={opened.claim}
          isNew={false}
          takenIds={new Set()}
          payload={payload}
          problems={itemProblems('claims', opened.claim)}
          save={async (entity) => {
            const { id } = all.find((claim) => keyOfClaim(claim) === opened.key) ?? entity;
            desk.edit('Claim changed', [{ kind: 'claims', id, after: { ...entity, id } }]);
          }}
          remove={async () => remove(all.filter((claim) => keyOfClaim(claim) === opened.key))}
          close={() => setOpened(null)}
          another={() => setOpened(null)}
        />
      )}
    </div>
  );
}

/**
 * Chooses cells where the rows with some keys stand now as they were chosen before; the row behind the last
 * one stays behind it.
 */
function followed(before: readonly string[], now: readonly string[]): (selection: Selection) => Selection {
  const places = new Map(now.map((key, row) => [key, row]));
  const moved = ({ row, column }: Place): Place => {
    const key = before[row];
    return { row: key === undefined ? row - before.length + now.length : (places.get(key) ?? row), column };
  };
  return ({ anchor, focus }) => ({ anchor: moved(anchor), focus: moved(focus) });
}

/** The rows on view of some items, in words. */
function rowsOf(items: readonly Entity[], places: ReadonlyMap<string, number>): string {
  const rows = items.flatMap(({ id }) => places.get(id) ?? []);
  return rows.length === 0 ? 'not shown here' : rowsNamed(rows).toLowerCase();
}

const spellingKey = ({ field, use, others }: Spellings) => JSON.stringify([field, use, ...others]);

/** Ascending, then descending, then as the claims came. */
function nextSort(sort: Sort | null, field: string): Sort | null {
  if (sort?.field !== field) return { field, isReversed: false };
  return sort.isReversed ? null : { field, isReversed: true };
}

const withinRows = ({ anchor, focus }: Selection, rows: number): Selection => ({
  anchor: { ...anchor, row: Math.min(anchor.row, rows) },
  focus: { ...focus, row: Math.min(focus.row, rows) },
});

function madeWords(what: string, items: readonly Entity[]): string {
  if (items.length === 0) return '';
  const names = items.slice(0, NAMES_MAX).map((item) => {
    const type = item['source_type'];
    const name = shortened(plain(nameOf(item)), 40);
    return typeof type === 'string' ? `“${name}” (${type})` : `“${name}”`;
  });
  const more = items.length > NAMES_MAX ? ` and ${count(items.length - NAMES_MAX)} more` : '';
  return `new ${what} ${names.join(', ')}${more}`;
}

/** Whether everything is stored, in words; `held` says which cells keep claims from it. */
function stateWords({ isSaving, unsaved, incomplete, error, conflicts }: DeskState, held: string): string {
  if (isSaving) return 'Saving …';
  if (error !== null) return 'Not saved.';
  if (conflicts.length > 0) return 'Changed by somebody else, too: choose above.';
  if (unsaved > incomplete) return 'Not saved yet.';
  if (incomplete > 0) return `Saved, but for ${counted(incomplete, 'row')} marked ▲. ${held}`;
  return 'Saved.';
}
