import { nameKey } from '../edit/directory.ts';
import { nameOf, type Entity } from '../edit/kinds.ts';
import { gradeOf, isGradeAsRead } from './admiralty.ts';
import { nameWords, type KnownSource } from './creators.ts';
import { isNothing } from './field-values.ts';
import type { ItemLists } from './item-lists.ts';
import { changesOf, changesWords, fieldsOf, firstOf, quoted } from './replaced-items.ts';

/**
 * The ids that readers give to claims of an object which has versions: a digest of the object and of what
 * the claim is about, the object, its version where that is not the time of the claim, or with `n-` when what
 * it names got its name, where that was later, who created what it names (`of-`, or `un-` where the file did
 * not have all of that), and who created it.
 * Earlier imports made ids of the digest alone.
 */
const ID =
  /^((?:stix|misp)-[0-9a-f]{16})(?:\.([\w-]+?)(?:\.(n-)?([0-9a-z]+))?(?:\.((?:of|un)-[0-9a-f]{8}))?(?:\.(by-[0-9a-f]{8}))?)?$/;
/** Opinions are objects with versions, too; before the creator of their claim stands their own. */
const OPINION =
  /^(opinion-[0-9a-f]{16})\.([\w-]+?)(?:\.([0-9a-z]+))?\.(by-[0-9a-f]{8})(?:\.by-[0-9a-f]{8})?$/;
const GRADE = /^credibility-[0-9a-f]{16}(?:\.by-[0-9a-f]{8})?$/;
/** Who created the object of a claim, at the end of the id of the claim, and of what is on it. */
const CREATOR = /(?:\.by-[0-9a-f]{8})?$/;

/** Fields that a version of an object states of its claims; others were added to them since. */
const STATED = ['actor_id', 'content', 'assertion_time', 'event_start_time', 'event_end_time', 'url'];

/** A claim of an object that has versions. */
interface OfObject {
  readonly claim: Entity;
  readonly statement: string;
  readonly object: string | undefined;
  /** Undefined for one of an earlier import, which may be anybody's. */
  readonly creator: string | undefined;
  /** The name of who made the object, without a grade of its own. */
  readonly producer: string;
  /** NaN where nothing says it. */
  readonly version: number;
  /** When what it names got its name; the version where that is later. */
  readonly named: number;
  /** Who gave those names; undefined where nothing says it. */
  readonly namer: string | undefined;
}

/** Claims that a file supersedes by a later version of their object. */
export interface Superseded {
  readonly object: string;
  /** As they are then: retracted. */
  readonly claims: readonly Entity[];
  /** Evidence that weighs nothing and marks each of them, by which it is told from one retracted by hand. */
  readonly marks: readonly Entity[];
}

/** A claim that a file states and that is left out. */
interface OlderClaim {
  readonly claim: Entity;
  readonly object: string;
  /** What its names are, where those are why. */
  readonly names?: Names;
}

/** Who gave what claims name their names, compared with the session. */
type Names = 'as before' | 'others' | 'lost' | 'found';

/** Somebody in a file who states an object that somebody else created. */
interface OtherVoice {
  readonly object: string;
  readonly name: string;
  readonly creator: string;
}

/** A file beside the investigation that it is merged into, by the versions of its objects. Pure. */
export interface Versions {
  /** The items of the file, by the ids that are there, without those of earlier versions. */
  readonly read: ItemLists;
  /** Claims of earlier versions that are left out, with their object. */
  readonly older: readonly OlderClaim[];
  /** Claims and grades as a later version states them, which take the place of those that are there. */
  readonly later: ReadonlyMap<string, Entity>;
  /** Opinions of earlier versions that are left out, with their object. */
  readonly olderOpinions: readonly { readonly item: Entity; readonly object: string }[];
  /** Opinions that a later version replaces, with what it states; without that where it states none. */
  readonly opinions: readonly { readonly before: Entity; readonly after: Entity | undefined }[];
  /** All claims and opinions of the file that are of a later version. */
  readonly news: ReadonlySet<string>;
  readonly superseded: readonly Superseded[];
  readonly otherVoices: readonly OtherVoice[];
  /** Grades that the later version does not state any more. */
  readonly withdrawn: readonly Withdrawn[];
  /** Those of them that someone has edited since, which stay. */
  readonly edited: readonly Withdrawn[];
  /** Ids of the evidence that goes: those grades, earlier opinions, marks of claims that are stated again. */
  readonly removed: readonly string[];
}

