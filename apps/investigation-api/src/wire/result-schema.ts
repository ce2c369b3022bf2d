import { QuoteChecks } from './quote-schema.ts';
import { EPISTEMIC_STATUSES } from '@platform/opinion-fusion';
import { z } from '@platform/error-contracts/zod-openapi';

/** The shapes an analysis returns; published, and held to the engine's real results by a spec. */

const share = () => z.number().min(0).max(1);
const count = () => z.int().min(0);
const truthStatus = z
  .enum(['True', 'False', 'Both', 'Neither'])
  .describe('True, False, Both (contradicted) or Neither (no information).');
const probability = share().describe('Expected probability, belief + base rate × uncertainty.');
const time = z.iso.datetime();

export const OpinionSummary = z
  .object({
    support: share(),
    opposition: share(),
    uncertainty: share().describe('support + opposition + uncertainty = 1.'),
    base_rate: share(),
  })
  .openapi('OpinionSummary');

const calibrated = share().describe(
  'Chance that the value is right: the posterior over the rival values, tempered because sources err together.',
);

export const RivalValue = z
  .object({
    value: z.string(),
    scope: z.string().optional().describe('The scope in which the value is said, if any.'),
    event_start_time: z.string().optional(),
    event_end_time: z.string().optional().describe('The time that the statement is about, if given.'),
    apart: z
      .literal(true)
      .optional()
      .describe('Present in another scope or time than the leading value: the two do not compete.'),
    tied: z
      .literal(true)
      .optional()
      .describe('Present on each of the values that are tied, of which none leads.'),
    denied: z
      .literal(true)
      .optional()
      .describe('Present where claims with weight deny the value and none asserts it: its sources deny it.'),
    disputed: z
      .literal(true)
      .optional()
      .describe(
        'Present on a denied value where a claim about its denial, or evidence, counts against that.',
      ),
    expected_probability: probability,
    calibrated_probability: calibrated,
    source_count: count(),
    independent_source_count: count(),
  })
  .openapi('RivalValue');

export const Denial = RivalValue.pick({
  value: true,
  scope: true,
  event_start_time: true,
  event_end_time: true,
  apart: true,
})
  .extend({ source_count: count().describe('Actors who deny it with weight.') })
  .openapi('Denial');

const Superseded = z
  .object({
    source_count: count(),
    supporting_source_count: count().describe('Those of them who spoke for the verdict.'),
    opposing_source_count: count().describe('Those of them who spoke against it.'),
    sources: z
      .array(z.string())
      .max(8)
      .describe('Their names, the weightiest first, and behind them those who repeat others.'),
    is_all: z.literal(true).optional().describe('Present where nothing else speaks against it.'),
  })
  .openapi('Superseded');

export const NumericEstimate = z
  .object({
    median: z.number().describe('Weighted median of the numbers claimed.'),
    low: z.number(),
    high: z.number().describe('low and high: ends of the 90 % interval of the median.'),
    unit: z.string(),
    claims: count().describe('Numeric claims with weight.'),
    few_sources: z
      .literal(true)
      .optional()
      .describe(
        'Present where the sources are too few for 90 %: low and high are the least and the largest number claimed.',
      ),
  })
  .openapi('NumericEstimate');

const AgeDecides = z
  .object({
    leading_value: z.string().describe('The value that would lead.'),
    tied: z.literal(true).optional().describe('Present where no value would lead.'),
    truth_status: truthStatus,
    expected_probability: probability,
    weight_lost: share().describe('Share of the weight of what is said on the question that age has taken.'),
    default_half_life: z
      .literal(true)
      .optional()
      .describe('Present where no decay_half_life_days is given, so that that of the domain counts.'),
  })
  .openapi('AgeDecides');

/** What age decides of a verdict, where it does, and by which half-life. */
export const agePart = {
  age_decides: AgeDecides.optional().describe(
    'The verdict as it would be if nothing had aged, where another value would lead, or none, or the status would be another.',
  ),
  decay_half_life_days: z.number().optional().describe('With age_decides: the half-life judged by, in days.'),
};

/** What follows under the conditions of distinctions. */
const conditions = z
  .string()
  .optional()
  .describe(
    'In summaries and explanations: what follows if either side of a distinction holds, with its chance.',
  );

const DisputedPlace = z
  .object({
    scope: z.string().optional(),
    event_start_time: z.string().optional(),
    event_end_time: z.string().optional(),
    is_slight: z
      .literal(true)
      .optional()
      .describe('Present where neither another answer there nor a denial has a chance of 0.1 or more.'),
  })
  .openapi('DisputedPlace');

