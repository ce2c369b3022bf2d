/**
 * The shapes in which verdicts explain themselves; snake_case is the wire's. Evidence is counted in items, ≥
 * 0.
 */

import type { Denial, NumericEstimate, OpinionSummary, RivalValue, TruthStatus } from '../contract/types.ts';
import type { EpistemicStatus, RuleType } from '../contract/vocabulary.ts';

/**
 * How one verdict came about. INVARIANT (explained-sum): `r` and `s` are the sums of `counted` over the
 * contributions for support and for opposition, within 1e-12; and with W = `prior_weight`, support =
 * r/(r+s+W), opposition = s/(r+s+W), uncertainty = W/(r+s+W), expected_probability = support + base_rate ·
 * uncertainty.
 */
export interface VerdictExplanation extends AnswerPlace {
  subject_id: string;
  predicate: string;
  /** What the verdict is about; null when only inferences speak. As in SubjectResult. */
  leading_value: string | null;
  /** Present when no value leads in that scope and time: the two best have the same evidence. */
  tied?: true;
  /** Present when no value leads: sources deny this one and assert none. As in SubjectResult. */
  denied?: true;
  /**
   * The claim that leads: its r and s are the verdict's, exchanged when it denies or says false. Null when
   * none does.
   */
  leading_claim_id: string | null;
  truth_status: TruthStatus;
  expected_probability: number;
  confidence: OpinionSummary;
  /** Evidence for and against "predicate is leading_value". */
  r: number;
  s: number;
  /** W, the amount of evidence that uncertainty stands for. */
  prior_weight: number;
  /**
   * Support, opposition, then neither; within a side by `counted`, largest first, then by `offered`, then by
   * id.
   */
  contributions: Contribution[];
  /**
   * Present with `numeric: "estimate"`, as in SubjectResult, with the numbers that it is the weighted median
   * of.
   */
  numeric_estimate?: ExplainedEstimate;
  /** Present where values are denied that nobody states, as in SubjectResult, with their claims. */
  denials?: ExplainedDenial[];
  /**
   * Claims on the pair that neither agree nor conflict with the leading one: another scope, time or denied
   * value. By id.
   */
  unrelated_claim_ids: string[];
  /** Null when no removal of claims makes the verdict another. */
  smallest_change: SmallestChange | null;
  /** One row for each actor with a claim on the pair or a meta-claim that reaches one, by actor id. */
  without_source: WithoutSource[];
  /** False where the work budget was reached before every actor had a row; those who say most come first. */
  without_source_is_complete: boolean;
}

/** The claims are listed by id, and among the unrelated ones, too. */
export interface ExplainedDenial extends Denial {
  claim_ids: string[];
}

/** The median is where the shares of the numbers, in their order, reach one half. */
export interface ExplainedEstimate extends NumericEstimate {
  /**
   * Effective number of independent sources, from 1; rounded down, it tells how many numbers at each end low
   * and high leave out.
   */
  sources: number;
  /** By number, then by claim id; the shares sum to 1. */
  numbers: { claim_id: string; number: number; share: number }[];
}

/** Where evidence comes from: a claim's own voice, a meta-claim, a Refutes item of evidence, an inference. */
export const ROUTES = ['voice', 'meta_claim', 'evidence', 'inference'] as const;
export type Route = (typeof ROUTES)[number];

/**
 * What became of a contribution:
 * - counted: added to the verdict;
 * - dependent: a contribution at least as strong of the same dependence class counts in its place
 *  (`counted_claim_id`);
 * - capped: an inference, of which only a share counts, because the inferences of a pair add at most one item
 *  together;
 * - discounted: the source is unidentified and others like it are stronger: the i-th counts 0.9^(i − 1) of
 *  what it offers;
 * - below_floor, retracted, corrected, withdrawn_original: the claim speaks with zero evidence; corrected
 *  means that a claim of its own actor supersedes it, withdrawn_original that another source took back or
 *  corrected the claim that it is weighed like (`original`);
 * - superseded: a standing claim supersedes it, so that it may not lead, and nothing else leads;
 * - unheard_target: it speaks about a claim that is retracted or below the floor;
 * - distinguished: a distinction ends the conflict with the leading claim, and it speaks for its own value;
 * - other_answer: a no leads, and it gives an answer that is neither yes nor no;
 * - raises_target, lowers_target: it speaks for, or against, a claim that conflicts with the leading one or
 *  that is itself about a claim, and counts in the κ of that alone; its side is the one that it helps.
 *  Evidence against the denial of another value is against the leading one.
 */
export const OUTCOMES = [
  'counted',
  'dependent',
  'capped',
  'discounted',
  'below_floor',
  'retracted',
  'corrected',
  'withdrawn_original',
  'superseded',
  'unheard_target',
  'distinguished',
  'other_answer',
  'raises_target',
  'lowers_target',
] as const;
export type Outcome = (typeof OUTCOMES)[number];

