import { DATE_FIELDS, type Mapping } from './mapping.ts';
import { hasShortYear, isWrittenDay, orderOf, type Century, type ColumnOrder } from './read-dates.ts';
import { cellKey, type Sheet } from './sheet.ts';

/** The order of day and month that each column of dates, and the days among values, show, by field. */
export function dateOrders(
  sheet: Sheet,
  mapping: Mapping,
  century: Century | undefined,
): Record<string, ColumnOrder> {
  const orders = dateColumns(mapping).map(({ field, column }) => [
    field,
    orderOf(
      sheet.rows.map(({ cells }) => cells[column] ?? ''),
      century,
    ),
  ]);
  const values = mapping.indexOf('value');
  const days = sheet.rows.map(({ cells }) => cells[values] ?? '').filter(isWrittenDay);
  return Object.fromEntries([...orders, ...(days.length > 0 ? [['value', orderOf(days)]] : [])]);
}

/** The first date with a year of two digits of each field that has one. */
export function shortYearsOf(
  sheet: Sheet,
  mapping: Mapping,
  mended: ReadonlyMap<string, string> | undefined,
): Record<string, string> {
  return Object.fromEntries(
    dateColumns(mapping).flatMap(({ field, column }) => {
      const row = sheet.rows.find(
        ({ line, cells }) => hasShortYear(cells[column] ?? '') && !mended?.has(cellKey(line, field)),
      );
      return row === undefined ? [] : [[field, row.cells[column]!.trim()]];
    }),
  );
}

const dateColumns = (mapping: Mapping) =>
  mapping.flatMap((field, column) =>
    field !== null && DATE_FIELDS.includes(field) ? [{ field, column }] : [],
  );
