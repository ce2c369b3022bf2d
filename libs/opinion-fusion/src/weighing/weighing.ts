import { REFINED_FACTOR } from '../contract/constants.ts';
import { ageClaim } from './ageing.ts';
import { newWeighing } from './claim-weighing.ts';
import type { Weighing } from './claim-weighing.ts';
import { weighDirect } from './claims-about-claims.ts';
import type { Estimate } from '../dependence/estimate-reliability.ts';
import type { DependenceClasses } from '../dependence/dependence-classes.ts';
import type { Claim, Model } from '../model/model.ts';
import {
  countSelfContradictions,
  effectiveReliabilities,
  isBelowFloor,
  isStanding,
} from '../model/reliability.ts';
import { findSuccessions } from './succession.ts';
import type { Successions } from './succession.ts';
import { MaxByGroup } from './max-by-group.ts';
import { pairsOf } from '../model/statements.ts';
import type { Bucket, Pair, StatementGroup } from '../model/statements.ts';
import { valuesAgree } from '../model/value.ts';
import { weighBucket } from './weigh-bucket.ts';
import type { Warnings } from '../contract/warnings.ts';

/** The weighed claims of a model; `weighings` stand by claim index. */
export interface Weighed {
  readonly model: Model;
  readonly pairs: readonly Pair[];
  readonly groupOf: readonly (StatementGroup | null)[];
  readonly classes: DependenceClasses;
  /** Null where reliabilities are as declared. */
  readonly estimate: Estimate | null;
  readonly weighings: readonly Weighing[];
  /** k of every claim, by its index. */
  readonly contradictions: Uint8Array;
  /** Claims that a standing claim refines. */
  readonly refined: ReadonlySet<Claim>;
  /** What supersession leaves of the weight of claims. */
  readonly successions: Successions;
  /** Claims that may not lead, because a claim that supersedes them, or supersedes their original, stands. */
  readonly barred: ReadonlySet<Claim>;
  /** Buckets in which any two different statements conflict: plain contradiction. */
  readonly plainBuckets: ReadonlySet<Bucket>;
  /** What may lead each pair, kept once asked for, and whether how often sources were right was asked. */
  readonly candidates: Map<Pair, { readonly claims: readonly Claim[]; readonly asksAccuracy: boolean }>;
}

/** Finds the dependence classes once reliabilities are known. */
export type ClassFinder = (pairs: readonly Pair[], reliability: Float64Array) => DependenceClasses;

/** Learns reliabilities once the dependence classes are known; null where they are as declared. */
export type EstimateFinder = (
  pairs: readonly Pair[],
  classes: DependenceClasses,
  declared: Float64Array,
) => Estimate | null;

/** What of an earlier judgement still holds. */
export interface Carried {
  /** The weighing of a claim whose weighing cannot have changed; null for all others. */
  readonly weighingOf: (claim: Claim) => Weighing | null;
  /** Whether the bucket of such a claim was one of plain contradiction. */
  readonly isPlain: (claim: Claim) => boolean;
}

/** Finds what still holds, once it is known which sources depend on which and what was learned of them. */
export type CarriedFinder = (now: Pick<Weighed, 'model' | 'pairs' | 'classes' | 'estimate'>) => Carried;

const NOTHING_CARRIED: Carried = { weighingOf: () => null, isPlain: () => false };

