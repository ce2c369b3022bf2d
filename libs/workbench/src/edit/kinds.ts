import type { EntityKind, ObjectName } from '@platform/opinion-fusion';

export { nameOf } from '@platform/viewer/browser';

/** An item of a list as JSON; its shape is the field table's. */
export type Entity = Readonly<Record<string, unknown>> & { readonly id: string };

export interface KindSpec {
  readonly kind: EntityKind;
  readonly object: ObjectName;
  /** The request field that removes items of it. */
  readonly removalsField: string;
  readonly title: string;
  /** One of them, with its article. */
  readonly one: string;
  /** What they are; shown in place of an empty list. */
  readonly about: string;
  /** First letter of the ids that are offered. */
  readonly idLetter: string;
  /** Fields shown in the table; the first one opens the item. */
  readonly columns: readonly string[];
  /** Fields that a form opens with, in this order; the others are folded. */
  readonly first: readonly string[];
  /** Fields that the next new item begins with, as they were in the one before. */
  readonly stays?: readonly string[];
}

export const KINDS: readonly KindSpec[] = [
  {
    kind: 'actors',
    object: 'ActorInput',
    removalsField: 'remove_actor_ids',
    title: 'Sources',
    one: 'a source',
    about: 'Who makes claims: people, papers, institutions, instruments. Start here.',
    idLetter: 'a',
    columns: ['name', 'source_type', 'base_reliability'],
    first: ['name', 'source_type', 'base_reliability'],
  },
  {
    kind: 'subjects',
    object: 'SubjectInput',
    removalsField: 'remove_subject_ids',
    title: 'Subjects',
    one: 'a subject',
    about: 'What the claims are about: a person, an event, a product.',
    idLetter: 's',
    columns: ['name', 'subject_type'],
    first: ['name', 'subject_type'],
  },
  {
    kind: 'claims',
    object: 'ClaimInput',
    removalsField: 'remove_claim_ids',
    title: 'Claims',
    one: 'a claim',
    about: 'What a source says about a subject: a property and its value, in the source’s words.',
    idLetter: 'c',
    columns: ['content', 'actor_id', 'subject_id', 'predicate', 'value'],
    first: [
      'actor_id',
      'subject_id',
      'predicate',
      'value',
      'valence',
      'content',
      'assertion_time',
      'url',
      'quote',
      'source',
    ],
    stays: ['actor_id', 'assertion_time'],
  },
  {
    kind: 'evidence',
    object: 'EvidenceInput',
    removalsField: 'remove_evidence_ids',
    title: 'Evidence',
    one: 'a piece of evidence',
    about: 'Items for or against single claims.',
    idLetter: 'e',
    columns: ['content', 'claim_id', 'valence', 'weight'],
    first: ['claim_id', 'valence', 'content', 'weight', 'url', 'quote', 'source'],
  },
  {
    kind: 'inferences',
    object: 'InferenceInput',
    removalsField: 'remove_inference_ids',
    title: 'Inferences',
    one: 'an inference',
    about: 'Conclusions drawn from claims by a named rule.',
    idLetter: 'i',
    columns: ['predicate', 'subject_id', 'rule_type', 'premise_claim_ids'],
    first: ['subject_id', 'predicate', 'rule_type', 'premise_claim_ids', 'description'],
  },
  {
    kind: 'distinctions',
    object: 'DistinctionInput',
    removalsField: 'remove_distinction_ids',
    title: 'Distinctions',
    one: 'a distinction',
    about: 'Pairs of claims that are both right, each under its own condition.',
    idLetter: 'd',
    columns: ['feature', 'argument_a', 'argument_b'],
    first: ['argument_a', 'argument_b', 'feature', 'condition_a', 'condition_b', 'description'],
  },
];

/** The list that a field's value is an id of. */
export const REFERENCES: Readonly<Record<string, EntityKind>> = {
  actor_id: 'actors',
  depends_on: 'actors',
  subject_id: 'subjects',
  claim_id: 'claims',
  target_claim_id: 'claims',
  supersedes_claim_id: 'claims',
  premise_claim_ids: 'claims',
  argument_a: 'claims',
  argument_b: 'claims',
};

const LABELS: Readonly<Record<string, string>> = {
  id: 'Id',
  predicate: 'Property',
  valence: 'For or against',
  actor_id: 'Source',
  subject_id: 'Subject',
  claim_id: 'Claim',
  target_claim_id: 'Claim it speaks of',
  supersedes_claim_id: 'Claim it replaces',
  premise_claim_ids: 'Premises',
  argument_a: 'First claim',
  argument_b: 'Second claim',
  condition_a: 'The first holds when',
  condition_b: 'The second holds when',
  content: 'In words',
  assertion_time: 'Said at',
  event_start_time: 'Event from',
  event_end_time: 'Event until',
  depends_on: 'Repeats what these say',
  decay_half_life_days: 'Half-life in days',
  rule_param: 'Rule parameter',
  rule_param2: 'Second rule parameter',
  as_of: 'Judge as of',
  url: 'Link',
  archived_url: 'Link to an archived copy',
  quote: 'Verbatim quote',
  source: 'Stored document',
};

/** Choices as people say them, where the contract's word says less. */
const CHOICES: Readonly<Record<string, string>> = {
  Supports: 'For: it is so',
  Refutes: 'Against: it is not so',
};

/** A choice of a field that holds one of several words. */
export const choiceOf = (word: string): string => CHOICES[word] ?? word;

/** A field's name on the page. */
export function labelOf(field: string): string {
  const words = field.replaceAll('_', ' ');
  return LABELS[field] ?? words.charAt(0).toUpperCase() + words.slice(1);
}
