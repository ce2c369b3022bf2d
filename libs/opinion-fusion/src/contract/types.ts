/**
 * The shapes of the contract, word for word (snake_case is the wire's). Optional fields of an input may be
 * absent or null. Beyond the contract, as the reasoning model allows: `as_of`, `dependence`, `reliability`,
 * `numeric` and `depends_on` on the input; `evaluated_at`, `engine_version`, `source_dependence`,
 * `leading_value`, `source_count` and `independent_source_count` on the result.
 */

import type { EpistemicStatus } from './vocabulary.ts';

export interface InvestigationInput {
  research_question: string;
  actors: ActorInput[];
  subjects: SubjectInput[];
  claims: ClaimInput[];
  evidence?: EvidenceInput[] | null;
  inferences?: InferenceInput[] | null;
  distinctions?: DistinctionInput[] | null;
  domain?: string | null;
  decay_half_life_days?: number | null;
  dependent_refresh_factor?: number | null;
  summary_mode?: boolean | null;
  as_of?: string | null;
  dependence?: string | null;
  reliability?: string | null;
  numeric?: string | null;
}

export interface ActorInput {
  id: string;
  name: string;
  source_type: string;
  base_reliability?: number | null;
  competence?: Record<string, number> | null;
  default_competence?: number | null;
  depends_on?: string[] | null;
  reliability_record?: ReliabilityRecord | null;
}

/** How often outcomes found a source right, where that gave its base_reliability. */
export interface ReliabilityRecord {
  right: number;
  statements: number;
  base_reliability: number;
}

export interface SubjectInput {
  id: string;
  name: string;
  subject_type: string;
}

export interface ClaimInput {
  id: string;
  actor_id: string;
  predicate: string;
  value: string;
  content: string;
  subject_id?: string | null;
  target_claim_id?: string | null;
  valence?: string | null;
  claim_type?: string | null;
  assertion_time?: string | null;
  event_start_time?: string | null;
  event_end_time?: string | null;
  scope?: string | null;
  epistemic_status?: string | null;
  decay_half_life_days?: number | null;
  supersedes_claim_id?: string | null;
  relationships?: ClaimRelationshipInput[] | null;
  corroboration_events?: CorroborationEventInput[] | null;
  url?: string | null;
  archived_url?: string | null;
  quote?: string | null;
  published_by?: string | null;
  source?: PinnedSource | null;
}

export interface ClaimRelationshipInput {
  relationship_type: string;
  target_claim_id: string;
}

export interface CorroborationEventInput {
  time: string;
  actor_id: string;
  description?: string | null;
}

export interface EvidenceInput {
  id: string;
  claim_id: string;
  content: string;
  valence: string;
  weight?: number | null;
  url?: string | null;
  archived_url?: string | null;
  quote?: string | null;
  published_by?: string | null;
  source?: PinnedSource | null;
}

/**
 * A stored document and the passage of it that is quoted. Without weight in the judgement, as all that says
 * where something comes from.
 */
export interface PinnedSource {
  /** The id of the document in docstore-api. */
  document: string;
  /** Version of the document, from 1; absent = the current one. */
  version?: number | null;
  /** SHA-256 of the version's bytes, as 64 hexadecimal digits in lower case. */
  sha256?: string | null;
  selector?: TextSelector | null;
}

/**
 * A passage by position and by words. Positions count Unicode code points of the stored text as it is, not
 * normalized; `end` is behind the last one. Source: W3C Web Annotation Data Model §4.2.4 and §4.2.5.
 */
export interface TextSelector {
  exact: string;
  /** `start` and `end` are both there or both absent. */
  start?: number | null;
  end?: number | null;
  prefix?: string | null;
  suffix?: string | null;
}

export interface InferenceInput {
  id: string;
  subject_id: string;
  predicate: string;
  premise_claim_ids: string[];
  rule_type: string;
  rule_param?: string | null;
  rule_param2?: string | null;
  description?: string | null;
}

export interface DistinctionInput {
  id: string;
  argument_a: string;
  argument_b: string;
  feature: string;
  condition_a: string;
  condition_b: string;
  description?: string | null;
}

