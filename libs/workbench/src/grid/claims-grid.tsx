import { useEffect, useLayoutEffect, useRef, useState } from 'preact/hooks';
import { count, plain, shortened, visible } from '@platform/viewer/browser';
import type { Entity } from '../edit/kinds.ts';
import { cellProblem } from '../csv/problem-words.ts';
import { CellEditor } from './cell-editor.tsx';
import { cellText, completionsOf, withoutHeading, type GridColumn } from './columns.ts';
import { itemProblems } from './desk.ts';
import { goneWords } from './gone-items.ts';
import { advanced, areaOf, at, isWithin, moved, type Place, type Selection } from './selection.ts';
import { parseTsv, printTsv, spread } from './tsv.ts';

/** Height of a row. Pixels; as in grid.css. */
const ROW_PX = 36;
/** Rows drawn above and below those on view. */
const MARGIN = 8;
const CELL_LENGTH = 200;
const HELP_ID = 'grid-help';

export interface Sort {
  readonly field: string;
  readonly isReversed: boolean;
}

interface Props {
  readonly payload: object;
  /** The claims on view, in order; the row behind the last one adds a claim. */
  readonly claims: readonly Entity[];
  readonly columns: readonly GridColumn[];
  readonly sort: Sort | null;
  readonly sortBy: (field: string) => void;
  readonly selection: Selection;
  readonly select: (selection: Selection) => void;
  /** Puts texts into cells whose first is at a place; rows behind the last one are new claims. */
  readonly type: (place: Place, texts: readonly (readonly string[])[], label?: string) => void;
  /** What a row is known by, also after its claim got another id. */
  readonly rowKey: (claim: Entity) => string;
  /** Opens the form of a claim. */
  readonly open: (claim: Entity) => void;
  readonly undo: () => void;
  readonly redo: () => void;
  /** Ids of claims that are not stored as they stand. */
  readonly isUnsaved: (claim: Entity) => boolean;
}

/**
 * Claims as a spreadsheet: a grid after the ARIA authoring practices of which only the rows on view are in
 * the document.
 */
