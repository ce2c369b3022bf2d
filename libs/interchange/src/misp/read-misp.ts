import type { ClaimInput } from '@platform/opinion-fusion';
import { guessSourceType } from '@platform/workbench/claims';
import { gradeEvidence, gradesOf, isGrade, reliabilityOf, type Grades } from '../admiralty/grades.ts';
import { IS_TRUE } from '../claim-review/read-claim-review.ts';
import { claimIdOf, Collector, idOf } from '../collector.ts';
import { groupBy } from '../group-by.ts';
import { UnreadableFile, type Imported, type LeftOutList } from '../imported.ts';
import { isQuestion, STATES_NOTHING } from '../questions.ts';
import { isObject, listOf, readJson, plainText, readText, textOf, type JsonObject } from '../read-json.ts';
import { restoreMisp, type Event } from './restore-misp.ts';
import { namesOf } from './write-misp.ts';

/** Who reports an event that names no organization. */
const WITHOUT_ORGANIZATION = 'Organization that the event does not name';
/** Types of attributes that state nothing by themselves, with what they are. */
const NO_STATEMENT: ReadonlyMap<unknown, string> = new Map([
  ['comment', 'is a comment, and states nothing to be judged'],
  ['link', 'is a reference of the event, and not of one statement'],
  ['attachment', 'is a file'],
  ['malware-sample', 'is a file'],
]);
const NAME_LENGTH = 200;

/** Fields that are read, and ids, counts and rights that state nothing, by what has them. */
const READ = {
  event:
    'info date Orgc Org Tag Attribute Object id uuid org_id orgc_id timestamp publish_timestamp distribution sharing_group_id attribute_count locked proposal_email_lock disable_correlation event_creator_email',
  organization: 'name id uuid local',
  object:
    'name Attribute deleted id uuid event_id timestamp distribution sharing_group_id template_uuid template_version',
  attribute:
    'type value category uuid comment timestamp first_seen last_seen deleted Tag Sighting id event_id object_id distribution sharing_group_id disable_correlation to_ids',
  tag: 'name id colour color exportable hide_tag user_id local numerical_value is_galaxy is_custom_galaxy local_only',
} as const;
type Kind = keyof typeof READ;
const fieldsOf = (kind: Kind) => ({ read: READ[kind].split(' ') });

/** Notes what of an object is not read, and which of its tags state no grade. */
function noteUnread(kind: Kind, object: JsonObject, path: string, collector: Collector): void {
  collector.unread(kind, object, path, fieldsOf(kind));
  for (const [index, tag] of listOf(object['Tag']).entries()) {
    const at = `${path}.Tag[${index}]`;
    const name = plainText(isObject(tag) ? tag['name'] : tag);
    if (isObject(tag)) collector.unread('tag', tag, at, fieldsOf('tag'));
    if (!isGrade(name))
      collector.unreadValue(
        `tag ${name}`,
        name,
        at,
        `${JSON.stringify(name.slice(0, 80))} states no grade: it is not read`,
      );
  }
}

/**
 * Events of MISP: one, a list, or the `response` of a search. An event that `writeMisp` wrote gives the same
 * investigation, with grades as its tags state them now. Of others each attribute is a claim of the
 * organization that created the event, in its category; tags of the admiralty-scale on attribute and event
 * are grades, of which the nearest holds, and that of the event is the organization's; one without a time was
 * reported when its object was, else on the date of the event. Throws UnreadableFile. Source: MISP core
 * format (draft-dulaunoy-misp-core-format-17).
 */
export function readMisp(bytes: Uint8Array): Imported {
  const value = readJson(readText(bytes));
  const collector = new Collector();
  const events = eventsIn(value, collector.leftOut);
  if (isObject(value) && value !== events[0]?.event)
    collector.unread('answer', value, '$', { read: ['Event', 'response'] });
  const [first] = events;
  if (first === undefined)
    throw new UnreadableFile('the file holds no MISP event: it needs Event, alone, in a list or in response');
  const restored = events.length === 1 ? restoreMisp(value, first) : null;
  if (restored !== null) return restored;
  const called = events.map(({ event }) => calledBy(event)).toReversed();
  const names = new Map(
    called.flatMap(({ called: name, uuid }) => (name === null || uuid === null ? [] : [[uuid, name]])),
  );
  const reported = events.map((one) => ({ ...one, ...producerOf(one, names, collector) }));
  // The tag of an event grades its organization; where events disagree, it grades their attributes alone.
  for (const ofOne of groupBy(reported, ({ actorId }) => actorId).values()) {
    const graded = ofOne.filter(({ grades }) => grades.reliability !== undefined);
    const [first] = graded;
    const letter = first?.grades.reliability;
    if (letter !== undefined && graded.every(({ grades }) => grades.reliability === letter))
      collector.reliability(first!.actorId, reliabilityOf(letter), `${first!.path}.Tag`);
  }
  const latest = latestVersions(reported);
  for (const one of reported) readEvent({ ...one, latest }, collector);
  const info = textOf(first.event['info']);
  return collector.done(
    events.length === 1 && info !== null ? `Is it so: ${info}` : 'Which statements of the events are true?',
    'attribute with a value',
  );
}

