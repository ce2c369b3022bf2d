import { OBJECTS, type Field } from '@platform/opinion-fusion';
import { nameKey } from '../edit/directory.ts';
import { KINDS, nameOf, REFERENCES, type Entity } from '../edit/kinds.ts';
import { comparable, isNothing, isObject, meant } from './field-values.ts';
import type { ItemLists } from './item-lists.ts';

/** What items of a file do to those of the investigation whose ids they have. */
export interface ReplacedItems {
  /** Items that are about something else, or by somebody else, than those of the file that replace them. */
  readonly others: readonly { readonly kind: string; readonly before: Entity; readonly after: Entity }[];
  /** Items that stay and refer to one of `others`, in whose place another one is then. */
  readonly referring: readonly Entity[];
  /** Items that stay what they are, and what of them says something else in the file. */
  readonly changed: readonly { readonly item: Entity; readonly changes: readonly Change[] }[];
  /** Items that stay and refer to a claim among `changed` that states something else or counts otherwise. */
  readonly carried: readonly Entity[];
  /** Items that stay what they are, and the fields of them that the file does not state. */
  readonly lost: readonly { readonly item: Entity; readonly fields: readonly string[] }[];
}

/** A field, or its path, with what it says before and after an import: where not stated, its default. */
export interface Change {
  readonly field: string;
  readonly before: unknown;
  readonly after: unknown;
}

/** The fields by which a claim says something and counts; one that is dropped says something else, too. */
const STATEMENT = [
  'value',
  'valence',
  'content',
  'scope',
  'event_start_time',
  'event_end_time',
  'epistemic_status',
];

/** Fields without weight in a judgement, of which a file takes nothing by stating them first. */
const FOR_READERS = ['url', 'archived_url', 'quote', 'published_by', 'source', 'reliability_record'];

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
  const changed: ReplacedItems['changed'][number][] = [];
  const referring: Entity[] = [];
  /** Kind and id of each of `others`; sources and subjects come first, then claims, then what is on these. */
  const gone = new Set<string>();
  const turned = new Set<string>();
  const inFile = new Set(
    Object.entries(read).flatMap(([kind, list]) => list.map(({ id }) => `${kind} ${id}`)),
  );
  for (const { kind } of KINDS) {
    const news = new Map((added[kind] ?? []).map((item) => [item.id, item]));
    for (const before of there[kind] ?? []) {
      const after = news.get(before.id);
      const refersToGone = refersTo(before, gone);
      if (after === undefined) {
        if (refersToGone && !inFile.has(`${kind} ${before.id}`)) referring.push(before);
      } else if (!isSameThing(kind, before, after) || (refersToGone && nameOf(before) !== nameOf(after))) {
        others.push({ kind, before, after });
        gone.add(`${kind} ${before.id}`);
      } else {
        const fields = fieldsLost(before, after, fieldsOf(kind));
        if (fields.length > 0) lost.push({ item: before, fields });
        const changes = changesOf(before, after, fieldsOf(kind)).filter((one) => !isFirstLink(one));
        if (changes.length > 0) changed.push({ item: before, changes });
        if (kind === 'claims' && changes.some(isOfStatement)) turned.add(`${kind} ${before.id}`);
      }
    }
  }
  const carried = KINDS.flatMap(({ kind }) =>
    (there[kind] ?? []).filter((item) => !inFile.has(`${kind} ${item.id}`) && refersTo(item, turned)),
  );
  return { others, referring, changed, carried, lost };
}

const isFirstLink = ({ field, before }: Change) =>
  isNothing(before) && FOR_READERS.includes(field.split('.', 1)[0]!);

const isOfStatement = ({ field }: Change) => STATEMENT.includes(field);

const isSameThing = (kind: string, before: Entity, after: Entity) =>
  (IDENTITY[kind] ?? []).every((field) => keyOf(field, before[field]) === keyOf(field, after[field]));

const keyOf = (field: string, value: unknown, spec?: Field) =>
  field === 'name' ? nameKey(String(value ?? '')) : comparable(value, spec);

/** Whether an item, or a part of it, refers to an item among those of `gone`. */
function refersTo(part: object, gone: ReadonlySet<string>): boolean {
  const refers = (key: string, value: unknown): boolean => {
    if (typeof value === 'string') return gone.has(`${REFERENCES[key]} ${value}`);
    if (Array.isArray(value)) return value.some((one) => refers(key, one));
    return typeof value === 'object' && value !== null && refersTo(value, gone);
  };
  return gone.size > 0 && Object.entries(part).some(([key, value]) => refers(key, value));
}

type Fields = Readonly<Record<string, Field>>;

/** The fields of items of a kind. */
export const fieldsOf = (kind: string): Fields => OBJECTS[KINDS.find((one) => one.kind === kind)!.object];

/**
 * The fields of an item that another one does not state, but for those that `changesOf` names; those of an
 * object in it by their path.
 */
