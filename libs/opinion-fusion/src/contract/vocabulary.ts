/**
 * The closed vocabularies of the contract. Every list is in the contract's order; matching ignores case
 * unless said.
 */

export const DOMAINS = [
  'Finance',
  'News',
  'Technology',
  'Geopolitics',
  'Medicine',
  'Science',
  'Legal',
  'General',
] as const;
export type Domain = (typeof DOMAINS)[number];

/** Matching also ignores spaces, hyphens and underscores. Reasoning model §2. */
export const SOURCE_TYPES = [
  'Regulator',
  'Expert',
  'Analyst',
  'Journalist',
  'Insider',
  'Institutional',
  'Anonymous',
  'SocialMedia',
  'Troll',
] as const;
export type SourceType = (typeof SOURCE_TYPES)[number];

export const VALENCES = ['Supports', 'Refutes', 'Neutral'] as const;
export type Valence = (typeof VALENCES)[number];

export const CLAIM_TYPES = [
  'Factual',
  'Predictive',
  'Evaluative',
  'Causal',
  'Procedural',
  'Methodological',
] as const;
export type ClaimType = (typeof CLAIM_TYPES)[number];

export const EPISTEMIC_STATUSES = [
  'conjecture',
  'hypothesis',
  'theory',
  'law',
  'superseded',
  'retracted',
] as const;
export type EpistemicStatus = (typeof EPISTEMIC_STATUSES)[number];

export const RELATIONSHIP_TYPES = [
  'complements',
  'refines',
  'qualifies',
  'supersedes',
  'challenges_methodology',
] as const;

export const RULE_TYPES = [
  'a_fortiori',
  'analogy',
  'generalization',
  'expert_testimony',
  'default',
  'temporal_precedence',
  'custom',
] as const;
export type RuleType = (typeof RULE_TYPES)[number];

/** How dependence between sources is found: from depends_on alone, or also from the claims. */
export const DEPENDENCE_MODES = ['detected', 'declared'] as const;

/**
 * The lists of an investigation, in the order in which a payload names them. Stores keep the place of a list
 * in this order.
 */
export const ENTITY_KINDS = [
  'actors',
  'subjects',
  'claims',
  'evidence',
  'inferences',
  'distinctions',
] as const;
export type EntityKind = (typeof ENTITY_KINDS)[number];

/** Whether sources are weighed as declared, or by how often they are found right. */
export const RELIABILITY_MODES = ['declared', 'estimated'] as const;

/** What is said about numbers: only which value leads, or also where all of them together point. */
export const NUMERIC_MODES = ['values', 'estimate'] as const;
export type NumericMode = (typeof NUMERIC_MODES)[number];
