import { UNIDENTIFIED } from '../contract/constants.ts';
import type { Ageing } from './ageing.ts';
import type { Claim, EvidenceItem } from '../model/model.ts';
import { isBelowFloor } from '../model/reliability.ts';
import { opinionFromEvidence, PRIOR_WEIGHT } from '@platform/subjective-logic';
import type { Opinion } from '@platform/subjective-logic';

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
  /** Whether its own source has replaced it by an answer that agrees with it. */
  readonly isReworded: boolean;
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

const VACUOUS = opinionFromEvidence(0, 0);

/** A claim's weight and voice, with nothing said about it yet. */
export function newWeighing(
  claim: Claim,
  reliability: number,
  credibility: number,
  { silent, isReworded }: Pick<Weighing, 'silent' | 'isReworded'>,
  ageing: Ageing,
  weight: number,
): Weighing {
  const voice = Math.min(weight * (1 + supportingEvidence(claim)), voiceCap(weight, reliability));
  return {
    reliability,
    credibility,
    belowFloor: isBelowFloor(credibility),
    silent,
    isReworded,
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

/**
 * Whether evidence against a claim counts: also where its own source has superseded it, for the evidence does
 * not depend on what the source says now; but not where the source now gives another figure or time that
 * agrees with it, against which it would count although it shows the former one to be wrong. ADR 0130. Pure.
 */
export const isRefutable = ({ status }: Claim, { belowFloor, isReworded }: Weighing): boolean =>
  !belowFloor && !isReworded && status !== 'retracted';

/** What the evidence against some claims weighs that speak or spoke. Items. */
export function refuted(claims: readonly Claim[], weighings: readonly Weighing[]): number {
  let sum = 0;
  for (const claim of claims) {
    const weighing = weighings[claim.index]!;
    if (!isRefutable(claim, weighing)) continue;
    for (const item of claim.evidence) if (item.valence === 'Refutes') sum += refutation(weighing, item);
  }
  return sum;
}

/** What a meta-claim says for or against its target: g·κ. Items. §4. */
export function metaEvidence({ weight, kappa }: Weighing): number {
  return weight * kappa;
}

/** The weight of a claim against those that conflict with it: its voice times κ. Items. §4. */
export function challenge({ voice, kappa }: Weighing): number {
  return voice * kappa;
}

/** Sets the evidence of a claim and the opinion that it makes. */
export function setOpinion(
  weighing: Weighing,
  r: number,
  s: number,
  opinion = opinionFromEvidence(r, s),
): void {
  weighing.r = r;
  weighing.s = s;
  weighing.opinion = opinion;
}