export const SubjectResult = z
  .object({
    subject_id: z.string(),
    subject_name: z.string(),
    predicate: z.string(),
    truth_status: truthStatus,
    confidence: OpinionSummary,
    expected_probability: probability,
    calibrated_probability: calibrated,
    rival_values: z
      .array(RivalValue)
      .max(8)
      .describe(
        'The values asserted, the leading one first, or else those denied; empty where inferences alone speak.',
      ),
    all_values: z
      .array(RivalValue)
      .optional()
      .describe(
        'Every value in each scope and time in which it is said, by weight; present where eight are listed, or any has a scope or time.',
      ),
    more_rival_values: count()
      .optional()
      .describe('How many more values there are; present where eight are listed.'),
    more_values_apart: count()
      .optional()
      .describe('How many of these are of other scopes or times than the leading one.'),
    more_tied_values: count()
      .optional()
      .describe('How many of these are tied, or only denied, with those listed.'),
    disputed_apart: z
      .array(DisputedPlace)
      .optional()
      .describe(
        'Where values of another scope or time are listed: the scopes and times, of all values, in which different ones are stated, or one is denied or refuted.',
      ),
    tied: z
      .literal(true)
      .optional()
      .describe(
        'Present when no value leads: the two best, or more, have equal evidence for and against them.',
      ),
    denied: z
      .literal(true)
      .optional()
      .describe(
        'Present when sources deny values and assert none, so that none leads; leading_value is the one denied most.',
      ),
    denials: z
      .array(Denial)
      .max(8)
      .optional()
      .describe(
        'Present where values are denied that nobody states in that scope and time, those that most sources deny first.',
      ),
    all_denials: z.array(Denial).optional().describe('All of these; present where eight are listed.'),
    superseded: Superseded.optional().describe(
      'Sources of whom all that speaks for or against it is superseded.',
    ),
    age_decides: agePart.age_decides,
    conditions,
    numeric_estimate: NumericEstimate.optional().describe(
      'With `numeric: "estimate"`: what the numbers comparable with the leading claim point to together.',
    ),
    leading_value: z
      .string()
      .nullable()
      .describe('The value the verdict is about; null when only inferences speak, or no claim counts.'),
    no_value_counts: z
      .literal(true)
      .optional()
      .describe(
        'Present where the claims state values, not yes or no, and none counts: there is no chance, and the probabilities say nothing.',
      ),
    source_count: count().describe('Actors whose claims agree with the leading one and carry weight.'),
    independent_source_count: count().describe(
      'The same with sources that depend on one another counted once.',
    ),
    supporting_source_count: count().describe(
      'Actors who speak for the verdict with weight, by their claims or by claims about claims, those that a distinction tells apart among them; `superseded` has those of whom all is superseded, where one value leads.',
    ),
    opposing_source_count: count().describe(
      'The same of those who speak against it; where a no leads, another answer than yes or no is on neither side.',
    ),
  })
  .openapi('SubjectResult');

const RankedClaim = z
  .object({
    rank: count().describe('From 1, by belief minus disbelief.'),
    claim_id: z.string(),
    actor_id: z.string(),
    subject_id: z.string().nullable().describe('null for a claim about another claim.'),
    predicate: z.string(),
    value: z.string(),
    category: z.enum(['strong', 'moderate', 'contested', 'weak', 'refuted']),
    expected_probability: probability,
    belief: share(),
    disbelief: share(),
    uncertainty: share(),
  })
  .openapi('RankedClaim');

const ClaimAnalysisSummary = z
  .object({
    claim_id: z.string(),
    predicate: z.string(),
    value: z.string(),
    actor_id: z.string(),
    truth_status: truthStatus,
    expected_probability: probability,
    support: share(),
    opposition: share(),
    uncertainty: share(),
    temporal_decay_factor: share().describe('1 fresh, 0.5 at one half-life.'),
    effective_half_life_days: z.number().min(0),
    freshness_score: share(),
    supporting_count: count(),
    refuting_count: count(),
    neutral_count: count(),
    epistemic_status: z.enum(EPISTEMIC_STATUSES),
    assertion_time: time.optional(),
    last_corroborated: time.optional(),
    decay_origin: time.nullable().describe('The time decay is counted from.'),
    corroboration_count: count(),
    below_credibility_floor: z.literal(true).optional(),
    denied_as: z
      .array(z.string())
      .max(32)
      .optional()
      .describe('Of a denial: its value as other claims write it that state or deny it in other words.'),
    suggested_epistemic_status: z.enum(EPISTEMIC_STATUSES).optional(),
  })
  .openapi('ClaimAnalysisSummary');

const InterpretationClaim = z
  .object({
    claim_id: z.string(),
    actor_id: z.string(),
    actor_name: z.string(),
    predicate: z.string(),
    value: z.string(),
    content: z.string(),
    truth_status: truthStatus,
    belief: share(),
    disbelief: share(),
    uncertainty: share(),
    expected_probability: probability,
  })
  .openapi('InterpretationClaim');

const InterpretationTree = z
  .object({
    label: z.string(),
    coherence_score: share(),
    accepted_claims: z.array(InterpretationClaim),
    attacks: z.array(
      z.object({ attacker_claim_id: z.string(), target_claim_id: z.string(), description: z.string() }),
    ),
    supports: z.array(z.object({ supporter_claim_id: z.string(), supported_claim_id: z.string() })),
  })
  .openapi('InterpretationTree');

