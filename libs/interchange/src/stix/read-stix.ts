import type { ClaimInput } from '@platform/opinion-fusion';
import { guessSourceType, weighed } from '@platform/workbench/claims';
import { confidenceOfOpinion, gradeEvidence, gradesOf, isGrade, reliabilityOf } from '../admiralty/grades.ts';
import { IS_TRUE } from '../claim-review/read-claim-review.ts';
import { claimIdOf, Collector, evidenceIdOf, idOf, opinionIdOf, type OfObject } from '../collector.ts';
import { UnreadableFile, type Imported } from '../imported.ts';
import { isQuestion, STATES_NOTHING } from '../questions.ts';
import { readAttached } from '../read-attached.ts';
import { isObject, listOf, readJson, plainText, readText, textOf, type JsonObject } from '../read-json.ts';
import { restoreStix } from './restore-stix.ts';
import { confidenceOf, fieldsRead, STATES, type Found } from './stix-object.ts';
import { JUDGEMENT_LABEL } from './write-stix.ts';

/** Who says what names no producer. */
const WITHOUT_PRODUCER = 'Producer that the bundle does not name';
/** What an indicator indicates that does not say it: STIX 2.1 §4.7 knows patterns of such activity alone. */
const INDICATED = 'malicious-activity';
/** Length of a subject's name that is the beginning of a text. */
const NAME_LENGTH = 200;

/**
 * STIX 2.0 and 2.1: a bundle, an envelope of TAXII, a list or one object. A bundle that `writeStix` wrote
 * gives the same investigation, with grades as its objects state them now. Of others, relationships, notes,
 * reports, indicators, observed data and sightings become claims of who created them, opinions and further
 * references evidence on these; labels of the admiralty-scale and `confidence` are grades. Throws
 * UnreadableFile. Source: STIX 2.1 (OASIS Standard, 10 June 2021).
 */
export function readStix(bytes: Uint8Array): Imported {
  const value = readJson(readText(bytes));
  const collector = new Collector();
  const all = objectsIn(listOf(isObject(value) && 'objects' in value ? value['objects'] : value), collector);
  if (all.length === 0)
    throw new UnreadableFile('the file holds no STIX object: it needs type and id, alone or in objects');
  for (const one of all) {
    if (one.object['type'] !== 'artifact') continue;
    const attached = readAttached(one.object['payload_bin'], `${one.path}.payload_bin`);
    if (attached !== null) return restoreStix(attached, one, { bundle: value, found: all });
  }
  if (isObject(value) && value['type'] === 'bundle')
    collector.unread('bundle', value, '$', { read: ['type', 'id', 'spec_version', 'objects'] });
  const byVersion = all.toSorted((one, other) => (versionOf(one) < versionOf(other) ? -1 : 1));
  const found = new Map(
    byVersion.flatMap((one) => [[one.id, one] as const, [ofCreator(one.id, creatorOf(one.object)), one]]),
  );
  const bundle: Bundle = { found, collector, claimsOf: new Map(), named: new Set() };
  for (const one of all) if (one.object['type'] !== 'opinion') readObject(one, bundle);
  // An opinion may stand before what it is on.
  for (const one of all) if (one.object['type'] === 'opinion') readOpinion(one, bundle);
  for (const one of all) noteUnread(one, bundle);
  return collector.done('Which statements of the bundle are true?', 'STIX object that states something');
}

interface Bundle {
  /** The latest version of each object by its id, and of each creator by `ofCreator`. */
  readonly found: ReadonlyMap<string, Found>;
  readonly collector: Collector;
  /** The claims made of each object. */
  readonly claimsOf: Map<string, string[]>;
  /** Ids of the objects that statements name. */
  readonly named: Set<string>;
}