/** A grade and what it is on. */
interface Withdrawn {
  readonly grade: Entity;
  readonly claim: Entity;
}

/**
 * Compares the versions of the objects of STIX and MISP in a file with those that earlier imports brought: a
 * later one supersedes an earlier one whole, and an earlier one is left out (ADR 0142). Only who created an
 * object publishes versions of it (STIX 2.1 §3.6.2): what somebody else states under its id counts besides.
 * Of the same version, or of one that nothing tells, nothing is superseded. Pure.
 */
export function compareVersions(inFile: ItemLists, there: ItemLists): Versions {
  const claimsThere = (there['claims'] ?? []).flatMap(ofObject(there));
  const byStatement = grouped(claimsThere, ({ statement }) => statement);
  const { claims: claimsGiven = [], actors: actorsGiven = [] } = inFile;
  const given = claimsGiven.flatMap(ofObject({ actors: [...actorsGiven, ...(there['actors'] ?? [])] }));
  const byObject = grouped(claimsThere, ({ object }) => object ?? '');
  const present = new Map(
    given.map((one) => [
      one.claim.id,
      byStatement.get(one.statement)?.find((other) => isOneVoice(one, other)) ??
        byObject.get(one.object ?? '')?.find((other) => isRestated(one, other)),
    ]),
  );
  const idThere = (id: string) => present.get(id)?.claim.id ?? id;
  const read = claimsThere.length === 0 ? inFile : withGrades(withIds(inFile, idThere, there), there);
  const objects = new Map(given.map(({ statement, object }) => [statement, object ?? statement]));
  const objectOf = ({ object, statement }: OfObject) => object ?? objects.get(statement) ?? statement;
  const before = grouped(claimsThere, objectOf);
  const readClaims = new Map((read['claims'] ?? []).map((claim) => [claim.id, claim]));
  const marksThere = new Set((there['evidence'] ?? []).map(({ id }) => id).filter((id) => MARK.test(id)));
  const older: OlderClaim[] = [];
  const later = new Map<string, Entity>();
  const news = new Set<string>();
  const superseded: Superseded[] = [];
  const otherVoices: OtherVoice[] = [];
  for (const stated of grouped(given, (one) => `${objectOf(one)} ${one.creator}`).values()) {
    const [first] = stated as [OfObject];
    const object = objectOf(first);
    const all = before.get(object) ?? [];
    const had = all.filter((other) => isOneVoice(first, other));
    const other = all.find(({ claim }) => !isOver(claim));
    if (had.length === 0 && other !== undefined)
      otherVoices.push({ object, name: first.producer, creator: other.producer });
    const [was, is] = [latestOf(had), latestOf(stated)];
    const [wasNamed, isNamed] = [had, stated].map((ones) => latestOf(ones, ({ named }) => named)) as [
      number,
      number,
    ];
    const names = compareNames(stated, had);
    const isOlder = is < was || (is === was && names === 'as before' && isNamed < wasNamed);
    // Who lacks a name cannot say that it has changed, and who withdraws a claim needs none.
    const isApart = is === was ? names === 'others' || names === 'lost' : is > was && names === 'lost';
    for (const { claim } of isOlder || isApart ? stated : [])
      if (isOlder || !present.get(claim.id))
        older.push({ claim: readClaims.get(idThere(claim.id))!, object, ...(isApart && { names }) });
    const isNamedLater = names === 'found' || (names === 'as before' && isNamed > wasNamed);
    if (isApart || !(is > was || (is === was && isNamedLater))) continue;
    for (const { claim } of stated) {
      const old = present.get(claim.id);
      const id = idThere(claim.id);
      news.add(id);
      const isMarked = marksThere.has(markId(id));
      if (old && (is > was || isMarked)) later.set(id, inPlace(old.claim, readClaims.get(id)!, isMarked));
    }
    const gone = had.filter(({ claim }) => !news.has(claim.id) && !isOver(claim)).map(({ claim }) => claim);
    if (gone.length > 0)
      superseded.push({
        object,
        claims: gone.map((claim) => ({ ...claim, epistemic_status: 'retracted' })),
        marks: gone.map(({ id }) => ({
          id: markId(id),
          claim_id: id,
          content: `Superseded by the version of ${object} of ${new Date(isNamed).toISOString()}.`,
          valence: 'Neutral',
        })),
      });
  }
  const opinions = compareOpinions(read, there);
  const isGrade = ({ id, claim_id: of }: Entity) => GRADE.test(id) && later.has(String(of));
  const stated = new Map((read['evidence'] ?? []).filter(isGrade).map((grade) => [grade.id, grade]));
  const gradesThere = (there['evidence'] ?? []).filter(isGrade);
  const edited = new Set(gradesThere.filter((grade) => !isGradeAsRead(grade)));
  for (const grade of laterGrades(read, there)) stated.set(grade.id, grade);
  const grades = [...stated].filter(([id]) => ![...edited].some((grade) => grade.id === id));
  const unstated = gradesThere
    .filter(({ id }) => !stated.has(id))
    .map((grade) => ({ grade, claim: later.get(String(grade['claim_id']))! }));
  const withdrawn = unstated.filter(({ grade }) => !edited.has(grade));
  const over = [...later.keys()].map(markId).filter((id) => marksThere.has(id));
  return {
    read: apartFromClaims(
      { ...read, ...(read['evidence'] && { evidence: opinions.evidence }) },
      new Set(older.map(({ claim }) => claim.id)),
    ),
    older,
    olderOpinions: opinions.older,
    later: new Map([...later, ...grades]),
    news: new Set([...news, ...opinions.news]),
    opinions: opinions.superseded,
    superseded,
    otherVoices,
    withdrawn,
    removed: [...withdrawn.map(({ grade }) => grade.id), ...over, ...opinions.removed],
    edited: unstated.filter(({ grade }) => edited.has(grade)),
  };
}

