import { sentenceOf } from './claim-words.ts';
import { IS_TRUE } from './claim-review/read-claim-review.ts';
import { Collector, idOf } from './collector.ts';
import { groupBy } from './group-by.ts';
import { UnreadableFile, type Imported } from './imported.ts';
import { isQuestion } from './questions.ts';
import { isObject, listOf, readJson, plainText, readText, type JsonObject } from './read-json.ts';
import { readWikidataTime, whyCalendar, type Interval, type WikidataTime } from './wikidata-time.ts';

/** Properties of Wikidata with a meaning of their own here. */
const STATED_IN = 'P248';
const REFERENCE_URL = 'P854';
const IMPORTED_FROM = 'P143';
const PUBLISHED = 'P577';
const RETRIEVED = 'P813';
const TITLE = 'P1476';
const POINT_IN_TIME = 'P585';
const START = 'P580';
const END = 'P582';

/** Fields that are read, and ids and orders that state nothing, by what has them. */
const READ = {
  entity: 'id labels claims type pageid ns title lastrevid modified datatype',
  label: 'value language',
  statement: 'id mainsnak rank qualifiers references type qualifiers-order',
  reference: 'snaks hash snaks-order',
  snak: 'snaktype property datavalue datatype hash',
  datavalue: 'value type',
  value:
    'id entity-type numeric-id time precision timezone calendarmodel amount unit text latitude longitude',
} as const;
type Kind = keyof typeof READ;

/** Notes what of an object is not read. */
function noteUnread(kind: Kind, object: unknown, path: string, collector: Collector): void {
  if (isObject(object)) collector.unread(kind, object, path, { read: READ[kind].split(' ') });
}

/** Notes what of a snak is not read: the bounds of a quantity, the language of a text. */
function noteSnak(snak: unknown, path: string, collector: Collector): void {
  if (!isObject(snak)) return;
  noteUnread('snak', snak, path, collector);
  const { datavalue } = snak;
  noteUnread('datavalue', datavalue, `${path}.datavalue`, collector);
  const value = isObject(datavalue) ? datavalue['value'] : null;
  if (!isObject(value)) return;
  const isExact = (key: string) => (key === 'before' || key === 'after') && value[key] === 0;
  const rest = Object.fromEntries(Object.entries(value).filter(([key]) => !isExact(key)));
  noteUnread('value', rest, `${path}.datavalue.value`, collector);
  const why = 'time' in value ? whyCalendar(value['calendarmodel'], value['precision']) : null;
  if (why !== null)
    collector.unreadValue(
      `calendar ${plainText(value['calendarmodel'])}`,
      value['calendarmodel'],
      `${path}.datavalue.value.calendarmodel`,
      why,
    );
}

/** Who says what has no reference. */
const WITHOUT_REFERENCE = 'Wikidata, without reference';
const STATUS_BY_RANK: ReadonlyMap<unknown, string> = new Map([
  ['preferred', 'theory'],
  ['deprecated', 'retracted'],
]);

/**
 * Statements of Wikidata entities (`Special:EntityData`, `wbgetentities`, a dump's line or one entity). Every
 * reference of a statement is a claim of its own by what it is stated in; ranks are statuses, qualifiers of
 * time are the time meant, other qualifiers the scope. Items and texts that a property holds at once are
 * statements of their own, each true or not. Identifiers of other catalogs are left out. Labels stand where
 * the file has them, ids else. Throws UnreadableFile. Source: Wikibase DataModel, JSON.
 */
export function readWikidata(bytes: Uint8Array): Imported {
  const value = readJson(readText(bytes));
  const entities = entitiesOf(value);
  const labels = new Map(
    entities.flatMap((entity) =>
      labelOf(entity) === null ? [] : [[plainText(entity['id']), labelOf(entity)!]],
    ),
  );
  const single = new Set(entities.filter(isSingleValued).map(({ id }) => plainText(id)));
  const collector = new Collector();
  if (isObject(value) && entities[0] !== value)
    collector.unread('answer', value, '$', { read: ['entities', 'success'] });
  const read = new Set<unknown>(entities);
  if (isObject(value) && isObject(value['entities']))
    for (const [id, other] of Object.entries(value['entities']))
      if (!read.has(other))
        collector.unreadValue('entity', other, `entities.${id}`, 'is no entity: it has no id or no claims');
  for (const entity of entities) {
    noteEntity(entity, collector);
    if (!isObject(entity['claims'])) continue;
    for (const [property, statements] of Object.entries(entity['claims'])) {
      const of = `${plainText(entity['id'])}.claims.${property}`;
      const isSeveral = !single.has(property) && holdTogether(listOf(statements), labels);
      if (isSeveral) collector.unreadValue('values held at once', property, of, EACH_BY_ITSELF);
      for (const [index, statement] of listOf(statements).entries()) {
        const path = `${of}[${index}]`;
        if (isObject(statement))
          readStatement({ entity, property, statement, path, labels, isSeveral }, collector);
        else collector.leftOut.add(path, 'must be an object');
      }
    }
  }
  const [first] = entities;
  const name = labelOf(first!) ?? plainText(first!['id']);
  return collector.done(
    entities.length === 1 ? `What is known of ${name}?` : 'What is known of these entities?',
    'statement with a value',
  );
}

