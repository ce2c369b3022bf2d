import { analyze } from './analyze.ts';
import type {
  ActorInput,
  ClaimAnalysisSummary,
  ClaimInput,
  InvestigationInput,
  InvestigationResult,
  SubjectResult,
} from './types.ts';

/** The instant at which the specs judge. */
export const NOW = new Date('2026-01-01T00:00:00.000Z');

/** An expert with base reliability 0.8 unless told otherwise. */
export function actor(id: string, more: Partial<ActorInput> = {}): ActorInput {
  return { id, name: `Actor ${id}`, source_type: 'Expert', base_reliability: 0.8, ...more };
}

/** A claim by `actor_id` that colour of s1 is `value`, without times. */
export function claim(
  id: string,
  actor_id: string,
  value: string,
  more: Partial<ClaimInput> = {},
): ClaimInput {
  return {
    id,
    actor_id,
    subject_id: 's1',
    predicate: 'colour',
    value,
    content: `${actor_id} says ${value}`,
    ...more,
  };
}

/** A claim about another claim. */
export function meta(
  id: string,
  actor_id: string,
  target_claim_id: string,
  valence: string,
  more: Partial<ClaimInput> = {},
) {
  return claim(id, actor_id, 'x', { subject_id: null, target_claim_id, valence, ...more });
}

/** An investigation of the given claims; actors a to j and subjects s1, s2 exist unless given. */
export function investigation(
  claims: ClaimInput[],
  more: Partial<InvestigationInput> = {},
): InvestigationInput {
  return {
    research_question: 'What is so?',
    actors: [...'abcdefghij'].map((id) => actor(id)),
    subjects: ['s1', 's2'].map((id) => ({ id, name: `Subject ${id}`, subject_type: 'thing' })),
    claims,
    ...more,
  };
}

/** The full result at NOW. */
export function judge(input: InvestigationInput, now = NOW): InvestigationResult {
  return analyze(input, { now }) as InvestigationResult;
}

export function analysisOf(result: InvestigationResult, id: string): ClaimAnalysisSummary {
  const found = result.claim_analyses.find((analysis) => analysis.claim_id === id);
  if (!found) throw new Error(`no analysis of ${id}`);
  return found;
}

export function verdictOf(result: InvestigationResult, subject = 's1', predicate = 'colour'): SubjectResult {
  const found = result.subject_results.find(
    (entry) => entry.subject_id === subject && entry.predicate === predicate,
  );
  if (!found) throw new Error(`no verdict on ${subject} ${predicate}`);
  return found;
}

/** r and s behind an opinion of prior weight 2 with u > 0. */
export function evidenceOf(opinion: { support: number; opposition: number; uncertainty: number }): {
  r: number;
  s: number;
} {
  return {
    r: (2 * opinion.support) / opinion.uncertainty,
    s: (2 * opinion.opposition) / opinion.uncertainty,
  };
}
