import type { Field } from '@platform/opinion-fusion';

export const isNothing = (value: unknown): boolean =>
  value === undefined || value === null || value === '' || (Array.isArray(value) && value.length === 0);

/** What a field says: its value, or else its default; undefined where it has neither. */
export const meant = (value: unknown, field?: Field): unknown => (isNothing(value) ? field?.default : value);

/** A text that all values of a field have which say the same, in whatever spelling. Pure. */
export function comparable(value: unknown, field?: Field): string {
  const said = meant(value, field);
  if (typeof said === 'string' && field?.kind === 'word') return said.toLowerCase();
  if (field?.kind === 'timestamp' || field?.kind === 'moment') return String(instantOf(said));
  return canonical(said) ?? '';
}

/** A time in milliseconds, however it is written; a date is its first instant. */
export function instantOf(time: unknown): unknown {
  const instant = typeof time === 'string' ? Date.parse(time) : Number.NaN;
  return Number.isNaN(instant) ? time || '' : instant;
}

/** The JSON of a value with the keys of its objects in order. */
const canonical = (value: unknown): string | undefined =>
  JSON.stringify(value, (_key, inner: unknown) =>
    isObject(inner) ? Object.fromEntries(Object.entries(inner).sort(([a], [b]) => (a < b ? -1 : 1))) : inner,
  );

export const isObject = (value: unknown): value is Readonly<Record<string, unknown>> =>
  typeof value === 'object' && value !== null && !Array.isArray(value);