function entitiesOf(value: unknown): JsonObject[] {
  const found =
    isObject(value) && isObject(value['entities']) ? Object.values(value['entities']) : listOf(value);
  const entities = found.filter(
    (one): one is JsonObject => isObject(one) && typeof one['id'] === 'string' && 'claims' in one,
  );
  if (entities.length > 0) return entities;
  throw new UnreadableFile(
    'the file holds no Wikidata entity: it needs an id and claims, alone or in entities',
  );
}

/**
 * Notes what of an entity is not read: its labels in all languages but one, and entries that are not
 * statements.
 */
function noteEntity(entity: JsonObject, collector: Collector): void {
  const path = plainText(entity['id']);
  noteUnread('entity', entity, path, collector);
  if (!isObject(entity['labels'])) return;
  const label = labelOf(entity);
  for (const [language, other] of Object.entries(entity['labels'])) {
    const at = `${path}.labels.${language}`;
    noteUnread('label', other, at, collector);
    const text = isObject(other) ? other['value'] : other;
    if (text !== label)
      collector.unreadValue('label', text, at, 'is a label in another language: it is not read');
  }
}

/** Constraints by which a property has one value, or one that is best. */
const SINGLE_VALUE = ['Q19474404', 'Q52060874'];
const CONSTRAINT = 'P2302';
const EACH_BY_ITSELF =
  'holds several values at once: each is a statement of the weight of its rank, true or not, and contradicts no other';

/** Whether an entity is a property that the file says to have one value. */
function isSingleValued({ claims }: JsonObject): boolean {
  const constraints = isObject(claims) ? listOf(claims[CONSTRAINT]) : [];
  return constraints.some((one) => {
    const text = isObject(one) && one['rank'] !== 'deprecated' ? snakText(one['mainsnak'], new Map()) : null;
    return text !== null && SINGLE_VALUE.includes(text);
  });
}

/**
 * Whether a property holds several values at once: its statements that are not deprecated give it different
 * things or texts, for one scope at times that overlap. Two numbers or dates are rivals, of which one at most
 * is exact; a writer may be a comedian, too. A preferred rank denies no normal statement: both are held to be
 * correct (Wikidata, Help:Ranking).
 */
function holdTogether(statements: readonly unknown[], labels: ReadonlyMap<string, string>): boolean {
  const held = statements
    .filter(isObject)
    .filter(({ rank, mainsnak }) => rank !== 'deprecated' && isNamed(mainsnak));
  const meant = held.map(({ mainsnak, qualifiers }) => {
    const { event, scope } = meantBy(isObject(qualifiers) ? qualifiers : {}, labels);
    const instant = (time: string | undefined, open: number) =>
      time === undefined ? open : Date.parse(time);
    const [from, to] = [instant(event.from, -Infinity), instant(event.to, Infinity)];
    return { value: snakText(mainsnak, labels), scope, from, to };
  });
  return [...groupBy(meant, ({ scope }) => scope).values()].some((ofScope) => {
    const inOrder = ofScope.toSorted((one, other) => (one.from < other.from ? -1 : 1));
    return inOrder.some(({ value, to }, index) => {
      for (let next = index + 1; next < inOrder.length && inOrder[next]!.from < to; next++)
        if (inOrder[next]!.value !== value) return true;
      return false;
    });
  });
}

/** Whether the value of a snak is a thing or a text. */
function isNamed(snak: unknown): boolean {
  const data = isObject(snak) && snak['snaktype'] === 'value' ? snak['datavalue'] : null;
  const value = isObject(data) ? data['value'] : null;
  return typeof value === 'string' || (isObject(value) && ('id' in value || 'text' in value));
}

