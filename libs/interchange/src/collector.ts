import { createHash } from 'node:crypto';
import {
  checkInput,
  InvalidInvestigation,
  OBJECTS,
  validateShape,
  type ActorInput,
  type ClaimInput,
  type EvidenceInput,
  type InvestigationInput,
  type ObjectName,
  type SubjectInput,
} from '@platform/opinion-fusion';
import type { JsonObject } from './read-json.ts';
import { CLAIMS_MAX, LeftOutList, TextBudget, UnreadableFile, type Imported } from './imported.ts';

/** Length of names and statements that other formats leave open. UTF-16 code units. */
const TEXT_LENGTH_MAX = 20_000;

/** Kinds of what is not read that are named one by one. */
const UNREAD_KINDS_MAX = 150;
const OTHER_KINDS = '';
/** Characters of the name of a field in a path. */
const FIELD_LENGTH = 200;

/**
 * Gathers an investigation from a file in another format. Items get ids by their content, so that the same
 * file imported twice replaces what it brought and adds nothing.
 */
export class Collector {
  readonly leftOut = new LeftOutList();
  readonly #actors = new Map<string, ActorInput>();
  readonly #subjects = new Map<string, SubjectInput>();
  readonly #claims = new Map<string, ClaimInput>();
  readonly #evidence = new Map<string, EvidenceInput>();
  /** Claims and evidence as the file gives them, by the kind and the id, with their place. */
  readonly #given = new Map<string, { readonly item: object; readonly path: string }>();
  readonly #rated = new Map<string, number | null>();
  /** The sources that `gradedSource` made, by producer. */
  readonly #gradedOf = new Map<string, Set<string>>();
  readonly #budget = new TextBudget();
  /** What no reader reads, by what it is. */
  readonly #unread = new Map<string, { readonly path: string; readonly reason: string; more: number }>();

