import { decodeText } from '@platform/workbench/claims';
import { UnreadableFile } from './imported.ts';

/** Deepest nesting that readers take, as the service's own bodies. */
export const DEPTH_MAX = 64;
/** Objects, arrays and plain values of one file. */
const VALUES_MAX = 2_000_000;

export type JsonObject = Readonly<Record<string, unknown>>;

/**
 * The text of a file in UTF-8, or in UTF-16 with a byte order mark, without that mark. Throws UnreadableFile
 * for others and for none.
 */
export function readText(bytes: Uint8Array): string {
  if (bytes.length === 0) throw new UnreadableFile('the file is empty');
  const text = decodeText(bytes);
  if (text !== null) return text;
  throw new UnreadableFile(
    'the file is not text in UTF-8, nor in UTF-16 with a byte order mark: save it as UTF-8 and send it again',
  );
}

/**
 * The value of a JSON text of somebody else's: of a key that is named twice the last one holds (RFC 8259 §4).
 * Throws UnreadableFile for text that is not JSON, and beyond DEPTH_MAX and VALUES_MAX.
 */
export function readJson(text: string): unknown {
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch (error) {
    // The message of the parser quotes the text, which may be long.
    const at = /position \d+/.exec((error as Error).message)?.[0] ?? 'its end';
    throw new UnreadableFile(`the text is not JSON: it breaks at ${at}`);
  }
  checkBounds(value);
  return value;
}

function checkBounds(root: unknown): void {
  let level: unknown[] = [root];
  let count = 1;
  for (let depth = 0; level.length > 0; depth += 1) {
    if (depth > DEPTH_MAX) throw new UnreadableFile(`the JSON nests deeper than ${DEPTH_MAX} levels`);
    const next: unknown[] = [];
    for (const value of level) {
      if (typeof value !== 'object' || value === null) continue;
      for (const child of Object.values(value)) next.push(child);
    }
    count += next.length;
    if (count > VALUES_MAX)
      throw new UnreadableFile(`the JSON holds more than ${VALUES_MAX} values: send it in parts`);
    level = next;
  }
}

export const isObject = (value: unknown): value is JsonObject =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

/** A value as a list: itself, the one, or none. */
export const listOf = (value: unknown): readonly unknown[] =>
  value === undefined || value === null ? [] : Array.isArray(value) ? (value as unknown[]) : [value];

/**
 * A value as text; empty for objects and lists: one of a file may have a `toString` that is not a function,
 * which `String()` would call.
 */
export const plainText = (value: unknown): string =>
  typeof value === 'object' || value === undefined ? '' : String(value);

/** A value that is a text with more than white space; null for any other. */
export const textOf = (value: unknown): string | null =>
  typeof value === 'string' && value.trim() !== '' ? value : null;
