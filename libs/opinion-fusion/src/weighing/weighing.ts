import { REFINED_FACTOR, UNIDENTIFIED } from '../contract/constants.ts';
import { ageClaim } from './ageing.ts';
import type { Ageing } from './ageing.ts';
import { bucketScale } from './bucket-scale.ts';
import type { GroupVoice } from './bucket-scale.ts';
import type { Estimate } from '../dependence/estimate-reliability.ts';
import type { DependenceClasses } from '../dependence/dependence-classes.ts';
import type { Claim, EvidenceItem, Model } from '../model/model.ts';
import { opinionFromEvidence, PRIOR_WEIGHT } from '@platform/subjective-logic';
import type { Opinion } from '@platform/subjective-logic';
import { relatedStatements } from '../model/related-statements.ts';
import type { RelatedStatements } from '../model/related-statements.ts';
import {
  countSelfContradictions,
  effectiveReliabilities,
  isBelowFloor,
  isStanding,
} from '../model/reliability.ts';
import { findSuccessions } from './succession.ts';
import type { Successions } from './succession.ts';
import { MaxByGroup } from './max-by-group.ts';
import { AGREE, byStatement, CONFLICT, pairsOf, relation } from '../model/statements.ts';
import type { Bucket, Pair, StatementGroup } from '../model/statements.ts';
import { valuesAgree } from '../model/value.ts';
import type { Warnings } from '../contract/warnings.ts';

/** Evidence for and against a statement, in items, and the opinion that it makes. */
export interface Evidence {
  readonly r: number;
  readonly s: number;
  readonly opinion: Opinion;
}

/** Everything the rules compute about one claim. */
export interface Weighing {
  /** R. Probability. */
  readonly reliability: number;
  /** What the floor is held against: R, where reliability is estimated with what was learned. Probability. */
  readonly credibility: number;
  readonly belowFloor: boolean;
  /** Below the floor or retracted: zero evidence, lends nothing to others. */
  readonly silent: boolean;
  readonly ageing: Ageing;
  /** g = R × δ, × 0.9 when refined; evidence items, ≥ 0. */
  readonly weight: number;
  /** The claim's contribution to its own statement: g·(1 + Σ Supports), capped. Evidence items. */
  readonly voice: number;
  /** κ: share of what is said about the claim itself that speaks for it, 0..1. */
  kappa: number;
  /** Evidence for and against the statement as made; items. */
  r: number;
  s: number;
  opinion: Opinion;
  /**
   * Where a distinction ends a conflict of the claim, the evidence as a verdict that it leads counts it: with
   * what speaks against another claim for its value. Null where that is r and s.
   */
  asLeading: Evidence | null;
  supporting: number;
  refuting: number;
  neutral: number;
}

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
    const ageing = ageClaim(claim, model, sameVoice, warnings);
    const weight = silent ? 0 : R * ageing.decay * succession * (refined.has(claim) ? REFINED_FACTOR : 1);
    return newWeighing(claim, R, credibility[claim.index]!, silent, ageing, weight);
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

const VACUOUS = opinionFromEvidence(0, 0);

function newWeighing(
  claim: Claim,
  reliability: number,
  credibility: number,
  silent: boolean,
  ageing: Ageing,
  weight: number,
): Weighing {
  const voice = Math.min(weight * (1 + supportingEvidence(claim)), voiceCap(weight, reliability));
  return {
    reliability,
    credibility,
    belowFloor: isBelowFloor(credibility),
    silent,
    ageing,
    weight,
    voice,
    kappa: 0,
    r: 0,
    s: 0,
    opinion: VACUOUS,
    asLeading: null,
    supporting: 0,
    refuting: 0,
    neutral: 0,
  };
}

/** Whether the claim's actor can be told apart from others. Reasoning model §11. */
export function isIdentified({ actor }: Claim): boolean {
  return !UNIDENTIFIED.has(actor.type);
}

/** Σ weight of a claim's Supports items; items, ≥ 0. */
export function supportingEvidence(claim: Claim): number {
  let supports = 0;
  for (const item of claim.evidence) if (item.valence === 'Supports') supports += item.weight;
  return supports;
}

/**
 * The most that a voice can be, so that belief from a source's own material never exceeds its reliability.
 * Items. §4.
 */
export function voiceCap(weight: number, reliability: number): number {
  return (PRIOR_WEIGHT * weight) / (1 - reliability);
}

/** The weight of a Refutes item against its claim: δ·weight. Items. §4. */
export function refutation({ ageing }: Weighing, item: EvidenceItem): number {
  return ageing.decay * item.weight;
}

/** What a meta-claim says for or against its target: g·κ. Items. §4. */
export function metaEvidence({ weight, kappa }: Weighing): number {
  return weight * kappa;
}