/** Lists with a grade as it is there where the file states the same one, though by a later event. */
function withGrades(lists: ItemLists, there: ItemLists): ItemLists {
  const { evidence } = lists;
  if (evidence === undefined) return lists;
  const grades = gradesIn(there);
  const isSame = (one: Entity, other: Entity) => gradeOf(one).confidence === gradeOf(other).confidence;
  return {
    ...lists,
    evidence: evidence.map((item) => {
      const present = grades.get(item.id);
      return present && isSame(present, item) ? { ...item, content: present['content'] } : item;
    }),
  };
}

/** The grades that a later version of a MISP event states of attributes which it leaves as they are. */
function laterGrades(read: ItemLists, there: ItemLists): Entity[] {
  const grades = gradesIn(there);
  const times = new Map(
    (there['claims'] ?? []).map((claim) => [claim.id, Date.parse(String(claim['assertion_time']))]),
  );
  return (read['evidence'] ?? []).filter((item) => {
    const present = grades.get(item.id);
    if (present === undefined) return false;
    const { event } = gradeOf(present);
    const was = Number.isNaN(event) ? (times.get(String(item['claim_id'])) ?? NaN) : event;
    return gradeOf(item).event > was;
  });
}

/** The grades by id that nobody edited since an import made them. */
const gradesIn = ({ evidence = [] }: ItemLists) =>
  new Map(
    evidence.filter((item) => GRADE.test(item.id) && isGradeAsRead(item)).map((item) => [item.id, item]),
  );

/** An opinion as evidence on a claim. */
interface Opinion {
  readonly item: Entity;
  readonly object: string;
  readonly creator: string;
  readonly version: number;
}

/**
 * Compares the versions of opinions. Nothing refers to evidence, so that a later one replaces an earlier one
 * under an id of its own, and the session knows which version it has.
 */