/** Notes what of an object is not read, or that no statement names it. */
function noteUnread({ object, id, path }: Found, { collector, named }: Bundle): void {
  const type = plainText(object['type']);
  if (!STATES.has(type) && !named.has(id))
    return collector.unreadValue(
      `object ${type}`,
      type,
      path,
      `is a ${type.slice(0, 80)} that no statement names: it is not read`,
    );
  const read = fieldsRead(object, nameField(object));
  collector.unread(type, object, path, { read });
  const types = object['indicator_types'] === undefined && type === 'indicator';
  for (const [index, label] of listOf(object['labels']).map(plainText).entries())
    if (!isGrade(label) && (!types || label.includes('=')))
      collector.unreadValue(
        `label ${label}`,
        label,
        `${path}.labels[${index}]`,
        `${JSON.stringify(label.slice(0, 80))} states no grade: it is not read`,
      );
  for (const [index, author] of listOf(object['authors']).slice(1).entries())
    if (read.includes('authors'))
      collector.unreadValue(
        'author',
        author,
        `${path}.authors[${index + 1}]`,
        'is not read: one author stands',
      );
}

/** Who created an object, which alone publishes versions of it (STIX 2.1 §3.6.2). */
const creatorOf = ({ created_by_ref: creator, authors }: JsonObject) =>
  textOf(creator) ?? textOf(listOf(authors)[0]) ?? '';

/** Objects in their order: of several versions the latest, of what states something that of each creator. */
function objectsIn(list: readonly unknown[], { leftOut }: Collector): readonly Found[] {
  const found = new Map<string, Found>();
  const firsts = new Map<string, string>();
  for (const [index, object] of list.entries()) {
    const path = `objects[${index}]`;
    const id = isObject(object) ? textOf(object['id']) : null;
    if (!isObject(object) || id === null || textOf(object['type']) === null) {
      leftOut.add(path, 'must be an object with type and id');
      continue;
    }
    const one = { object, id, path };
    const key = ofCreator(id, creatorOf(object));
    const other = found.get(key);
    const first = firsts.get(id);
    if (other !== undefined)
      leftOut.add(
        versionOf(one) > versionOf(other) ? other.path : path,
        `is another version of ${id.slice(0, 80)}`,
      );
    else if (first !== undefined)
      leftOut.add(
        path,
        `has the id of ${first}, which somebody else created: ${STATES.has(plainText(object['type'])) ? 'what both state counts' : 'each names it in what they state'}`,
      );
    else firsts.set(id, path);
    if (other === undefined || versionOf(one) > versionOf(other)) found.set(key, one);
  }
  return [...found.values()];
}

const ofCreator = (id: string, creator: string) => JSON.stringify([id, creator]);

/** The object that a statement means by an id: the version of its own creator, where there is one. */
const meantBy = (ref: string, statement: JsonObject, found: Bundle['found']) =>
  found.get(ofCreator(ref, creatorOf(statement))) ?? found.get(ref);

/**
 * Who created what a statement names, null for what the file does not have, and '' for the statement's own
 * creator and nobody; and when it got its name, where that is a later version than that of the statement.
 */
function namesOf(one: Found, { found }: Bundle): Pick<OfObject, 'named' | 'namers'> {
  const { object } = one;
  const fields = ['source_ref', 'target_ref', 'sighting_of_ref'];
  if (object['type'] === 'observed-data') fields.push('object_refs');
  const refs = fields.flatMap((field) => listOf(object[field]).map(plainText));
  const objects = refs.map((ref) => meantBy(ref, object, found));
  const own = creatorOf(object);
  const namers = objects.map((other) => {
    if (other === undefined) return null;
    const creator = creatorOf(other.object);
    return creator === own ? '' : creator;
  });
  const latest = objects
    .flatMap((other) => (other === undefined ? [] : versionOf(other)))
    .sort()
    .at(-1);
  return { namers, named: latest !== undefined && latest > versionOf(one) ? latest : undefined };
}

const versionOf = ({ object }: Found) => plainText(object['modified'] ?? object['created'] ?? '');

type Statement = Pick<
  ClaimInput,
  'predicate' | 'value' | 'content' | 'event_start_time' | 'event_end_time'
> & {
  readonly subject: string;
  readonly subjectType: string;
  /** What tells it from others of its object, where that is not predicate and value. */
  readonly key?: string;
};

/**
 * What relates one thing to another. A thing uses, targets and indicates several others, which do not
 * contradict each other: each is answered by yes or no.
 */
const related = (type: string, other: string) => ({
  predicate: `${type.replaceAll('-', ' ')} ${other}`,
  value: 'true',
  // Earlier imports, whose claims have the other as value, are found by it.
  key: `${type}\n${other}`,
});

