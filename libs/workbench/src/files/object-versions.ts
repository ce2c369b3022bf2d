import { nameOf, type Entity } from '../edit/kinds.ts';
import { isGradeAsRead } from './admiralty.ts';
import { isNothing } from './field-values.ts';
import type { ItemLists } from './item-lists.ts';
import { firstOf, quoted } from './replaced-items.ts';

/**
 * The ids that readers give to claims of an object which has versions: a digest of the object and of what the
 * claim is about, the object, and its version where that is not the time of the claim. Earlier imports made
 * ids of the digest alone.
 */
const ID = /^((?:stix|misp)-[0-9a-f]{16})(?:\.([\w-]+)(?:\.([0-9a-z]+))?)?$/;
const GRADE = /^credibility-[0-9a-f]{16}$/;

/** Fields that a version of an object states of its claims; others were added to them since. */
const STATED = ['actor_id', 'content', 'assertion_time', 'event_start_time', 'event_end_time', 'url'];

/** A claim of an object that has versions. */
interface OfObject {
  readonly claim: Entity;
  readonly statement: string;
  readonly object: string | undefined;
  /** NaN where nothing says it. */
  readonly version: number;
}

/** Claims that a file supersedes by a later version of their object. */
export interface Superseded {
  readonly object: string;
  /** As they are then: retracted. */
  readonly claims: readonly Entity[];
}

/** A file beside the investigation that it is merged into, by the versions of its objects. Pure. */
export interface Versions {
  /** The items of the file, by the ids that are there, without those of earlier versions. */
  readonly read: ItemLists;
  /** Claims of earlier versions that are left out, with their object. */
  readonly older: readonly { readonly claim: Entity; readonly object: string }[];
  /** Claims and grades as a later version states them, which take the place of those that are there. */
  readonly later: ReadonlyMap<string, Entity>;
  /** All claims of the file that are of a later version. */
  readonly news: ReadonlySet<string>;
  readonly superseded: readonly Superseded[];
  /** Grades that the later version does not state any more. */
  readonly withdrawn: readonly Withdrawn[];
  /** Those of them that someone has edited since, which stay. */
  readonly edited: readonly Withdrawn[];
}

/** A grade and what it is on. */
interface Withdrawn {
  readonly grade: Entity;
  readonly claim: Entity;
}

/**
 * Compares the versions of the objects of STIX and MISP in a file with those that earlier imports brought: a
 * later one supersedes an earlier one whole, and an earlier one is left out (ADR 0142). Of the same version,
 * or of one that nothing tells, nothing is superseded. Pure.
 */
export function compareVersions(inFile: ItemLists, there: ItemLists): Versions {
  const claimsThere = (there['claims'] ?? []).flatMap(ofObject);
  const byStatement = new Map(claimsThere.map((one) => [one.statement, one]));
  const idThere = (id: string) => byStatement.get(statementOf(id))?.claim.id ?? id;
  const read = claimsThere.length === 0 ? inFile : withIds(inFile, idThere);
  const given = (inFile['claims'] ?? []).flatMap(ofObject);
  const objects = new Map(given.map(({ statement, object }) => [statement, object ?? statement]));
  const before = byObject(claimsThere, objects);
  const readClaims = new Map((read['claims'] ?? []).map((claim) => [claim.id, claim]));
  const older: Versions['older'][number][] = [];
  const later = new Map<string, Entity>();
  const news = new Set<string>();
  const superseded: Superseded[] = [];
  for (const [object, stated] of byObject(given, objects)) {
    const had = before.get(object) ?? [];
    const [was, is] = [latestOf(had), latestOf(stated)];
    if (is < was)
      for (const { claim } of stated) older.push({ claim: readClaims.get(idThere(claim.id))!, object });
    if (!(is > was)) continue;
    for (const { claim, statement } of stated) {
      const old = byStatement.get(statement);
      const id = idThere(claim.id);
      news.add(id);
      if (old) later.set(id, inPlace(old.claim, readClaims.get(id)!, old.version < was));
    }
    const claims = had
      .filter(({ claim }) => !news.has(claim.id) && !isOver(claim))
      .map(({ claim }) => ({ ...claim, epistemic_status: 'retracted' }));
    if (claims.length > 0) superseded.push({ object, claims });
  }
  const isGrade = ({ id, claim_id: of }: Entity) => GRADE.test(id) && later.has(String(of));
  const stated = new Map((read['evidence'] ?? []).filter(isGrade).map((grade) => [grade.id, grade]));
  const present = (there['evidence'] ?? []).filter(isGrade);
  const edited = new Set(present.filter((grade) => !isGradeAsRead(grade)));
  const grades = [...stated].filter(([id]) => ![...edited].some((grade) => grade.id === id));
  const unstated = present
    .filter(({ id }) => !stated.has(id))
    .map((grade) => ({ grade, claim: later.get(String(grade['claim_id']))! }));
  return {
    read: apartFromClaims(read, new Set(older.map(({ claim }) => claim.id))),
    older,
    later: new Map([...later, ...grades]),
    news,
    superseded,
    withdrawn: unstated.filter(({ grade }) => !edited.has(grade)),
    edited: unstated.filter(({ grade }) => edited.has(grade)),
  };
}

