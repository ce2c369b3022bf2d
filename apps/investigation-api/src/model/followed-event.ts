import { DOCUMENT_RULE, POLICY_RULE } from './watch-rules.ts';

/** A change of a document, as events tell it. */
export interface ChangedDocument {
  readonly document: string;
  readonly filename: string;
  readonly type: 'created' | 'written' | 'renamed' | 'deleted' | 'restored';
  readonly version: number;
  /** RFC 3339. */
  readonly at: string;
  /** Where it stands among the changes of the tenant's documents; events do not tell it. */
  readonly sequence: number;
}

/** A document under a quote, and the version that was current when the quote was looked up. */
export interface QuotedDocument {
  readonly document: string;
  /** Null where it was not read. */
  readonly version: number | null;
}

/** A set of policies that took the place of another one, as events tell it. */
export interface ChangedPolicies {
  readonly domain_id: string;
  /** Of the domain, that the write made. */
  readonly version: number;
  /** The user or service account who wrote it; empty where that was not kept. */
  readonly author_id: string;
  /** In the author's words; empty for none. */
  readonly message: string;
  /** Of the set; empty where that was not kept. */
  readonly digest: string;
  /** RFC 3339. */
  readonly at: string;
}

/** What was read of a feed that a service lists: changes of documents, or of the policies of a domain. */
export type FollowedChanges =
  | { readonly rule: typeof DOCUMENT_RULE; readonly items: readonly ChangedDocument[] }
  | { readonly rule: typeof POLICY_RULE; readonly items: readonly ChangedPolicies[] };

interface FollowedEvent {
  readonly type: string;
  readonly timestamp: string;
  readonly data: Readonly<Record<string, unknown>>;
}

/** Items that one event lists. */
const LISTED_MAX = 50;
/**
 * Sets of policies that wait for a paused subscription; older ones are told about by the later ones alone.
 */
const WAITING_MAX = 1_000;

/** By which names an event lists and counts its items. */
const NAMES: Readonly<Record<string, { readonly list: string; readonly count: string }>> = {
  [DOCUMENT_RULE]: { list: 'documents', count: 'document_count' },
  [POLICY_RULE]: { list: 'policy_sets', count: 'policy_set_count' },
};

type Item = ChangedDocument | ChangedPolicies;

/** An item as events tell it. */
function told(item: Item): Omit<Item, 'sequence'> {
  if (!('sequence' in item)) return item;
  const { sequence: _, ...rest } = item;
  return rest;
}

/** The JSON of an event as receivers get it, with its number in its subscription. */
export const numbered = (body: string, number: number) => `${body.slice(0, -1)},"number":${number}}`;

/** What must be readable to who is told about an item: a path below `svc://<root domain>/`. Pure. */
export function pathOf(item: Item): string {
  return 'document' in item ? documentPath(item.filename) : policiesPath(item.domain_id);
}

/** The path of a document below `svc://<root domain>/`. */
export const documentPath = (filename: string) => `documents/${filename}`;

/** The path of a domain's policies below `svc://<root domain>/`. */
export const policiesPath = (domainId: string) => `domains/${domainId}/policies`;

/**
 * Two readings of one feed as one: each document by its last change, every set of policies of the last
 * thousand. Pure.
 */
export function mergeChanges(earlier: FollowedChanges, later: FollowedChanges): FollowedChanges {
  const items = [...earlier.items, ...later.items];
  const keyOf = (item: Item) => ('document' in item ? item.document : `${item.domain_id} ${item.version}`);
  const merged = [...new Map(items.map((item) => [keyOf(item), item])).values()];
  return { rule: later.rule, items: merged.slice(-WAITING_MAX) } as FollowedChanges;
}

/** Items by the events that tell about them, in their order, as many in each as an event lists. Pure. */
export function inEvents<One extends Item>(items: readonly One[]): One[][] {
  const events: One[][] = [];
  for (let from = 0; from < items.length; from += LISTED_MAX)
    events.push(items.slice(from, from + LISTED_MAX));
  return events;
}

/** The JSON of an event that tells about changes, one up to as many as it lists, oldest first. Pure. */
export function followedEvent(
  named: Readonly<Record<'id' | 'subscription_id' | 'session_id' | 'session_name', string>>,
  rule: FollowedChanges['rule'],
  items: readonly Item[],
): { readonly body: string; readonly at: Date } {
  const sorted = items.toSorted((a, b) => Date.parse(a.at) - Date.parse(b.at) || a.version - b.version);
  const at = new Date(sorted.at(-1)!.at);
  const { list, count } = NAMES[rule]!;
  const data = {
    ...named,
    judgement_id: null,
    [list]: sorted.map(told),
    [count]: sorted.length,
  };
  const event: FollowedEvent = { type: rule, timestamp: at.toISOString(), data };
  return { body: JSON.stringify(event), at };
}

/** What must be readable to who is shown an event, by item; empty of an event about judgements. Pure. */
export function pathsOf({ rule, body }: { readonly rule: string; readonly body: string }): string[] {
  const names = NAMES[rule];
  if (names === undefined) return [];
  return ((JSON.parse(body) as FollowedEvent).data[names.list] as Item[]).map(pathOf);
}

/** The body of an event with what is readable, and nothing that tells about the rest. Pure. */
export function withReadable(
  { rule, body }: { readonly rule: string; readonly body: string },
  isReadable: (path: string) => boolean,
): string {
  const names = NAMES[rule];
  if (names === undefined) return body;
  const event = JSON.parse(body) as FollowedEvent;
  const all = event.data[names.list] as Item[];
  const items = all.filter((item) => isReadable(pathOf(item)));
  if (items.length === all.length) return body;
  return JSON.stringify({
    ...event,
    data: { ...event.data, [names.list]: items, [names.count]: items.length },
  });
}