export type TruthStatus = 'True' | 'False' | 'Both' | 'Neither';
export type Category = 'strong' | 'moderate' | 'contested' | 'weak' | 'refuted';

export interface OpinionSummary {
  support: number;
  opposition: number;
  uncertainty: number;
  base_rate: number;
}

/**
 * One of the values that sources assert on a question or, where they assert none, of those that they deny.
 */
export interface RivalValue {
  /** As its strongest claim wrote it; `true` or `false` for a boolean predicate. */
  value: string;
  /** Of its strongest claim, where it has them: the scope, and the time that the statement is about. */
  scope?: string;
  event_start_time?: string;
  event_end_time?: string;
  /**
   * Present where the value is said in another scope or of another time than the leading one, or is that one
   * said of a time that overlaps its own: the two do not compete, and both may be right.
   */
  apart?: true;
  /** Present on each of the values that are tied, of which none leads. */
  tied?: true;
  /**
   * Present where claims with weight deny the value and none asserts it; its sources are those that deny it.
   * Beside stated values, of whatever scope and time, it is listed where it is disputed.
   */
  denied?: true;
  /**
   * Present where the value is denied, and something counts against the denial: a claim on it, or evidence.
   */
  disputed?: true;
  /**
   * Share of weight behind the value, from its strongest claim's own evidence, without inferences.
   * Probability.
   */
  expected_probability: number;
  /** Chance that the value is right. Probability. */
  calibrated_probability: number;
  source_count: number;
  independent_source_count: number;
}

/** A scope and time in which what holds is disputed. */
export interface DisputedPlace {
  scope?: string;
  event_start_time?: string;
  event_end_time?: string;
  /** Present where neither another answer there nor a denial has a chance of DISPUTED_FROM or more. */
  is_slight?: true;
}

/** A value that claims with weight deny and none states in that scope and time. */
export interface Denial {
  /** As the most disputed denial of it writes it, or else the one with most weight. */
  value: string;
  /** As in RivalValue. */
  scope?: string;
  event_start_time?: string;
  event_end_time?: string;
  /** Present where it is denied in another scope or of another time than that of the leading value. */
  apart?: true;
  /** Distinct actors who deny it. */
  source_count: number;
}

/** Sources of whom all that speaks for a verdict or against it is superseded. */
export interface Superseded {
  source_count: number;
  /** Those of them who spoke for the verdict, and against it. */
  supporting_source_count: number;
  opposing_source_count: number;
  /** Their names, the weightiest first, at most RIVALS_MAX. */
  sources: string[];
  /** Present where nothing else speaks against the verdict. */
  is_all?: true;
}

/** The number that the numeric claims on a question, comparable with its leading one, point to together. */
export interface NumericEstimate {
  /** The weighted median of the numbers claimed. */
  median: number;
  /** Ends of the 90 % interval of the median. */
  low: number;
  high: number;
  /** The unit of the claims; the empty string where they have none. */
  unit: string;
  /** Numeric claims with weight. */
  claims: number;
  /**
   * Present where the sources are too few for 90 %: low and high are then the least and the largest number
   * claimed.
   */
  few_sources?: true;
}

/**
 * A verdict as it would be if nothing on its question had aged. Source: RM-11.220.
 */
export interface AgeDecides {
  /** As of a verdict: `true` of yes and no, whichever leads. */
  leading_value: string;
  /** Present where no value would lead. */
  tied?: true;
  truth_status: TruthStatus;
  /** Share of weight behind that value. Probability. */
  expected_probability: number;
  /** Share of the weight of what is said on the question, and about that, which age has taken. */
  weight_lost: number;
  /** Present where the investigation gives no decay_half_life_days, so that that of the domain counts. */
  default_half_life?: true;
}