function fieldsLost(before: object, after: object, fields: Fields, within = ''): string[] {
  const stated = new Map<string, unknown>(Object.entries(after));
  return Object.entries(before).flatMap(([field, value]) => {
    const now = meant(stated.get(field), fields[field]);
    if (isNothing(value)) return [];
    if (isNothing(now)) return STATEMENT.includes(field) ? [] : [within + field];
    return isObject(value) && isObject(now) ? fieldsLost(value, now, {}, `${within}${field}.`) : [];
  });
}

/** What of an item says something else in another one, that of an object in it by its path. Pure. */
export function changesOf(before: object, after: object, fields: Fields, within = ''): Change[] {
  const [was, is] = [new Map<string, unknown>(Object.entries(before)), new Map(Object.entries(after))];
  return [...new Set([...was.keys(), ...is.keys()])].flatMap((name): Change[] => {
    const [spec, field] = [fields[name], within + name];
    const [old, now] = [meant(was.get(name), spec), meant(is.get(name), spec)];
    const isLost = isNothing(now) && !STATEMENT.includes(field);
    if (field === 'id' || isLost || keyOf(name, old, spec) === keyOf(name, now, spec)) return [];
    if (isObject(old) && isObject(now)) return changesOf(old, now, {}, `${field}.`);
    return [{ field, before: old, after: now }];
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
 * What the person who imports a file should know of the items that it replaces; nothing where these say the
 * same. `quote` puts the words of an item in quotation marks. Pure.
 */
export function replacedWords(
  { others, referring, changed, carried, lost }: ReplacedItems,
  quote = quoted,
): string[] {
  const name = (item: Entity) => quote(titleOf(item));
  const words: string[] = [];
  if (others.length > 0) {
    const counts = KINDS.flatMap(({ kind, one, title }) => {
      const number = others.filter((other) => other.kind === kind).length;
      return number === 0 ? [] : [number === 1 ? one.replace(/^an? /, '1 ') : `${number} ${nounOf(title)}`];
    });
    const pairs = firstOf(others, ({ kind, before, after }) => {
      const changes = titleOf(before) === titleOf(after) ? changesOf(before, after, fieldsOf(kind)) : [];
      return changes.length > 0
        ? `${name(before)}, its ${changesWords(changes, quote)}`
        : `${name(before)} becomes ${name(after)}`;
    });
    const left =
      referring.length === 0
        ? ''
        : ` What refers to the others stays, and is then about those of the file: ${firstOf(referring, name)}.`;
    words.push(
      `${counts.join(', ')} of the file ${others.length === 1 ? 'takes' : 'take'} the place of others with the same id: ${pairs}. Give them other ids in the file to keep both.${left}`,
    );
  }
  if (changed.length > 0) {
    const said = firstOf(
      statementsFirst(changed, ({ changes }) => changes.some(isOfStatement)),
      ({ item, changes }) => `${name(item)}: ${changesWords(changes, quote)}`,
      '; ',
    );
    const [ones, them, asIs] =
      changed.length === 1
        ? ['1 item with the same id', 'it', 'it as it is']
        : [`${changed.length} items with the same ids`, 'them', 'them as they are'];
    const left =
      carried.length === 0
        ? ''
        : ` What refers to ${them} stays, and is then about what the file says: ${firstOf(carried, name)}.`;
    words.push(`The file changes ${ones}: ${said}. Leave ${them} out of the file to keep ${asIs}.${left}`);
  }
  if (lost.length > 0)
    words.push(
      `${lost.length === 1 ? '1 item with the same id loses' : `${lost.length} items with the same ids lose`} what the file does not state: ${firstOf(lost, ({ item, fields }) => `${name(item)} its ${fields.join(', ')}`, '; ')}.`,
    );
  return words;
}

const nounOf = (title: string) => (title === 'Evidence' ? 'pieces of evidence' : title.toLowerCase());

const statementsFirst = <One>(list: readonly One[], isFirst: (one: One) => boolean) => [
  ...list.filter(isFirst),
  ...list.filter((one) => !isFirst(one)),
];

/** What changes, in words. */
export const changesWords = (changes: readonly Change[], quote: typeof quoted) =>
  firstOf(statementsFirst(changes, isOfStatement), (one) => changeWords(one, quote));

function changeWords({ field, before, after }: Change, quote: typeof quoted): string {
  const [was, is] = [before, after].map((value) => String(value).toLowerCase() === 'retracted');
  const effect =
    field !== 'epistemic_status' || was === is ? '' : `, so that it counts ${was ? 'again' : 'no longer'}`;
  return `${field} from ${shownValue(before, quote)} to ${shownValue(after, quote)}${effect}`;
}

/** A value of a field in a sentence, its beginning where it is long. */
export function shownValue(value: unknown, quote = quoted): string {
  if (isNothing(value)) return 'unset';
  if (typeof value === 'string') return quote(value);
  const json = JSON.stringify(value);
  return json.length > NAME_LENGTH ? `${json.slice(0, NAME_LENGTH)}…` : json;
}