/** One thing that speaks, or would speak, for or against the verdict. */
export interface Contribution {
  /**
   * `support` adds to r, `opposition` to s; `neither` is for other answers where a no leads, and for claims
   * about them. Where nothing leads, the side that the claim would take for its
   * own value.
   */
  side: 'support' | 'opposition' | 'neither';
  route: Route;
  outcome: Outcome;
  /**
   * The claim or meta-claim that speaks, or the claim that the item of evidence is about; null for an
   * inference.
   */
  claim_id: string | null;
  /**
   * The actor who makes that claim; null for an inference and for an item of evidence, which no one's honesty
   * weakens.
   */
  actor_id: string | null;
  /** Only for `meta_claim`: the claim it speaks about. */
  target_claim_id?: string;
  /** Only for `evidence`. */
  evidence_id?: string;
  /** Only for `inference`: its id, rule and premises. */
  inference_id?: string;
  rule_type?: RuleType;
  premise_claim_ids?: string[];
  /** Named by its smallest actor id; null for evidence and inferences, each a class of its own. */
  dependence_class: string | null;
  /** The contribution on its own: the product of `factors`, within 1e-12. */
  offered: number;
  /** What it adds to r or s, 0..offered. */
  counted: number;
  /** Only for `dependent`: the claim of the same class that counts. */
  counted_claim_id?: string;
  /**
   * Only for `dependent`, present when true: nobody declared that the two sources depend on one another. They
   * say the same unusual things, and may be independent all the same.
   */
  suspected?: true;
  /**
   * Only of a `voice` that says the same as a claim of another source that was retracted or superseded, and
   * is weighed like it. With `suspected` nobody declared that the sources depend on one another.
   */
  original?: { claim_id: string; suspected?: true };
  factors: Factor[];
}

/**
 * Names of factors, in the order in which they are applied; a factor that does not apply to a route is left
 * out.
 * - base_reliability: after the clamp, probability; `given` is the number in the input, null where the
 *  default of the
 *   source_type stands in.
 * - estimated_reliability: in place of base_reliability where reliabilities are learned: 0 for a source that
 *  guesses, towards
 * 1 for one always right; of the claim's statement, since a source may be right about one value and wrong
 * about another.
 * - competence: 0..1. self_contradiction: π, 0.512..1. decay: δ, 0..1. superseded: 0.25 or 1. refined: 0.9 or
 *  1.
 * - supporting_evidence: 1 + Σ weight of the claim's Supports items, ≥ 1.
 * - reliability_cap: share that the cap of the voice, 2g/(1 − R), leaves, 0..1.
 * - kappa: κ, share of what is said about the claim itself that speaks for it, 0..1.
 * - credibility: 0 for whatever has an outcome that adds nothing by rule: below_floor, retracted, corrected,
 *  withdrawn_original, superseded, unheard_target.
 * - evidence_weight: weight of the item, 0..100.
 * - rule_strength: ρ of the inference. premise_belief: the least belief among its premises. Both 0..1.
 */
export const FACTORS = [
  'base_reliability',
  'estimated_reliability',
  'competence',
  'self_contradiction',
  'decay',
  'superseded',
  'refined',
  'supporting_evidence',
  'reliability_cap',
  'kappa',
  'evidence_weight',
  'rule_strength',
  'premise_belief',
  'credibility',
] as const;
export type FactorName = (typeof FACTORS)[number];

export interface Factor {
  name: FactorName;
  value: number;
  /** Only for base_reliability. */
  given?: number | null;
  /** How often outcomes found the source right, where that gave `given`. */
  record?: { right: number; statements: number };
}

/**
 * The scope and the time that an answer is about, as its claim wrote them, where it has them. A question has
 * an answer in each.
 */
export type AnswerPlace = Pick<RivalValue, 'scope' | 'event_start_time' | 'event_end_time'>;

/**
 * A verdict as it would be without some claims, in the scope and time of the answer that is explained: what
 * leads elsewhere takes no place of it. Where nothing is left there it is Neither, at the base rate. Its own
 * scope and time are those of what would lead, or else those of that answer.
 */
export interface VerdictWithout extends AnswerPlace {
  truth_status: TruthStatus;
  expected_probability: number;
  leading_value: string | null;
  /** Present when no value would lead there: the two best would have the same evidence. */
  tied?: true;
  /** Present when no value would lead: sources would deny this one and assert none. */
  denied?: true;
}

/**
 * The fewest claims whose removal makes the verdict another: its status, what leads, or that nothing does. A
 * claim and its dropped repetitions are one claim, and with a claim go the meta-claims and items of evidence
 * that hang on it. Reliabilities that were learned stay as learned with it, so that `is_exact` is false then.
 */
