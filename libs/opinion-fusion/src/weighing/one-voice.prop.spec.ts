import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { SEED } from '@platform/testing/seed';
import { covers } from '@platform/testing/covers';
import { analyze } from '../analyze.ts';
import { NOW } from '../fixtures/investigation.fixture.ts';
import type { ClaimInput, InvestigationInput, InvestigationResult } from '../contract/types.ts';

fc.configureGlobal({ seed: SEED });

const year = (number: number) => `${number}-01-01`;

const claims = fc.array(
  fc.record({
    value: fc.oneof(
      fc.integer({ min: 90, max: 120 }).map(String),
      fc.constantFrom('red', 'yes', '2019', '2019-05'),
    ),
    valence: fc.constantFrom('Supports', 'Supports', 'Refutes'),
    event_start_time: fc.integer({ min: 2000, max: 2010 }).map(year),
    event_end_time: fc.integer({ min: 2011, max: 2020 }).map(year),
    epistemic_status: fc.constantFrom('hypothesis', 'hypothesis', 'retracted', 'superseded'),
    decay_half_life_days: fc.integer({ min: 100, max: 1000 }),
    assertion_time: fc.integer({ min: 2022, max: 2023 }).map((number) => `${year(number)}T00:00:00Z`),
  }),
  { minLength: 17, maxLength: 40, size: 'max' },
);

/** Claims of one source, and beside them those given. */
function investigation(
  own: readonly Partial<ClaimInput>[],
  others: readonly ClaimInput[],
): InvestigationInput {
  return {
    research_question: 'What is so?',
    actors: ['a', 'b'].map((id) => ({ id, name: id, source_type: 'Expert', base_reliability: 0.9 })),
    subjects: [{ id: 's', name: 'S', subject_type: 'thing' }],
    claims: [...own.map((claim, i) => ({ ...about(`c${String(i).padStart(2, '0')}`), ...claim })), ...others],
    dependence: 'declared',
  };
}

const about = (id: string) => ({
  id,
  actor_id: 'a',
  subject_id: 's',
  predicate: 'p',
  value: '',
  content: '',
});

describe('all that one source says about one thing', () => {
  it('claims of one source about one thing weigh the same against claims of another source about another time', () => {
    covers('INV-R2.1');
    const apart = {
      ...about('x'),
      actor_id: 'b',
      value: '100',
      event_start_time: year(1900),
      event_end_time: year(1910),
    };
    fc.assert(
      fc.property(claims, (own) => {
        const analyzed = (others: readonly ClaimInput[]) => {
          const result = analyze(investigation(own, others), { now: NOW }) as InvestigationResult;
          return result.claim_analyses.filter(({ claim_id }) => claim_id !== 'x');
        };
        expect(analyzed([])).toEqual(analyzed([apart]));
      }),
      { numRuns: 30 },
    );
  });
});
