/** Why a text is refused; `path` names the place in the value where one is known (`claims[2].value`). */
export type JsonProblemCode =
  'invalid_utf8' | 'byte_order_mark' | 'syntax' | 'too_deep' | 'too_many_values' | 'duplicate_key';

/**
 * A text that is not JSON, or not JSON that we accept. The message is for its sender: lower case start, no
 * full stop.
 */
export class InvalidJsonError extends Error {
  override readonly name = 'InvalidJsonError';
  readonly code: JsonProblemCode;
  readonly path: string | undefined;

  constructor(code: JsonProblemCode, message: string, path?: string) {
    super(message);
    this.code = code;
    this.path = path;
  }
}

export interface StrictJsonOptions {
  /** Levels of arrays and objects allowed, ≥ 1. Default 64. */
  readonly depthMax?: number;
  /** Keys allowed in the whole text, and list items besides. Default: any number. */
  readonly valuesMax?: number;
  /** Keys allowed in one object, and items in one list. Default: any number. */
  readonly membersMax?: number;
}

const DEPTH_MAX = 64;
const BYTE_ORDER_MARK = 0xfeff;
const decoder = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true });

/**
 * The value of a JSON text (RFC 8259), bytes or string, refusing what `JSON.parse` lets pass or cannot
 * bear: ill-formed UTF-8, a byte order mark, more than `depthMax` levels, `valuesMax` values or
 * `membersMax` in one, and an object that names a key twice (RFC 8259 §4 leaves its meaning open, so two
 * readers may see two documents). A `__proto__` key becomes an own property and nothing else. Lone
 * surrogates written as escapes pass. Throws InvalidJsonError; cost is linear in the text. Duplicates are
 * found by counting: a text with more keys than its value has lost some. Only then is the text read a second
 * time to say which.
 */
export function parseStrictJson(source: string | Uint8Array, options: StrictJsonOptions = {}): unknown {
  const text = typeof source === 'string' ? source : decodeUtf8(source);
  if (text.charCodeAt(0) === BYTE_ORDER_MARK) {
    throw new InvalidJsonError(
      'byte_order_mark',
      'the text starts with a byte order mark (U+FEFF): send it without',
    );
  }
  const keysWritten = countKeys(text, options);
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch (error) {
    throw new InvalidJsonError('syntax', `not valid JSON: ${(error as Error).message}`);
  }
  if (keysWritten !== countOwnKeys(value)) {
    const { key, path } = findDuplicateKey(text);
    throw new InvalidJsonError('duplicate_key', `key \`${key}\` stands twice in one object`, path);
  }
  return value;
}

function decodeUtf8(bytes: Uint8Array): string {
  try {
    return decoder.decode(bytes);
  } catch {
    throw new InvalidJsonError('invalid_utf8', 'the text is not valid UTF-8');
  }
}

const QUOTE = 0x22;
const BACKSLASH = 0x5c;
const COLON = 0x3a;
const COMMA = 0x2c;
const BRACKET_OPEN = 0x5b;
const BRACKET_CLOSE = 0x5d;
const BRACE_OPEN = 0x7b;
const BRACE_CLOSE = 0x7d;

/**
 * Index of the quote that ends the string starting at `start` (its opening quote), or the text's end when
 * none does.
 */
function endOfString(text: string, start: number): number {
  for (let end = text.indexOf('"', start + 1); end !== -1; end = text.indexOf('"', end + 1)) {
    let backslashes = 0;
    while (text.charCodeAt(end - 1 - backslashes) === BACKSLASH) backslashes++;
    if (backslashes % 2 === 0) return end;
  }
  return text.length;
}

/**
 * Colons outside strings: in valid JSON, one per key. Refuses too many levels, and too many keys or commas,
 * as soon as they are counted; bad syntax passes.
 */
function countKeys(
  text: string,
  { depthMax = DEPTH_MAX, valuesMax = Infinity, membersMax = Infinity }: StrictJsonOptions,
): number {
  let keys = 0;
  let commas = 0;
  let depth = 0;
  /** Commas so far of each object or list that is open; it has one member more. */
  const commasAt: number[] = [];
  for (let index = 0; index < text.length; index++) {
    const code = text.charCodeAt(index);
    if (code === QUOTE) index = endOfString(text, index);
    else if (code === COLON || code === COMMA) {
      if ((code === COLON ? ++keys : ++commas) > valuesMax) {
        throw new InvalidJsonError('too_many_values', `more than ${valuesMax} keys or list items`);
      }
      if (code === COMMA && ++commasAt[depth]! >= membersMax) {
        throw new InvalidJsonError('too_many_values', `more than ${membersMax} keys or items in one value`);
      }
    } else if (code === BRACKET_OPEN || code === BRACE_OPEN) {
      if (++depth > depthMax) throw new InvalidJsonError('too_deep', `nested deeper than ${depthMax} levels`);
      commasAt[depth] = 0;
    } else if (code === BRACKET_CLOSE || code === BRACE_CLOSE) depth--;
  }
  return keys;
}

/** Own keys of every object in the value; recursion is bounded by the depth already checked. */
function countOwnKeys(value: unknown): number {
  if (typeof value !== 'object' || value === null) return 0;
  let keys = 0;
  if (Array.isArray(value)) {
    for (const item of value) keys += countOwnKeys(item);
    return keys;
  }
  for (const key in value) {
    keys++;
    const child = (value as Record<string, unknown>)[key];
    if (typeof child === 'object') keys += countOwnKeys(child);
  }
  return keys;
}

interface Level {
  /** Keys seen in this object; null for an array. */
  readonly keys: Set<string> | null;
  /** Path of this object or array. */
  readonly path: string;
  /** Of an array: index of the item being read. */
  index: number;
  /** Of an object: the key whose value is being read. */
  key: string;
}

/** The first key that stands twice in one object of `text`, which is valid JSON and has one. */
function findDuplicateKey(text: string): { key: string; path: string } {
  const levels: Level[] = [];
  for (let index = 0; index < text.length; index++) {
    const level = levels.at(-1);
    switch (text.charAt(index)) {
      case '"': {
        const end = endOfString(text, index);
        if (level?.keys && isFollowedByColon(text, end)) {
          const key = JSON.parse(text.slice(index, end + 1)) as string;
          if (level.keys.has(key)) return { key, path: joinPath(level.path, key) };
          level.keys.add(key);
          level.key = key;
        }
        index = end;
        break;
      }
      case '{':
      case '[':
        levels.push({
          keys: text[index] === '{' ? new Set() : null,
          path:
            level === undefined
              ? ''
              : level.keys
                ? joinPath(level.path, level.key)
                : `${level.path}[${level.index}]`,
          index: 0,
          key: '',
        });
        break;
      case '}':
      case ']':
        levels.pop();
        break;
      case ',':
        if (level && !level.keys) level.index++;
        break;
    }
  }
  throw new Error('invariant: a text with a duplicate key was expected');
}

function isFollowedByColon(text: string, end: number): boolean {
  let next = end + 1;
  while (text.charCodeAt(next) <= 0x20) next++;
  return text.charCodeAt(next) === COLON;
}

function joinPath(parent: string, key: string): string {
  if (!/^[A-Za-z_][A-Za-z0-9_]*$/.test(key)) return `${parent}[${JSON.stringify(key)}]`;
  return parent === '' ? key : `${parent}.${key}`;
}
