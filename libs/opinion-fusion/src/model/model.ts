import type { ClaimInput, InferenceInput, InvestigationInput, SubjectInput } from '../contract/types.ts';
import type { Value } from './value.ts';
import type { ClaimType, Domain, EpistemicStatus, SourceType, Valence } from '../contract/vocabulary.ts';

/** A source, its scalars clamped. */
export interface Actor {
  readonly index: number;
  readonly id: string;
  readonly name: string;
  readonly type: SourceType;
  /** base_reliability of the input; null where the default of the source type stands in. */
  readonly givenBase: number | null;
  /** How often outcomes found it right, where that gave `givenBase`. */
  readonly record: { readonly right: number; readonly statements: number } | null;
  /** Base reliability, clamped. Probability. Rule 1. */
  readonly base: number;
  readonly competence: ReadonlyMap<string, number> | null;
  readonly defaultCompetence: number;
  readonly dependsOn: readonly string[];
}

/** One claim: what it says, parsed once. Fields marked `resolved` are set while the model is built. */
export interface Claim {
  /** Place among the model's claims, which stand by id: comparing places compares ids. Resolved. */
  index: number;
  readonly id: string;
  readonly input: ClaimInput;
  readonly actor: Actor;
  /** Null for a meta-claim. */
  readonly subject: SubjectInput | null;
  readonly predicate: string;
  readonly scope: string;
  /** Resolved: a number without a unit has its question's. */
  value: Value;
  readonly valence: Valence;
  readonly from: number;
  readonly to: number;
  /** Milliseconds; null when not stated. */
  readonly assertedAt: number | null;
  readonly type: ClaimType;
  /** Own half-life in days, valid, else null. */
  readonly ownHalfLifeDays: number | null;
  /** Sorted by id. */
  evidence: readonly EvidenceItem[];
  /** Meta-claims on this claim, kept ones, by id. */
  metas: readonly Claim[];
  /** Resolved: the claim a meta-claim speaks about. */
  target: Claim | null;
  /**
   * Resolved: retracted, or hanging on a retracted claim: it lends nothing to anything else. Reasoning model
   * §9.
   */
  isWithdrawn: boolean;
  /** Resolved: superseded by a claim of the input, or as it came. */
  status: EpistemicStatus;
  /** Resolved: ties to kept claims, at most RELATIONSHIPS_MAX, supersedes left out. */
  relationships: readonly Relationship[];
  /** Resolved: claims this one supersedes, edges in cycles left out, by id. */
  supersedes: readonly Claim[];
  supersededBy: readonly Claim[];
  /** Resolved: ids of claims of its own actor that dropped repetitions of this claim supersede. */
  repeatsSupersede: readonly string[];
  /** Resolved: claims from which a distinction tells this one apart. */
  distinguishedFrom: Set<Claim> | null;
}

export interface EvidenceItem {
  readonly id: string;
  readonly valence: Valence;
  /** Items, 0..100. */
  readonly weight: number;
}

export interface Relationship {
  readonly type: 'complements' | 'refines' | 'qualifies' | 'challenges_methodology';
  readonly target: Claim;
}

/** A distinction that takes part. */
export interface Distinction {
  readonly id: string;
  readonly a: Claim;
  readonly b: Claim;
  readonly conditionA: string;
  readonly conditionB: string;
}

export interface Settings {
  readonly domain: Domain;
  /** Half-life before the factors of a claim. Days, > 0. */
  readonly halfLifeDays: number;
  readonly dependentRefreshFactor: number;
  /** t0: the instant the analysis speaks for, milliseconds. */
  readonly now: number;
  /** The instant at which the analysis runs, milliseconds: what is dated later is from the future. */
  readonly ranAt: number;
  /** Null where the analysis speaks for the instant at which it runs. Milliseconds. */
  readonly asOf: number | null;
  readonly detectsCopying: boolean;
  readonly estimatesReliability: boolean;
  readonly estimatesNumbers: boolean;
}

/**
 * The input as the rules see it: clamped, without left-out claims, duplicates merged, references resolved,
 * all lists by id.
 */
export interface Model {
  readonly input: InvestigationInput;
  readonly settings: Settings;
  readonly actors: readonly Actor[];
  readonly actorById: ReadonlyMap<string, Actor>;
  /** Parses a value, each text once. */
  readonly valueOf: (raw: string) => Value;
  readonly subjects: readonly SubjectInput[];
  readonly claims: readonly Claim[];
  /** The kept claim an id stands for; ids of dropped duplicates lead to the one kept. */
  readonly claimById: ReadonlyMap<string, Claim>;
  readonly inferences: readonly InferenceInput[];
  readonly distinctions: readonly Distinction[];
}

/** Competence of an actor for a predicate: as listed, else the default. Share, 0..1. Rule 2. */
export function competenceOf(actor: Actor, predicate: string): number {
  return actor.competence?.get(predicate) ?? actor.defaultCompetence;
}
