/** Where a value stands in a JSON text: from its first character to behind its last. */
export type Range = readonly [start: number, end: number];

/**
 * Where the members of an object stand, by key. `text` is valid JSON and an object starts at `start`; a key
 * that stands twice was refused before.
 */
export function memberRanges(text: string, start: number): ReadonlyMap<string, Range> {
  return new Map(members(text, start));
}

/** Keys and places of an object's members, in order; a key that stands twice comes twice. */
export function* members(text: string, start: number): Generator<[key: string, place: Range]> {
  let at = skipSpace(text, start + 1);
  while (text[at] !== '}') {
    const keyEnd = endOfString(text, at);
    const valueStart = skipSpace(text, skipSpace(text, keyEnd) + 1);
    const valueEnd = endOfValue(text, valueStart);
    yield [JSON.parse(text.slice(at, keyEnd)) as string, [valueStart, valueEnd]];
    at = skipSeparator(text, valueEnd);
  }
}

/** Where the items of a list stand. `text` is valid JSON and a list starts at `start`. */
export function itemRanges(text: string, start: number): Range[] {
  const items: Range[] = [];
  let at = skipSpace(text, start + 1);
  while (text[at] !== ']') {
    const end = endOfValue(text, at);
    items.push([at, end]);
    at = skipSeparator(text, end);
  }
  return items;
}

/** Index behind white space. */
export function skipSpace(text: string, start: number): number {
  let at = start;
  while (text.charCodeAt(at) <= 0x20) at++;
  return at;
}

function skipSeparator(text: string, end: number): number {
  const at = skipSpace(text, end);
  return text[at] === ',' ? skipSpace(text, at + 1) : at;
}

/** Index behind the string whose opening quote stands at `start`. */
function endOfString(text: string, start: number): number {
  let at = start + 1;
  while (text[at] !== '"') at += text[at] === '\\' ? 2 : 1;
  return at + 1;
}

function endOfValue(text: string, start: number): number {
  let depth = 0;
  for (let at = start; at < text.length; at++) {
    const character = text[at] as string;
    if (character === '"') {
      at = endOfString(text, at) - 1;
      if (depth === 0) return at + 1;
    } else if (character === '{' || character === '[') depth++;
    else if (character === '}' || character === ']') {
      // A number or a word ends where what holds it ends.
      if (depth === 0) return at;
      if (--depth === 0) return at + 1;
    } else if (depth === 0 && /[\s,]/.test(character)) return at;
  }
  return text.length;
}