function eventsIn(value: unknown, leftOut: LeftOutList): Event[] {
  const [list, root] = isObject(value) && 'response' in value ? [value['response'], 'response'] : [value, ''];
  return listOf(list).flatMap((one, index) => {
    const path = Array.isArray(list) ? `${root}[${index}]` : root;
    if (isObject(one) && isObject(one['Event']))
      return [{ event: one['Event'], path: path === '' ? 'Event' : `${path}.Event` }];
    if (isObject(one) && ('Attribute' in one || 'Object' in one)) return [{ event: one, path: path || '$' }];
    leftOut.add(path || '$', 'is not an event: it has neither Event nor Attribute');
    return [];
  });
}

interface Producer {
  readonly actorId: string;
  /** What tells its organization from others: its uuid, or else its name. */
  readonly creator: string;
  /** Grades that the tags of the event state. */
  readonly grades: Grades;
}

/** What an event calls who reports it, and the uuid of that. */
function calledBy(event: JsonObject) {
  const { name, uuid } = organizationOf(event);
  return { called: textOf(name), uuid: textOf(uuid)?.toLowerCase() ?? null };
}

const organizationOf = ({ Orgc: creator, Org: owner }: JsonObject): JsonObject =>
  [creator, owner].find(isObject) ?? {};

/** The organization that reports an event, with the first of its `names` in the file, by uuid. */
function producerOf(
  { event, path }: Event,
  names: ReadonlyMap<string, string>,
  collector: Collector,
): Producer {
  const organization = organizationOf(event);
  noteUnread('event', event, path, collector);
  noteUnread('organization', organization, `${path}.Orgc`, collector);
  if (isObject(event['Org']) && event['Org'] !== organization)
    collector.unreadValue(
      'owner',
      event['Org']['name'],
      `${path}.Org.name`,
      'is who has the event, and not who reports it',
    );
  const { called, uuid } = calledBy(event);
  const name = (uuid === null ? null : names.get(uuid)) ?? called;
  if (name !== called)
    collector.unreadValue(
      `name of ${name}`,
      called,
      `${path}.Orgc.name`,
      `is another name of ${JSON.stringify(name)}, whose uuid it has: that name stands`,
    );
  const actorId = collector.actor(
    name ?? WITHOUT_ORGANIZATION,
    name === null ? 'Anonymous' : (guessSourceType(name) ?? 'Analyst'),
  );
  const creator = uuid ?? name ?? '';
  return { actorId, creator, grades: gradesOf(namesOf(event['Tag']), `${path}.Tag`, collector.leftOut) };
}

/** The latest timestamp of each attribute, by its organization and uuid. */
function latestVersions(events: readonly (Event & Producer)[]): ReadonlyMap<string, string> {
  const latest = new Map<string, string>();
  for (const { event, actorId } of events)
    for (const holder of [event, ...listOf(event['Object'])].filter(isObject))
      for (const attribute of listOf(holder['Attribute']).filter(isObject)) {
        const [key, time] = [versionKey(attribute, actorId), timeOf(attribute['timestamp'])];
        if (time !== undefined && time > (latest.get(key) ?? '')) latest.set(key, time);
      }
  return latest;
}

const versionKey = ({ uuid }: JsonObject, actorId: string) => `${actorId} ${textOf(uuid)}`;

function readEvent(
  { event, path, actorId, creator, grades, latest }: Event & Producer & Pick<Attribute, 'latest'>,
  collector: Collector,
): void {
  let isDateRead = false;
  const timeOfEvent = timeOf(event['timestamp']);
  const dateOfEvent = () => {
    isDateRead = true;
    return textOf(event['date']) ?? undefined;
  };
  const read = (
    holder: JsonObject,
    at: string,
    within: Pick<Attribute, 'name' | 'timeOfHolder' | 'isDeleted'>,
  ) => {
    for (const [index, attribute] of listOf(holder['Attribute']).entries()) {
      const place = `${at}.Attribute[${index}]`;
      if (isObject(attribute))
        readAttribute(
          { attribute, at: place, actorId, creator, grades, latest, timeOfEvent, ...within },
          collector,
        );
      else collector.leftOut.add(place, 'must be an object');
    }
  };
  read(event, path, { name: null, timeOfHolder: dateOfEvent, isDeleted: false });
  for (const [index, object] of listOf(event['Object']).entries()) {
    const at = `${path}.Object[${index}]`;
    if (isObject(object)) {
      noteUnread('object', object, at, collector);
      noteTime(object['timestamp'], at, collector);
      read(object, at, {
        name: textOf(object['name']),
        isDeleted: object['deleted'] === true,
        timeOfHolder: () => timeOf(object['timestamp']) ?? dateOfEvent(),
      });
    } else collector.leftOut.add(at, 'must be an object');
  }
  if (!isDateRead)
    collector.unreadValue(
      'date of an event',
      event['date'],
      `${path}.date`,
      'is not read: each attribute has a time of its own',
    );
}

