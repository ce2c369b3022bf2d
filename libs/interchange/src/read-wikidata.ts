import { Collector, idOf } from './collector.ts';
import { UnreadableFile, type Imported } from './imported.ts';
import { isObject, listOf, readJson, plainText, readText, type JsonObject } from './read-json.ts';

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

/** Who says what has no reference. */
const WITHOUT_REFERENCE = 'Wikidata, without reference';
const STATUS_BY_RANK: ReadonlyMap<unknown, string> = new Map([
  ['preferred', 'theory'],
  ['deprecated', 'retracted'],
]);

/**
 * Statements of Wikidata entities (`Special:EntityData`, `wbgetentities`, a dump's line or one entity). Every
 * reference of a statement is a claim of its own by what it is stated in; ranks are statuses, qualifiers of
 * time are the time meant, other qualifiers the scope. Identifiers of other catalogs are left out. Labels
 * stand where the file has them, ids else. Throws UnreadableFile. Source: Wikibase DataModel, JSON.
 */
export function readWikidata(bytes: Uint8Array): Imported {
  const value = readJson(readText(bytes));
  const entities = entitiesOf(value);
  const labels = new Map(
    entities.flatMap((entity) =>
      labelOf(entity) === null ? [] : [[plainText(entity['id']), labelOf(entity)!]],
    ),
  );
  const collector = new Collector();
  for (const entity of entities) {
    if (!isObject(entity['claims'])) continue;
    for (const [property, statements] of Object.entries(entity['claims']))
      for (const [index, statement] of listOf(statements).entries()) {
        const path = `${plainText(entity['id'])}.claims.${property}[${index}]`;
        if (isObject(statement)) readStatement({ entity, property, statement, path, labels }, collector);
        else collector.leftOut.add(path, 'must be an object');
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

interface Read {
  readonly entity: JsonObject;
  readonly property: string;
  readonly statement: JsonObject;
  readonly path: string;
  readonly labels: ReadonlyMap<string, string>;
}

function readStatement({ entity, property, statement, path, labels }: Read, collector: Collector): void {
  const { mainsnak, rank, qualifiers, references } = statement;
  if (isObject(mainsnak) && mainsnak['datatype'] === 'external-id')
    return collector.leftOut.add(path, 'is an identifier in another catalog');
  const value = snakText(mainsnak, labels);
  if (value === null) return collector.leftOut.add(path, 'has no known value');
  const subject = labelOf(entity) ?? plainText(entity['id']);
  const predicate = labels.get(property) ?? property;
  const time = (id: string) =>
    snakText(listOf(isObject(qualifiers) ? qualifiers[id] : undefined)[0], labels) ?? undefined;
  const point = time(POINT_IN_TIME);
  const scope = Object.entries(isObject(qualifiers) ? qualifiers : {})
    .filter(([id]) => ![POINT_IN_TIME, START, END].includes(id))
    .flatMap(([id, snaks]) =>
      listOf(snaks).flatMap((snak) => {
        const text = snakText(snak, labels);
        return text === null ? [] : [`${labels.get(id) ?? id}: ${text}`];
      }),
    )
    .join('; ');
  const statementId =
    typeof statement['id'] === 'string' ? statement['id'] : `${plainText(entity['id'])} ${property} ${value}`;
  const stated = listOf(references).map((reference) => sourceOf(reference, labels));
  const sources = stated.length === 0 ? [{ name: WITHOUT_REFERENCE }] : stated;
  for (const [index, { name, url, at }] of (sources as readonly Source[]).entries())
    collector.claim(
      {
        id: idOf('statement', `${statementId}\n${name}\n${url ?? ''}`),
        actor_id: collector.actor(name, name === WITHOUT_REFERENCE ? 'Anonymous' : 'Institutional'),
        subject_id: collector.subject(subject, 'entity'),
        predicate,
        value,
        content: `${subject}: ${predicate}: ${value}`,
        assertion_time: at,
        event_start_time: time(START) ?? point,
        event_end_time: time(END),
        scope: scope === '' ? undefined : scope,
        epistemic_status: STATUS_BY_RANK.get(rank),
        url,
      },
      stated.length === 0 ? path : `${path}.references[${index}]`,
    );
}

interface Source {
  readonly name: string;
  readonly url?: string | undefined;
  readonly at?: string | undefined;
}

function sourceOf(reference: unknown, labels: ReadonlyMap<string, string>): Source {
  const snaks = isObject(reference) && isObject(reference['snaks']) ? reference['snaks'] : {};
  const text = (id: string) => snakText(listOf(snaks[id])[0], labels) ?? undefined;
  const url = text(REFERENCE_URL);
  const name =
    text(STATED_IN) ??
    (url === undefined ? undefined : URL.parse(url)?.hostname) ??
    text(IMPORTED_FROM) ??
    text(TITLE);
  return { name: name ?? WITHOUT_REFERENCE, url, at: text(PUBLISHED) ?? text(RETRIEVED) };
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
  const { id, time, precision, amount, unit, text, latitude, longitude } = value;
  if (typeof id === 'string') return labels.get(id) ?? id;
  if (typeof time === 'string') return timeText(time, precision);
  if (typeof amount === 'string') {
    const entity = /\/entity\/(Q\d+)$/.exec(plainText(unit))?.[1];
    const of = entity === undefined ? '' : ` ${labels.get(entity) ?? entity}`;
    return `${amount.replace(/^\+/, '')}${of}`;
  }
  if (typeof text === 'string') return text;
  return typeof latitude === 'number' && typeof longitude === 'number' ? `${latitude}, ${longitude}` : null;
}

/**
 * `+1731-05-00T00:00:00Z` by its precision: 11 a day, 10 a month, 9 a year; coarser ones only name a year.
 */
function timeText(time: string, precision: unknown): string | null {
  const read = /^\+(\d{4})-(\d\d)-(\d\d)T/.exec(time);
  if (read === null || typeof precision !== 'number' || precision < 9) return null;
  const [, year, month, day] = read;
  if (precision === 9) return year!;
  return precision === 10 ? `${year}-${month}` : `${year}-${month}-${day}`;
}