const SubjectArgumentation = z
  .object({
    subject_id: z.string(),
    predicate: z.string(),
    accepted_claims: z.array(z.string()).describe('Claims that every interpretation accepts.'),
    alternative_interpretations: z.array(z.array(z.string())),
    dispute_level: share().describe(
      '2 · min(r, s)/(r + s) of the verdict: 0 is consensus, 1 half against half.',
    ),
    causal_chains: z.array(z.object({ argument_ids: z.array(z.string()) })),
    is_exact: z.boolean().describe('False when the work budget ran out and an approximation was used.'),
    interpretations: z.array(InterpretationTree),
  })
  .openapi('SubjectArgumentation');

export const EvidenceGap = z
  .object({
    subject_id: z.string(),
    predicate: z.string(),
    uncertainty: share(),
    expected_probability: probability,
    potential_shift: share().describe('How far one more item of evidence would move the probability.'),
    is_contested: z.boolean(),
    suggestion: z.string(),
    discriminating_claims: z.array(z.string()).optional(),
  })
  .openapi('EvidenceGap');

const SensitivityAnalysis = z.object({ evidence_gaps: z.array(EvidenceGap) }).openapi('SensitivityAnalysis');

const TemporalAnalysis = z
  .object({
    stale_claims: z.array(
      z.object({
        claim_id: z.string(),
        age_days: z.number().min(0),
        decay_factor: share(),
        recommendation: z.string(),
      }),
    ),
    recently_corroborated: z.array(
      z.object({
        claim_id: z.string(),
        corroboration_count: count(),
        last_corroborated: time,
        freshness_score: share(),
      }),
    ),
    supersession_chains: z.array(z.object({ claim_ids: z.array(z.string()), current_claim_id: z.string() })),
    overall_freshness: share(),
  })
  .openapi('TemporalAnalysis');

const AccumulativeAnalysis = z
  .object({
    conditional_conclusions: z.array(
      z.object({
        distinction_id: z.string(),
        condition: z.string(),
        favored_claim_id: z.string(),
        expected_probability: probability,
        calibrated_probability: calibrated,
        opinion: OpinionSummary,
      }),
    ),
  })
  .openapi('AccumulativeAnalysis');

const SourceDependence = z
  .object({
    actor_ids: z.array(z.string()).describe('Who is suspected; a single one only with `resembles`.'),
    resembles: z
      .string()
      .optional()
      .describe('The identified actor that all of them, unidentified, resemble; nothing is held against it.'),
    probability: share().describe('1 when declared by depends_on.'),
    shared_items: count(),
    shared_rare_values: count(),
    applied: z
      .boolean()
      .describe(
        'False: reported only, because counting the group once would silence the side it speaks for, or because it is a single actor.',
      ),
    direction: z
      .object({ from: z.string(), to: z.string() })
      .optional()
      .describe('Who copies whom, when the data tell.'),
  })
  .openapi('SourceDependence');

const EstimatedReliability = z
  .object({
    actor_id: z.string(),
    mean: share(),
    low: share(),
    high: share().describe('low and high: ends of the 90 % interval.'),
    claims: count().describe('Statements that the estimate rests on.'),
  })
  .openapi('EstimatedReliability');

export const InvestigationResult = z
  .object({
    research_question: z.string(),
    decay_half_life_days: z.number().positive(),
    subject_results: z.array(SubjectResult),
    conflict_analysis: z.array(SubjectArgumentation).describe('One per subject and predicate.'),
    claim_analyses: z.array(ClaimAnalysisSummary),
    ranked_claims: z.array(RankedClaim),
    sensitivity_analysis: SensitivityAnalysis,
    temporal_analysis: TemporalAnalysis.nullish().describe(
      'When corroboration, epistemic status or supersession is used.',
    ),
    accumulative_analysis: AccumulativeAnalysis.nullish().describe(
      'When a distinction yields a conditional conclusion.',
    ),
    source_dependence: z.array(SourceDependence),
    estimated_reliability: z
      .array(EstimatedReliability)
      .optional()
      .describe('With `reliability: "estimated"`: how often each source was found right.'),
    evaluated_at: time,
    engine_version: z.string(),
    warnings: z.array(z.string()),
    quotes: QuoteChecks.optional().describe('Of an analysis with quotes pinned to documents.'),
  })
  .openapi('InvestigationResult');

export const InvestigationSummary = z
  .object({
    research_question: z.string(),
    decay_half_life_days: z.number().positive(),
    summary_mode: z.literal(true),
    top_findings: z.array(SubjectResult).max(5),
    top_contested_claims: z.array(RankedClaim).max(5),
    top_evidence_gaps: z.array(EvidenceGap).max(5),
    synthesis: z.string(),
    evaluated_at: time,
    engine_version: z.string(),
    warnings: z.array(z.string()),
    quotes: QuoteChecks.optional().describe('Of an analysis with quotes pinned to documents.'),
  })
  .openapi('InvestigationSummary');
