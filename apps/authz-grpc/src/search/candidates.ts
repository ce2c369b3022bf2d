import { invalidField } from '@platform/error-contracts';
import { isUuid } from '../ids.ts';
import type { Resource } from '../model/resource.ts';
import { behindText, compareTexts, type Range } from '../policy/ranges.ts';
import { respelledUuid, USER_ATTRIBUTE_PREFIX } from '../policy/check-context.ts';
import type { KnownSubject } from '../store/subject-store.ts';
import type { Stores } from '../store/stores.ts';

/** What a search may list. */
export interface Candidate {
  /** Its place in the order of the search; unlike any other's. */
  readonly key: string;
  readonly name: string;
  /** What a check of it says besides its name. */
  readonly attributes: Iterable<readonly [string, string | readonly string[]]>;
}

/** Ranges looked through by one statement: at first, and at most. */
const WIDTH = 16;
const WIDTH_MAX = 256;
/** Rows that one statement may take together, and at most in one batch. */
const ROWS_MAX = 20_000;
const BATCH_MAX = 2_000;
const BATCH_MIN = 64;

/** The registered resources in the ranges, in order. A dense range is walked alone, sparse ones together. */
export async function* registeredResources(
  { resources }: Pick<Stores, 'resources'>,
  domainId: string,
  ranges: readonly Range[],
  first: number,
): AsyncGenerator<readonly Candidate[]> {
  let width = WIDTH;
  let wanted = Math.max(first, BATCH_MIN);
  for (let rest = ranges; rest.length > 0;) {
    const limit = Math.max(BATCH_MIN, Math.min(wanted, Math.floor(ROWS_MAX / width)));
    const rows = await resources.list(domainId, rest.slice(0, width), limit);
    if (rows.length > 0) yield rows.map(resourceCandidate);
    if (rows.length < limit) {
      rest = rest.slice(width);
      width = Math.min(width * 4, WIDTH_MAX);
    } else {
      rest = behindText(rest, (rows.at(-1) as Resource).object);
      width = Math.max(1, width >> 2);
    }
    wanted = Math.min(wanted * 2, BATCH_MAX);
  }
}

/** The resources of a request behind the key, in order. */
export async function* givenResources(
  given: readonly Resource[],
  after: string | null,
): AsyncGenerator<readonly Candidate[]> {
  yield inOrder(given.map(resourceCandidate), after);
}

/** Names behind the key that a check takes, in order, each once. */
export async function* namesInOrder(
  names: Iterable<string>,
  after: string | null,
): AsyncGenerator<readonly Candidate[]> {
  yield inOrder(
    [...new Set(names)].filter(isName).map((name) => ({ key: name, name, attributes: [] })),
    after,
  );
}

/** Whether checks take the text for a subject or an action. */
function isName(text: string): boolean {
  return text !== '' && text.isWellFormed() && !text.includes('\0');
}

/** The names that checks refuse as other spellings of the ids of members, each with the id. */
export async function misspelledMembers(
  { subjects }: Pick<Stores, 'subjects'>,
  tenantId: string,
  names: Iterable<string>,
): Promise<ReadonlyMap<string, string>> {
  const spelled = new Map<string, string>();
  for (const name of names) {
    const id = respelledUuid(name);
    if (id !== null) spelled.set(name, id);
  }
  if (spelled.size === 0) return spelled;
  const known = await subjects.findKnown(tenantId, [...new Set(spelled.values())]);
  const members = new Set(known.flatMap(({ id, isMember }) => (isMember ? [id] : [])));
  return new Map([...spelled].filter(([, id]) => members.has(id)));
}

/**
 * The subjects of a request behind the key, in order, with the attributes that checks join. Throws
 * INVALID_ARGUMENT.
 */
export async function* givenSubjects(
  { subjects }: Pick<Stores, 'subjects'>,
  tenantId: string,
  given: readonly string[],
  after: string | null,
): AsyncGenerator<readonly Candidate[]> {
  for (const [name, id] of await misspelledMembers({ subjects }, tenantId, given)) {
    const field = `subjects[${given.indexOf(name)}]`;
    throw invalidField(field, `must be spelled \`${id}\``);
  }
  const known = await subjects.findKnown(tenantId, given.filter(isUuid));
  const members = new Map(known.map((subject) => [subject.id, subject]));
  yield inOrder(
    Array.from(new Set(given), (name) => ({
      key: name,
      name,
      attributes: attributesOf(members.get(name)?.attributes),
    })),
    after,
  );
}

function inOrder(candidates: readonly Candidate[], after: string | null): readonly Candidate[] {
  return candidates
    .filter(({ key }) => after === null || compareTexts(key, after) > 0)
    .sort((a, b) => compareTexts(a.key, b.key));
}

function resourceCandidate({ object, attributes }: Resource): Candidate {
  return { key: object, name: object, attributes };
}

function attributesOf(attributes: KnownSubject['attributes'] = new Map()): Candidate['attributes'] {
  return Array.from(attributes, ([key, values]) => [USER_ATTRIBUTE_PREFIX + key, values] as const);
}

/** Keys of names that are not ids come before ids, of users and service accounts or of no one. */
const NAME = 'n';
const ID = 't';

/**
 * Subjects behind the key: those that policies name, without inactive users and service accounts and without
 * spellings of ids that checks refuse, and the tenant's active ones. An id has one place whether a policy
 * names it or the tenant has it, so that a page neither misses nor doubles it when that changes.
 */
export async function* knownSubjects(
  { subjects }: Pick<Stores, 'subjects'>,
  tenantId: string,
  named: ReadonlySet<string>,
  after: string | null,
): AsyncGenerator<readonly Candidate[]> {
  if (after === null || after.startsWith(NAME)) {
    const misspelled = await misspelledMembers({ subjects }, tenantId, named);
    yield inOrder(
      [...named]
        .filter((name) => isName(name) && !isUuid(name) && !misspelled.has(name))
        .map((name) => ({ key: NAME + name, name, attributes: [] })),
      after,
    );
  }
  const from = after !== null && after.startsWith(ID) ? after : null;
  const ids = [...named].filter(isUuid);
  const known = await subjects.findKnown(tenantId, ids);
  const inactive = new Set(known.flatMap(({ id, active }) => (active ? [] : [id])));
  let rest = inOrder(
    ids.filter((id) => !inactive.has(id)).map((id) => ({ key: ID + id, name: id, attributes: [] })),
    from,
  );
  let last = from?.slice(ID.length) ?? null;
  for (let size = BATCH_MAX; size === BATCH_MAX;) {
    const members = await subjects.listActive(tenantId, last, BATCH_MAX);
    size = members.length;
    last = members.at(-1)?.id ?? null;
    const end = size === BATCH_MAX ? ID + last : null;
    const isDue = ({ key }: Candidate) => end === null || compareTexts(key, end) <= 0;
    const due = new Map(rest.filter(isDue).map((candidate) => [candidate.key, candidate]));
    rest = rest.filter((candidate) => !isDue(candidate));
    // Those of the tenant are decided with their attributes.
    for (const { id, attributes } of members)
      due.set(ID + id, { key: ID + id, name: id, attributes: attributesOf(attributes) });
    yield inOrder([...due.values()], null);
  }
}