function readObject(one: Found, bundle: Bundle): void {
  const { object, id, path } = one;
  const { collector } = bundle;
  const labels = listOf(object['labels']);
  if (!STATES.has(plainText(object['type']))) return;
  if (labels.includes(JUDGEMENT_LABEL))
    return collector.leftOut.add(path, 'is a judgement of claims, and no claim');
  const statements = statementsOf(one, bundle);
  if (statements.length === 0) return;
  const grades = gradesOf([...labels, ...openCtiLabels(object)], path, collector.leftOut);
  const producerId = producerOf(one, bundle);
  const { reliability: letter } = grades;
  const actorId =
    letter === undefined
      ? producerId
      : collector.gradedSource(producerId, { letter, value: reliabilityOf(letter) }, path);
  const confidence = grades.confidence === undefined ? statedConfidence(one, bundle) : grades.confidence;
  const [first, ...more] = listOf(object['external_references']).filter(isObject);
  if (first !== undefined)
    collector.unread('first reference', first, `${path}.external_references[0]`, { read: ['url'] });
  const modified = object['modified'] ?? object['created'];
  const of = textOf(object['published']) === null ? namesOf(one, bundle) : { version: modified };
  const taken: string[] = [];
  for (const { subject, subjectType, key, ...statement } of statements) {
    const subjectId = collector.subject(subject, subjectType);
    const statementId = idOf(
      'stix',
      `${id}\n${subjectId}\n${key ?? `${statement.predicate}\n${statement.value}`}`,
    );
    const claimId = claimIdOf(statementId, id, { ...of, creator: creatorOf(object) });
    const isTaken = collector.claim(
      {
        id: claimId,
        actor_id: actorId,
        subject_id: subjectId,
        ...statement,
        assertion_time: textOf(object['published'] ?? modified) ?? undefined,
        epistemic_status: object['revoked'] === true ? 'retracted' : undefined,
        url: textOf(first?.['url']) ?? undefined,
      },
      path,
    );
    if (!isTaken) continue;
    taken.push(claimId);
    if (confidence !== null) collector.evidence(gradeEvidence(claimId, confidence), path);
    for (const [index, reference] of more.entries())
      readReference(reference, claimId, `${path}.external_references[${index + 1}]`, collector);
  }
  bundle.claimsOf.set(id, [...(bundle.claimsOf.get(id) ?? []), ...taken]);
}

/**
 * The confidence of an object as evidence on what it states; null where there is none. Of 0 the scales of
 * STIX 2.1, Appendix A, disagree, and nobody publishes what they hold to be impossible.
 */
function statedConfidence({ object, path }: Found, { collector }: Bundle): number | null {
  const confidence = confidenceOf(object, path, collector.leftOut);
  if (confidence !== 0) return confidence;
  collector.leftOut.add(
    `${path}.confidence`,
    '0 is no confidence on one scale of STIX and “impossible” on another: none is stated',
  );
  return null;
}

/** Where more is written is no word for or against: it weighs nothing and is kept as evidence to look at. */
function readReference(reference: JsonObject, claimId: string, path: string, collector: Collector): void {
  const url = textOf(reference['url']) ?? undefined;
  collector.unread('reference', reference, path, {
    read: ['url', 'source_name', 'description', 'external_id'],
  });
  const content = ['source_name', 'description', 'external_id'].flatMap(
    (key) => textOf(reference[key]) ?? [],
  );
  if (content.length === 0) return collector.leftOut.add(path, 'has neither source_name nor description');
  collector.evidence(
    {
      id: evidenceIdOf('reference', claimId, `\n${content.join('\n')}\n${url ?? ''}`),
      claim_id: claimId,
      content: content.join(': '),
      valence: 'Neutral',
      url,
    },
    path,
  );
}

