import { refuse } from '../../wire/read-input.ts';

/** The database counts no year 0, and ISO 8601 does. */
const YEAR_1 = new Date('0001-01-01T00:00:00Z');

/**
 * ISO 8601 without an offset is UTC, a date its first instant; undefined for nothing. Throws `unprocessable`
 * naming the field for an instant before the year 1.
 */
export function instant(field: string, text: string | null | undefined): Date | undefined {
  if (text == null) return undefined;
  const isLocal = /T/i.test(text) && !/(?:Z|[+-]\d\d:?\d\d)$/i.test(text);
  const read = new Date((isLocal ? `${text}Z` : text).toUpperCase());
  if (read < YEAR_1) throw refuse([`${field}: must be in the year 1 or later`]);
  return read;
}
