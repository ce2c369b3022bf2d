import type {
  ActorInput,
  ClaimInput,
  ClaimRelationshipInput,
  CorroborationEventInput,
  DistinctionInput,
  EvidenceInput,
  InferenceInput,
  InvestigationInput,
  PinnedSource,
  ReliabilityRecord,
  SubjectInput,
  TextSelector,
} from './types.ts';
import { CONTEXT_LENGTH_MAX, QUOTE_LENGTH_MAX } from './pinned-source.ts';
import {
  CLAIM_TYPES,
  DEPENDENCE_MODES,
  DOMAINS,
  EPISTEMIC_STATUSES,
  RELATIONSHIP_TYPES,
  NUMERIC_MODES,
  RELIABILITY_MODES,
  RULE_TYPES,
  SOURCE_TYPES,
  VALENCES,
} from './vocabulary.ts';

/**
 * What one field of the input takes:
 * - `text`: any string, of at most `lengthMax` characters where that is given; `id`: a string that is not
 *  empty; `word`: one of `values`, case ignored;
 * - `timestamp`: RFC 3339, or a date (YYYY, YYYY-MM, YYYY-MM-DD), which is its first instant in UTC;
 *  `moment`: ISO 8601 date (YYYY, YYYY-MM, YYYY-MM-DD) or date-time, UTC where no offset stands;
 * - `url`: an http or https address of at most URL_LENGTH_MAX characters, without user name and white space;
 * - `number`: finite; text that spells a number is taken with a warning; `flag`: true or false;
 * - `count`: a whole number from 0 to 2^53 - 1; `digest`: SHA-256 as 64 hexadecimal digits in lower case;
 * - `numbers`: object of string to number; `texts`: array of strings; `object`: one object; `list`: array of
 *  objects.
 */
export type FieldKind =
  | 'text'
  | 'id'
  | 'word'
  | 'timestamp'
  | 'moment'
  | 'url'
  | 'number'
  | 'count'
  | 'digest'
  | 'flag'
  | 'numbers'
  | 'texts'
  | 'object'
  | 'list';

export interface Field {
  readonly kind: FieldKind;
  readonly required: boolean;
  /** Null counts as absent. */
  readonly nullable: boolean;
  readonly description: string;
  /** For `text`: most UTF-16 code units. */
  readonly lengthMax?: number;
  /** For `word`. */
  readonly values?: readonly string[];
  /** For `object` and `list`: the name of the object in OBJECTS. */
  readonly of?: ObjectName;
  /** What an absent field means, for the documentation. */
  readonly default?: string | number | boolean;
}

export type ObjectName =
  | 'InvestigationInput'
  | 'ActorInput'
  | 'ReliabilityRecord'
  | 'SubjectInput'
  | 'ClaimInput'
  | 'ClaimRelationshipInput'
  | 'CorroborationEventInput'
  | 'EvidenceInput'
  | 'PinnedSource'
  | 'TextSelector'
  | 'InferenceInput'
  | 'DistinctionInput';

/** Longest name of a publisher. UTF-16 code units. */
const PUBLISHER_LENGTH_MAX = 500;

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

/**
 * Where a claim or an item of evidence comes from, for readers: carried, and without any weight in the
 * judgement.
 */
const provenance = {
  url: nullable('url', 'http(s) link to it.'),
  archived_url: nullable('url', 'Its kept copy.'),
  quote: nullable('text', 'Verbatim.', { lengthMax: QUOTE_LENGTH_MAX }),
  published_by: nullable('text', 'Publisher.', { lengthMax: PUBLISHER_LENGTH_MAX }),
  source: nullable('object', 'Stored document it is quoted from.', { of: 'PinnedSource' }),
};

const pinnedSource: FieldsOf<PinnedSource> = {
  document: required('id', 'Id in docstore-api.'),
  version: nullable('count', 'Version quoted, from 1; else the current one.'),
  sha256: nullable('digest', 'SHA-256 of its bytes, checked with the passage.'),
  selector: nullable('object', 'The passage.', { of: 'TextSelector' }),
};