function readOpinion({ object, id, path }: Found, bundle: Bundle): void {
  const { collector, claimsOf } = bundle;
  const confidence = confidenceOfOpinion(object['opinion']);
  if (confidence === null)
    return collector.leftOut.add(
      `${path}.opinion`,
      'must be strongly-disagree, disagree, neutral, agree or strongly-agree',
    );
  const claimIds = listOf(object['object_refs']).flatMap((ref) => claimsOf.get(plainText(ref)) ?? []);
  if (claimIds.length === 0) return collector.leftOut.add(path, 'is on no object that states something');
  const by = textOf(listOf(object['authors'])[0]) ?? nameOf(object['created_by_ref'], bundle);
  const of = { creator: creatorOf(object), version: object['modified'] ?? object['created'] };
  const words = textOf(object['explanation']) ?? `Opinion: ${plainText(object['opinion'])}.`;
  // Evidence has no status that says so; it stays, so that an earlier version does not bring it back.
  const isRevoked = object['revoked'] === true;
  if (isRevoked)
    collector.leftOut.add(path, 'is an opinion that was revoked: it is kept as evidence that weighs nothing');
  for (const claimId of claimIds)
    collector.evidence(
      {
        id: opinionIdOf(claimId, id, of),
        claim_id: claimId,
        content: isRevoked ? `Revoked: ${words}` : words,
        ...(isRevoked ? { valence: 'Neutral' } : weighed(confidence)),
        published_by: by ?? undefined,
      },
      path,
    );
}

/** What an object states; nothing where it lacks what it is about, which is left out by name. */
function statementsOf({ object, path }: Found, bundle: Bundle): Statement[] {
  const { collector } = bundle;
  const lacks = (field: string, why: string): Statement[] => {
    collector.leftOut.add(`${path}.${field}`, why);
    return [];
  };
  const text = (key: string) => textOf(object[key]);
  const name = (ref: unknown) => nameOf(ref, bundle, object);
  const seen = (from: string, until: string) => {
    const [start, end] = [text(from), text(until)];
    // Intervals are half-open: what was seen in one instant has no end.
    const isInterval = start === null || end === null || !(Date.parse(start) >= Date.parse(end));
    if (!isInterval && start !== end)
      collector.unreadValue(until, end, `${path}.${until}`, `is not after ${from}`);
    return {
      event_start_time: start ?? undefined,
      event_end_time: isInterval ? (end ?? undefined) : undefined,
    };
  };
  switch (object['type']) {
    case 'relationship': {
      const [subject, type, other] = [
        name(object['source_ref']),
        text('relationship_type'),
        name(object['target_ref']),
      ];
      if (subject === null) return lacks('source_ref', 'is missing: it says what the relationship is of');
      if (type === null) return lacks('relationship_type', 'is missing');
      if (other === null) return lacks('target_ref', 'is missing: it says what the relationship is to');
      const content = text('description') ?? `${subject} ${type} ${other}.`;
      const subjectType = typeOf(object['source_ref']);
      return [{ subject, subjectType, ...related(type, other), content, ...seen('start_time', 'stop_time') }];
    }
    case 'indicator': {
      const subject = indicatorName(object);
      if (subject === null) return lacks('pattern', 'is missing: it says what is indicated by what');
      const types = listOf(object['indicator_types'] ?? object['labels']).flatMap((one) => textOf(one) ?? []);
      const indicated = types.filter((type) => !type.includes('='));
      if (indicated.length === 0)
        collector.leftOut.add(`${path}.indicator_types`, `is missing: ${INDICATED} is assumed`);
      return (indicated.length === 0 ? [INDICATED] : indicated).map((one) => ({
        subject,
        subjectType: 'indicator',
        ...related('indicates', one),
        content: text('description') ?? `${subject} indicates ${one}.`,
        ...seen('valid_from', 'valid_until'),
      }));
    }
    case 'observed-data': {
      const embedded = isObject(object['objects']) ? Object.values(object['objects']) : [];
      const subjects = [
        ...listOf(object['object_refs']).map((ref) => [name(ref), typeOf(ref)] as const),
        ...embedded.filter(isObject).map((one) => [nameIn(one), plainText(one['type'])] as const),
      ];
      for (const [key, one] of isObject(object['objects']) ? Object.entries(object['objects']) : [])
        if (isObject(one))
          collector.unread(`observed ${plainText(one['type'])}`, one, `${path}.objects.${key}`, {
            read: ['type', nameField(one) ?? 'type'],
          });
      const named = subjects.filter(([subject]) => subject !== null);
      if (named.length === 0) return lacks('object_refs', 'is missing: it says what was observed');
      return named.map(([subject, subjectType]) => ({
        subject: subject!,
        subjectType,
        predicate: 'observed',
        value: 'true',
        content: `${subject} was observed.`,
        ...seen('first_observed', 'last_observed'),
      }));
    }
    case 'sighting': {
      const subject = name(object['sighting_of_ref']);
      if (subject === null) return lacks('sighting_of_ref', 'is missing: it says what was sighted');
      // A count of 0 says that it was looked for and not seen (STIX 2.1 §5.2).
      const isSeen = object['count'] !== 0;
      if (isSeen) collector.unreadValue('sighting count', object['count'], `${path}.count`);
      return [
        {
          subject,
          subjectType: typeOf(object['sighting_of_ref']),
          predicate: 'sighted',
          value: String(isSeen),
          content: text('description') ?? `${subject} was ${isSeen ? '' : 'not '}sighted.`,
          ...seen('first_seen', 'last_seen'),
        },
      ];
    }
    default: {
      const isNote = object['type'] === 'note';
      const field = isNote ? 'content' : 'name';
      const content = isNote ? (text('content') ?? text('description')) : text('name');
      if (content === null) return lacks(field, 'is missing: it says what is stated');
      const named = [text('abstract'), content, text('description')].filter((words) => words !== null);
      const subject = named.find((words) => !isQuestion(words));
      if (subject === undefined) return lacks(field, STATES_NOTHING);
      return [
        {
          subject: subject.slice(0, NAME_LENGTH),
          subjectType: 'statement',
          predicate: IS_TRUE,
          value: 'true',
          content: isNote ? content : (text('description') ?? content),
        },
      ];
    }
  }
}

