/** A cell: its row among those that are shown, from 0, and its column. */
export interface Place {
  readonly row: number;
  readonly column: number;
}

/** The cells between two corners; `focus` is the one that keys move and typing edits. */
export interface Selection {
  readonly anchor: Place;
  readonly focus: Place;
}

export interface Area {
  readonly top: number;
  readonly bottom: number;
  readonly left: number;
  readonly right: number;
}

export const at = (place: Place): Selection => ({ anchor: place, focus: place });

export function areaOf({ anchor, focus }: Selection): Area {
  return {
    top: Math.min(anchor.row, focus.row),
    bottom: Math.max(anchor.row, focus.row),
    left: Math.min(anchor.column, focus.column),
    right: Math.max(anchor.column, focus.column),
  };
}

export const isWithin = ({ top, bottom, left, right }: Area, { row, column }: Place): boolean =>
  row >= top && row <= bottom && column >= left && column <= right;

/** How many rows and columns there are, and how many rows a page down moves. */
export interface Extent {
  readonly rows: number;
  readonly columns: number;
  readonly page: number;
}

export type Key = Pick<KeyboardEvent, 'key' | 'ctrlKey' | 'metaKey' | 'shiftKey' | 'altKey'>;

/**
 * The selection after a key, as spreadsheets and the grid pattern of the ARIA authoring practices have it;
 * null for a key that moves nothing. Pure.
 */
export function moved(selection: Selection, key: Key, { rows, columns, page }: Extent): Selection | null {
  const { focus, anchor } = selection;
  const far = key.ctrlKey || key.metaKey;
  if (key.altKey) return null;
  const to = (row: number, column: number): Selection => {
    const place = {
      row: Math.max(0, Math.min(rows - 1, row)),
      column: Math.max(0, Math.min(columns - 1, column)),
    };
    return { anchor: key.shiftKey ? anchor : place, focus: place };
  };
  switch (key.key) {
    case 'ArrowUp':
      return to(far ? 0 : focus.row - 1, focus.column);
    case 'ArrowDown':
      return to(far ? rows - 1 : focus.row + 1, focus.column);
    case 'ArrowLeft':
      return to(focus.row, far ? 0 : focus.column - 1);
    case 'ArrowRight':
      return to(focus.row, far ? columns - 1 : focus.column + 1);
    case 'Home':
      return to(far ? 0 : focus.row, 0);
    case 'End':
      return to(far ? rows - 1 : focus.row, columns - 1);
    case 'PageUp':
      return to(focus.row - page, focus.column);
    case 'PageDown':
      return to(focus.row + page, focus.column);
    case ' ':
      if (far)
        return { anchor: { row: 0, column: focus.column }, focus: { row: rows - 1, column: focus.column } };
      return key.shiftKey
        ? { anchor: { row: anchor.row, column: 0 }, focus: { row: focus.row, column: columns - 1 } }
        : null;
    case 'a':
    case 'A':
      return far ? { anchor: { row: 0, column: 0 }, focus: { row: rows - 1, column: columns - 1 } } : null;
    default:
      return null;
  }
}

/**
 * Where Enter and Tab lead from a cell; null where Tab leaves the grid, so that nobody is kept in it. Behind
 * a row that was typed with Tab from the column `rowStart` on, Enter leads to that column. Pure.
 */
export function advanced(
  { row, column }: Place,
  { key, shiftKey }: Pick<Key, 'key' | 'shiftKey'>,
  { rows, columns }: Pick<Extent, 'rows' | 'columns'>,
  rowStart: number | null = null,
): Place | null {
  if (key === 'Enter')
    return {
      row: Math.max(0, Math.min(rows - 1, row + (shiftKey ? -1 : 1))),
      column: shiftKey ? column : (rowStart ?? column),
    };
  const next = row * columns + column + (shiftKey ? -1 : 1);
  if (next < 0 || next >= rows * columns) return null;
  return { row: Math.floor(next / columns), column: next % columns };
}