/** Lists without some claims, the evidence on them, and sources and subjects that they alone name. Pure. */
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
    evidence: evidence.filter((item) => !ids.has(String(item['claim_id']))),
  };
  return Object.fromEntries(Object.entries(left).filter(([, list]) => list.length > 0));
}

/** Lists with the claims that a file supersedes, as they are then. Pure. */
export function withSuperseded(lists: ItemLists, superseded: readonly Superseded[]): ItemLists {
  const claims = superseded.flatMap((one) => one.claims);
  return claims.length === 0 ? lists : { ...lists, claims: [...(lists['claims'] ?? []), ...claims] };
}

/** Objects whose superseded claims are named; of the others the number is told. */
const OBJECTS_NAMED = 5;

/** What the person who imports a file should know of what its later versions take away. Pure. */
export function versionWords(
  { superseded, withdrawn }: Pick<Versions, 'superseded' | 'withdrawn'>,
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
  if (withdrawn.length > 0) {
    const named = firstOf(
      withdrawn,
      ({ grade, claim }) => `${quote(nameOf(grade))} on ${quote(nameOf(claim))}`,
    );
    const [count, are] = withdrawn.length === 1 ? ['1 grade', 'is'] : [`${withdrawn.length} grades`, 'are'];
    words.push(`${count} that the later version does not state ${are} removed: ${named}.`);
  }
  return words;
}

const ofEarlier = (claims: number) => `${claims} ${claims === 1 ? 'claim' : 'claims'} of an earlier version`;

function ofObject(claim: Entity): OfObject[] {
  const [, statement, object, version] = ID.exec(claim.id) ?? [];
  if (statement === undefined) return [];
  const time = version === undefined ? Date.parse(String(claim['assertion_time'])) : parseInt(version, 36);
  return [{ claim, statement, object, version: time }];
}

const statementOf = (id: string) => ID.exec(id)?.[1] ?? id;

/** Claims by their object, which `objects` gives by statement where the id of a claim names none. */
function byObject(claims: readonly OfObject[], objects: ReadonlyMap<string, string>) {
  const groups = new Map<string, OfObject[]>();
  for (const one of claims) {
    const object = one.object ?? objects.get(one.statement) ?? one.statement;
    const group = groups.get(object);
    if (group === undefined) groups.set(object, [one]);
    else group.push(one);
  }
  return groups;
}

/** The latest of the versions that are known; NaN where none is. */
function latestOf(claims: readonly OfObject[]): number {
  const known = claims.map(({ version }) => version).filter((version) => !Number.isNaN(version));
  return known.length === 0 ? NaN : known.reduce((one, other) => Math.max(one, other));
}

const isOver = ({ epistemic_status: status }: Entity) => status === 'retracted' || status === 'superseded';

/**
 * A claim as a later version states it. What was added to it since stays, and so does its status, but for
 * that of one which an earlier version had superseded.
 */
function inPlace(present: Entity, stated: Entity, wasSuperseded: boolean): Entity {
  const status =
    stated['epistemic_status'] ??
    (wasSuperseded && isOver(present) ? undefined : present['epistemic_status']);
  const fields = STATED.map((field) => [field, stated[field]] as const);
  const item = { ...present, ...Object.fromEntries(fields), epistemic_status: status };
  return Object.fromEntries(Object.entries(item).filter(([, value]) => !isNothing(value))) as Entity;
}

function withIds(lists: ItemLists, idOf: (id: string) => string): ItemLists {
  const { claims = [], evidence = [] } = lists;
  return {
    ...lists,
    ...(claims.length > 0 && { claims: claims.map((claim) => ({ ...claim, id: idOf(claim.id) })) }),
    ...(evidence.length > 0 && {
      evidence: evidence.map((item) => ({ ...item, claim_id: idOf(String(item['claim_id'])) })),
    }),
  };
}
