/**
 * The value as canonical JSON (RFC 8785): no spaces, keys sorted by UTF-16 units, numbers and texts as
 * ECMAScript writes them. For what `JSON.parse` returns. Throws TypeError for a number that is not finite and
 * a text that is not valid Unicode, which no canonical JSON holds.
 */
export function canonicalJson(value: unknown): string {
  if (
    typeof value === 'string' ? !value.isWellFormed() : typeof value === 'number' && !Number.isFinite(value)
  )
    throw new TypeError('the value has no canonical JSON');
  if (typeof value !== 'object' || value === null) return JSON.stringify(value);
  if (Array.isArray(value)) return `[${value.map(canonicalJson).join()}]`;
  const entries = value as Record<string, unknown>;
  // The default order of `sort` is that of UTF-16 units.
  const written = Object.keys(entries)
    .sort()
    .map((key) => `${canonicalJson(key)}:${canonicalJson(entries[key])}`);
  return `{${written.join()}}`;
}
