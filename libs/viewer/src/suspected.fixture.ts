import type { InvestigationInput } from '@platform/opinion-fusion';

const NAMES = [...'abcdefgh'];

/** Twelve questions of which two sources answer the same that nobody else does, as declared or not. */
export const boxes = (dependence: 'declared' | 'detected'): InvestigationInput => ({
  research_question: 'What is in the box?',
  actors: NAMES.map((id) => ({
    id,
    name: `Source ${id}`,
    source_type: 'Journalist',
    ...(dependence === 'declared' && id === 'h' && { depends_on: ['g'] }),
  })),
  subjects: Array.from({ length: 12 }, (_, i) => ({ id: `s${i}`, name: `Box ${i}`, subject_type: 'thing' })),
  claims: NAMES.flatMap((actor_id, k) =>
    Array.from({ length: 12 }, (_, i) => ({
      id: `s${i}-${actor_id}`,
      actor_id,
      subject_id: `s${i}`,
      predicate: 'content',
      value: k >= 6 ? `odd ${i}` : `thing ${i}`,
      content: 'as said',
    })),
  ),
  evidence: [],
  ...(dependence === 'declared' && { dependence: 'declared' }),
});