/** W3C Web Annotation Data Model §4.2.4 and §4.2.5 in one object. */
const textSelector: FieldsOf<TextSelector> = {
  exact: required('text', 'The passage, verbatim.', { lengthMax: QUOTE_LENGTH_MAX }),
  start: nullable('count', 'Code points before it; with end.'),
  end: nullable('count', 'start + code points of exact.'),
  prefix: nullable('text', 'Text before it.', { lengthMax: CONTEXT_LENGTH_MAX }),
  suffix: nullable('text', 'Text after it.', { lengthMax: CONTEXT_LENGTH_MAX }),
};

const investigationInput: FieldsOf<InvestigationInput> = {
  research_question: required('text', 'What the investigation asks.'),
  actors: required('list', 'The sources.', { of: 'ActorInput' }),
  subjects: required('list', 'What the claims are about.', { of: 'SubjectInput' }),
  claims: required('list', 'What the sources say.', { of: 'ClaimInput' }),
  evidence: nullable('list', 'Items for or against single claims.', { of: 'EvidenceInput' }),
  inferences: optional('list', 'Conclusions from claims by a named rule.', { of: 'InferenceInput' }),
  distinctions: optional('list', 'Pairs of claims, each right under its own condition.', {
    of: 'DistinctionInput',
  }),
  domain: nullable('word', 'Sets the half-life of claims.', { values: DOMAINS, default: 'General' }),
  decay_half_life_days: nullable('number', 'Days until a claim weighs half; overrides the domain. > 0.'),
  dependent_refresh_factor: nullable(
    'number',
    'How far a dependent corroboration moves the decay clock, 0..1.',
    { default: 0.5 },
  ),
  summary_mode: optional('flag', 'Return the compact result.', { default: false }),
  as_of: nullable('timestamp', 'Judge as of then, without later claims. RFC 3339 or a date.'),
  dependence: nullable(
    'word',
    'detected: copying is also found from the claims; declared: depends_on alone.',
    { values: DEPENDENCE_MODES, default: 'detected' },
  ),
  reliability: nullable('word', 'declared: as given; estimated: learned from the claims.', {
    values: RELIABILITY_MODES,
    default: 'declared',
  }),
  numeric: nullable('word', 'estimate: adds a weighted median.', {
    values: NUMERIC_MODES,
    default: 'values',
  }),
};

const actorInput: FieldsOf<ActorInput> = {
  id: required('id', 'Unique.'),
  name: required('text', 'For people.'),
  source_type: required('word', 'Kind of source.', {
    values: SOURCE_TYPES,
  }),
  base_reliability: nullable(
    'number',
    'How often the source is right, clamped to 0.01..0.99; default by source_type.',
  ),
  competence: nullable('numbers', 'Per predicate: share of reliability, 0..1.'),
  default_competence: nullable('number', 'Competence for predicates not listed, 0..1.', { default: 1 }),
  depends_on: nullable('texts', 'Actors it repeats; they count as one.'),
  reliability_record: nullable('object', 'What gave base_reliability.', {
    of: 'ReliabilityRecord',
  }),
};

const reliabilityRecord: FieldsOf<ReliabilityRecord> = {
  right: required('count', 'Statements that outcomes found right.'),
  statements: required('count', 'Statements with an outcome.'),
  base_reliability: required(
    'number',
    'The number that it gave; the record is shown only while base_reliability is still this.',
  ),
};

const subjectInput: FieldsOf<SubjectInput> = {
  id: required('id', 'Unique.'),
  name: required('text', 'For people.'),
  subject_type: required('id', 'Any word.'),
};

