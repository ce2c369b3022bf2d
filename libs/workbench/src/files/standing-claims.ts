import { nameOf, type Entity } from '../edit/kinds.ts';
import { instantOf } from './field-values.ts';
import type { ItemLists } from './item-lists.ts';
import { firstOf, quoted, shownValue, type Change } from './replaced-items.ts';

/** A claim that stays as it is although a file says otherwise: where it is, and what that means. */
export interface StandingClaim {
  readonly path: string;
  readonly reason: string;
}

const WITHDRAWN =
  'is withdrawn in the file, and still counts in the session: set its epistemic_status to retracted there, or delete it';

/** Statuses of claims that no longer say what they said. */
const isOver = ({ epistemic_status: status }: Entity) => status === 'retracted' || status === 'superseded';
const isRetracted = ({ epistemic_status: status }: Entity) => status === 'retracted';

/** A claim that is there, and those of a file which state it otherwise. */
interface Restated {
  readonly older: Entity;
  readonly others: readonly Entity[];
}

/**
 * The claims of an investigation that a file does not hold as they are, but states with another value, side
 * or status under another id, as it does after somebody corrected or withdrew a row: both are there then, and
 * the older one still counts. Those that an earlier import of the file brought do so, too, as they are there.
 * The source, what it is about, the property, scope and times are the same. Pure.
 */
export function restatedClaims(read: ItemLists, added: ItemLists, there: ItemLists): Restated[] {
  const claims = there['claims'] ?? [];
  const inFile = new Set((read['claims'] ?? []).map(({ id }) => id));
  const given = added['claims'] ?? [];
  const replaced = new Set(given.map(({ id }) => id));
  const news = byKey([...given, ...claims.filter(({ id }) => inFile.has(id) && !replaced.has(id))]);
  if (news.size === 0) return [];
  const superseded = new Set([...claims, ...given].flatMap(supersededBy));
  return claims.flatMap((older) => {
    if (inFile.has(older.id) || superseded.has(older.id) || isOver(older)) return [];
    const others = (news.get(keyOf(older)) ?? []).filter((claim) => saysOtherwise(claim, older));
    return others.length === 0 ? [] : [{ older, others }];
  });
}

/** Where a claim that is restated stands, and what to do so that it does not count beside the new one. */
export function standingClaim({ older, others }: Restated, quote = quoted): StandingClaim {
  const other = others.find(isRetracted) ?? others[0];
  const [words, otherWords] = [older, other!].map((one) => quote(nameOf(one) || one.id));
  const reason = isRetracted(other!)
    ? WITHDRAWN
    : `stays in the session and counts beside ${otherWords} of the file: where that corrects it, delete it or set its epistemic_status to retracted`;
  return { path: `claims ${older.id}`, reason: `${reason}; it says ${words}` };
}

/**
 * Why an item stays as it is although the file says otherwise, with `differing`, what would change, and how
 * to change it. Pure.
 */
export function keptReason(
  present: Entity,
  inFile: Entity,
  differing: readonly Change[] = [],
  quote = quoted,
): string {
  if (isRetracted(inFile) && !isOver(present)) return WITHDRAWN;
  const fields = firstOf(
    differing,
    ({ field, before, after }) =>
      `${field} is ${shownValue(after, quote)} in the file and ${shownValue(before, quote)} in the session`,
  );
  const it = differing.length === 1 ? 'it' : 'them';
  const called = typeof present['name'] === 'string' ? `; it is called ${quote(present['name'])}` : '';
  return `stays as it is in the session, which differs from the file${fields && `: ${fields}; set ${it} there to take ${it} over`}${called}`;
}

/** What two claims have in common that answer one question for one source. */
const keyOf = (claim: Entity): string =>
  JSON.stringify([
    ...['actor_id', 'subject_id', 'target_claim_id', 'predicate', 'scope'].map((field) => claim[field] || ''),
    ...['assertion_time', 'event_start_time', 'event_end_time'].map((field) => instantOf(claim[field])),
  ]);

function byKey(claims: readonly Entity[]): ReadonlyMap<string, readonly Entity[]> {
  const groups = new Map<string, Entity[]>();
  for (const claim of claims) {
    const group = groups.get(keyOf(claim));
    if (group === undefined) groups.set(keyOf(claim), [claim]);
    else group.push(claim);
  }
  return groups;
}

/**
 * The claims that say what one that is there, or one before them, says: its source, what it is about, the
 * property, scope, times, value, side and status are the same. Pure.
 */
export function repeatedClaims(added: readonly Entity[], there: readonly Entity[]): ReadonlySet<Entity> {
  const textOf = (claim: Entity) => JSON.stringify([keyOf(claim), saidBy(claim), statusOf(claim)]);
  const known = new Set(there.map(textOf));
  return new Set(
    added.filter((claim) => {
      const text = textOf(claim);
      const isKnown = known.has(text);
      known.add(text);
      return isKnown;
    }),
  );
}

/**
 * Whether a claim has another value, side or status than an older one with its key. A retracted one takes
 * back no other value than its own.
 */
function saysOtherwise(claim: Entity, older: Entity): boolean {
  const [says, said] = [claim, older].map(saidBy);
  if (isRetracted(claim)) return says === said;
  return says !== said || statusOf(claim) !== statusOf(older);
}

const saidBy = ({ value, valence }: Entity) => `${String(value)}\n${valence === 'Refutes'}`;

const statusOf = ({ epistemic_status: status }: Entity) => status || 'hypothesis';

/** Ids of the claims that a claim supersedes; one that is retracted supersedes none. */
function supersededBy(claim: Entity): string[] {
  if (isRetracted(claim)) return [];
  const { supersedes_claim_id: id, relationships } = claim;
  const ties = Array.isArray(relationships) ? (relationships as Readonly<Record<string, unknown>>[]) : [];
  const named = ties.filter((tie) => tie['relationship_type'] === 'supersedes');
  return [id, ...named.map((tie) => tie['target_claim_id'])].filter((one) => typeof one === 'string');
}