/** The time that qualifiers mean, and the scope that the others make. */
function meantBy(qualifiers: JsonObject, labels: ReadonlyMap<string, string>) {
  const event = eventOf(qualifiers);
  const scope = Object.entries(qualifiers)
    .filter(([id]) => !event.taken.includes(id))
    .flatMap(([id, snaks]) =>
      listOf(snaks).flatMap((snak) => {
        const text = snakText(snak, labels);
        return text === null ? [] : [`${labels.get(id) ?? id}: ${text}`];
      }),
    )
    .join('; ');
  return { event, scope };
}

interface Read {
  readonly entity: JsonObject;
  readonly property: string;
  readonly statement: JsonObject;
  readonly path: string;
  readonly labels: ReadonlyMap<string, string>;
  /** Whether the property holds several values at once. */
  readonly isSeveral: boolean;
}

function readStatement(
  { entity, property, statement, path, labels, isSeveral }: Read,
  collector: Collector,
): void {
  const { mainsnak, rank, qualifiers, references } = statement;
  noteUnread('statement', statement, path, collector);
  if (isObject(mainsnak) && mainsnak['datatype'] === 'external-id')
    return collector.leftOut.add(path, 'is an identifier in another catalog');
  const value = snakText(mainsnak, labels);
  if (value === null) return collector.leftOut.add(path, whyUnsaid(mainsnak));
  noteSnak(mainsnak, `${path}.mainsnak`, collector);
  const subject = labelOf(entity) ?? plainText(entity['id']);
  const predicate = labels.get(property) ?? `property ${property}`;
  const qualified = isObject(qualifiers) ? qualifiers : {};
  const { event, scope } = meantBy(qualified, labels);
  const statementId =
    typeof statement['id'] === 'string' ? statement['id'] : `${plainText(entity['id'])} ${property} ${value}`;
  for (const [id, snaks] of Object.entries(qualified))
    for (const [index, snak] of listOf(snaks).entries()) {
      const at = `${path}.qualifiers.${id}[${index}]`;
      if (!event.taken.includes(id) && snakText(snak, labels) === null)
        collector.leftOut.add(at, whyUnsaid(snak));
      noteSnak(snak, at, collector);
    }
  const stated = listOf(references).map((reference, index) => {
    const at = `${path}.references[${index}]`;
    noteUnread('reference', reference, at, collector);
    const { taken, ...source } = sourceOf(reference, labels);
    const snaks = isObject(reference) && isObject(reference['snaks']) ? reference['snaks'] : {};
    for (const [id, list] of Object.entries(snaks))
      for (const [place, snak] of listOf(list).entries()) {
        const here = `${at}.snaks.${id}[${place}]`;
        if (place === 0 && taken.includes(id)) noteSnak(snak, here, collector);
        else collector.unreadValue(`reference ${id}`, snak, here);
      }
    return source;
  });
  const proposition =
    isSeveral && isNamed(mainsnak)
      ? {
          subject_id: collector.subject(
            sentenceOf({ subject, predicate, value: isQuestion(value) ? `“${value}”` : value }),
            'statement',
          ),
          predicate: IS_TRUE,
          value: 'true',
        }
      : { subject_id: collector.subject(subject, 'entity'), predicate, value };
  const sources = stated.length === 0 ? [{ name: WITHOUT_REFERENCE }] : stated;
  for (const [index, { name, url, at }] of (sources as readonly Source[]).entries())
    collector.claim(
      {
        id: idOf('statement', `${statementId}\n${name}\n${url ?? ''}`),
        actor_id: collector.actor(name, name === WITHOUT_REFERENCE ? 'Anonymous' : 'Institutional'),
        ...proposition,
        content: `${subject}: ${predicate}: ${value}`,
        assertion_time: at,
        event_start_time: event.from,
        event_end_time: event.to,
        scope: scope === '' ? undefined : scope,
        epistemic_status: STATUS_BY_RANK.get(rank),
        url,
      },
      stated.length === 0 ? path : `${path}.references[${index}]`,
    );
}

/**
 * The time that a statement is about, and the qualifiers that say it. A point in time lasts as long as it is
 * exact: 2010 is the whole year, so that the figures of two years do not contradict each other. A term ends
 * with the first day of its end, which leaves the year of a change to the successor, unless nothing would be
 * left of it. What an event time cannot say is not taken, and distinguishes statements as part of the scope.
 */
