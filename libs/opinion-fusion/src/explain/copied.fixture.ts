import fc from 'fast-check';
import type { InvestigationInput } from '../contract/types.ts';

/**
 * Investigations of one predicate over some subjects, in which a few sources repeat each other's rare values
 * and others do not.
 */
export function copiedInvestigation(): fc.Arbitrary<InvestigationInput> {
  const subjects = ['s0', 's1', 's2', 's3', 's4', 's5', 's6', 's7', 's8'];
  const actors = ['a', 'b', 'c', 'd', 'e'];
  const cell = fc.integer({ min: 0, max: 11 });
  return fc.array(cell, { minLength: 45, maxLength: 45 }).map((cells) => ({
    research_question: 'Who copies?',
    actors: actors.map((id) => ({ id, name: `Actor ${id}`, source_type: 'Analyst' })),
    subjects: subjects.map((id) => ({ id, name: `Subject ${id}`, subject_type: 'thing' })),
    claims: subjects.flatMap((subject_id, i) =>
      actors.flatMap((actor_id, j) => {
        const roll = cells[i * actors.length + j]!;
        if (roll === 0 && i > 0) return [];
        const copied = j < 2 && roll > 0 ? `rare ${i}` : roll > 10 ? `odd ${roll}` : `usual ${i}`;
        return [
          {
            id: `${actor_id}-${subject_id}`,
            actor_id,
            subject_id,
            predicate: 'value',
            value: copied,
            content: '',
          },
        ];
      }),
    ),
    evidence: [],
  }));
}