/** Weighs every claim of a model. Source: reasoning model §4 and §5. Never throws. */
export function weighClaims(
  model: Model,
  findClasses: ClassFinder,
  findEstimate: EstimateFinder,
  warnings: Warnings,
  findCarried: CarriedFinder = () => NOTHING_CARRIED,
): Weighed {
  const { claims } = model;
  const { pairs, groupOf } = pairsOf(claims);
  const contradictions = countSelfContradictions(claims, pairs, groupOf);
  const declared = effectiveReliabilities(claims, contradictions);
  const classes = findClasses(pairs, declared);
  const estimate = findEstimate(pairs, classes, declared);
  const baseOf = (claim: Claim) => estimate?.statements.get(claim.id)?.base ?? claim.actor.base;
  const reliability = estimate ? effectiveReliabilities(claims, contradictions, baseOf) : declared;
  // The floor asks how often a source is right, not what its word weighs.
  const rightOf = (claim: Claim) => estimate?.statements.get(claim.id)?.right ?? claim.actor.base;
  const credibility = estimate ? effectiveReliabilities(claims, contradictions, rightOf) : declared;
  const refined = refinedClaims(claims, groupOf, credibility);
  const sameVoice = (a: Claim['actor'], b: Claim['actor']) => classes.of(a) === classes.of(b);
  const successions = findSuccessions(model, { groupOf, pairs }, credibility, classes, warnings);
  const carried = findCarried({ model, pairs, classes, estimate });
  const weighings = claims.map((claim) => {
    const known = carried.weighingOf(claim);
    if (known) {
      // What there is to say about a claim's corroborations is said again.
      if (claim.input.corroboration_events?.length) ageClaim(claim, model, sameVoice, warnings);
      return known;
    }
    const R = reliability[claim.index]!;
    const belowFloor = isBelowFloor(credibility[claim.index]!);
    const succession = successions.factorOf(claim);
    const silent = belowFloor || claim.status === 'retracted' || succession === 0;
    const isReworded = successions.reworded.has(claim);
    const ageing = ageClaim(claim, model, sameVoice, warnings);
    const weight = silent ? 0 : R * ageing.decay * succession * (refined.has(claim) ? REFINED_FACTOR : 1);
    return newWeighing(claim, R, credibility[claim.index]!, { silent, isReworded }, ageing, weight);
  });
  const strongest = new MaxByGroup(classes.count);
  const fresh = claims.filter((claim) => !carried.weighingOf(claim));
  weighDirect(fresh, weighings, classes, strongest);
  const plainBuckets = new Set<Bucket>();
  for (const pair of pairs) {
    for (const bucket of pair.buckets) {
      const first = bucket.claims[0]!;
      const isPlain = carried.weighingOf(first)
        ? carried.isPlain(first)
        : weighBucket(bucket, groupOf, weighings, classes, strongest);
      if (isPlain) plainBuckets.add(bucket);
    }
  }
  return {
    model,
    pairs,
    groupOf,
    classes,
    estimate,
    weighings,
    contradictions,
    refined,
    successions,
    barred: successions.barred,
    plainBuckets,
    candidates: new Map(),
  };
}

/**
 * The claims on some questions, and those about them, weighed as if nothing had aged; all else is as found:
 * who repeats whom, what was learned, what is superseded, and every other weighing. Never throws.
 */
export function weighUnaged(weighed: Weighed, pairs: readonly Pair[]): Weighed {
  const { classes, groupOf, refined, successions } = weighed;
  const claims = new Set(pairs.flatMap((pair) => pair.claims));
  for (const { metas } of claims) for (const meta of metas) claims.add(meta);
  const weighings = [...weighed.weighings];
  for (const claim of claims) {
    const { reliability, credibility, silent, isReworded, ageing } = weighings[claim.index]!;
    const left = successions.factorOf(claim) * (refined.has(claim) ? REFINED_FACTOR : 1);
    const weight = silent ? 0 : reliability * left;
    const unaged = { ...ageing, decay: 1 };
    weighings[claim.index] = newWeighing(
      claim,
      reliability,
      credibility,
      { silent, isReworded },
      unaged,
      weight,
    );
  }
  const strongest = new MaxByGroup(classes.count);
  weighDirect([...claims], weighings, classes, strongest);
  for (const { buckets } of pairs)
    for (const bucket of buckets) weighBucket(bucket, groupOf, weighings, classes, strongest);
  return { ...weighed, weighings, candidates: new Map() };
}

/**
 * Claims that some standing claim at or above the floor refines: same subject and predicate whatever the
 * scope, agreeing value whatever the polarity, overlapping time. Rule 8; reasoning model §4 and §10.
 */
function refinedClaims(
  claims: readonly Claim[],
  groupOf: readonly (StatementGroup | null)[],
  reliability: Float64Array,
): ReadonlySet<Claim> {
  const refined = new Set<Claim>();
  for (const claim of claims) {
    if (claim.relationships.length === 0 || !isStanding(claim) || isBelowFloor(reliability[claim.index]!))
      continue;
    for (const { type, target } of claim.relationships) {
      if (type !== 'refines' || claim.subject === null || claim.subject !== target.subject) continue;
      if (claim.predicate !== target.predicate) continue;
      const here = groupOf[claim.index]!;
      const there = groupOf[target.index]!;
      if (here.from < there.to && there.from < here.to && valuesAgree(here.value, there.value))
        refined.add(target);
    }
  }
  return refined;
}
