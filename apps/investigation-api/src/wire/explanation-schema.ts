import { FACTORS, OUTCOMES, ROUTES, RULE_TYPES } from '@platform/opinion-fusion';
import { z } from '@platform/error-contracts/zod-openapi';
import {
  agePart,
  Denial,
  NumericEstimate,
  OpinionSummary,
  RivalValue,
  SubjectResult,
} from './result-schema.ts';

/** The shape in which a verdict is explained; published, and held to the engine's type by a spec. */

const items = () => z.number().min(0).describe('Items of evidence.');
const { truth_status, expected_probability, leading_value, tied, denied } = SubjectResult.shape;
const { scope, event_start_time, event_end_time } = RivalValue.shape;
const place = {
  scope: scope.describe('The scope of the answer, if it has one; a question has an answer in each.'),
  event_start_time,
  event_end_time: event_end_time.describe('The time that the answer is about, if it has one.'),
};
const without = { truth_status, expected_probability, leading_value, ...place, tied, denied };

const Contribution = z
  .object({
    side: z
      .enum(['support', 'opposition', 'neither'])
      .describe('neither: where a no leads, another answer than yes or no, or a claim about one.'),
    route: z.enum(ROUTES).describe('Whence the evidence comes.'),
    outcome: z.enum(OUTCOMES).describe('What became of it.'),
    claim_id: z.string().nullable(),
    actor_id: z.string().nullable(),
    target_claim_id: z.string().optional(),
    evidence_id: z.string().optional(),
    inference_id: z.string().optional(),
    rule_type: z.enum(RULE_TYPES).optional(),
    premise_claim_ids: z.array(z.string()).optional(),
    dependence_class: z.string().nullable().describe('Sources that count as one share a class.'),
    offered: items(),
    counted: items(),
    counted_claim_id: z.string().optional(),
    suspected: z
      .literal(true)
      .optional()
      .describe('Nobody declared the dependence: the two say the same unusual things.'),
    original: z
      .object({ claim_id: z.string(), suspected: z.literal(true).optional() })
      .optional()
      .describe(
        'The retracted or superseded claim of another source that it says the same as and is weighed like; with `suspected` nobody declared that the sources depend on one another.',
      ),
    factors: z.array(
      z.object({
        name: z
          .enum(FACTORS)
          .describe(
            'estimated_reliability is a weight learned for this value, not the share of right claims, which `mean` of the result states.',
          ),
        value: z.number().min(0),
        given: z.number().nullable().optional(),
        record: z
          .object({ right: z.int(), statements: z.int() })
          .optional()
          .describe('How often outcomes found the source right, where that gave `given`.'),
      }),
    ),
  })
  .openapi('Contribution');

export const VerdictExplanation = z
  .object({
    subject_id: z.string(),
    predicate: z.string(),
    leading_value,
    ...place,
    tied: tied.describe('Present when no value leads in that scope and time.'),
    denied,
    leading_claim_id: z.string().nullable(),
    truth_status,
    expected_probability,
    confidence: OpinionSummary,
    r: items().describe('Evidence for, in items.'),
    s: items().describe('Evidence against, in items.'),
    prior_weight: z.number().positive().describe('support = r / (r + s + prior_weight).'),
    contributions: z.array(Contribution),
    numeric_estimate: NumericEstimate.extend({
      sources: z.number().min(1).describe('Effective number of independent sources.'),
      numbers: z
        .array(z.object({ claim_id: z.string(), number: z.number(), share: z.number().min(0).max(1) }))
        .describe('By number; the median is where their shares of the weight reach one half.'),
    })
      .optional()
      .openapi('ExplainedEstimate'),
    denials: z
      .array(Denial.extend({ claim_ids: z.array(z.string()) }).openapi('ExplainedDenial'))
      .optional()
      .describe('Values that are denied and that nobody states in that scope and time.'),
    unrelated_claim_ids: z.array(z.string()),
    smallest_change: z
      .object({
        ...without,
        claim_ids: z.array(z.string()),
        removed_claim_ids: z.array(z.string()),
        is_exact: z.boolean(),
        dependence_as_found: z.boolean(),
      })
      .nullable()
      .describe(
        'The fewest claims whose removal changes the status in that scope and time, what leads, or that a value leads.',
      ),
    without_source: z
      .array(
        z.object({
          ...without,
          actor_id: z.string(),
          claim_ids: z.array(z.string()),
          flips: z.boolean().describe('Whether the status, what leads, or that a value leads is another.'),
          is_exact: z.boolean(),
        }),
      )
      .describe('The verdict in that scope and time without each of its sources.'),
    without_source_is_complete: z.boolean().describe('False when not every source could be looked at.'),
  })
  .openapi('VerdictExplanation');

const ToldContribution = Contribution.extend({
  actor_name: z.string().nullable(),
  value: z.string().nullable().describe('What the claim says; null for an inference.'),
  denies: z.boolean().describe('Whether the claim denies that value.'),
}).openapi('ToldContribution');

/** An explanation with the names and values that its ids stand for, and the chance that was judged. */
const ToldExplanation = VerdictExplanation.extend({
  subject_name: z.string(),
  calibrated_probability: SubjectResult.shape.calibrated_probability
    .nullable()
    .describe('The chance that leading_value is right, as judged; null in judgements without it.'),
  rival_values: SubjectResult.shape.rival_values.describe(
    'The values asserted, the leading one first, or else those denied.',
  ),
  more_rival_values: SubjectResult.shape.more_rival_values,
  more_values_apart: SubjectResult.shape.more_values_apart,
  more_tied_values: SubjectResult.shape.more_tied_values,
  disputed_apart: SubjectResult.shape.disputed_apart,
  no_value_counts: SubjectResult.shape.no_value_counts,
  superseded: SubjectResult.shape.superseded,
  ...agePart,
  conditions: SubjectResult.shape.conditions,
  contributions: z.array(ToldContribution),
}).openapi('ToldExplanation');

export const ExplainedVerdict = z
  .object({
    session_id: z.string(),
    judgement_id: z.uuid(),
    judged_at: z.iso.datetime(),
    explanation: ToldExplanation,
  })
  .openapi('ExplainedVerdict');