const claimInput: FieldsOf<ClaimInput> = {
  id: required('id', 'Unique.'),
  actor_id: required('text', 'Who says so.'),
  predicate: required('text', 'The property; compared exactly.'),
  value: required('text', 'Text, number (`$5M`), date (`17 May 2024`) or true/false.'),
  content: required('text', 'The claim in words.'),
  subject_id: nullable('text', 'The subject; empty for a meta-claim.'),
  target_claim_id: nullable('text', 'For a meta-claim: its target.'),
  valence: nullable('word', 'Refutes denies value or target; the others assert it.', {
    values: VALENCES,
    default: 'Neutral',
  }),
  claim_type: nullable('word', 'Sets how fast it ages.', {
    values: CLAIM_TYPES,
    default: 'Factual',
  }),
  assertion_time: nullable('timestamp', 'When it was said; without it no ageing. RFC 3339 or a date.'),
  event_start_time: nullable('moment', 'Start of the time meant; absent means open.'),
  event_end_time: nullable('moment', 'Its end, excluded; absent means open.'),
  scope: nullable('text', 'Different scopes do not contradict each other.'),
  epistemic_status: nullable('word', 'How settled it is.', {
    values: EPISTEMIC_STATUSES,
    default: 'hypothesis',
  }),
  decay_half_life_days: nullable('number', 'Its half-life in days, in (0, 365000]; replaces the formula.'),
  supersedes_claim_id: nullable('text', 'The claim it replaces.'),
  relationships: nullable('list', 'Ties to other claims, at most 50.', { of: 'ClaimRelationshipInput' }),
  corroboration_events: optional('list', 'When others confirmed it, at most 100.', {
    of: 'CorroborationEventInput',
  }),
  ...provenance,
};

const claimRelationshipInput: FieldsOf<ClaimRelationshipInput> = {
  relationship_type: required('word', 'How this claim relates to the target.', {
    values: RELATIONSHIP_TYPES,
  }),
  target_claim_id: required('text', 'The other claim.'),
};

const corroborationEventInput: FieldsOf<CorroborationEventInput> = {
  time: required('timestamp', 'When. RFC 3339 or a date.'),
  actor_id: required('id', 'Who; not the author of the claim.'),
  description: nullable('text', 'How.'),
};

const evidenceInput: FieldsOf<EvidenceInput> = {
  id: required('id', 'Unique.'),
  claim_id: required('text', 'The claim it bears on.'),
  content: required('text', 'The evidence in words.'),
  valence: required('word', 'For the claim, against it, or neither.', { values: VALENCES }),
  weight: nullable('number', 'Worth in ordinary items, 0..100.', { default: 1 }),
  ...provenance,
};

const inferenceInput: FieldsOf<InferenceInput> = {
  id: required('id', 'Unique.'),
  subject_id: required('text', 'Subject of the conclusion.'),
  predicate: required('text', 'Predicate of the conclusion.'),
  premise_claim_ids: required('texts', 'The claims it rests on.'),
  rule_type: required('word', 'The rule that is followed.', {
    values: RULE_TYPES,
  }),
  rule_param: nullable(
    'text',
    'a_fortiori: ordering; analogy: shared feature; generalization: exemplar; default: description; custom: name.',
  ),
  rule_param2: nullable('text', 'custom: description.'),
  description: nullable('text', 'The inference in words.'),
};

const distinctionInput: FieldsOf<DistinctionInput> = {
  id: required('id', 'Unique.'),
  argument_a: required('text', 'Claim id.'),
  argument_b: required('text', 'Claim id.'),
  feature: required('text', 'What tells the two cases apart.'),
  condition_a: required('text', 'When argument_a holds.'),
  condition_b: required('text', 'When argument_b holds.'),
  description: nullable('text', 'The distinction in words.'),
};

/**
 * The one table of the input's fields: the engine validates by it and services derive their published schemas
 * from it.
 */
export const OBJECTS: { readonly [N in ObjectName]: Readonly<Record<string, Field>> } = {
  InvestigationInput: investigationInput,
  ActorInput: actorInput,
  ReliabilityRecord: reliabilityRecord,
  SubjectInput: subjectInput,
  ClaimInput: claimInput,
  ClaimRelationshipInput: claimRelationshipInput,
  CorroborationEventInput: corroborationEventInput,
  EvidenceInput: evidenceInput,
  PinnedSource: pinnedSource,
  TextSelector: textSelector,
  InferenceInput: inferenceInput,
  DistinctionInput: distinctionInput,
};
