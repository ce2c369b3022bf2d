import { itemRanges, members, skipSpace } from './json-parts.ts';
import type { RequestId } from './message.ts';

/** Bytes at either end of a message that is too long to be kept, among which its id is looked for. */
export const END_BYTES = 1_024;

/** What can be read of a message that is not passed on: its keys and what stands as its id. */
interface Glimpse {
  readonly keys: ReadonlySet<string>;
  readonly ids: readonly unknown[];
}

/** Whose message is lost when the server's is not passed on. */
export interface Lost {
  /** Requests of the client that the message responds to. */
  readonly responses: readonly RequestId[];
  /** The request of the server that the message is; null when it is none, or has no id that can be read. */
  readonly call: RequestId | null;
}

/**
 * Whom a message of the server that cannot be passed on is lost to, so that nobody waits for it. `start` is
 * the message, or its first bytes with its last ones as `end`. A response without an id that can be read is
 * taken to be that to the only request that waits; a line of a log or other text responds to none.
 */
export function lostWith(start: string, end: string, waiting: readonly RequestId[]): Lost {
  const glimpses = wholeGlimpses(start) ?? brokenGlimpse(start, end);
  const responses = new Set<RequestId>();
  let call: RequestId | null = null;
  for (const { keys, ids } of glimpses) {
    const [id] = ids;
    if (keys.has('method')) {
      if (ids.length === 1 && (typeof id === 'string' || Number.isSafeInteger(id))) call = id as RequestId;
    } else if (['jsonrpc', 'result', 'error'].some((key) => keys.has(key))) {
      // An id of another type than that of its request is still the id of that one alone.
      const named = ids.length === 1 ? waiting.filter((one) => String(one) === String(id)) : waiting;
      if (named.length === 1) responses.add(named[0] as RequestId);
    }
  }
  return { responses: [...responses], call };
}

/** Of a JSON text, an object or a list of them; null when it is no JSON. */
function wholeGlimpses(text: string): Glimpse[] | null {
  try {
    JSON.parse(text);
  } catch {
    return null;
  }
  const start = skipSpace(text, 0);
  const starts = text[start] === '[' ? itemRanges(text, start).map(([at]) => at) : [start];
  return starts
    .filter((at) => text[at] === '{')
    .map((at) => {
      const found = [...members(text, at)];
      const ids = found.filter(([key]) => key === 'id').map(([, place]) => text.slice(...place));
      return { keys: new Set(found.map(([key]) => key)), ids: ids.map((id) => JSON.parse(id) as unknown) };
    });
}

const STRING = '"(?:[^"\\\\]|\\\\.)*"';
const OPENING = /^\uFEFF?\s*(?:\[\s*)?\{/;
/** A key with its value, where that is whole, and neither an object nor a list. */
const MEMBER = new RegExp(`\\s*(${STRING})\\s*:\\s*(?:(${STRING}|[^\\s",{}[\\]]+)\\s*[,}])?`, 'y');
/** An id before the end of the message; inside a text, no bare quotation mark stands. */
const LAST_ID = new RegExp(
  `,\\s*"id"\\s*:\\s*(${STRING}|-?\\d+)\\s*(?:,\\s*"jsonrpc"\\s*:\\s*"2.0"\\s*)?\\}\\s*\\]?\\s*$`,
);

/** Of a text that breaks off, or is JSON in part. */
function brokenGlimpse(start: string, end: string): Glimpse[] {
  const opening = OPENING.exec(start.slice(0, END_BYTES));
  if (opening === null) return [];
  const keys = new Set<string>();
  const ids = new Set<unknown>();
  MEMBER.lastIndex = opening[0].length;
  for (let isWhole = true; isWhole;) {
    const [, key, value] = MEMBER.exec(start.slice(0, END_BYTES)) ?? [];
    isWhole = value !== undefined;
    if (key !== undefined) keys.add(key.slice(1, -1));
    if (key === '"id"' && value !== undefined) ids.add(idOf(value));
  }
  const last = LAST_ID.exec(end.slice(-END_BYTES));
  if (last !== null) ids.add(idOf(last[1] as string));
  return [{ keys, ids: [...ids] }];
}

function idOf(json: string): unknown {
  try {
    return JSON.parse(json);
  } catch {
    return null;
  }
}