  /** Adds a source and returns its id; one of the same id, which its name makes unless given, is the same. */
  actor(name: string, sourceType: string, id = actorId(name)): string {
    if (this.#actors.has(id)) return id;
    this.#budget.take([cut(name)]);
    this.#actors.set(id, { id, name: cut(name), source_type: sourceType });
    return id;
  }

  /**
   * Notes the fields of an object that are not among those `read`, nor among those that carry nothing.
   * `kind` is what the object is; `fieldOf` gives the plain name of a field.
   */
  unread(
    kind: string,
    object: JsonObject,
    path: string,
    { read, fieldOf = (key) => key }: { read: readonly string[]; fieldOf?: (key: string) => string },
  ): void {
    for (const [key, value] of Object.entries(object))
      if (!read.includes(fieldOf(key)))
        this.unreadValue(`${kind} ${fieldOf(key)}`, value, `${path}.${key.slice(0, FIELD_LENGTH)}`);
  }

  /** Notes a value that is not taken: of several of one kind the first is named, and the rest is counted. */
  unreadValue(kind: string, value: unknown, path: string, reason = 'is not read'): void {
    if (isEmpty(value)) return;
    const first = this.#unread.get(kind);
    if (first !== undefined) first.more += 1;
    else if (this.#unread.size < UNREAD_KINDS_MAX || kind === OTHER_KINDS)
      this.#unread.set(kind, { path, reason, more: 0 });
    else this.unreadValue(OTHER_KINDS, value, path);
  }

  /**
   * The id of the source for a statement with a grade of its own, `value` as `reliability` takes it: the
   * producer where that has the same one, else a source that repeats it, so that the two count as one and no
   * statement changes the grade of another.
   */
  gradedSource(
    producerId: string,
    { letter, value }: { readonly letter: string; readonly value: number | null },
    path: string,
  ): string {
    const producer = this.#actors.get(producerId)!;
    if (this.#rated.get(producerId) === value) return producerId;
    const id = this.actor(`${producer.name} (reliability ${letter.toUpperCase()})`, producer.source_type);
    this.#actors.set(id, { ...this.#actors.get(id)!, depends_on: [producerId] });
    this.#gradedOf.set(producerId, (this.#gradedOf.get(producerId) ?? new Set()).add(id));
    this.reliability(id, value, path);
    return id;
  }

  /**
   * States how reliable a source is, in [0, 1]; null says that nobody can judge it, and states nothing. What
   * is said first stands.
   */
  reliability(actorId: string, value: number | null, path: string): void {
    const before = this.#rated.get(actorId);
    if (before === value) return;
    const actor = this.#actors.get(actorId)!;
    if (before !== undefined)
      return this.leftOut.add(
        path,
        `reliability ${value ?? 'F'}: that of ${actor.name} is ${before ?? 'F'} already, which stands`,
      );
    this.#rated.set(actorId, value);
    if (value === null)
      this.leftOut.add(path, `reliability F: that of ${actor.name} cannot be judged, so that none is stated`);
    else this.#actors.set(actorId, { ...actor, base_reliability: value });
  }

  /** Adds a subject and returns its id; one of the same name and type is the same. */
  subject(name: string, subjectType: string): string {
    const id = subjectId(name, subjectType);
    if (this.#subjects.has(id)) return id;
    this.#budget.take([cut(name)]);
    this.#subjects.set(id, { id, name: cut(name), subject_type: subjectType });
    return id;
  }

  /**
   * The id of a claim that no other one has: its own, or, where a claim that differs has it already, one by
   * all that it says.
   */
  ownId(claim: ClaimInput): string {
    const before = this.#given.get(`claim ${claim.id}`);
    if (before === undefined || differing(claim, before.item).length === 0) return claim.id;
    return idOf(claim.id.replace(/-.*/, ''), JSON.stringify(claim));
  }

  /**
   * Adds a claim. One whose id is there already is the same: the first stands, and what of another differs is
   * named. Optional fields that the contract does not take are left out, each with its reason. Returns
   * whether the claim was taken. Throws UnreadableFile beyond CLAIMS_MAX and the budget of texts.
   */
  claim(claim: ClaimInput, path: string): boolean {
    this.#budget.take(Object.values(claim));
    if (this.#isThere('claim', claim, path)) return this.#claims.has(claim.id);
    const taken = this.#checked('ClaimInput', claim, path);
    if (taken === null) return false;
    if (this.#claims.size >= CLAIMS_MAX)
      throw new UnreadableFile(`the file holds more than ${CLAIMS_MAX} claims: send it in parts`);
    this.#claims.set(claim.id, taken);
    return true;
  }

  /** Adds an item of evidence as `claim` adds claims. */
  evidence(item: EvidenceInput, path: string): boolean {
    this.#budget.take(Object.values(item));
    if (this.#isThere('evidence', item, path)) return this.#evidence.has(item.id);
    const taken = this.#checked('EvidenceInput', item, path);
    if (taken === null) return false;
    if (this.#evidence.size >= CLAIMS_MAX)
      throw new UnreadableFile(`the file holds more than ${CLAIMS_MAX} items of evidence: send it in parts`);
    this.#evidence.set(item.id, taken);
    return true;
  }

  /**
   * The investigation. Throws UnreadableFile where nothing of it is left; `expected` says what there was to
   * be.
   */
  done(question: string, expected: string): Imported {
    if (this.#claims.size === 0 && this.#evidence.size === 0) {
      const first = this.leftOut.list[0];
      throw new UnreadableFile(
        `the file holds no ${expected}${first === undefined ? '' : `: ${first.path}: ${first.reason}`}`,
      );
    }
    for (const { path, reason, more } of this.#unread.values())
      this.leftOut.add(path, more === 0 ? reason : `${reason}, here and in ${more} more of its kind`);
    this.#gradeWholeProducers();
    const payload: InvestigationInput = {
      research_question: question,
      actors: [...this.#actors.values()],
      subjects: [...this.#subjects.values()],
      claims: [...this.#claims.values()],
      ...(this.#evidence.size > 0 && { evidence: [...this.#evidence.values()] }),
    };
    const { problems } = checkInput(payload);
    if (problems.length > 0) throw new UnreadableFile(`${problems[0]!.path}: ${problems[0]!.message}`);
    return { payload, leftOut: this.leftOut.list, leftOutTotal: this.leftOut.total };
  }

  /** A grade that all statements of a producer have, which has none itself, is the producer's. */
  #gradeWholeProducers(): void {
    const speaking = new Set(Array.from(this.#claims.values(), ({ actor_id: id }) => id));
    for (const [producerId, [gradedId, ...others]] of this.#gradedOf) {
      if (others.length > 0 || speaking.has(producerId) || this.#rated.has(producerId)) continue;
      const { base_reliability: reliability } = this.#actors.get(gradedId!)!;
      if (reliability === undefined) continue;
      this.#actors.set(producerId, { ...this.#actors.get(producerId)!, base_reliability: reliability });
      this.#actors.delete(gradedId!);
      for (const [id, claim] of this.#claims)
        if (claim.actor_id === gradedId) this.#claims.set(id, { ...claim, actor_id: producerId });
    }
  }

  /** Whether an item with the id was given before, from which it names what differs. */
  #isThere(kind: string, item: { readonly id: string }, path: string): boolean {
    const key = `${kind} ${item.id}`;
    const before = this.#given.get(key);
    if (before === undefined) this.#given.set(key, { item, path });
    else {
      const fields = differing(item, before.item);
      if (fields.length > 0)
        this.leftOut.add(path, `is the same ${kind} as ${before.path}, whose ${fields.join(', ')} stands`);
    }
    return before !== undefined;
  }

  #checked<T extends object>(name: ObjectName, item: T, path: string): T | null {
    const given = Object.fromEntries(Object.entries(item).filter(([, value]) => value !== undefined));
    try {
      validateShape(name, given, '');
      return given as T;
    } catch (error) {
      if (!(error instanceof InvalidInvestigation)) throw error;
      for (const { path: at, message } of error.problems) {
        const field = /^\w+/.exec(at)?.[0] ?? '';
        if (OBJECTS[name][field]?.required !== false) {
          this.leftOut.add(path, `${at} ${message}`);
          return null;
        }
        delete given[field];
        this.leftOut.add(`${path}: ${at}`, message);
      }
      return this.#checked(name, given as T, path);
    }
  }
}

/** The fields in which two items differ. */
function differing(one: object, other: object): string[] {
  const [a, b] = [new Map(Object.entries(one)), new Map(Object.entries(other))] as [
    Map<string, unknown>,
    Map<string, unknown>,
  ];
  return [...new Set([...a.keys(), ...b.keys()])].filter((key) => a.get(key) !== b.get(key));
}

/** An id by content: the kind and 16 hexadecimal digits. */
export function idOf(kind: string, content: string): string {
  return `${kind}-${createHash('sha256').update(`${kind}\n${content}`).digest('hex').slice(0, 16)}`;
}

/** Ids of objects that stand in the ids of their claims. */
const OBJECT_ID = /^[\w-]{1,100}$/;

/** The creator and version of the object of an item, which stand in its id (ADR 0142). */
export interface OfObject {
  readonly creator: string;
  /** The time of its version, where that is not the time of the claim. */
  readonly version?: unknown;
  /** When the names of a statement were given, where that was later than its version. */
  readonly named?: string | undefined;
  /** Who created each of the objects that a statement names; null for one that the file does not have. */
  readonly namers?: readonly (string | null)[];
}

/** Parts of an id; none for an object whose id is no plain text. */
function objectParts(objectId: string, { creator, version, named, namers = [] }: OfObject): string[] {
  if (!OBJECT_ID.test(objectId)) return [];
  const time = Date.parse(String(named ?? version));
  const stamp = time > 0 ? [`${named === undefined ? '' : 'n-'}${time.toString(36)}`] : [];
  const by = namers.length === 0 ? [] : [short(namers.includes(null) ? 'un' : 'of', JSON.stringify(namers))];
  return [objectId, ...stamp, ...by, short('by', creator)];
}

const short = (kind: string, content: string) => idOf(kind, content).slice(0, kind.length + 1 + 8);

/**
 * The id of a claim of an object that has versions, by which a later one of its creator finds what an
 * earlier one stated: `statementId` is by the object and what the claim is about.
 */
export const claimIdOf = (statementId: string, objectId: string, of: OfObject): string =>
  [statementId, ...objectParts(objectId, of)].join('.');

const CREATOR = /(?:\.by-[0-9a-f]{8})?$/;

/** The id of an item of evidence on a claim, which all versions of its object by one creator share. */
export const evidenceIdOf = (kind: string, claimId: string, more = '') =>
  `${idOf(kind, statementOf(claimId) + more)}${CREATOR.exec(claimId)![0]}`;

/** The id of an opinion on a claim, which is an object with versions itself. */
export const opinionIdOf = (claimId: string, objectId: string, of: OfObject) =>
  [idOf('opinion', `${objectId}\n${statementOf(claimId)}`), ...objectParts(objectId, of)].join('.') +
  CREATOR.exec(claimId)![0];

const statementOf = (claimId: string) => claimId.split('.', 1)[0]!;

/**
 * A name in the id by content of its item, in any case and with any spaces. It stays as it is: what was
 * imported with these ids is found by them, and so ß and SS have two, which imports warn of.
 */
const foldName = (name: string) => name.normalize('NFKC').toLowerCase().replace(/\s+/g, ' ').trim();

/** The id of a source with a name of its own, and of a subject. */
export const actorId = (name: string) => idOf('actor', foldName(name));
export const subjectId = (name: string, subjectType: string) =>
  idOf(
    'subject',
    `${subjectType}\n${subjectType === 'statement' ? asStatement(foldName(name)) : foldName(name)}`,
  );

const QUOTED = /^(?:"([^"]*)"|“([^“”]*)”|«([^«»]*)»|„([^„“”]*)[“”])\.?$/u;

/** A statement is the same with its full stop and without it, and so with quotation marks around it. */
const asStatement = (text: string) =>
  text
    .replace(QUOTED, '$1$2$3$4')
    .trim()
    .replace(/(?<=[\p{L}\p{N})%])$/u, '.');

/** Whether a value says nothing. */
function isEmpty(value: unknown): boolean {
  if (typeof value === 'object' && value !== null) return Object.values(value).every(isEmpty);
  return value === null || value === undefined || value === '';
}

const cut = (text: string) => text.slice(0, TEXT_LENGTH_MAX);