export interface SubjectResult {
  subject_id: string;
  subject_name: string;
  predicate: string;
  truth_status: TruthStatus;
  confidence: OpinionSummary;
  /** Share of weight behind the leading value, b + a·u. */
  expected_probability: number;
  /** Chance that the leading value is right; without one, the expected probability. */
  calibrated_probability: number;
  /**
   * The values asserted, the leading one first, or else those denied, the one denied most first; at most
   * RIVALS_MAX, and none where inferences alone speak.
   */
  rival_values: RivalValue[];
  /**
   * Every value in each scope and time in which it is said, in the order of weight; of one scope and time at
   * most PLACE_VALUES_MAX. Present where RIVALS_MAX are listed, or any has a scope or time.
   */
  all_values?: RivalValue[];
  /** How many more values there are; present where RIVALS_MAX of them are listed. */
  more_rival_values?: number;
  /** How many of these are of other scopes or times than the leading one; present where there are any. */
  more_values_apart?: number;
  /** How many of these are tied, or only denied, with those listed; present where there are any. */
  more_tied_values?: number;
  /**
   * Present where values of another scope or time than the leading one are listed: the scopes and times, of
   * all values, in which different ones are stated, or one that is stated is denied or refuted.
   */
  disputed_apart?: DisputedPlace[];
  /** Present when the two best values have the same evidence for and against them: none leads but by id. */
  tied?: true;
  /**
   * Present where sources deny values and assert none: `leading_value` is the one denied most, and none
   * leads.
   */
  denied?: true;
  /**
   * Present where values are denied that nobody states, those that most sources deny first, at most
   * RIVALS_MAX; where a denial leads, those of other scopes and times.
   */
  denials?: Denial[];
  /** All of these, present where RIVALS_MAX are listed. */
  all_denials?: Denial[];
  /** Present where what speaks for the verdict or against it is superseded, in whole or in part. */
  superseded?: Superseded;
  /** Present where another value would lead, or the status would be another, if nothing had aged. */
  age_decides?: AgeDecides;
  /** In summaries: what follows under the conditions of the distinctions on the question, if any. */
  conditions?: string;
  /**
   * Present with `numeric: "estimate"` where a value leads and a claim comparable with it states a number
   * with weight.
   */
  numeric_estimate?: NumericEstimate;
  /**
   * The value the verdict is about, as its claim wrote it; `true` for a boolean predicate; null when only
   * inferences speak, or no claim counts.
   */
  leading_value: string | null;
  /**
   * Present where the claims state values, none yes or no, and none of them counts: no value has a chance,
   * and the probabilities say nothing.
   */
  no_value_counts?: true;
  /**
   * Distinct actors of the claims that agree with the leading claim, which may be a denial, and carry weight.
   */
  source_count: number;
  /** Dependence classes of the same claims. */
  independent_source_count: number;
  /**
   * Distinct actors who speak for the verdict, and against it, with weight: by claims of their own and by
   * claims about claims, without those of whom all is superseded, whom `superseded` counts where one value
   * leads. Items of evidence and inferences are none.
   */
  supporting_source_count: number;
  opposing_source_count: number;
}

export interface RankedClaim {
  rank: number;
  claim_id: string;
  actor_id: string;
  /** Null for a claim about another claim. */
  subject_id: string | null;
  predicate: string;
  value: string;
  category: Category;
  expected_probability: number;
  belief: number;
  disbelief: number;
  uncertainty: number;
}

export interface ClaimAnalysisSummary {
  claim_id: string;
  predicate: string;
  value: string;
  actor_id: string;
  truth_status: TruthStatus;
  expected_probability: number;
  support: number;
  opposition: number;
  uncertainty: number;
  temporal_decay_factor: number;
  effective_half_life_days: number;
  freshness_score: number;
  supporting_count: number;
  refuting_count: number;
  neutral_count: number;
  epistemic_status: EpistemicStatus;
  assertion_time?: string;
  last_corroborated?: string;
  decay_origin: string | null;
  corroboration_count: number;
  below_credibility_floor?: true;
  /**
   * Of a denial: its value as other claims write it that state or deny it, where that is in other words, the
   * weightiest first, at most SPELLINGS_MAX.
   */
  denied_as?: string[];
  suggested_epistemic_status?: EpistemicStatus;
}

export interface InterpretationClaim {
  claim_id: string;
  actor_id: string;
  actor_name: string;
  predicate: string;
  value: string;
  content: string;
  truth_status: TruthStatus;
  belief: number;
  disbelief: number;
  uncertainty: number;
  expected_probability: number;
}

