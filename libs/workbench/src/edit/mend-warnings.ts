import { caseFolded, toldWarning, type InvestigationInput, type ToldWarning } from '@platform/opinion-fusion';
import { counted, plain, shortened } from '@platform/viewer/browser';
import { isSame, type ItemEdit } from './edits.ts';
import { KINDS, nameOf, REFERENCES, type Entity } from './kinds.ts';
import { itemsOf, placesOf } from './payload-change.ts';

/** What ends some warnings of claims or sources that repeat one another, or of sources that changed. */
export interface WarningMend {
  /** What its button says. */
  readonly label: string;
  /** What was done, as the line that offers to undo it says it. */
  readonly done: string;
  /** Worked out when it is asked for. */
  readonly items: () => readonly Omit<ItemEdit, 'before'>[];
}

type Repeat = Extract<ToldWarning, { kind: 'repeat' }>;
type Change = Extract<ToldWarning, { kind: 'contradicts_itself' }>;
type SharedOrigin = Extract<ToldWarning, { kind: 'shared_origin' }>;

/** Fields in which a claim and its repetition are the same. */
const SAID = [
  'actor_id',
  'subject_id',
  'target_claim_id',
  'predicate',
  'value',
  'valence',
  'scope',
  'event_start_time',
  'event_end_time',
];
const NAME_LENGTH = 40;

/**
 * What mends warnings of one kind, of the investigation as it was judged, in the investigation as it stands:
 * of repeated claims one is kept, of sources that share what they say the later ones repeat the first, of a
 * source that changed what it says the last claim replaces the earlier ones. Null where nothing is left to
 * mend: another kind of warning, or what it is about was changed since. Pure.
 */
export function mendWarnings(
  sentences: readonly string[],
  judged: InvestigationInput,
  now: InvestigationInput,
): WarningMend | null {
  const told = sentences.flatMap((sentence) => toldWarning(sentence) ?? []);
  const repeats = told
    .filter((one) => one.kind === 'repeat')
    .filter(({ claim, kept }) => isAsJudged([claim, kept], judged, now));
  if (repeats.length > 0) return withoutRepeats(repeats, now);
  const changes = told
    .filter((one) => one.kind === 'contradicts_itself')
    .filter(({ claims }) => isAsJudged(claims, judged, now, [...SAID, 'assertion_time']));
  if (changes.length > 0) return withUpdates(changes, now);
  return withDependence(
    told.filter((one) => one.kind === 'shared_origin'),
    now,
  );
}

const find = (payload: object, kind: string, id: string): Entity | undefined =>
  itemsOf(payload, kind)[placesOf(itemsOf(payload, kind)).get(id) ?? -1];

function isAsJudged(
  ids: readonly string[],
  judged: InvestigationInput,
  now: InvestigationInput,
  fields = SAID,
): boolean {
  return ids.every((id) => {
    const [was, is] = [find(judged, 'claims', id), find(now, 'claims', id)];
    return was !== undefined && is !== undefined && fields.every((field) => isSame(was[field], is[field]));
  });
}

function withoutRepeats(repeats: readonly Repeat[], now: InvestigationInput): WarningMend {
  const repeated = counted(repeats.length, 'repeat');
  return {
    label: repeats.length === 1 ? 'Remove the repeat' : `Keep one of each, remove ${repeated}`,
    done: `${repeated} removed`,
    items: () => removalOf(repeats, now),
  };
}

/** Removes the repetitions; what refers to one of them, or is replaced by it, is now the kept claim's. */
function removalOf(repeats: readonly Repeat[], now: InvestigationInput): Omit<ItemEdit, 'before'>[] {
  const keptOf = new Map(repeats.map(({ claim, kept }) => [claim, kept]));
  const removed = [...keptOf.keys()].map((id) => ({ kind: 'claims' as const, id, after: null }));
  const replacedBy = new Map<string, string[]>();
  for (const { claim, kept } of repeats)
    replacedBy.set(kept, [...(replacedBy.get(kept) ?? []), ...ownReplaced(claim, now)]);
  const changed = KINDS.flatMap(({ kind }) =>
    itemsOf(now, kind).flatMap((item) => {
      if (kind === 'claims' && keptOf.has(item.id)) return [];
      const moved = redirected(item, keptOf);
      const after = kind === 'claims' ? replacing(moved, replacedBy.get(item.id) ?? [], keptOf) : moved;
      return after === item ? [] : [{ kind, id: item.id, after }];
    }),
  );
  return [...removed, ...changed];
}