/** Adds who created an object, with the grade of the identity. */
function producerOf({ object }: Found, bundle: Bundle): string {
  const { found, collector } = bundle;
  const ref = textOf(object['created_by_ref']);
  const identity = ref === null ? undefined : found.get(ref);
  const name = nameOf(ref, bundle) ?? textOf(listOf(object['authors'])[0]);
  const actorId = collector.actor(
    name ?? WITHOUT_PRODUCER,
    name === null ? 'Anonymous' : (guessSourceType(name) ?? 'Analyst'),
  );
  if (identity === undefined || identity.object['type'] !== 'identity') return actorId;
  const labels = [...listOf(identity.object['labels']), ...openCtiLabels(identity.object)];
  const { reliability } = gradesOf(labels, identity.path, collector.leftOut);
  if (reliability !== undefined) collector.reliability(actorId, reliabilityOf(reliability), identity.path);
  return actorId;
}

/** OpenCTI states reliability in a property of its own, such as `B - Usually reliable`. */
function openCtiLabels(object: JsonObject): string[] {
  const [, letter] = /^([A-F]) - /.exec(plainText(object['x_opencti_reliability'])) ?? [];
  return letter === undefined ? [] : [`admiralty-scale:source-reliability="${letter}"`];
}

/** What an object is called; the reference where the bundle does not have it, null where there is none. */
function nameOf(
  ref: unknown,
  { found, named }: Pick<Bundle, 'found' | 'named'>,
  statement: JsonObject = {},
): string | null {
  const id = textOf(ref);
  if (id === null) return null;
  named.add(id);
  const object = meantBy(id, statement, found)?.object;
  return (object === undefined ? null : nameIn(object)) ?? id;
}

/** The field that says what an object is called. */
const nameField = (object: JsonObject) => NAME_FIELDS.find((key) => textOf(object[key]) !== null);

function nameIn(object: JsonObject): string | null {
  if (object['type'] === 'indicator') return indicatorName(object);
  const field = nameField(object);
  return field === undefined ? null : textOf(object[field])!.slice(0, NAME_LENGTH);
}

/** An indicator says its pattern; many have one name (STIX 2.1 §4.7). */
function indicatorName({ name, pattern }: JsonObject): string | null {
  const texts = [textOf(name), textOf(pattern)].filter((text) => text !== null);
  return texts.length === 0 ? null : texts.join(' ');
}

const NAME_FIELDS = ['name', 'value', 'abstract', 'path', 'key', 'subject', 'pattern', 'content', 'user_id'];
const typeOf = (ref: unknown) => plainText(ref).split('--', 1)[0] || 'object';