export interface SmallestChange extends VerdictWithout {
  /**
   * By id. With `is_exact` no smaller set makes the verdict another; else their number is an upper bound.
   * Empty when the search ended before any set was found.
   */
  claim_ids: string[];
  /**
   * Everything to take out of the input to see the change: the claims, their repetitions and the meta-claims
   * on them; by id.
   */
  removed_claim_ids: string[];
  /** False with reliability estimated: what was learned is held, and without the claims would be another. */
  is_exact: boolean;
  /**
   * True where the work did not suffice to look anew, without the claims, for sources that copy: the change
   * is certain only if the dependence of sources stays as it is with them.
   */
  dependence_as_found: boolean;
}

/**
 * The verdict as it would be if the actor had not claimed anything: without all claims of the actor in the
 * investigation, the meta-claims of anyone on them and the evidence about these. The actor's corroborations
 * of others' claims stay.
 */
export interface WithoutSource extends VerdictWithout {
  actor_id: string;
  /** The actor's claims on the pair and meta-claims that reach one, by id. */
  claim_ids: string[];
  /** True when the verdict is another: its status, what leads, or that nothing does. */
  flips: boolean;
  /**
   * False where the work budget was reached: which sources depend on which was then kept as it is with the
   * actor. False also where reliabilities were learned: they are kept as learned with the actor.
   */
  is_exact: boolean;
}

/** Every number between a claim and its weight, so that a reader can recompute it by hand. */
export interface ClaimAudit {
  claim_id: string;
  actor_id: string;
  /** Claims dropped as repetitions of this one, by id. */
  repetition_ids: string[];
  reliability: ReliabilityAudit;
  half_life: HalfLifeAudit;
  decay: DecayAudit;
  freshness: FreshnessAudit;
  weight: WeightAudit;
}

/** effective = base × competence × self_contradiction. Rules 1 to 3. */
export interface ReliabilityAudit {
  /** base_reliability in the input; null when absent. */
  given: number | null;
  /** How often outcomes found the source right, where that gave `given`. */
  record?: { right: number; statements: number };
  /** The clamp of rule 1. Probabilities. */
  clamp_low: number;
  clamp_high: number;
  /** `given` clamped, the default of the source_type, or what was learned from the claims. Probability. */
  base: number;
  base_from: 'given' | 'clamped' | 'source_type' | 'estimated';
  /** 0..1. */
  competence: number;
  competence_from: 'predicate' | 'default_competence';
  /** k: the actor's other standing claims that conflict with this one, counted up to 3. */
  self_contradictions: number;
  /** π = 0.8^k. */
  self_contradiction: number;
  effective: number;
  /** The credibility floor, 0.15. */
  floor: number;
  below_floor: boolean;
}

/**
 * effective_days = domain × claim_type × source_authority × epistemic_status; with an override: override, ×
 * epistemic_status for a superseded or retracted claim. Rule 13.
 */
export interface HalfLifeAudit {
  /** Half-life of the domain, or of the investigation where it gives one. Days. */
  domain: number;
  domain_from: 'domain' | 'investigation';
  claim_type: number;
  source_authority: number;
  epistemic_status: number;
  /** The status that the factor is of: as given, or superseded by another claim. */
  status: EpistemicStatus;
  /** The claim's own half-life, valid, else null. Days. */
  override: number | null;
  effective_days: number;
}

/** factor = 0.5^(age_days / effective_days); 0 for a half-life of 0. Rules 12 and 13. */
export interface DecayAudit {
  /** RFC 3339; null without an assertion time, and then nothing has aged. */
  assertion_time: string | null;
  origin: string | null;
  corroborations: number;
  independent_corroborations: number;
  age_days: number;
  factor: number;
  /** True when the factor is below 0.25. */
  is_stale: boolean;
}

/** score = 0.7 × decay + 0.2 × recency + 0.1 × status. Rule 13. */
export interface FreshnessAudit {
  decay: number;
  /** 0.5^(days since the last corroboration / effective_days); 0 without one. */
  recency: number;
  /** Factor of the epistemic status, 0..1. */
  status: number;
  score: number;
}

/**
 * weight = effective reliability × decay × superseded × refined, 0 when the claim is retracted, corrected or
 * below the floor; voice = min(weight × (1 + supporting_evidence), cap), cap = 2 × weight / (1 − effective
 * reliability).
 */
export interface WeightAudit {
  is_retracted: boolean;
  /**
   * 0.25 when another actor's standing claim supersedes this one, 0 when one of its own actor does, also for
   * copies of such claims and of retracted ones; else 1.
   */
  superseded: number;
  /** 0.9 when a standing claim refines this one, else 1. */
  refined: number;
  weight: number;
  /** Σ weight of the Supports items, ≥ 0. */
  supporting_evidence: number;
  cap: number;
  voice: number;
  /**
   * κ = spoken_for / (spoken_for + spoken_against) of what is said about the claim directly; 0 when nothing
   * is for it.
   */
  kappa: number;
  /** Evidence for and against the statement that the claim makes. */
  r: number;
  s: number;
}