/** The weight of a claim against those that conflict with it: its voice times κ. Items. §4. */
export function challenge({ voice, kappa }: Weighing): number {
  return voice * kappa;
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

/**
 * κ of every claim, and the opinion of meta-claims, from what is said about each directly. Meta-claims come
 * before their targets. Counts that need no other claim are made here too.
 */
function weighDirect(
  claims: readonly Claim[],
  weighings: readonly Weighing[],
  classes: DependenceClasses,
  strongest: MaxByGroup,
): void {
  const waitingFor = new Int32Array(weighings.length);
  const ready: Claim[] = [];
  for (const claim of claims) {
    waitingFor[claim.index] = claim.metas.length;
    if (claim.metas.length === 0) ready.push(claim);
  }
  for (let claim = ready.pop(); claim; claim = ready.pop()) {
    weighOneDirect(claim, weighings, classes, strongest);
    if (claim.target && (waitingFor[claim.target.index]! -= 1) === 0) ready.push(claim.target);
  }
}

function weighOneDirect(
  claim: Claim,
  weighings: readonly Weighing[],
  classes: DependenceClasses,
  strongest: MaxByGroup,
): void {
  const own = weighings[claim.index]!;
  if (own.silent) return;
  own.supporting = 1;
  if (claim.subject !== null && claim.evidence.length === 0 && claim.metas.length === 0) {
    own.kappa = own.voice > 0 ? 1 : 0;
    return;
  }
  let against = 0;
  for (const item of claim.evidence) {
    if (item.valence === 'Supports') own.supporting += 1;
    else if (item.valence === 'Neutral') own.neutral += 1;
    else {
      own.refuting += 1;
      against += refutation(own, item);
    }
  }
  let support = own.voice;
  let [crowdSupport, crowdAgainst] = [support, against];
  if (claim.metas.length > 0) {
    strongest.start();
    strongest.add(classes.of(claim.actor), own.voice, isIdentified(claim));
    addMetas(claim, 'Supports', weighings, classes, strongest);
    support = strongest.sum();
    crowdSupport = strongest.crowdSum();
    strongest.start();
    addMetas(claim, 'Refutes', weighings, classes, strongest);
    crowdAgainst = against + strongest.crowdSum();
    against += strongest.sum();
    for (const meta of claim.metas) {
      if (weighings[meta.index]!.silent) continue;
      if (meta.valence === 'Supports') own.supporting += 1;
      else if (meta.valence === 'Refutes') own.refuting += 1;
      else own.neutral += 1;
    }
  }
  own.kappa = support > 0 ? support / (support + against) : 0;
  if (claim.subject === null) setOpinion(own, crowdSupport, crowdAgainst);
}

/** Adds what the meta-claims on a claim bring for or against it. */
export function addMetas(
  claim: Claim,
  valence: 'Supports' | 'Refutes',
  weighings: readonly Weighing[],
  classes: Pick<DependenceClasses, 'of'>,
  strongest: MaxByGroup,
): void {
  for (const meta of claim.metas) {
    if (meta.valence !== valence) continue;
    strongest.add(classes.of(meta.actor), metaEvidence(weighings[meta.index]!), isIdentified(meta));
  }
}

function setOpinion(weighing: Weighing, r: number, s: number, opinion = opinionFromEvidence(r, s)): void {
  weighing.r = r;
  weighing.s = s;
  weighing.opinion = opinion;
}

/**
 * Opinions and counts of the claims of one bucket; true when all its different statements conflict with each
 * other.
 */
function weighBucket(
  bucket: Bucket,
  groupOf: readonly (StatementGroup | null)[],
  weighings: readonly Weighing[],
  classes: DependenceClasses,
  strongest: MaxByGroup,
): boolean {
  const { groups } = bucket;
  const voices = groups.map((group) => groupVoice(group, weighings, classes, strongest));
  const related = relatedStatements(groups);
  const weigh = bucketScale(voices, related, strongest);
  let plain = true;
  for (const group of groups) {
    const { speaking } = voices[group.index]!;
    if (speaking.length === 0 && !plain) continue;
    const { r, s, agreed, challenged, conflicts } = weigh(group.index);
    if (conflicts < groups.length - 1) plain = false;

    const opinion = opinionFromEvidence(r, s);
    let asLeading: Evidence | null = null;
    for (const claim of speaking) {
      const weighing = weighings[claim.index]!;
      setOpinion(weighing, r, s, opinion);
      weighing.supporting += agreed;
      weighing.refuting += challenged;
      const { distinguishedFrom: apart } = claim;
      if (!apart) continue;
      const against = (isApart: (other: Claim) => boolean) =>
        challengesBut(isApart, group.index, related, voices, weighings, classes, strongest);
      for (const index of related.conflicting(group.index))
        for (const other of voices[index]!.speaking) if (apart.has(other)) weighing.refuting -= 1;
      setOpinion(
        weighing,
        r,
        against((other) => apart.has(other)),
      );
      if (!asLeading) {
        const rest = against((other) => isToldApart(other, group, groups, { weighings, groupOf }));
        asLeading = { r, s: rest, opinion: opinionFromEvidence(r, rest) };
      }
      weighing.asLeading = asLeading;
    }
  }
  countOwnAgreement(bucket, groupOf, weighings);
  return plain;
}

function groupVoice(
  group: StatementGroup,
  weighings: readonly Weighing[],
  classes: DependenceClasses,
  strongest: MaxByGroup,
): GroupVoice {
  const speaking = group.claims.filter((claim) => !weighings[claim.index]!.silent);
  let refutedByItems = 0;
  strongest.start();
  for (const claim of speaking) {
    const weighing = weighings[claim.index]!;
    strongest.add(classes.of(claim.actor), weighing.voice, isIdentified(claim));
    for (const item of claim.evidence)
      if (item.valence === 'Refutes') refutedByItems += refutation(weighing, item);
  }
  for (const claim of speaking) addMetas(claim, 'Supports', weighings, classes, strongest);
  const support = strongest.entries();
  strongest.start();
  for (const claim of speaking) addMetas(claim, 'Refutes', weighings, classes, strongest);
  const refutedByMetas = strongest.entries();
  strongest.start();
  for (const claim of speaking)
    strongest.add(classes.of(claim.actor), challenge(weighings[claim.index]!), isIdentified(claim));
  return { speaking, support, refutedByMetas, refutedByItems, challenges: strongest.entries() };
}

/** Evidence against one statement without what claims say from which it is told apart. Items. */
function challengesBut(
  isApart: (other: Claim) => boolean,
  position: number,
  related: RelatedStatements,
  voices: readonly GroupVoice[],
  weighings: readonly Weighing[],
  classes: DependenceClasses,
  strongest: MaxByGroup,
): number {
  let items = 0;
  strongest.start();
  for (const index of related.agreeing(position)) {
    items += voices[index]!.refutedByItems;
    strongest.addAll(voices[index]!.refutedByMetas);
  }
  for (const index of related.conflicting(position)) {
    const { speaking, challenges } = voices[index]!;
    if (!speaking.some(isApart)) {
      strongest.addAll(challenges);
      continue;
    }
    for (const other of speaking)
      if (!isApart(other))
        strongest.add(classes.of(other.actor), challenge(weighings[other.index]!), isIdentified(other));
  }
  return strongest.crowdSum() + items;
}

/**
 * Whether distinctions end the conflict of a claim with every claim of weight for a statement of its bucket:
 * those that agree with the statement and would conflict with the claim. ADR 0126. Never throws.
 */
export function isToldApart(
  claim: Claim,
  statement: StatementGroup,
  groups: readonly StatementGroup[],
  { weighings, groupOf }: Pick<Weighed, 'weighings' | 'groupOf'>,
): boolean {
  const { distinguishedFrom: apart } = claim;
  if (!apart) return false;
  const own = groupOf[claim.index]!;
  const isEnded = (other: Claim) => weighings[other.index]!.voice <= 0 || apart.has(other);
  // Most claims are told apart from no claim of the statement itself, which ends the search at once.
  return (
    statement.claims.every(isEnded) &&
    groups.every(
      (group) =>
        relation(group, statement) !== AGREE ||
        relation(group, own) !== CONFLICT ||
        group.claims.every(isEnded),
    )
  );
}

/**
 * Agreeing claims count when another actor makes them: takes out each claim itself and the actor's own
 * agreeing ones.
 */
function countOwnAgreement(
  bucket: Bucket,
  groupOf: readonly (StatementGroup | null)[],
  weighings: readonly Weighing[],
): void {
  const speaks = (claim: Claim) => !weighings[claim.index]!.silent;
  for (const claim of bucket.claims) if (speaks(claim)) weighings[claim.index]!.supporting -= 1;
  for (const own of bucket.repeaters) {
    const statements = byStatement(own.filter(speaks), groupOf);
    const related = relatedStatements(statements.map(({ group }) => group));
    const speakers = related.sums(Int32Array.from(statements, ({ claims }) => claims.length));
    statements.forEach(({ claims }, position) => {
      const others = speakers.agreeing(position) - 1;
      for (const claim of claims) weighings[claim.index]!.supporting -= others;
    });
  }
}
