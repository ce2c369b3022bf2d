const BEARER = /^bearer +(\S+) *$/i;

/**
 * The credential that a call's `authorization` values carry (RFC 6750 §2.1), or null. Exactly one: of two,
 * this server and one before it would believe different ones.
 */
export function bearerOf(values: readonly unknown[]): string | null {
  return values.length === 1 ? (BEARER.exec(String(values[0]))?.[1] ?? null) : null;
}
