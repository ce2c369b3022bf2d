import { refuse } from '../../wire/read-input.ts';

/** The database counts no year 0, and ISO 8601 does. */
const YEAR_1 = new Date('0001-01-01T00:00:00Z');

/** The digits of a year, of a month of it and of a day of that. */
const PERIOD = /^\d{4}(?:-\d\d){0,2}$/;

/**
 * ISO 8601 without an offset is UTC, a date its first instant, or its last millisecond where its `end` is
 * asked for; undefined for nothing. Throws `unprocessable` naming the field for an instant before the year 1.
 */
export function instant(
  field: string,
  text: string | null | undefined,
  edge: 'start' | 'end' = 'start',
): Date | undefined {
  if (text == null) return undefined;
  const isLocal = /T/i.test(text) && !/(?:Z|[+-]\d\d:?\d\d)$/i.test(text);
  const read = new Date((isLocal ? `${text}Z` : text).toUpperCase());
  if (read < YEAR_1) throw refuse([`${field}: must be in the year 1 or later`]);
  if (edge === 'start' || !PERIOD.test(text)) return read;
  if (text.length === 4) read.setUTCFullYear(read.getUTCFullYear() + 1);
  else if (text.length === 7) read.setUTCMonth(read.getUTCMonth() + 1);
  else read.setUTCDate(read.getUTCDate() + 1);
  return new Date(read.getTime() - 1);
}
