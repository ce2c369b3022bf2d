import { SUCCESSORS_MAX, SUPERSEDED_FACTOR, UNIDENTIFIED } from '../contract/constants.ts';
import { quote } from '../contract/quote.ts';
import type { Warnings } from '../contract/warnings.ts';
import type { DependenceClasses } from '../dependence/dependence-classes.ts';
import type { Actor, Claim, Model } from '../model/model.ts';
import { isBelowFloor, isStanding } from '../model/reliability.ts';
import { bearsOn } from './counts-for.ts';
import { AGREE, relation } from '../model/statements.ts';
import type { Pair, StatementGroup } from '../model/statements.ts';

/** The effects of supersession on claims and on the copies of claims. */
export interface Successions {
  /** Share of its weight that is left of a claim: 1, SUPERSEDED_FACTOR or 0. */
  readonly factorOf: (claim: Claim) => number;
  /** Claims that may not lead a verdict. */
  readonly barred: ReadonlySet<Claim>;
  /**
   * Claims that their own sources replaced by another answer which agrees with them, as 103 does with 100,
   * and the copies of such claims.
   */
  readonly reworded: ReadonlySet<Claim>;
  /** What each copy is weighed like, and whether nobody declared that its source depends on that one's. */
  readonly copied: ReadonlyMap<Claim, Original>;
  /**
   * Retracted and superseded claims that others may repeat: without one of them, its copies may weigh more.
   */
  readonly originals: ReadonlySet<Claim>;
}

export interface Original {
  readonly claim: Claim;
  readonly isSuspected: boolean;
}

const NOTHING: Successions = {
  factorOf: () => 1,
  barred: new Set(),
  reworded: new Set(),
  copied: new Map(),
  originals: new Set(),
};

/**
 * A claim that its own actor's standing claim supersedes, directly or through others, weighs nothing; one
 * that another actor's standing claim above the floor supersedes weighs SUPERSEDED_FACTOR and may not lead. A
 * copy of such a claim, or of a retracted one, is treated like it, with a warning: it agrees with it and its
 * actor depends on the actor of the original, as declared or, said later, as detected. A claim said before
 * the original is no copy of it, where both have a time. A claim that supersedes the original, directly or
 * through others, says something new and is no copy, nor is one that agrees with such a claim, whatever
 * became of that claim since. Source: reasoning model §11; ADR 0117. Never throws.
 */
export function findSuccessions(
  model: Model,
  {
    groupOf,
    pairs,
  }: { readonly groupOf: readonly (StatementGroup | null)[]; readonly pairs: readonly Pair[] },
  reliability: Float64Array,
  classes: DependenceClasses,
  warnings: Warnings,
): Successions {
  const factors = new Map<Claim, number>();
  const barred = new Set<Claim>();
  const reworded = new Set<Claim>();
  const isAnother = (one: Claim, old: Claim) =>
    groupOf[one.index] !== groupOf[old.index] && agree(one, old, groupOf) && bearsOn(old, one);
  const successorsOf = successorFinder();
  let hasOld = false;
  for (const claim of model.claims) {
    if (claim.status === 'retracted') hasOld ||= claim.subject !== null;
    if (claim.supersededBy.length === 0) continue;
    const { standing } = successorsOf(claim);
    const own = standing.filter(({ actor }) => actor === claim.actor);
    if (own.some((one) => isAnother(one, claim))) reworded.add(claim);
    if (own.length > 0) factors.set(claim, 0);
    else if (standing.some((other) => !isBelowFloor(reliability[other.index]!))) {
      factors.set(claim, SUPERSEDED_FACTOR);
      barred.add(claim);
    }
    hasOld ||= factors.has(claim);
  }
  if (!hasOld) return NOTHING;

  const copied = new Map<Claim, Original>();
  const originals = new Set<Claim>();
  const own = new Map(factors);
  const copiesOf = copyFinder(model.actors, model.actorById, classes);
  for (const pair of pairs) {
    for (const { groups } of pair.buckets) {
      const said = groups.flatMap(({ claims }) => claims);
      for (const old of said) {
        const factor = old.status === 'retracted' ? 0 : own.get(old);
        if (factor === undefined) continue;
        const { all: replacing } = successorsOf(old);
        for (const copy of said) {
          if (copy === old || copy.status === 'retracted') continue;
          const dependence = copiesOf(copy, old);
          if (dependence === null) continue;
          if (!agree(copy, old, groupOf)) continue;
          originals.add(old);
          if (replacing.some((other) => other === copy || agree(copy, other, groupOf))) continue;
          if (factor < (factors.get(copy) ?? 1)) {
            factors.set(copy, factor);
            copied.set(copy, { claim: old, isSuspected: dependence === 'suspected' });
          }
          if (barred.has(old)) barred.add(copy);
          if (reworded.has(old)) reworded.add(copy);
        }
      }
    }
  }
  for (const [copy, { claim: old, isSuspected }] of copied) {
    const [says, depends] = isSuspected
      ? [
          'says the same as',
          'may not be independent of the source of that claim, which is a suspicion and no proof',
        ]
      : ['repeats', 'depends on the source of that claim, according to the author'];
    warnings.add(
      'copy_of_superseded',
      copy.id,
      `Claim ${quote(copy.id)} ${says} ${quote(old.id)}, which is ${old.status}, and its source ${depends}; it is weighed like it.`,
    );
  }
  return { factorOf: (claim) => factors.get(claim) ?? 1, barred, reworded, copied, originals };
}

