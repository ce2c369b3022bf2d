import type {
  ActorInput,
  ClaimInput,
  ClaimRelationshipInput,
  CorroborationEventInput,
  DistinctionInput,
  EvidenceInput,
  InferenceInput,
  InvestigationInput,
  SubjectInput,
} from './types.ts';
import {
  CLAIM_TYPES,
  DEPENDENCE_MODES,
  DOMAINS,
  EPISTEMIC_STATUSES,
  RELATIONSHIP_TYPES,
  RELIABILITY_MODES,
  RULE_TYPES,
  SOURCE_TYPES,
  VALENCES,
} from './vocabulary.ts';

/**
 * What one field of the input takes:
 * - `text`: any string; `id`: a string that is not empty; `word`: one of `values`, case ignored;
 * - `timestamp`: RFC 3339, or a date (YYYY, YYYY-MM, YYYY-MM-DD), which is its first instant in UTC; `moment`: ISO 8601 date (YYYY, YYYY-MM, YYYY-MM-DD) or date-time, UTC where no offset stands;
 * - `number`: finite; text that spells a number is taken with a warning; `flag`: true or false;
 * - `numbers`: object of string to number; `texts`: array of strings; `list`: array of objects.
 */
export type FieldKind =
  'text' | 'id' | 'word' | 'timestamp' | 'moment' | 'number' | 'flag' | 'numbers' | 'texts' | 'list';

export interface Field {
  readonly kind: FieldKind;
  readonly required: boolean;
  /** Null counts as absent. */
  readonly nullable: boolean;
  readonly description: string;
  /** For `word`. */
  readonly values?: readonly string[];
  /** For `list`: the name of the object in OBJECTS. */
  readonly of?: ObjectName;
  /** What an absent field means, for the documentation. */
  readonly default?: string | number | boolean;
}

export type ObjectName =
  | 'InvestigationInput'
  | 'ActorInput'
  | 'SubjectInput'
  | 'ClaimInput'
  | 'ClaimRelationshipInput'
  | 'CorroborationEventInput'
  | 'EvidenceInput'
  | 'InferenceInput'
  | 'DistinctionInput';

type FieldsOf<T> = { readonly [K in keyof Required<T>]: Field };

const required = (kind: FieldKind, description: string, more: Partial<Field> = {}): Field => ({
  kind,
  required: true,
  nullable: false,
  description,
  ...more,
});
const optional = (kind: FieldKind, description: string, more: Partial<Field> = {}): Field => ({
  kind,
  required: false,
  nullable: false,
  description,
  ...more,
});
const nullable = (kind: FieldKind, description: string, more: Partial<Field> = {}): Field => ({
  kind,
  required: false,
  nullable: true,
  description,
  ...more,
});

const investigationInput: FieldsOf<InvestigationInput> = {
  research_question: required('text', 'What the investigation asks.'),
  actors: required('list', 'The sources.', { of: 'ActorInput' }),
  subjects: required('list', 'What the claims are about.', { of: 'SubjectInput' }),
  claims: required('list', 'What the sources say.', { of: 'ClaimInput' }),
  evidence: nullable('list', 'Items for or against single claims.', { of: 'EvidenceInput' }),
  inferences: optional('list', 'Conclusions drawn from claims by a named rule.', { of: 'InferenceInput' }),
  distinctions: optional('list', 'Pairs of claims that are both right, each under its own condition.', {
    of: 'DistinctionInput',
  }),
  domain: nullable('word', 'Sets the half-life of claims.', { values: DOMAINS, default: 'General' }),
  decay_half_life_days: nullable(
    'number',
    'Days until a claim weighs half; overrides the half-life of the domain. > 0.',
  ),
  dependent_refresh_factor: nullable(
    'number',
    'How far a corroboration by a dependent source moves the decay clock: 0 not at all, 1 fully.',
    { default: 0.5 },
  ),
  summary_mode: optional('flag', 'Return the compact result.', { default: false }),
  as_of: nullable(
    'timestamp',
    'Judge as things stood at this time; claims asserted later are left out. RFC 3339 or a date (first instant in UTC).',
  ),
  dependence: nullable(
    'word',
    'detected: sources that copy one another are found from the claims, beside depends_on; declared: depends_on alone.',
    { values: DEPENDENCE_MODES, default: 'detected' },
  ),
  reliability: nullable(
    'word',
    'declared: as base_reliability and source_type say; estimated: learned from the claims.',
    { values: RELIABILITY_MODES, default: 'declared' },
  ),
};

const actorInput: FieldsOf<ActorInput> = {
  id: required('id', 'Unique among the actors.'),
  name: required('text', 'Name for people.'),
  source_type: required('word', 'Kind of source; spaces, hyphens and underscores are ignored.', {
    values: SOURCE_TYPES,
  }),
  base_reliability: nullable(
    'number',
    'How often the source is right, clamped to 0.01..0.99; default by source_type.',
  ),
  competence: nullable('numbers', 'Per predicate: share of the reliability that holds there, 0..1.'),
  default_competence: nullable('number', 'Competence for predicates not listed, 0..1.', { default: 1 }),
  depends_on: nullable('texts', 'Ids of actors this one repeats; they count as one source.'),
};