export interface InterpretationTree {
  label: string;
  coherence_score: number;
  accepted_claims: InterpretationClaim[];
  attacks: { attacker_claim_id: string; target_claim_id: string; description: string }[];
  /** `condition`: the scope of a claim that qualifies the other. */
  supports: { supporter_claim_id: string; supported_claim_id: string; condition?: string }[];
}

export interface SubjectArgumentation {
  subject_id: string;
  predicate: string;
  accepted_claims: string[];
  alternative_interpretations: string[][];
  dispute_level: number;
  causal_chains: { argument_ids: string[] }[];
  is_exact: boolean;
  interpretations: InterpretationTree[];
}

export interface EvidenceGap {
  subject_id: string;
  predicate: string;
  uncertainty: number;
  expected_probability: number;
  potential_shift: number;
  is_contested: boolean;
  suggestion: string;
  discriminating_claims?: string[];
}

export interface SensitivityAnalysis {
  evidence_gaps: EvidenceGap[];
}

export interface TemporalAnalysis {
  stale_claims: { claim_id: string; age_days: number; decay_factor: number; recommendation: string }[];
  recently_corroborated: {
    claim_id: string;
    corroboration_count: number;
    last_corroborated: string;
    freshness_score: number;
  }[];
  supersession_chains: { claim_ids: string[]; current_claim_id: string }[];
  overall_freshness: number;
}

export interface ConditionalConclusion {
  distinction_id: string;
  condition: string;
  favored_claim_id: string;
  /** Share of weight behind the value that the favored claim is about, b + a·u. */
  expected_probability: number;
  /** Chance that this value is right under the condition. Probability. */
  calibrated_probability: number;
  opinion: OpinionSummary;
}

export interface AccumulativeAnalysis {
  conditional_conclusions: ConditionalConclusion[];
}

/**
 * Actors found in the claims to speak with one voice, or unidentified ones that say what an identified actor
 * says; what depends_on declares is not repeated here.
 */
export interface SourceDependence {
  /** Who is suspected; a single one only with `resembles`. */
  actor_ids: string[];
  /** The identified actor that all of them, unidentified, resemble. Nothing is held against it. */
  resembles?: string;
  /** The smallest posterior of copying between two members. Probability. */
  probability: number;
  /** Items on which two or more members say the same. */
  shared_items: number;
  /**
   * Of those, the items whose value at most one in five of the other sources there report; where all members
   * are identified, of the other identified ones.
   */
  shared_rare_values: number;
  /**
   * False where the group is reported only, because joining it would silence the side it speaks for, and of
   * a single actor.
   */
  applied: boolean;
  /** Present when the data tell who copies: the copying actor and the one it copies. */
  direction?: { from: string; to: string };
}

/** How often a source was found right, from the claims themselves. */
export interface EstimatedReliability {
  actor_id: string;
  /** Mean of the posterior, and the ends of its 90 % interval. Probabilities. */
  mean: number;
  low: number;
  high: number;
  /** Statements that the estimate rests on. */
  claims: number;
}

export interface InvestigationResult {
  research_question: string;
  decay_half_life_days: number;
  subject_results: SubjectResult[];
  conflict_analysis: SubjectArgumentation[];
  claim_analyses: ClaimAnalysisSummary[];
  ranked_claims: RankedClaim[];
  sensitivity_analysis: SensitivityAnalysis;
  temporal_analysis?: TemporalAnalysis;
  accumulative_analysis?: AccumulativeAnalysis;
  source_dependence: SourceDependence[];
  /** Present with `reliability: "estimated"`; by actor id. */
  estimated_reliability?: EstimatedReliability[];
  evaluated_at: string;
  engine_version: string;
  warnings: string[];
}

/** What `summary_mode: true` returns in place of the full result. */
export interface InvestigationSummary {
  research_question: string;
  decay_half_life_days: number;
  summary_mode: true;
  top_findings: SubjectResult[];
  top_contested_claims: RankedClaim[];
  top_evidence_gaps: EvidenceGap[];
  synthesis: string;
  evaluated_at: string;
  engine_version: string;
  warnings: string[];
}

/** The part of an AbortSignal that the engine looks at. */
export interface StopSignal {
  readonly aborted: boolean;
  readonly reason?: unknown;
}