/**
 * Claims that supersede one, directly or through others, the nearest first; at most SUCCESSORS_MAX of each
 * kind.
 */
interface Successors {
  readonly all: readonly Claim[];
  readonly standing: readonly Claim[];
}

/**
 * Finds the claims that supersede one. Supersession has no cycles; the lists are cut so that tangles of it
 * stay cheap.
 */
function successorFinder(): (claim: Claim) => Successors {
  const known = new Map<Claim, Successors>();
  return (start) => {
    const path = [start];
    for (let claim = path.at(-1); claim; claim = path.at(-1)) {
      const waiting = known.has(claim) ? undefined : claim.supersededBy.find((other) => !known.has(other));
      if (waiting) {
        path.push(waiting);
        continue;
      }
      path.pop();
      if (known.has(claim)) continue;
      const all = new Set<Claim>(claim.supersededBy);
      const standing = new Set<Claim>(claim.supersededBy.filter(isStanding));
      for (const other of claim.supersededBy) {
        for (const next of known.get(other)!.all) all.add(next);
        for (const next of known.get(other)!.standing) standing.add(next);
      }
      known.set(claim, {
        all: [...all].slice(0, SUCCESSORS_MAX),
        standing: [...standing].slice(0, SUCCESSORS_MAX),
      });
    }
    return known.get(start)!;
  };
}

function agree(a: Claim, b: Claim, groupOf: readonly (StatementGroup | null)[]): boolean {
  const [x, y] = [groupOf[a.index], groupOf[b.index]];
  return x != null &&
    y != null &&
    a.subject === b.subject &&
    a.predicate === b.predicate &&
    a.scope === b.scope
    ? x === y || relation(x, y) === AGREE
    : false;
}

/** Decides from what is known of their actors why one claim may be a copy of another; null: it is none. */
function copyFinder(
  actors: readonly Actor[],
  actorById: ReadonlyMap<string, Actor>,
  { detected }: DependenceClasses,
): (copy: Claim, old: Claim) => 'declared' | 'suspected' | null {
  const declared = new Map<Actor, ReadonlySet<Actor>>();
  for (const actor of actors) {
    if (actor.dependsOn.length === 0) continue;
    const reached = new Set(actor.dependsOn.map((id) => actorById.get(id)!));
    for (const other of reached) for (const id of other.dependsOn) reached.add(actorById.get(id)!);
    declared.set(actor, reached);
  }
  return (copy, old) => {
    if (copy.actor === old.actor) return null;
    const areDated = copy.assertedAt !== null && old.assertedAt !== null;
    // What was said before the original repeats nothing, no matter which source depends on which.
    if (areDated && copy.assertedAt < old.assertedAt) return null;
    if (declared.get(copy.actor)?.has(old.actor)) return 'declared';
    // What a source that nobody identifies said first makes no identified source a copier.
    if (UNIDENTIFIED.has(old.actor.type) && !UNIDENTIFIED.has(copy.actor.type)) return null;
    const isLater = areDated && copy.assertedAt > old.assertedAt;
    const isSuspected = detected.some(
      ({ actors: members, copier }) =>
        members.includes(copy.actor) &&
        members.includes(old.actor) &&
        (copier === null ? isLater : copier === copy.actor),
    );
    return isSuspected ? 'suspected' : null;
  };
}