export function ClaimsGrid(props: Props) {
  const { payload, claims, columns, sort, sortBy, selection, type, rowKey, open, undo, redo, isUnsaved } =
    props;
  const scroller = useRef<HTMLDivElement>(null);
  const [view, setView] = useState({ first: 0, count: 30 });
  /** Whether keys go to the grid; it does not take the focus by itself. */
  const [isActive, setActive] = useState(false);
  const isLeaving = useRef(false);
  /** The column in which a row that is typed with Tab begins; null while none is. */
  const rowStart = useRef<number | null>(null);
  const typedAt = useRef<Place | null>(null);
  /** The cell that opens with the caret in its text, by the key of its row. */
  const [editing, setEditing] = useState<{ readonly key: string; readonly column: number } | null>(null);
  const keyAt = (index: number) => (claims[index] === undefined ? '' : rowKey(claims[index]));
  const select = (next: Selection) => {
    setEditing(null);
    props.select(next);
  };
  const rows = claims.length + 1;
  const { focus } = selection;
  const area = areaOf(selection);

  useEffect(() => {
    const box = scroller.current!;
    const look = () => {
      const first = Math.max(0, Math.floor(box.scrollTop / ROW_PX) - MARGIN);
      const shown = Math.ceil(box.clientHeight / ROW_PX) + 2 * MARGIN;
      setView((now) => (now.first === first && now.count === shown ? now : { first, count: shown }));
    };
    look();
    const sizes = new ResizeObserver(look);
    sizes.observe(box);
    box.addEventListener('scroll', look, { passive: true });
    return () => {
      sizes.disconnect();
      box.removeEventListener('scroll', look);
    };
  }, []);

  // The cell with the focus is scrolled into view, below the heading and beside the row numbers.
  useLayoutEffect(() => {
    const box = scroller.current!;
    const heading = box.querySelector('thead')!.clientHeight;
    const top = focus.row * ROW_PX;
    const bottom = box.scrollTop + box.clientHeight - heading - ROW_PX;
    if (top < box.scrollTop) box.scrollTop = top;
    else if (top > bottom) box.scrollTop += top - bottom;
    if (!isActive) return;
    const cell = box.querySelector<HTMLElement>('[data-focus]');
    const fixed = box.querySelector<HTMLElement>('thead th')!.offsetWidth;
    if (cell === null) return;
    if (cell.offsetLeft - fixed < box.scrollLeft) box.scrollLeft = cell.offsetLeft - fixed;
    else if (cell.offsetLeft + cell.offsetWidth > box.scrollLeft + box.clientWidth)
      box.scrollLeft = cell.offsetLeft + cell.offsetWidth - box.clientWidth;
  }, [focus.row, focus.column, rows]);

  const textAt = ({ row, column }: Place) =>
    claims[row] === undefined ? '' : cellText(payload, claims[row], columns[column]!.field);

  function onKey(event: KeyboardEvent): void {
    const { key, shiftKey } = event;
    const isControl = event.ctrlKey || event.metaKey;
    const act = (work: () => void) => {
      event.preventDefault();
      event.stopPropagation();
      work();
    };
    if (key === 'Escape') {
      // The next Tab leaves the grid.
      isLeaving.current = true;
      return;
    }
    if (key === 'Enter' && isControl) return act(() => claims[focus.row] && open(claims[focus.row]!));
    if (key === 'Enter' || key === 'Tab') {
      if (key === 'Tab' && isLeaving.current) return;
      const next = advanced(focus, event, { rows, columns: columns.length }, rowStart.current);
      const typed = typedAt.current;
      const isTyped = typed?.row === focus.row && typed.column === focus.column;
      if (key === 'Enter' || shiftKey || next?.row !== focus.row) rowStart.current = null;
      else if (isTyped) rowStart.current ??= focus.column;
      return next === null ? undefined : act(() => select(at(next)));
    }
    isLeaving.current = false;
    if (isControl && key.toLowerCase() === 'z') return act(shiftKey ? redo : undo);
    if (isControl && key.toLowerCase() === 'y') return act(redo);
    if (isControl && key.toLowerCase() === 'd') return act(fillDown);
    if (key === 'Delete' || key === 'Backspace') return act(clear);
    const page = Math.max(1, view.count - 2 * MARGIN - 2);
    const next = moved(selection, event, { rows, columns: columns.length, page });
    if (next === null) return;
    rowStart.current = null;
    act(() => select(next));
  }

  const textsOf = (top: number, bottom: number) =>
    Array.from({ length: bottom - top + 1 }, (_, row) =>
      Array.from({ length: area.right - area.left + 1 }, (_unused, column) =>
        textAt({ row: top + row, column: area.left + column }),
      ),
    );
  const start = { row: area.top, column: area.left };
  const height = Math.min(area.bottom, claims.length - 1) - area.top + 1;
  const width = area.right - area.left + 1;

  function clear(): void {
    const empty = Array.from({ length: height }, () => Array.from({ length: width }, () => ''));
    if (height > 0) type(start, empty, height * width === 1 ? 'Cell emptied' : 'Cells emptied');
  }

  function fillDown(): void {
    if (height > 1) type(start, spread(textsOf(area.top, area.top), height, width), 'Filled down');
  }

  function onCopy(event: ClipboardEvent): void {
    event.preventDefault();
    event.clipboardData!.setData(
      'text/plain',
      printTsv(textsOf(area.top, Math.max(area.top, area.top + height - 1))),
    );
    if (event.type === 'cut') clear();
  }

  function onPaste(event: ClipboardEvent): void {
    event.preventDefault();
    const pasted = parseTsv(event.clipboardData!.getData('text/plain'));
    const cells = spread(withoutHeading(pasted, columns.slice(area.left)), area.bottom - area.top + 1, width);
    type(start, cells, 'Pasted');
    const last = Math.min(columns.length, area.left + cells[0]!.length) - 1;
    select({ anchor: start, focus: { row: area.top + cells.length - 1, column: last } });
  }

  function onPointer(place: Place, event: MouseEvent): void {
    if (event.button !== 0) return;
    rowStart.current = null;
    // The control of the cell is at hand before the browser moves the focus.
    if (place.row === focus.row && place.column === focus.column && !event.shiftKey) return setActive(true);
    event.preventDefault();
    setActive(true);
    select(event.shiftKey ? { anchor: selection.anchor, focus: place } : at(place));
  }

  const last = Math.min(rows, view.first + view.count);
  const drawn = Array.from({ length: Math.max(0, last - view.first) }, (_, index) => view.first + index);
  if (focus.row < view.first && focus.row < rows) drawn.unshift(focus.row);
  else if (focus.row >= last && focus.row < rows) drawn.push(focus.row);

  const row = (index: number) => {
    const claim = claims[index];
    const problems = claim === undefined ? [] : itemProblems('claims', claim);
    const number = count(index + 1);
    return (
      <tr key={keyAt(index)} aria-rowindex={index + 2}>
        <th scope="row" class="row-head">
          {claim === undefined ? (
            <span aria-label="New claim">+</span>
          ) : (
            <button
              type="button"
              tabIndex={-1}
              aria-label={`Open claim ${number}`}
              onClick={() => open(claim)}
            >
              {number}
              {problems.length > 0 ? ' ▲' : isUnsaved(claim) ? ' •' : ''}
            </button>
          )}
        </th>
        {columns.map(({ field, title, width: size }, columnIndex) => {
          const place = { row: index, column: columnIndex };
          const isFocus = index === focus.row && columnIndex === focus.column;
          const isOpened = editing?.key === keyAt(index) && editing.column === columnIndex;
          const problem = problems.find(({ path }) => path === field);
          const text = claim === undefined ? '' : cellText(payload, claim, field);
          const wrong = problem
            ? text === ''
              ? 'to be filled in'
              : cellProblem(problem)
            : claim && goneWords(payload, claim, field);
          return (
            <td
              key={field}
              role="gridcell"
              aria-colindex={columnIndex + 2}
              aria-selected={isWithin(area, place)}
              aria-invalid={wrong !== undefined || undefined}
              title={
                wrong && text !== ''
                  ? `“${visible(shortened(plain(text), CELL_LENGTH))}” ${wrong}`
                  : undefined
              }
              data-focus={isFocus || undefined}
              class={`cell-${size}`}
              onMouseDown={(event) => onPointer(place, event)}
              onMouseOver={(event) =>
                event.buttons === 1 && select({ anchor: selection.anchor, focus: place })
              }
              onDblClick={() => setEditing({ key: keyAt(index), column: columnIndex })}
            >
              <span class="cell-text" dir="auto">
                {visible(shortened(plain(text), CELL_LENGTH))}
              </span>
              {isFocus && (
                <CellEditor
                  key={String(isOpened)}
                  label={`${title}, row ${number}: ${text === '' ? 'empty' : visible(shortened(plain(text), CELL_LENGTH))}${wrong === undefined ? '' : `, ${wrong}`}`}
                  describedBy={HELP_ID}
                  text={text}
                  completions={() => completionsOf(payload, field)}
                  takesFocus={isActive}
                  opensEditing={isOpened}
                  opensOnEnter={rowStart.current === null}
                  commit={(typed) => {
                    typedAt.current = place;
                    type(place, [[typed]]);
                  }}
                  onKey={onKey}
                  onCopy={onCopy}
                  onPaste={onPaste}
                />
              )}
            </td>
          );
        })}
      </tr>
    );
  };

  return (
    <div
      class="grid-scroll"
      ref={scroller}
      onFocusIn={() => setActive(true)}
      onFocusOut={({ relatedTarget }) => {
        isLeaving.current = false;
        if (relatedTarget !== null && !scroller.current!.contains(relatedTarget as Node)) setActive(false);
      }}
    >
      <p id={HELP_ID} class="visually-hidden">
        Type to fill the cell, F2 to change it. Ctrl+Enter opens the claim. Escape, then Tab, leaves the grid.
      </p>
      <table
        class="claims-grid"
        role="grid"
        aria-label="Claims"
        aria-rowcount={rows + 1}
        aria-colcount={columns.length + 1}
        aria-multiselectable="true"
      >
        <thead>
          <tr aria-rowindex={1}>
            <th scope="col" class="row-head">
              <span class="visually-hidden">Row</span>
            </th>
            {columns.map(({ field, title, width: size }, index) => (
              <th
                key={field}
                scope="col"
                aria-colindex={index + 2}
                class={`cell-${size}`}
                aria-sort={sort?.field === field ? (sort.isReversed ? 'descending' : 'ascending') : undefined}
              >
                <button type="button" class="sort" tabIndex={-1} onClick={() => sortBy(field)}>
                  {title}
                </button>
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {drawn.flatMap((index, place) => {
            const before = place === 0 ? index : index - drawn[place - 1]! - 1;
            return before > 0 ? [<Gap key={`gap-${place}`} rows={before} />, row(index)] : [row(index)];
          })}
          {drawn.length > 0 && rows - 1 - drawn.at(-1)! > 0 && (
            <Gap key="gap" rows={rows - 1 - drawn.at(-1)!} />
          )}
        </tbody>
      </table>
    </div>
  );
}

/** The room of rows that are not drawn. */
function Gap({ rows }: { readonly rows: number }) {
  const room = useRef<HTMLTableCellElement>(null);
  useLayoutEffect(() => {
    room.current!.style.height = `${rows * ROW_PX}px`;
  }, [rows]);
  return (
    <tr class="grid-gap" aria-hidden="true">
      <td ref={room} />
    </tr>
  );
}
