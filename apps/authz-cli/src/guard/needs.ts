import { argumentReadings } from './argument-attributes.ts';
import { isObject, InvalidMessageError, type JsonObject } from './message.ts';
import { objectOf, serverObject, type Kind, type Place } from './objects.ts';

/** One question to the authorization service. */
export interface Ask {
  readonly action: string;
  readonly object: string;
  readonly attributes: Readonly<Record<string, string>>;
}

/** A list that a server returns: the key of its items, and the member that names an item. */
export interface ListKind {
  readonly key: 'tools' | 'resources' | 'resourceTemplates' | 'prompts';
  readonly kind: Kind;
  readonly nameKey: 'name' | 'uri' | 'uriTemplate';
  /** What a caller of an item needs. */
  readonly action: string;
}

/** What must be allowed before a message is passed on. */
export interface Need {
  /** All of these; none for what a connection may do without asking. */
  readonly asks: readonly Ask[];
  /** Whether the caller must be connected, which is asked once a minute. */
  readonly connected: boolean;
  /** The list in the response; the caller sees the items that they may use. */
  readonly list: ListKind | null;
}

export const LISTS: Readonly<Record<string, ListKind>> = {
  'tools/list': { key: 'tools', kind: 'tools', nameKey: 'name', action: 'call' },
  'resources/list': { key: 'resources', kind: 'resources', nameKey: 'uri', action: 'read' },
  'resources/templates/list': {
    key: 'resourceTemplates',
    kind: 'templates',
    nameKey: 'uriTemplate',
    action: 'read',
  },
  'prompts/list': { key: 'prompts', kind: 'prompts', nameKey: 'name', action: 'get' },
};

/** Methods that every connected caller may send, since they name nothing that the server offers. */
const OF_A_CONNECTION = new Set([
  'ping',
  'logging/setLevel',
  'notifications/initialized',
  'notifications/cancelled',
  'notifications/progress',
  'notifications/roots/list_changed',
]);
/** What makes a connection. */
const CONNECTS = new Set(['initialize', 'server/discover', 'subscriptions/listen']);

/** What the guard knows of a message besides the server and the caller. */
export interface Rules {
  readonly place: Place;
  /** Arguments that do not become attributes; `*` for all. */
  readonly unchecked: ReadonlySet<string>;
  /** Whether resources and prompts are passed without asking for each. */
  readonly passes: ReadonlySet<Kind>;
}

/** The permission to use the server at all. */
export function connectAsk(place: Place): Ask {
  return { action: 'connect', object: serverObject(place), attributes: {} };
}

/** The permission to read a resource. Throws InvalidMessageError for a URI with a second spelling. */
export function readAsk(place: Place, uri: unknown): Ask {
  return {
    action: 'read',
    object: objectOf(place, 'resources', uri),
    attributes: { 'mcp.name': String(uri) },
  };
}

/**
 * What a request or notification needs; what MCP does not name needs `request` on its method. Throws
 * InvalidMessageError for what names its object in no spelling or in two.
 */
export function needOf(method: string, params: JsonObject, isRequest: boolean, rules: Rules): Need {
  const { place, passes } = rules;
  const list = LISTS[method];
  const asks = (...found: readonly Ask[]): Need => ({ asks: found, connected: false, list: null });
  const connected = (kind: ListKind | null): Need => ({ asks: [], connected: true, list: kind });
  const ask = (action: string, kind: Kind, name: unknown, attributes = {}): Ask => ({
    action,
    object: objectOf(place, kind, name),
    attributes: { 'mcp.name': String(name), ...attributes },
  });
  const isNotification = method.startsWith('notifications/');
  if (isRequest === isNotification)
    throw new InvalidMessageError(isRequest ? 'a notification has no `id`' : 'a request has an `id`');
  if (list !== undefined && isRequest) return connected(passes.has(list.kind) ? null : list);
  if (OF_A_CONNECTION.has(method)) return connected(null);
  if (CONNECTS.has(method)) {
    const uris = subscribed(params);
    return asks(connectAsk(place), ...uris.map((uri) => readAsk(place, uri)));
  }
  switch (method) {
    case 'tools/call': {
      const readings = argumentReadings(argumentsOf(params), rules.unchecked);
      return asks(...readings.map((attributes) => ask('call', 'tools', params['name'], attributes)));
    }
    case 'resources/read':
    case 'resources/subscribe':
    case 'resources/unsubscribe': {
      // The response says what is missing, to whom may ask so.
      if (!('uri' in params)) return asks(ask('request', 'methods', method));
      const read = readAsk(place, params['uri']);
      return passes.has('resources') ? connected(null) : asks(read);
    }
    case 'prompts/get': {
      const readings = argumentReadings(argumentsOf(params), rules.unchecked);
      const found = readings.map((attributes) => ask('get', 'prompts', params['name'], attributes));
      return passes.has('prompts') ? connected(null) : asks(...found);
    }
    case 'completion/complete':
      return completion(params, ask, rules, connected);
    default:
      return asks(ask('request', 'methods', method));
  }
}

/** Completing an argument shows what the prompt or the resources hold. */
function completion(
  { ref }: JsonObject,
  ask: (action: string, kind: Kind, name: unknown) => Ask,
  { passes }: Rules,
  connected: (kind: null) => Need,
): Need {
  const reference = isObject(ref) ? ref : {};
  const isPrompt = reference['type'] === 'ref/prompt';
  if (!isPrompt && reference['type'] !== 'ref/resource')
    throw new InvalidMessageError('`ref.type` must be `ref/prompt` or `ref/resource`');
  const found = isPrompt
    ? ask('get', 'prompts', reference['name'])
    : ask('read', 'templates', reference['uri']);
  const isPassed = passes.has(isPrompt ? 'prompts' : 'templates');
  return isPassed ? connected(null) : { asks: [found], connected: false, list: null };
}

function argumentsOf({ arguments: given = {} }: JsonObject): JsonObject {
  if (!isObject(given)) throw new InvalidMessageError('`params.arguments` must be an object');
  return given;
}

/** The resources whose changes a stream is asked to tell. */
function subscribed({ notifications }: JsonObject): readonly unknown[] {
  const uris = isObject(notifications) ? (notifications['resourceSubscriptions'] ?? []) : [];
  if (!Array.isArray(uris)) throw new InvalidMessageError('`resourceSubscriptions` must be a list');
  return uris;
}