function compareOpinions(read: ItemLists, there: ItemLists) {
  const present = there['evidence'] ?? [];
  const idsThere = new Set(present.map(({ id }) => id));
  // Earlier imports made ids of the digest alone.
  const all = (read['evidence'] ?? []).map((item) => {
    const [, digest = ''] = OPINION.exec(item.id) ?? [];
    return idsThere.has(digest) ? { ...item, id: digest } : item;
  });
  const evidence = new Map(all.map((item) => [item, item]));
  const before = grouped(present.flatMap(opinionOf), objectKey);
  const older: { item: Entity; object: string }[] = [];
  const superseded: { before: Entity; after: Entity | undefined }[] = [];
  const removed: string[] = [];
  const news: string[] = [];
  for (const [key, stated] of grouped(all.flatMap(opinionOf), objectKey)) {
    const had = before.get(key) ?? [];
    const [was, is] = [latestOf(had), latestOf(stated)];
    if (is < was)
      for (const { item, object } of stated) {
        older.push({ item, object });
        evidence.delete(item);
      }
    if (!(is > was)) continue;
    const stays = new Set(stated.map(({ item }) => item.id));
    removed.push(...had.map(({ item }) => item.id).filter((id) => !stays.has(id)));
    for (const { item } of stated) {
      const old = had.find((one) => isOnOne(one.item, item));
      news.push(item.id);
      if (old) evidence.set(item, withAdded(item, old.item));
    }
    for (const { item: before } of had) {
      const after = stated.find((one) => isOnOne(one.item, before));
      superseded.push({ before, after: after && evidence.get(after.item) });
    }
  }
  return { evidence: [...evidence.values()], older, superseded, removed, news };
}

/** An opinion as a later version states it, with what was added to the earlier one since. */
function withAdded(item: Entity, before: Entity): Entity {
  const { content: _, valence: _valence, weight: _weight, published_by: _by, ...added } = before;
  return { ...added, ...item };
}

function opinionOf(item: Entity): Opinion[] {
  const [, statement, object, version, creator] = OPINION.exec(item.id) ?? [];
  if (statement === undefined) return [];
  return [
    {
      item,
      object: object!,
      creator: creator!,
      version: version === undefined ? NaN : parseInt(version, 36),
    },
  ];
}

const objectKey = ({ object, creator }: Opinion) => `${object} ${creator}`;
const isOnOne = (one: Entity, other: Entity) =>
  one['claim_id'] === other['claim_id'] && one.id.split('.', 1)[0] === other.id.split('.', 1)[0];

/** Lists without some claims and evidence, what is on them, and sources and subjects of them alone. Pure. */
export function apartFromClaims(lists: ItemLists, ids: ReadonlySet<string>): ItemLists {
  if (ids.size === 0) return lists;
  const { claims = [], evidence = [] } = lists;
  const named = (ones: readonly Entity[]) =>
    new Set(ones.flatMap((one) => [one['actor_id'], one['subject_id']]));
  const kept = claims.filter(({ id }) => !ids.has(id));
  const [gone, needed] = [named(claims.filter(({ id }) => ids.has(id))), named(kept)];
  const isNamed = ({ id }: Entity) => needed.has(id) || !gone.has(id);
  const left = {
    ...lists,
    actors: (lists['actors'] ?? []).filter(isNamed),
    subjects: (lists['subjects'] ?? []).filter(isNamed),
    claims: kept,
    evidence: evidence.filter((item) => !ids.has(String(item['claim_id'])) && !ids.has(item.id)),
  };
  return Object.fromEntries(Object.entries(left).filter(([, list]) => list.length > 0));
}

/** Lists with the claims that a file supersedes, as they are then, and their marks. Pure. */
export function withSuperseded(lists: ItemLists, superseded: readonly Superseded[]): ItemLists {
  if (superseded.length === 0) return lists;
  const { claims = [], evidence = [] } = lists;
  return {
    ...lists,
    claims: [...claims, ...superseded.flatMap((one) => one.claims)],
    evidence: [...evidence, ...superseded.flatMap((one) => one.marks)],
  };
}