/** Ids of the claims of its own source that a claim replaces. */
function ownReplaced(id: string, now: InvestigationInput): string[] {
  const { actor_id: source, supersedes_claim_id: replaced, relationships } = find(now, 'claims', id)!;
  const ties = (relationships ?? []) as { relationship_type: string; target_claim_id: string }[];
  return [
    ...(typeof replaced === 'string' && replaced !== '' ? [replaced] : []),
    ...ties.filter((tie) => isReplacing(tie)).map((tie) => tie.target_claim_id),
  ].filter((target) => find(now, 'claims', target)?.['actor_id'] === source);
}

const isReplacing = ({ relationship_type: type }: { readonly relationship_type: string }) =>
  type.toLowerCase() === 'supersedes';

/** An item whose references to removed claims lead to the kept ones; the same object where it has none. */
function redirected<Item extends object>(item: Item, keptOf: ReadonlyMap<string, string>): Item {
  const next = Object.entries(item).map(([name, value]: [string, unknown]): [string, unknown] => {
    if (REFERENCES[name] === 'claims')
      return [name, Array.isArray(value) ? [...new Set(value.map(lead))] : lead(value)];
    if (!Array.isArray(value)) return [name, value];
    return [
      name,
      value.map((part: unknown) =>
        typeof part === 'object' && part !== null ? redirected(part, keptOf) : part,
      ),
    ];
  });
  function lead(id: unknown): unknown {
    return keptOf.get(id as string) ?? id;
  }
  const after = Object.fromEntries(next) as Item;
  return isSame(item, after) ? item : after;
}

/** A claim that replaces some others as well, and not itself. */
function replacing(claim: Entity, ids: readonly string[], keptOf: ReadonlyMap<string, string>): Entity {
  const ties = (claim['relationships'] ?? []) as { relationship_type: string; target_claim_id: string }[];
  const own = ties.filter(({ target_claim_id: target }) => target !== claim.id);
  const { supersedes_claim_id: named, relationships: _ties, ...rest } = claim;
  const replaced = named === claim.id ? undefined : named;
  const known = new Set([replaced, ...own.filter(isReplacing).map((tie) => tie.target_claim_id), claim.id]);
  const more = [...new Set(ids.map((id) => keptOf.get(id) ?? id))].filter((id) => !known.has(id));
  if (more.length === 0 && own.length === ties.length && replaced === named) return claim;
  const added = more.map((id) => ({ relationship_type: 'supersedes', target_claim_id: id }));
  return {
    ...rest,
    ...(replaced !== undefined && { supersedes_claim_id: replaced }),
    ...(own.length + added.length > 0 && { relationships: [...added, ...own] }),
  };
}

/** Lets the last claim of each source replace the earlier ones, where times tell which is last. */
function withUpdates(changes: readonly Change[], now: InvestigationInput): WarningMend | null {
  const updates = changes.flatMap((change) => updateOf(change, now) ?? []);
  if (updates.length === 0) return null;
  const sources = [...new Set(updates.map((after) => after['actor_id'] as string))];
  const what =
    sources.length === 1
      ? `what ${nameIn(now, sources[0]!)} said last replaces what it said before`
      : `what ${counted(sources.length, 'source')} said last replaces what they said before`;
  return {
    label: `Update: ${what}`,
    done: `Noted that ${what}`,
    items: () => updates.map((after) => ({ kind: 'claims' as const, id: after.id, after })),
  };
}

