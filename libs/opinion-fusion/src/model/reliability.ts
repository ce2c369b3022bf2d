import {
  CREDIBILITY_FLOOR,
  SELF_CONTRADICTION_FACTOR,
  SELF_CONTRADICTIONS_MAX,
} from '../contract/constants.ts';
import { competenceOf } from './model.ts';
import type { Claim } from './model.ts';
import { roundForComparison } from '../contract/rounding.ts';
import { relatedStatements } from './related-statements.ts';
import { byStatement } from './statements.ts';
import type { Pair, StatementGroup } from './statements.ts';

/** True for a claim that is neither retracted nor superseded. Reasoning model §4. */
export function isStanding(claim: Claim): boolean {
  return claim.status !== 'retracted' && claim.status !== 'superseded';
}

/** True when an effective reliability counts for nothing. Rule 3. */
export function isBelowFloor(reliability: number): boolean {
  return roundForComparison(reliability) < CREDIBILITY_FLOOR;
}

/**
 * k of every claim, by its index: the actor's other standing claims that conflict with it, counted up to
 * SELF_CONTRADICTIONS_MAX. Source: reasoning model §4. Never throws.
 */
export function countSelfContradictions(
  claims: readonly Claim[],
  pairs: readonly Pair[],
  groupOf: readonly (StatementGroup | null)[],
): Uint8Array {
  const counts = new Uint8Array(claims.length);
  for (const pair of pairs) {
    for (const { repeaters, groups } of pair.buckets) {
      if (groups.length < 2) continue;
      for (const own of repeaters.values()) countWithin(own, groupOf, counts);
    }
  }
  return counts;
}

/**
 * Effective reliability R = base × competence × π of every claim, by its index; probabilities. π = 0.8^k.
 * Source: rule 2; reasoning model §4. Never throws.
 */
export function effectiveReliabilities(
  claims: readonly Claim[],
  contradictions: Uint8Array,
  baseOf: (claim: Claim) => number = ({ actor }) => actor.base,
): Float64Array {
  const reliability = new Float64Array(claims.length);
  for (const claim of claims) {
    const k = contradictions[claim.index]!;
    const unopposed = baseOf(claim) * competenceOf(claim.actor, claim.predicate);
    reliability[claim.index] = k > 0 ? unopposed * SELF_CONTRADICTION_FACTOR ** k : unopposed;
  }
  return reliability;
}

/** Counts the contradictions within what one actor says in a bucket. */
function countWithin(
  own: readonly Claim[],
  groupOf: readonly (StatementGroup | null)[],
  counts: Uint8Array,
): void {
  const statements = byStatement(own, groupOf);
  const related = relatedStatements(statements.map(({ group }) => group));
  const standing = statements.map(({ claims }) => claims.filter(isStanding));
  statements.forEach(({ claims }, position) => {
    for (const claim of claims) {
      let k = 0;
      related.visitConflicting(position, (other) => {
        for (const opposed of standing[other]!) {
          if (!claim.distinguishedFrom?.has(opposed)) k += 1;
          if (k === SELF_CONTRADICTIONS_MAX) return true;
        }
        return false;
      });
      counts[claim.index] = k;
    }
  });
}
