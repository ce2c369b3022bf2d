/**
 * Bytes of the JSON of a plain value in UTF-8, as `JSON.stringify` writes it, without writing it. The count
 * ends once it is more than `max`, and is then any number above that. Never throws.
 */
export function jsonLength(value: unknown, max: number): number {
  if (typeof value === 'string') return value.length > max ? value.length : quotedLength(value);
  if (typeof value === 'number') return Number.isFinite(value) ? String(value).length : NULL;
  if (typeof value === 'boolean') return value ? 4 : 5;
  if (typeof value !== 'object' || value === null) return NULL;
  // Each member is followed by a comma, but for the last one.
  let length = 1;
  if (Array.isArray(value)) {
    for (const entry of value as unknown[]) {
      length += jsonLength(entry, max - length) + 1;
      if (length > max) return length;
    }
    return Math.max(length, 2);
  }
  const members = value as Readonly<Record<string, unknown>>;
  for (const key of Object.keys(members)) {
    const member = members[key];
    if (member === undefined) continue;
    length += quotedLength(key) + 1;
    length += jsonLength(member, max - length) + 1;
    if (length > max) return length;
  }
  return Math.max(length, 2);
}

/** Bytes of `null`, which also stands for numbers that JSON does not have and for gaps of a list. */
const NULL = 4;

const ESCAPED = /["\\\p{Cs}\p{Cc}]/gu;
/**
 * By how many bytes a character grows that becomes \uXXXX, from the last one on: half of a pair counts three
 * bytes in Node, DEL and what follows stay as they are, and control characters are one byte.
 */
const LONGER: readonly (readonly [from: string, bytes: number])[] = [
  ['\ud800', 3],
  ['\u007f', 0],
];
const SHORT = new Set(['"', '\\', '\b', '\f', '\n', '\r', '\t']);

function quotedLength(text: string): number {
  let length = Buffer.byteLength(text) + 2;
  for (const [character] of text.matchAll(ESCAPED))
    length += SHORT.has(character) ? 1 : (LONGER.find(([from]) => character >= from)?.[1] ?? 5);
  return length;
}