/** Objects whose superseded claims are named; of the others the number is told. */
const OBJECTS_NAMED = 5;

/** What the person who imports a file should know of what its later versions take away. Pure. */
export function versionWords(
  {
    superseded,
    otherVoices,
    withdrawn,
    opinions,
    sources,
  }: Pick<Versions, 'superseded' | 'otherVoices' | 'withdrawn' | 'opinions'> & {
    readonly sources: readonly KnownSource[];
  },
  quote = quoted,
): string[] {
  const words = superseded.slice(0, OBJECTS_NAMED).map(({ object, claims }) => {
    const named = firstOf(claims, (claim) => quote(nameOf(claim) || claim.id));
    return `${ofEarlier(claims.length)} of ${object} ${claims.length === 1 ? 'is' : 'are'} superseded by the file and retracted: ${named}.`;
  });
  const others = superseded.slice(OBJECTS_NAMED);
  const more = others.reduce((sum, { claims }) => sum + claims.length, 0);
  if (more > 0)
    words.push(
      `${ofEarlier(more)} of ${others.length} more ${others.length === 1 ? 'object' : 'objects'} ${more === 1 ? 'is' : 'are'} superseded by the file and retracted.`,
    );
  if (otherVoices.length > 0) {
    const named = firstOf(
      otherVoices,
      ({ object, name, creator }) => `${quote(name)} states ${object} of ${quote(creator)}`,
    );
    words.push(
      `What others state under the id of an object counts besides what its creator states: ${named}.`,
    );
  }
  if (withdrawn.length > 0) {
    const named = firstOf(
      withdrawn,
      ({ grade, claim }) => `${quote(nameOf(grade))} on ${quote(nameOf(claim))}`,
    );
    const [count, are] = withdrawn.length === 1 ? ['1 grade', 'is'] : [`${withdrawn.length} grades`, 'are'];
    words.push(`${count} that the later version does not state ${are} removed: ${named}.`);
  }
  return [...nameWords(sources, quote), ...words, ...opinionWords(opinions, quote)];
}

/** What a later version of opinions changes of those that are there. */
function opinionWords(opinions: Versions['opinions'], quote: typeof quoted): string[] {
  const changed = opinions.flatMap(({ before, after }) => {
    if (after === undefined) return [`${quote(nameOf(before))} is removed`];
    const changes = changesOf(before, after, fieldsOf('evidence'));
    return changes.length === 0 ? [] : [`${quote(nameOf(before))}: ${changesWords(changes, quote)}`];
  });
  if (changed.length === 0) return [];
  const one = changed.length === 1;
  return [
    `${changed.length} ${one ? 'opinion' : 'opinions'} of an earlier version ${one ? 'is' : 'are'} superseded by the file: ${firstOf(changed, (words) => words, '; ')}.`,
  ];
}

const ofEarlier = (claims: number) => `${claims} ${claims === 1 ? 'claim' : 'claims'} of an earlier version`;

const GRADED = / \(reliability [A-F]\)$/;

/** Reads what the ids of claims say, whose sources are in the lists. */
const ofObject = ({ actors = [] }: ItemLists) => {
  const names = new Map(actors.map((actor) => [actor.id, nameOf(actor).replace(GRADED, '')]));
  return (claim: Entity): OfObject[] => {
    const [, statement, object, isOfNames, stamp, namer, creator] = ID.exec(claim.id) ?? [];
    if (statement === undefined) return [];
    const time = stamp === undefined ? NaN : parseInt(stamp, 36);
    const isOwn = stamp !== undefined && isOfNames === undefined;
    const version = isOwn ? time : Date.parse(String(claim['assertion_time']));
    const producer = names.get(String(claim['actor_id'])) ?? '';
    const named = isOfNames === undefined ? version : time;
    return [{ claim, statement, object, creator, producer, version, named, namer }];
  };
};

/** Whether two claims are of one creator: sources of one name are one, whatever id each file gives them. */
const isOneVoice = (one: OfObject, other: OfObject) =>
  one.creator === undefined ||
  other.creator === undefined ||
  one.creator === other.creator ||
  nameKey(one.producer) === nameKey(other.producer);