const subjectInput: FieldsOf<SubjectInput> = {
  id: required('id', 'Unique among the subjects.'),
  name: required('text', 'Name for people.'),
  subject_type: required('id', 'Any word for the kind of subject.'),
};

const claimInput: FieldsOf<ClaimInput> = {
  id: required('id', 'Unique among the claims.'),
  actor_id: required('text', 'Who says so.'),
  predicate: required('text', 'The property spoken of; compared exactly.'),
  value: required(
    'text',
    'What the property is said to be: text, number (`$5M`, `5 million USD`), date (`17 May 2024`), or true/false.',
  ),
  content: required('text', 'The claim in words.'),
  subject_id: nullable('text', 'The subject; empty for a claim about another claim.'),
  target_claim_id: nullable('text', 'For a claim about another claim: that claim.'),
  valence: nullable(
    'word',
    'Refutes denies the value (or the target claim); Supports and Neutral assert it.',
    {
      values: VALENCES,
      default: 'Neutral',
    },
  ),
  claim_type: nullable('word', 'What sort of statement it is; sets how fast it ages.', {
    values: CLAIM_TYPES,
    default: 'Factual',
  }),
  assertion_time: nullable(
    'timestamp',
    'When it was said; without it the claim does not age. RFC 3339 or a date (first instant in UTC).',
  ),
  event_start_time: nullable('moment', 'Start of the time spoken of; absent means open.'),
  event_end_time: nullable('moment', 'End of the time spoken of, itself excluded; absent means open.'),
  scope: nullable('text', 'Claims of different scope do not contradict each other.'),
  epistemic_status: nullable('word', 'How settled the claim is.', {
    values: EPISTEMIC_STATUSES,
    default: 'hypothesis',
  }),
  decay_half_life_days: nullable(
    'number',
    'Half-life of this claim in days, in (0, 365000]; replaces the formula.',
  ),
  supersedes_claim_id: nullable('text', 'The claim that this one replaces.'),
  relationships: nullable('list', 'Ties to other claims, at most 50.', { of: 'ClaimRelationshipInput' }),
  corroboration_events: optional('list', 'When others confirmed the claim, at most 100.', {
    of: 'CorroborationEventInput',
  }),
};

const claimRelationshipInput: FieldsOf<ClaimRelationshipInput> = {
  relationship_type: required('word', 'How this claim relates to the target.', {
    values: RELATIONSHIP_TYPES,
  }),
  target_claim_id: required('text', 'The other claim.'),
};

const corroborationEventInput: FieldsOf<CorroborationEventInput> = {
  time: required('timestamp', 'When. RFC 3339 or a date (first instant in UTC).'),
  actor_id: required('id', 'Who; not the author of the claim.'),
  description: nullable('text', 'How.'),
};

const evidenceInput: FieldsOf<EvidenceInput> = {
  id: required('id', 'Unique among the evidence.'),
  claim_id: required('text', 'The claim it bears on.'),
  content: required('text', 'The evidence in words.'),
  valence: required('word', 'For the claim, against it, or neither.', { values: VALENCES }),
  weight: nullable('number', 'How many ordinary items it is worth, 0..100.', { default: 1 }),
};

const inferenceInput: FieldsOf<InferenceInput> = {
  id: required('id', 'Unique among the inferences.'),
  subject_id: required('text', 'Subject of the conclusion.'),
  predicate: required('text', 'Predicate of the conclusion.'),
  premise_claim_ids: required('texts', 'The claims it rests on.'),
  rule_type: required('word', 'The rule that leads from the premises to the conclusion.', {
    values: RULE_TYPES,
  }),
  rule_param: nullable(
    'text',
    'a_fortiori: ordering hint; analogy: shared feature; generalization: exemplar; default: description; custom: name.',
  ),
  rule_param2: nullable('text', 'custom: description.'),
  description: nullable('text', 'The inference in words.'),
};

const distinctionInput: FieldsOf<DistinctionInput> = {
  id: required('id', 'Unique among the distinctions.'),
  argument_a: required('text', 'Claim id.'),
  argument_b: required('text', 'Claim id.'),
  feature: required('text', 'What tells the two cases apart.'),
  condition_a: required('text', 'When argument_a holds.'),
  condition_b: required('text', 'When argument_b holds.'),
  description: nullable('text', 'The distinction in words.'),
};

/** The one table of the input's fields: the engine validates by it and services derive their published schemas from it. */
export const OBJECTS: { readonly [N in ObjectName]: Readonly<Record<string, Field>> } = {
  InvestigationInput: investigationInput,
  ActorInput: actorInput,
  SubjectInput: subjectInput,
  ClaimInput: claimInput,
  ClaimRelationshipInput: claimRelationshipInput,
  CorroborationEventInput: corroborationEventInput,
  EvidenceInput: evidenceInput,
  InferenceInput: inferenceInput,
  DistinctionInput: distinctionInput,
};
