import type { ComponentChildren } from 'preact';
import { useState } from 'preact/hooks';
import { usePaged } from './part.tsx';

export interface Column<Row> {
  readonly id: string;
  readonly title: string;
  readonly cell: (row: Row) => ComponentChildren;
  /**
   * What rows are sorted by; a column without it does not sort. Numbers sort largest first, texts by code
   * units.
   */
  readonly sortBy?: (row: Row) => number | string;
  /** Figures: to the right, never broken. */
  readonly numeric?: boolean;
  /** A word of a closed vocabulary: never broken. */
  readonly short?: boolean;
}

interface Props<Row> {
  readonly caption: string;
  readonly columns: readonly Column<Row>[];
  readonly rows: readonly Row[];
  readonly rowKey: (row: Row) => string;
  /** Rows that one document of a share holds, and what they are; all rows unless given. */
  readonly pages?: { readonly name: string; readonly size: number };
}

const ALL = { name: '', size: Number.MAX_SAFE_INTEGER };

/**
 * A table that sorts by its headings where scripts run. On narrow screens each row becomes a card whose cells
 * name their column. The first column is the row's heading.
 */
export function DataTable<Row>({ caption, columns, rows, rowKey, pages = ALL }: Props<Row>) {
  const [sort, setSort] = useState<{ id: string; reversed: boolean } | null>(null);
  const column = columns.find(({ id }) => id === sort?.id);
  const sorted = column?.sortBy ? sortRows(rows, column.sortBy, sort!.reversed) : rows;
  // The server knows the order of the rows alone.
  const { shown, pager } = usePaged(sorted, pages.size, { name: pages.name, isLocal: sort !== null });
  const table = (
    <table class="data-table">
      <caption>{caption}</caption>
      <thead>
        <tr>
          {columns.map(({ id, title, sortBy, numeric, short }) => (
            <th
              key={id}
              scope="col"
              class={numeric ? 'numeric' : short ? 'short' : undefined}
              aria-sort={sort?.id === id ? (sort.reversed ? 'ascending' : 'descending') : undefined}
            >
              {sortBy ? (
                <button
                  type="button"
                  class="sort"
                  onClick={() => setSort({ id, reversed: sort?.id === id && !sort.reversed })}
                >
                  {title}
                </button>
              ) : (
                title
              )}
            </th>
          ))}
        </tr>
      </thead>
      <tbody>
        {shown.map((row) => (
          <tr key={rowKey(row)}>
            {columns.map(({ id, title, cell, numeric, short }, index) =>
              index === 0 ? (
                <th key={id} scope="row">
                  {cell(row)}
                </th>
              ) : (
                <td key={id} data-title={title} class={numeric ? 'numeric' : short ? 'short' : undefined}>
                  {cell(row)}
                </td>
              ),
            )}
          </tr>
        ))}
      </tbody>
    </table>
  );
  return pager ? (
    <>
      {table}
      {pager}
    </>
  ) : (
    table
  );
}

function sortRows<Row>(
  rows: readonly Row[],
  sortBy: (row: Row) => number | string,
  reversed: boolean,
): Row[] {
  const direction = reversed ? -1 : 1;
  return rows.toSorted((a, b) => {
    const [left, right] = [sortBy(a), sortBy(b)];
    if (typeof left === 'number' && typeof right === 'number') return direction * (right - left);
    return direction * (left < right ? -1 : Number(left > right));
  });
}
