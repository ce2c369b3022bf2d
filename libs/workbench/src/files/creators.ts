import { nameKey } from '../edit/directory.ts';
import { nameOf, type Entity } from '../edit/kinds.ts';
import type { ItemLists } from './item-lists.ts';
import { firstOf, quoted } from './replaced-items.ts';

/** Who created the object of a claim of STIX or MISP, at the end of its id (ADR 0142). */
const CREATOR = /^(?:stix|misp)-.*\.(by-[0-9a-f]{8})$/;
/** The creator of objects that name none, which may be anybody's. */
const NOBODY = 'by-918f1038';
/** A source that repeats another one with a grade of its own. */
const GRADED = / \(reliability ([A-F])\)$/;
/** What a bundle without its identity calls a creator. */
const REFERENCE = /^identity--/;

/** A source of a file, and the one of the session that its creator has there. */
export interface KnownSource {
  readonly inFile: Entity;
  readonly present: Entity;
}

/**
 * A file in which the creator of an object is the source that the creator has in the session already,
 * whatever either calls it: one creator is one source, and does not confirm itself (ADR 0150). `sources` are
 * those that the file has under another id. Pure.
 */
export function withKnownSources(inFile: ItemLists, there: ItemLists) {
  const known = new Map<string, Entity[]>();
  for (const { voice, actor } of voicesIn(there)) known.set(voice, [...(known.get(voice) ?? []), actor]);
  const sources = new Map<string, KnownSource>();
  /** By the id of a source of the file, the ids of the session by who speaks. */
  const idsOf = new Map<string, Map<string, string>>();
  for (const { voice, actor } of voicesIn(inFile)) {
    const ones = known.get(voice) ?? [];
    const present = ones.find((one) => isCalled(one, actor)) ?? ones[0];
    if (present === undefined) continue;
    const ids = idsOf.get(actor.id) ?? new Map<string, string>();
    idsOf.set(actor.id, ids.set(voice, present.id));
    if (present.id !== actor.id) sources.set(`${actor.id} ${present.id}`, { inFile: actor, present });
  }
  return { lists: sources.size === 0 ? inFile : withIds(inFile, idsOf), sources: [...sources.values()] };
}

/** The sources of claims by a creator that is known, one of a grade of its own with the one it repeats. */
function* voicesIn({ actors = [], claims = [] }: ItemLists) {
  const byId = new Map(actors.map((actor) => [actor.id, actor]));
  for (const claim of claims) {
    const actor = byId.get(String(claim['actor_id']));
    const creator = creatorOf(claim);
    if (creator === null || actor === undefined) continue;
    yield { voice: voiceOf(creator, actor), actor };
    const [id] = repeatedBy(actor);
    const producer = byId.get(String(id));
    if (producer) yield { voice: voiceOf(creator, producer), actor: producer };
  }
}

function creatorOf({ id }: Entity): string | null {
  const [, creator = NOBODY] = CREATOR.exec(id) ?? [];
  return creator === NOBODY ? null : creator;
}

const voiceOf = (creator: string, actor: Entity) => `${creator} ${GRADED.exec(nameOf(actor))?.[1] ?? ''}`;
const isCalled = (one: Entity, other: Entity) => nameKey(nameOf(one)) === nameKey(nameOf(other));

/** What a source with a grade of its own repeats. */
const repeatedBy = (actor: Entity): readonly unknown[] =>
  GRADED.test(nameOf(actor)) && Array.isArray(actor['depends_on']) ? actor['depends_on'] : [];

/** A file with the ids of the session; where one of its sources is two there, by who speaks. */
function withIds(lists: ItemLists, idsOf: ReadonlyMap<string, ReadonlyMap<string, string>>): ItemLists {
  const allOf = (id: unknown) => [...new Set(idsOf.get(String(id))?.values() ?? [])];
  const byId = new Map((lists['actors'] ?? []).map((actor) => [actor.id, actor]));
  const sourceOf = (claim: Entity) => {
    const actor = byId.get(String(claim['actor_id']))!;
    const [one, ...others] = allOf(actor.id);
    const own = idsOf.get(actor.id)?.get(voiceOf(creatorOf(claim) ?? '', actor));
    return own ?? (one === undefined || others.length > 0 ? actor.id : one);
  };
  const claims = (lists['claims'] ?? []).map((claim) => ({ ...claim, actor_id: sourceOf(claim) }));
  const actors = (lists['actors'] ?? []).map((actor) => {
    const repeated = repeatedBy(actor);
    const ids = repeated.flatMap((id) => (allOf(id).length === 0 ? [id] : allOf(id)));
    return repeated.length === 0 ? actor : { ...actor, depends_on: ids };
  });
  const named = new Set([claims.map((claim) => claim['actor_id']), actors.map(repeatedBy)].flat(2));
  return { ...lists, claims, actors: actors.filter(({ id }) => named.has(id) || !idsOf.has(id)) };
}

/** The sources that a file calls otherwise than the session, where it names them. Pure. */
export function nameWords(sources: readonly KnownSource[], quote = quoted): string[] {
  const renamed = sources.filter(
    ({ inFile, present }) => !isCalled(inFile, present) && !REFERENCE.test(nameOf(inFile)),
  );
  if (renamed.length === 0) return [];
  const [keep, their] = renamed.length === 1 ? ['It keeps', 'its name'] : ['They keep', 'their names'];
  const named = firstOf(
    renamed,
    ({ inFile, present }) => `${quote(nameOf(inFile))} is ${quote(nameOf(present))}`,
  );
  return [
    `Sources whose creator has one id are one, whatever a file calls them: ${named}. ${keep} ${their} in the session.`,
  ];
}