interface Attribute {
  readonly attribute: JsonObject;
  readonly at: string;
  readonly actorId: string;
  readonly creator: string;
  /** Grades of what it stands in. */
  readonly grades: Grades;
  /** The latest timestamp of each attribute of the file, by `versionKey`. */
  readonly latest: ReadonlyMap<string, string>;
  /** The version of the event, by which its tags change. */
  readonly timeOfEvent: string | undefined;
  /** The name of the object that it stands in. */
  readonly name: string | null;
  /** Whether what it stands in was deleted. */
  readonly isDeleted: boolean;
  /** When what it stands in was reported, for an attribute that does not say it itself. */
  readonly timeOfHolder: () => string | undefined;
}

function readAttribute(one: Attribute, collector: Collector): void {
  const { attribute, at, actorId, creator, grades, name, timeOfHolder, isDeleted } = one;
  const skip = (reason: string) => collector.leftOut.add(at, reason);
  const type = textOf(attribute['type']);
  const value = textOf(attribute['value']);
  const uuid = textOf(attribute['uuid']);
  const time = timeOf(attribute['timestamp']);
  if (uuid !== null && time !== undefined && time < one.latest.get(versionKey(attribute, actorId))!)
    return skip(`is an earlier version of ${uuid.slice(0, 80)} than another one of the file: it is left out`);
  if (type === null) return collector.leftOut.add(`${at}.type`, 'is missing: it says what the value is');
  if (value === null) return collector.leftOut.add(`${at}.value`, 'is missing: it says what is reported');
  const nothing = NO_STATEMENT.get(type);
  if (nothing !== undefined) return skip(nothing);
  const stated = { ...grades, ...gradesOf(namesOf(attribute['Tag']), `${at}.Tag`, collector.leftOut) };
  const { reliability: letter } = stated;
  const isStatement = type === 'text';
  if (isStatement && isQuestion(value)) return skip(STATES_NOTHING);
  noteUnread('attribute', attribute, at, collector);
  if (isStatement && attribute['category'] !== 'Other')
    collector.unreadValue('category of a text', attribute['category'], `${at}.category`);
  const subjectId = collector.subject(value.slice(0, NAME_LENGTH), isStatement ? 'statement' : type);
  const predicate = isStatement ? IS_TRUE : (textOf(attribute['category']) ?? 'reported');
  noteTime(attribute['timestamp'], at, collector);
  const [start, end] = [textOf(attribute['first_seen']), textOf(attribute['last_seen'])];
  // Intervals are half-open: what was seen in one instant has no end.
  const isInterval = start === null || end === null || !(Date.parse(start) >= Date.parse(end));
  if (!isInterval && start !== end)
    collector.unreadValue('last_seen', end, `${at}.last_seen`, 'is not after first_seen');
  const claim: ClaimInput = {
    id: claimIdOf(idOf('misp', `${uuid ?? value}\n${actorId}\n${subjectId}\n${predicate}`), uuid ?? '', {
      creator,
    }),
    actor_id:
      letter === undefined
        ? actorId
        : collector.gradedSource(actorId, { letter, value: reliabilityOf(letter) }, `${at}.Tag`),
    subject_id: subjectId,
    predicate,
    value: 'true',
    content: [name, textOf(attribute['comment']), value].filter((part) => part !== null).join(': '),
    assertion_time: time ?? timeOfHolder(),
    event_start_time: start ?? undefined,
    event_end_time: isInterval ? (end ?? undefined) : undefined,
    epistemic_status: isDeleted || attribute['deleted'] === true ? 'retracted' : undefined,
  };
  // Without uuid nothing says that two attributes with the same value are one.
  const id = uuid === null ? collector.ownId(claim) : claim.id;
  const isTaken = collector.claim({ ...claim, id }, at);
  if (isTaken && stated.confidence != null) {
    const isLater = one.timeOfEvent !== undefined && time !== undefined && one.timeOfEvent > time;
    collector.evidence(gradeEvidence(id, stated.confidence, isLater ? one.timeOfEvent : undefined), at);
  }
  if (listOf(attribute['Sighting']).length > 0)
    collector.leftOut.add(`${at}.Sighting`, 'sightings of an attribute are not read');
}

/** Seconds since 1970, as text or number, as a time. */
function timeOf(value: unknown): string | undefined {
  const seconds =
    typeof value === 'number' || (typeof value === 'string' && value !== '') ? Number(value) : NaN;
  // From 1970 to the end of the year 9999.
  return seconds > 0 && seconds < 253_402_300_800 ? new Date(seconds * 1000).toISOString() : undefined;
}

/** Names a time that cannot be read; 0 and nothing say that there is none. */
function noteTime(value: unknown, at: string, { leftOut }: Collector): void {
  const isNone = value === 0 || (typeof value === 'string' && Number(value) === 0);
  if (value !== undefined && value !== null && !isNone && timeOf(value) === undefined)
    leftOut.add(
      `${at}.timestamp`,
      `${JSON.stringify(value).slice(0, 80)} is not a time in seconds since 1970: that of the object or event is taken`,
    );
}
