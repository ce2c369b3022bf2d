import type { Mapping } from './mapping.ts';
import { isWrittenDay, readDate, type ColumnOrder } from './read-dates.ts';
import { markOf, readNumber, type DecimalMark } from './read-numbers.ts';
import { numberKey, type Sheet } from './sheet.ts';

/** What the numbers of the column of values show, with one of them, where any needs to be rewritten. */
export interface ColumnNumbers {
  readonly shown: DecimalMark | 'each' | 'ask';
  readonly example: string;
  /** Present where the numbers do not show it, and the commas between the columns of the file do. */
  readonly byDelimiter?: true;
}

/**
 * What the numbers of the values show; null where all are read as they stand. Where it is English that has
 * commas between columns, the point is decimal unless the numbers show otherwise; it is then told.
 */
export function numbersOf(sheet: Sheet, mapping: Mapping): ColumnNumbers | null {
  const column = mapping.indexOf('value');
  if (column < 0) return null;
  const cells = sheet.rows
    .filter(({ line }) => !sheet.numbers?.has(numberKey(line, column)))
    .map(({ cells: row }) => row[column] ?? '')
    .filter((cell) => !isWrittenDay(cell));
  const { shown, example, isMixed } = markOf(cells);
  if (shown === 'ask' && sheet.delimiter === ',' && !isMixed)
    return { shown: 'point', example: example!, byDelimiter: true };
  return example === null || shown === 'none' || shown === 'point' ? null : { shown, example };
}

/**
 * A value as the engine reads it: a day as `1994-06-05`, and a number with a decimal point and without
 * separators, by the mark that was chosen or else that the column shows.
 */
export function valueOf(
  cell: string,
  order: ColumnOrder | undefined,
  mark: ColumnNumbers['shown'] | undefined,
): string {
  if (isWrittenDay(cell)) {
    const isKnown = order === 'day-first' || order === 'month-first';
    return (isKnown || order === 'none' ? readDate(cell, isKnown ? order : 'day-first') : null) ?? cell;
  }
  if (mark === undefined || mark === 'ask' || mark === 'point') return cell;
  if (mark === 'each' && readNumber(cell, 'point') !== null) return cell;
  return readNumber(cell, 'comma') ?? cell;
}
