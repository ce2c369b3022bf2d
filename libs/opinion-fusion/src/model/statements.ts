import type { Actor, Claim } from './model.ts';
import { byCodeUnits } from '../contract/rounding.ts';
import type { SubjectInput } from '../contract/types.ts';
import { isFiner, valuesAgree } from './value.ts';
import type { Value } from './value.ts';

/** How two comparable statements stand to each other. */
export const NEITHER = 0;
export const AGREE = 1;
export const CONFLICT = 2;
export type Relation = typeof NEITHER | typeof AGREE | typeof CONFLICT;

/**
 * Claims that say the very same: one value form, polarity and event interval within a bucket. Whatever agrees
 * or conflicts with one of them does so with all, distinctions aside.
 */
export interface StatementGroup {
  readonly index: number;
  /** Denying a boolean value is asserting the other, so booleans always assert. */
  readonly value: Value;
  readonly denies: boolean;
  readonly from: number;
  readonly to: number;
  /** Claims of the statement, sorted by id. */
  readonly claims: Claim[];
}

/** The claims of one (subject, predicate, scope); only they can be comparable. */
export interface Bucket {
  readonly scope: string;
  readonly groups: StatementGroup[];
  /** Claims of the statement, sorted by id. */
  readonly claims: Claim[];
  /** The claims of each actor that makes more than one of them, by id. */
  repeaters: ReadonlyMap<Actor, readonly Claim[]>;
}

/** A (subject, predicate) pair with its claims, meta-claims aside. */
export interface Pair {
  readonly subject: SubjectInput;
  readonly predicate: string;
  readonly buckets: Bucket[];
  /** Claims of the statement, sorted by id. */
  readonly claims: Claim[];
}

/**
 * Sorts claims, given by id, into pairs, buckets and groups; pairs by subject id, then predicate; metas are
 * passed over.
 */
export function pairsOf(claims: readonly Claim[]): { pairs: Pair[]; groupOf: (StatementGroup | null)[] } {
  const bySubject = new Map<
    SubjectInput,
    Map<string, { pair: Pair; buckets: Map<string, BucketInMaking> }>
  >();
  const groupOf: (StatementGroup | null)[] = new Array<StatementGroup | null>(claims.length).fill(null);
  const pairs: Pair[] = [];
  claims.forEach((claim, index) => {
    const { subject } = claim;
    if (subject === null) return;
    let byPredicate = bySubject.get(subject);
    if (!byPredicate) bySubject.set(subject, (byPredicate = new Map()));
    let entry = byPredicate.get(claim.predicate);
    if (!entry) {
      entry = { pair: { subject, predicate: claim.predicate, buckets: [], claims: [] }, buckets: new Map() };
      byPredicate.set(claim.predicate, entry);
      pairs.push(entry.pair);
    }
    let making = entry.buckets.get(claim.scope);
    if (!making) {
      making = {
        bucket: { scope: claim.scope, groups: [], claims: [], repeaters: NOBODY },
        groups: new Map(),
      };
      entry.buckets.set(claim.scope, making);
      entry.pair.buckets.push(making.bucket);
    }
    entry.pair.claims.push(claim);
    making.bucket.claims.push(claim);
    groupOf[index] = joinGroup(claim, making);
  });
  pairs.sort((a, b) => byCodeUnits(a.subject.id, b.subject.id) || byCodeUnits(a.predicate, b.predicate));
  findRepeaters(pairs, claims);
  return { pairs, groupOf };
}

/**
 * Few actors speak twice in a bucket: that one does is seen by a mark, and only then are claims sorted by
 * actor.
 */
function findRepeaters(pairs: readonly Pair[], claims: readonly Claim[]): void {
  let actors = 0;
  for (const { actor } of claims) actors = Math.max(actors, actor.index + 1);
  const lastSeenIn = new Int32Array(actors);
  let bucketNumber = 0;
  for (const { buckets } of pairs) {
    for (const bucket of buckets) {
      bucketNumber += 1;
      let repeats = false;
      for (const { actor } of bucket.claims) {
        if (lastSeenIn[actor.index] === bucketNumber) repeats = true;
        lastSeenIn[actor.index] = bucketNumber;
      }
      if (repeats) bucket.repeaters = claimsOfRepeaters(bucket.claims);
    }
  }
}

function claimsOfRepeaters(claims: readonly Claim[]): Map<Actor, Claim[]> {
  const byActor = new Map<Actor, Claim[]>();
  for (const claim of claims) {
    const own = byActor.get(claim.actor);
    if (own) own.push(claim);
    else byActor.set(claim.actor, [claim]);
  }
  for (const [actor, own] of byActor) if (own.length === 1) byActor.delete(actor);
  return byActor;
}

const NOBODY: Bucket['repeaters'] = new Map();

interface BucketInMaking {
  readonly bucket: Bucket;
  readonly groups: Map<string, StatementGroup>;
}

const TRUE: Value = { kind: 'boolean', key: 'b:true', truth: true };
const FALSE: Value = { kind: 'boolean', key: 'b:false', truth: false };

function joinGroup(claim: Claim, { bucket, groups }: BucketInMaking): StatementGroup {
  let { value } = claim;
  let denies = claim.valence === 'Refutes';
  if (value.kind === 'boolean' && denies) {
    value = value.truth ? FALSE : TRUE;
    denies = false;
  }
  const open = claim.from === -Infinity && claim.to === Infinity;
  const key = open && !denies ? value.key : `${denies} ${claim.from} ${claim.to} ${value.key}`;
  let group = groups.get(key);
  if (!group) {
    group = { index: bucket.groups.length, value, denies, from: claim.from, to: claim.to, claims: [] };
    groups.set(key, group);
    bucket.groups.push(group);
  }
  group.claims.push(claim);
  return group;
}

/**
 * The relation of two statements of one bucket. Who denies a day says nothing of the year, and who denies the
 * year denies every day of it. Source: reasoning model §3; ADR 0144.
 */
export function relation(a: StatementGroup, b: StatementGroup): Relation {
  if (!(a.from < b.to && b.from < a.to)) return NEITHER;
  if (a.value !== b.value && !valuesAgree(a.value, b.value)) return a.denies || b.denies ? NEITHER : CONFLICT;
  const isBeside = (a.denies && isFiner(a.value, b.value)) || (b.denies && isFiner(b.value, a.value));
  if (isBeside) return NEITHER;
  return a.denies === b.denies ? AGREE : CONFLICT;
}

/**
 * Whether a statement that conflicts with a no speaks for no yes either: `no comment`, `partly`. ADR 0135.
 * Never throws.
 */
export function isOtherAnswer(leading: StatementGroup, other: StatementGroup): boolean {
  return leading.value.kind === 'boolean' && !leading.value.truth && other.value.kind !== 'boolean';
}

/** Claims of one bucket by the statement they make, in the order in which statements first come. */
export function byStatement(
  claims: readonly Claim[],
  groupOf: readonly (StatementGroup | null)[],
): { readonly group: StatementGroup; readonly claims: readonly Claim[] }[] {
  const statements = new Map<StatementGroup, Claim[]>();
  for (const claim of claims) {
    const group = groupOf[claim.index]!;
    const known = statements.get(group);
    if (known) known.push(claim);
    else statements.set(group, [claim]);
  }
  return [...statements].map(([group, own]) => ({ group, claims: own }));
}