function eventOf(qualifiers: JsonObject): { from?: string; to?: string; taken: readonly string[] } {
  const only = (id: string): Interval | null => {
    const [snak, ...others] = listOf(qualifiers[id]);
    return others.length > 0 ? null : (timeOf(snak)?.interval ?? null);
  };
  const isBefore = (one: string, other: string) => Date.parse(one) < Date.parse(other);
  const point = only(POINT_IN_TIME);
  const start = only(START)?.from;
  const end = only(END);
  if (start === undefined && end === null)
    return point === null ? { taken: [] } : { ...point, taken: [POINT_IN_TIME] };
  if (end === null) return { from: start!, taken: [START] };
  if (start === undefined) return { to: end.from, taken: [END] };
  const to = [end.from, end.to].find((one) => isBefore(start, one));
  return to === undefined ? { from: start, taken: [START] } : { from: start, to, taken: [START, END] };
}

interface Source {
  readonly name: string;
  readonly url?: string | undefined;
  readonly at?: string | undefined;
}

/** The source that a reference names, and the properties that say so. */
function sourceOf(
  reference: unknown,
  labels: ReadonlyMap<string, string>,
): Source & { readonly taken: readonly string[] } {
  const snaks = isObject(reference) && isObject(reference['snaks']) ? reference['snaks'] : {};
  const text = (id: string) => snakText(listOf(snaks[id])[0], labels) ?? undefined;
  const first = (...ids: string[]) => ids.find((id) => text(id) !== undefined);
  const url = text(REFERENCE_URL);
  const host = url === undefined ? undefined : URL.parse(url)?.hostname;
  const named = first(STATED_IN) ?? (host === undefined ? first(IMPORTED_FROM, TITLE) : undefined);
  const dated = first(PUBLISHED, RETRIEVED);
  return {
    name: (named === undefined ? host : text(named)) ?? WITHOUT_REFERENCE,
    url,
    at: dated === undefined ? undefined : text(dated),
    taken: [REFERENCE_URL, named, dated].filter((id) => id !== undefined),
  };
}

/** A label in English, or else in the first language there is. */
function labelOf(entity: JsonObject): string | null {
  const labels = isObject(entity['labels']) ? entity['labels'] : {};
  const label = labels['en'] ?? labels['mul'] ?? Object.values(labels)[0];
  return isObject(label) && typeof label['value'] === 'string' ? label['value'] : null;
}

/** The value of a snak as text; null for an unknown one and none, and for kinds that no text says. */
function snakText(snak: unknown, labels: ReadonlyMap<string, string>): string | null {
  const data = isObject(snak) && snak['snaktype'] === 'value' ? snak['datavalue'] : null;
  const value = isObject(data) ? data['value'] : null;
  if (typeof value === 'string') return value === '' ? null : value;
  if (!isObject(value)) return null;
  const { id, time, amount, unit, text, latitude, longitude } = value;
  if (typeof id === 'string') return labels.get(id) ?? id;
  if (typeof time === 'string') return timeOf(snak)?.text ?? null;
  if (typeof amount === 'string') {
    const entity = /\/entity\/(Q\d+)$/.exec(plainText(unit))?.[1];
    const of = entity === undefined ? '' : ` ${labels.get(entity) ?? entity}`;
    return `${amount.replace(/^\+/, '')}${of}`;
  }
  if (typeof text === 'string') return text;
  return typeof latitude === 'number' && typeof longitude === 'number' ? `${latitude}, ${longitude}` : null;
}

/** The date of a snak; null for an unknown one, none and what `readWikidataTime` does not read. */
function timeOf(snak: unknown): WikidataTime | null {
  const data = isObject(snak) && snak['snaktype'] === 'value' ? snak['datavalue'] : null;
  const value = isObject(data) && isObject(data['value']) ? data['value'] : {};
  return typeof value['time'] === 'string'
    ? readWikidataTime(value['time'], value['precision'], value['calendarmodel'])
    : null;
}

function whyUnsaid(snak: unknown): string {
  if (isObject(snak) && snak['snaktype'] === 'novalue')
    return 'says that there is none, which no claim with a value can say';
  if (!isObject(snak) || snak['snaktype'] !== 'value') return 'has no known value';
  const isTime = isObject(snak['datavalue']) && snak['datavalue']['type'] === 'time';
  return isTime
    ? 'is a date less exact than a millennium, or none of the calendar'
    : 'has a value that cannot be said as text';
}