/** The last claim of a source with all that it replaces; null where times do not tell which is last. */
function updateOf(change: Change, now: InvestigationInput): Entity | null {
  const named = new Set(change.claims);
  const first = find(now, 'claims', change.claims[0]!)!;
  const question = (claim: Entity) =>
    ['actor_id', 'subject_id', 'predicate', 'scope'].every((field) => isSame(claim[field], first[field]));
  const asOf = Date.parse(now.as_of ?? '');
  const all = itemsOf(now, 'claims').filter(
    (claim) => (question(claim) && !claim['target_claim_id']) || named.has(claim.id),
  );
  const replaced = new Set(all.flatMap(({ id }) => ownReplaced(id, now)));
  const own = all
    .filter(({ id, epistemic_status: status }) => !replaced.has(id) && spelled(status) !== 'retracted')
    .map((claim) => ({
      claim,
      time: Date.parse(String(claim['assertion_time'])),
      says: `${spelled(claim['valence']) === 'refutes'} ${spelled(claim['value'])}`,
    }))
    .filter(({ time }) => !(time > asOf));
  // NaN, which equals nothing, where one has no time.
  const last = Math.max(...own.map(({ time }) => time));
  const latest = own.filter(({ time }) => time === last);
  const earlier = own
    .filter(
      ({ claim, time, says }) =>
        time < last && says !== latest[0]?.says && (change.more > 0 || named.has(claim.id)),
    )
    .toSorted((a, b) => b.time - a.time || 0)
    .map(({ claim }) => claim.id);
  if (latest.length === 0 || latest.some(({ says }) => says !== latest[0]!.says) || earlier.length === 0)
    return null;
  const [{ claim }] = latest as [(typeof latest)[number]];
  const tied = claim['supersedes_claim_id'] ? claim : { ...claim, supersedes_claim_id: earlier[0]! };
  return replacing(tied, earlier, new Map());
}

/** The name of a source in quotation marks, cut where it is long. */
const nameIn = (now: InvestigationInput, id: string) =>
  `“${shortened(plain(nameOf(find(now, 'actors', id) ?? { id })) || id, NAME_LENGTH)}”`;

/** Notes of the sources of each warning that they repeat the one of them that spoke first. */
function withDependence(shared: readonly SharedOrigin[], now: InvestigationInput): WarningMend | null {
  const first = new Map<string, Set<string>>();
  for (const one of shared) {
    const [leader, ...others] = sharersOf(one, now);
    for (const id of others) first.set(id, (first.get(id) ?? new Set()).add(leader!));
  }
  const edits = [...first].flatMap(([id, leaders]) => {
    const source = find(now, 'actors', id)!;
    const before = (source['depends_on'] ?? []) as readonly string[];
    const more = [...leaders].filter((leader) => !before.includes(leader));
    if (more.length === 0) return [];
    return [{ kind: 'actors' as const, id, after: { ...source, depends_on: [...before, ...more] } }];
  });
  if (edits.length === 0) return null;
  const who =
    edits.length === 1 ? `${nameIn(now, edits[0]!.id)} repeats` : `${counted(edits.length, 'source')} repeat`;
  const leaders = new Set([...first.values()].flatMap((ids) => [...ids]));
  const whom = leaders.size === 1 ? nameIn(now, [...leaders][0]!) : 'others';
  return {
    label: `Count once: ${who} ${whom}`,
    done: `Noted that ${who} ${whom}`,
    items: () => edits,
  };
}

const ORIGIN_FIELDS: Readonly<Record<string, string>> = {
  address: 'url',
  quote: 'quote',
  publisher: 'published_by',
};

const spelled = (text: unknown) =>
  typeof text === 'string' ? caseFolded(text.normalize('NFKC')).replace(/\s+/g, ' ').trim() : '';

/** Ids of all sources that share what the named ones share, those who spoke first at the front. */
function sharersOf({ actors, what, predicate, subject }: SharedOrigin, now: InvestigationInput): string[] {
  const named = new Set(actors.filter((id) => find(now, 'actors', id) !== undefined));
  const asked = itemsOf(now, 'claims').filter(
    (claim) => claim['subject_id'] === subject && spelled(claim['predicate']) === spelled(predicate),
  );
  const found = new Map<string, number>();
  for (const field of what.map((word) => ORIGIN_FIELDS[word]!)) {
    for (const text of new Set(asked.map((claim) => spelled(claim[field])))) {
      const claims = asked.filter((claim) => spelled(claim[field]) === text);
      const sources = new Set(claims.map((claim) => claim['actor_id'] as string));
      if (text === '' || ![...named].every((id) => sources.has(id))) continue;
      for (const { actor_id: id, assertion_time: time } of claims) {
        const at = Date.parse(String(time)) || Infinity;
        found.set(id as string, Math.min(found.get(id as string) ?? Infinity, at));
      }
    }
  }
  const places = placesOf(itemsOf(now, 'actors'));
  return [...found]
    .filter(([id]) => places.has(id))
    .toSorted(([a, at], [b, other]) => (at === other ? 0 : at - other) || places.get(a)! - places.get(b)!)
    .map(([id]) => id);
}
