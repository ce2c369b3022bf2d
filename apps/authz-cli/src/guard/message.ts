import { InvalidJsonError, parseStrictJson } from '@platform/strict-json';
import { members, skipSpace } from './json-parts.ts';

/** Values of JSON objects. */
export type JsonObject = Readonly<Record<string, unknown>>;
/** The id of a request: the text `1` and the number 1 are two ids. */
export type RequestId = string | number;

/** One message of JSON-RPC 2.0 as MCP uses it. */
export type Message =
  | {
      readonly kind: 'request';
      readonly id: RequestId;
      readonly method: string;
      readonly params: JsonObject;
    }
  | { readonly kind: 'notification'; readonly method: string; readonly params: JsonObject }
  | {
      readonly kind: 'response';
      /** Null in an error about a message whose id could not be read. */
      readonly id: RequestId | null;
      readonly result: JsonObject | null;
    };

/** A message that is not passed on because two readers could take it for two messages, or for none. */
export class InvalidMessageError extends Error {
  override readonly name = 'InvalidMessageError';
  /** The request that is refused, where it could be read. */
  readonly id: RequestId | null;
  /** Whether it is not JSON, or JSON that is not taken. */
  readonly code: 'unparsable' | 'invalid';

  constructor(message: string, id: RequestId | null = null, code: 'unparsable' | 'invalid' = 'invalid') {
    super(message);
    this.id = id;
    this.code = code;
  }
}

const ID_CHARACTERS_MAX = 256;
const METHOD = /^[a-zA-Z][a-zA-Z0-9_$-]*(?:\/[a-zA-Z0-9_$-]+)*$/;
const METHOD_CHARACTERS_MAX = 128;
/** Levels of one message; what tools take is flat, what they return seldom deep. */
const DEPTH_MAX = 64;

/** Keys with a meaning, in the envelope and in `params`. */
const KNOWN_KEYS = (
  'jsonrpc id method params result error name arguments uri ref type argument value context cursor _meta ' +
  'requestId progressToken task taskId inputResponses requestState notifications resourceSubscriptions'
).split(' ');
const ENVELOPE = new Set(['jsonrpc', 'id', 'method', 'params', 'result', 'error']);
const KNOWN_BY_FOLD = new Map(KNOWN_KEYS.map((key) => [fold(key), key]));
/** Keys of results whose lists are filtered. */
const LIST_KEYS = ['tools', 'resources', 'resourceTemplates', 'prompts'];
const LIST_KEY_BY_FOLD = new Map(LIST_KEYS.map((key) => [fold(key), key]));

/**
 * The message in these bytes. Throws InvalidMessageError for all that JSON-RPC 2.0 and MCP do not say, for
 * lists of messages, and for what lenient readers take in another way: keys that stand twice, and keys that
 * differ from a known one or from each other in case or Unicode form alone.
 */
export function readMessage(bytes: Uint8Array | string): Message {
  const value = parse(bytes);
  if (!isObject(value)) {
    throw new InvalidMessageError(
      Array.isArray(value)
        ? 'a list of messages is not taken: send them one by one'
        : 'a message is a JSON object',
    );
  }
  const id = isId(value['id']) ? value['id'] : null;
  const refuse = (why: string): never => {
    throw new InvalidMessageError(why, 'method' in value ? id : null);
  };
  for (const key of Object.keys(value)) {
    if (!ENVELOPE.has(key)) refuse('a message has the keys `jsonrpc`, `id`, `method` and `params` alone');
  }
  if (value['jsonrpc'] !== '2.0') refuse('`jsonrpc` must be "2.0"');
  if ('method' in value) return readCall(value, id, refuse);
  const { result, error } = value;
  if ('params' in value || 'result' in value === 'error' in value)
    refuse('a response has either `result` or `error`');
  if (!isObject('result' in value ? result : error)) refuse('`result` and `error` are objects');
  if (isObject(result)) refuseListLookalikes(result, refuse);
  if (id === null && ('result' in value || (value['id'] ?? null) !== null)) refuse(BAD_ID);
  return { kind: 'response', id, result: isObject(result) ? result : null };
}

const BAD_ID = `\`id\` must be a whole number or a text of at most ${ID_CHARACTERS_MAX} characters`;

function readCall(value: JsonObject, id: RequestId | null, refuse: (why: string) => never): Message {
  const { method, params = {} } = value;
  if ('result' in value || 'error' in value) refuse('a message is a request or a response, not both');
  if (typeof method !== 'string' || method.length > METHOD_CHARACTERS_MAX || !METHOD.test(method))
    return refuse('`method` must be the name of a method');
  if (!isObject(params)) return refuse('`params` must be an object');
  refuseLookalikes(params, refuse);
  if (!('id' in value)) return { kind: 'notification', method, params };
  return id === null ? refuse(BAD_ID) : { kind: 'request', id, method, params };
}

/** Problems of a text that is not JSON. */
const UNPARSABLE: ReadonlySet<string> = new Set(['invalid_utf8', 'byte_order_mark', 'syntax']);

function parse(bytes: Uint8Array | string): unknown {
  try {
    return parseStrictJson(bytes, { depthMax: DEPTH_MAX });
  } catch (error) {
    if (!(error instanceof InvalidJsonError)) throw error;
    const { message, code } = error;
    throw new InvalidMessageError(
      message,
      code === 'duplicate_key' || code === 'too_deep' ? plainId(bytes) : null,
      UNPARSABLE.has(code) ? 'unparsable' : 'invalid',
    );
  }
}

/**
 * The id of a request that is nested too deep or in which some key stands twice, so that its sender learns
 * which one is refused; null where `id` is that key.
 */
function plainId(bytes: Uint8Array | string): RequestId | null {
  const text = typeof bytes === 'string' ? bytes : new TextDecoder().decode(bytes);
  const value: unknown = JSON.parse(text);
  if (!isObject(value) || !('method' in value) || !isId(value['id'])) return null;
  const ids = [...members(text, skipSpace(text, 0))].filter(([key]) => key === 'id');
  return ids.length === 1 ? value['id'] : null;
}

function refuseLookalikes(params: JsonObject, refuse: (why: string) => never): void {
  for (const key of Object.keys(params)) {
    const known = KNOWN_BY_FOLD.get(fold(key));
    if (known !== undefined && known !== key) refuse(`a key of \`params\` looks like \`${known}\``);
  }
  refuseTwins(params, refuse);
}

/** A list by a second spelling of its key would be shown unfiltered to clients that ignore case. */
function refuseListLookalikes(result: JsonObject, refuse: (why: string) => never): void {
  for (const key of Object.keys(result)) {
    const known = LIST_KEY_BY_FOLD.get(fold(key));
    if (known !== undefined && known !== key) refuse(`a key of \`result\` looks like \`${known}\``);
  }
}

/** Readers that ignore case, as Go's and .NET's may, see such a key twice. */
function refuseTwins(value: unknown, refuse: (why: string) => never): void {
  if (Array.isArray(value)) for (const item of value) refuseTwins(item, refuse);
  if (!isObject(value)) return;
  const keys = Object.keys(value);
  if (new Set(keys.map(fold)).size < keys.length)
    refuse('two keys of one object differ in case or Unicode form alone');
  for (const key of keys) refuseTwins(value[key], refuse);
}

function fold(key: string): string {
  return key.normalize('NFKC').toLowerCase();
}

export function isObject(value: unknown): value is JsonObject {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

function isId(id: unknown): id is RequestId {
  return typeof id === 'string'
    ? id.length <= ID_CHARACTERS_MAX && id.isWellFormed()
    : Number.isSafeInteger(id) && !Object.is(id, -0);
}
