import { nameKey } from '../edit/directory.ts';
import { KINDS, nameOf, REFERENCES, type Entity } from '../edit/kinds.ts';
import type { ItemLists } from './item-lists.ts';

/** What items of a file do to those of the investigation whose ids they have. */
export interface ReplacedItems {
  /** Items that are about something else, or by somebody else, than those of the file that replace them. */
  readonly others: readonly { readonly kind: string; readonly before: Entity; readonly after: Entity }[];
  /** Items that stay and refer to one of `others`, in whose place another one is then. */
  readonly referring: readonly Entity[];
  /** Items that stay what they are, and the fields of them that the file does not state. */
  readonly lost: readonly { readonly item: Entity; readonly fields: readonly string[] }[];
}

/** The fields that say what an item of a list is; one that differs in them is another one. */
const IDENTITY: Readonly<Record<string, readonly string[]>> = {
  actors: ['name'],
  subjects: ['name'],
  claims: ['actor_id', 'subject_id', 'target_claim_id', 'predicate'],
  evidence: ['claim_id'],
  inferences: ['subject_id', 'predicate', 'premise_claim_ids'],
  distinctions: ['argument_a', 'argument_b'],
};

/** What `added`, of all that was `read`, takes away from what is there by having ids of it. Pure. */
export function replacedItems(read: ItemLists, added: ItemLists, there: ItemLists): ReplacedItems {
  const others: ReplacedItems['others'][number][] = [];
  const lost: ReplacedItems['lost'][number][] = [];
  const referring: Entity[] = [];
  /** Kind and id of each of `others`; sources and subjects come first, then claims, then what is on these. */
  const gone = new Set<string>();
  for (const { kind } of KINDS) {
    const news = new Map((added[kind] ?? []).map((item) => [item.id, item]));
    const inFile = new Set((read[kind] ?? []).map(({ id }) => id));
    for (const before of there[kind] ?? []) {
      const after = news.get(before.id);
      const refersToGone = refersTo(before, gone);
      if (after === undefined) {
        if (refersToGone && !inFile.has(before.id)) referring.push(before);
      } else if (!isSameThing(kind, before, after) || (refersToGone && nameOf(before) !== nameOf(after))) {
        others.push({ kind, before, after });
        gone.add(`${kind} ${before.id}`);
      } else {
        const fields = fieldsLost(before, after);
        if (fields.length > 0) lost.push({ item: before, fields });
      }
    }
  }
  return { others, referring, lost };
}

const isSameThing = (kind: string, before: Entity, after: Entity) =>
  (IDENTITY[kind] ?? []).every((field) => keyOf(field, before[field]) === keyOf(field, after[field]));

const keyOf = (field: string, value: unknown) =>
  isNothing(value) ? '' : field === 'name' ? nameKey(String(value)) : JSON.stringify(value);

const isNothing = (value: unknown) =>
  value === undefined || value === null || value === '' || (Array.isArray(value) && value.length === 0);

/** Whether an item, or a part of it, refers to an item among those of `gone`. */
function refersTo(part: object, gone: ReadonlySet<string>): boolean {
  const refers = (key: string, value: unknown): boolean => {
    if (typeof value === 'string') return gone.has(`${REFERENCES[key]} ${value}`);
    if (Array.isArray(value)) return value.some((one) => refers(key, one));
    return typeof value === 'object' && value !== null && refersTo(value, gone);
  };
  return gone.size > 0 && Object.entries(part).some(([key, value]) => refers(key, value));
}

/** The fields of an item that another one does not state, those of an object in it by their path. */
function fieldsLost(before: object, after: object, within = ''): string[] {
  const stated = new Map<string, unknown>(Object.entries(after));
  return Object.entries(before).flatMap(([field, value]) => {
    const now = stated.get(field);
    if (isNothing(value)) return [];
    if (isNothing(now)) return [within + field];
    const areObjects = [value, now].every((one) => typeof one === 'object' && !Array.isArray(one));
    return areObjects ? fieldsLost(value as object, now as object, `${within}${field}.`) : [];
  });
}

/** Items that a sentence names, and the characters of a name. */
const NAMED_MAX = 5;
const NAME_LENGTH = 80;

/** A text in quotation marks, its beginning where it is long. */
export const quoted = (text: string): string =>
  JSON.stringify(text.length > NAME_LENGTH ? `${text.slice(0, NAME_LENGTH)}…` : text);

/** The first few of a list, and how many more there are. */
export function firstOf<Item>(
  items: readonly Item[],
  words: (item: Item) => string,
  separator = ', ',
): string {
  const more = items.length - NAMED_MAX;
  return `${items.slice(0, NAMED_MAX).map(words).join(separator)}${more > 0 ? ` and ${more} more` : ''}`;
}

const titleOf = (item: Entity) => nameOf(item) || item.id;

/**
 * What the person who imports a file should know of the items that it replaces; nothing where these only say
 * something else about the same. `quote` puts the words of an item in quotation marks. Pure.
 */
export function replacedWords({ others, referring, lost }: ReplacedItems, quote = quoted): string[] {
  const name = (item: Entity) => quote(titleOf(item));
  const words: string[] = [];
  if (others.length > 0) {
    const counts = KINDS.flatMap(({ kind, one, title }) => {
      const number = others.filter((other) => other.kind === kind).length;
      return number === 0 ? [] : [number === 1 ? one.replace(/^an? /, '1 ') : `${number} ${nounOf(title)}`];
    });
    const pairs = firstOf(others, ({ before, after }) => `${name(before)} becomes ${name(after)}`);
    const left =
      referring.length === 0
        ? ''
        : ` What refers to the others stays, and is then about those of the file: ${firstOf(referring, name)}.`;
    words.push(
      `${counts.join(', ')} of the file ${others.length === 1 ? 'takes' : 'take'} the place of others with the same id: ${pairs}. Give them other ids in the file to keep both.${left}`,
    );
  }
  if (lost.length > 0)
    words.push(
      `${lost.length === 1 ? '1 item with the same id loses' : `${lost.length} items with the same ids lose`} what the file does not state: ${firstOf(lost, ({ item, fields }) => `${name(item)} its ${fields.join(', ')}`, '; ')}.`,
    );
  return words;
}

const nounOf = (title: string) => (title === 'Evidence' ? 'pieces of evidence' : title.toLowerCase());