/** Whether one creator says the same of an object: ids of MISP are by the first name of their source. */
const isRestated = (one: OfObject, other: OfObject) =>
  one.creator !== undefined &&
  one.creator === other.creator &&
  ['subject_id', 'predicate', 'value'].every((field) => one.claim[field] === other.claim[field]);

/** Only the creator of what a claim names gives it another name (ADR 0150). */
function compareNames(stated: readonly OfObject[], had: readonly OfObject[]): Names {
  const now = stated[0]?.namer;
  const before = had.filter(({ claim }) => !isOver(claim)).flatMap(({ namer }) => namer ?? []);
  if (now === undefined || before.length === 0 || before.includes(now)) return 'as before';
  if (!isUnnamed(now)) return before.every(isUnnamed) ? 'found' : 'others';
  return stated.every(({ claim }) => isOver(claim))
    ? 'as before'
    : before.every(isUnnamed)
      ? 'others'
      : 'lost';
}

const isUnnamed = (namer: string) => namer.startsWith('un-');

const MARK = /^superseded-/;
/** The id of what marks a claim as superseded by an import. */
const markId = (claimId: string) => `superseded-${claimId.slice(5, 21)}${CREATOR.exec(claimId)![0]}`;

function grouped<One>(
  list: readonly One[],
  keyOf: (one: One) => string,
): ReadonlyMap<string, readonly One[]> {
  const groups = new Map<string, One[]>();
  for (const one of list) {
    const group = groups.get(keyOf(one));
    if (group === undefined) groups.set(keyOf(one), [one]);
    else group.push(one);
  }
  return groups;
}

/** The latest of the versions that are known; NaN where none is. */
function latestOf<One extends { readonly version: number }>(
  list: readonly One[],
  timeOf: (one: One) => number = ({ version }) => version,
): number {
  const known = list.map(timeOf).filter((time) => !Number.isNaN(time));
  return known.length === 0 ? NaN : known.reduce((one, other) => Math.max(one, other));
}

const isOver = ({ epistemic_status: status }: Entity) => status === 'retracted' || status === 'superseded';

/**
 * A claim as a later version states it. What was added to it since stays, and so does its status, but for
 * that of one which an import of another version had superseded.
 */
function inPlace(present: Entity, stated: Entity, wasSuperseded: boolean): Entity {
  const status =
    stated['epistemic_status'] ??
    (wasSuperseded && isOver(present) ? undefined : present['epistemic_status']);
  // A link weighs nothing, and nobody can tell whether someone added it.
  const url = stated['url'] ?? present['url'];
  const fields = STATED.map((field) => [field, field === 'url' ? url : stated[field]] as const);
  const item = { ...present, ...Object.fromEntries(fields), epistemic_status: status };
  return Object.fromEntries(Object.entries(item).filter(([, value]) => !isNothing(value))) as Entity;
}

function withIds(lists: ItemLists, idOf: (id: string) => string, there: ItemLists): ItemLists {
  const { claims = [], evidence = [] } = lists;
  const grades = (there['evidence'] ?? []).filter(({ id }) => GRADE.test(id));
  const gradeOn = new Map(grades.map(({ id, claim_id: on }) => [on, id]));
  return {
    ...lists,
    ...(claims.length > 0 && { claims: claims.map((claim) => ({ ...claim, id: idOf(claim.id) })) }),
    ...(evidence.length > 0 && {
      evidence: evidence.map((item) => {
        const placed = onClaim(item, idOf(String(item['claim_id'])));
        const id = GRADE.test(item.id) ? gradeOn.get(placed['claim_id']) : undefined;
        return id === undefined ? placed : { ...placed, id };
      }),
    }),
  };
}

/** Evidence on a claim that is there, with the creator in its id that is in the id of that claim. */
const onClaim = (item: Entity, claimId: string): Entity => {
  if (item['claim_id'] === claimId) return item;
  return { ...item, id: item.id.replace(CREATOR, CREATOR.exec(claimId)![0]), claim_id: claimId };
};
