import fc from 'fast-check';
import type { ClaimInput, EvidenceInput, InvestigationInput } from './types.ts';
import {
  CLAIM_TYPES,
  EPISTEMIC_STATUSES,
  RELATIONSHIP_TYPES,
  RULE_TYPES,
  SOURCE_TYPES,
  VALENCES,
} from './vocabulary.ts';

/** Values that meet: near numbers, dates by precision, booleans, text. */
const VALUES = [
  'red',
  'blue',
  'Red ',
  'true',
  'no',
  '100',
  '98',
  '94',
  '2K',
  '2000',
  '2024',
  '2024-05',
  '$5',
  '',
];
const ACTORS = [...'abcdef'];
const DAY = 86_400_000;
const START = Date.UTC(2024, 0, 1);

const optionally = <T>(value: fc.Arbitrary<T>) => fc.option(value, { nil: undefined });
const time = fc.integer({ min: 0, max: 700 }).map((day) => new Date(START + day * DAY).toISOString());
const word = <T>(words: readonly T[]) => fc.constantFrom(...words);

/** Claim ids in the order of making: c00, c01, … */
export const claimId = (index: number) => `c${String(index).padStart(2, '0')}`;

/** Valid investigations that touch every rule; claims only name ids that exist. */
export function investigations(options: { claimsMax?: number } = {}): fc.Arbitrary<InvestigationInput> {
  return fc.integer({ min: 0, max: options.claimsMax ?? 14 }).chain((count) => {
    const ids = Array.from({ length: count }, (_, index) => claimId(index));
    const anyId = count === 0 ? fc.constant('none') : fc.constantFrom(...ids, 'missing');
    const claims = fc.tuple(...ids.map((id, index) => claimInput(id, index, anyId)));
    const evidence = fc.array(evidenceInput(ids), { maxLength: count === 0 ? 0 : 8 });
    return fc.record({
      research_question: fc.constant('What is so?'),
      actors: fc.tuple(
        ...ACTORS.map((id) =>
          fc.record({
            id: fc.constant(id),
            name: fc.constant(`Actor ${id}`),
            source_type: word(SOURCE_TYPES),
            base_reliability: optionally(fc.double({ min: -0.2, max: 1.2, noNaN: true })),
            default_competence: optionally(fc.double({ min: 0, max: 1, noNaN: true })),
            depends_on: optionally(fc.subarray(ACTORS, { maxLength: 1 })),
          }),
        ),
      ),
      subjects: fc.constant(['s1', 's2'].map((id) => ({ id, name: `Subject ${id}`, subject_type: 'thing' }))),
      claims: claims.map((list) => [...list]),
      evidence: evidence.map((list) => list.map((item, index) => ({ ...item, id: `e${index}` }))),
      inferences: fc
        .array(
          fc.record({
            id: fc.constant(''),
            subject_id: word(['s1', 's2']),
            predicate: word(['colour', 'size', 'age']),
            premise_claim_ids: fc.array(anyId, { maxLength: 3 }),
            rule_type: word(RULE_TYPES),
            rule_param: optionally(fc.constant('hint')),
          }),
          { maxLength: 3 },
        )
        .map((list) => list.map((inference, index) => ({ ...inference, id: `i${index}` }))),
      distinctions: fc
        .array(
          fc.record({
            id: fc.constant(''),
            argument_a: anyId,
            argument_b: anyId,
            feature: fc.constant('setting'),
            condition_a: fc.constant('indoors'),
            condition_b: fc.constant('outdoors'),
          }),
          { maxLength: 2 },
        )
        .map((list) => list.map((distinction, index) => ({ ...distinction, id: `d${index}` }))),
      domain: word(['Science', 'News', 'General']),
      dependent_refresh_factor: optionally(fc.double({ min: 0, max: 1, noNaN: true })),
    });
  });
}

function claimInput(id: string, index: number, anyId: fc.Arbitrary<string>): fc.Arbitrary<ClaimInput> {
  const about =
    index === 0
      ? fc.constant({ subject_id: 's1' })
      : fc.oneof(
          { weight: 5, arbitrary: word(['s1', 's2']).map((subject_id) => ({ subject_id })) },
          {
            weight: 1,
            arbitrary: fc
              .integer({ min: 0, max: index - 1 })
              .map((target) => ({ target_claim_id: claimId(target) })),
          },
        );
  return fc
    .tuple(
      about,
      fc.record({
        id: fc.constant(id),
        actor_id: word(ACTORS),
        predicate: word(['colour', 'size']),
        value: word(VALUES),
        content: fc.constant('as said'),
        valence: optionally(word(VALENCES)),
        claim_type: optionally(word(CLAIM_TYPES)),
        assertion_time: optionally(time),
        event_start_time: optionally(fc.constant('2024-02')),
        event_end_time: optionally(word(['2024-03', '2024-09'])),
        scope: optionally(word(['north', ''])),
        epistemic_status: optionally(word(EPISTEMIC_STATUSES)),
        decay_half_life_days: optionally(fc.double({ min: 1, max: 1000, noNaN: true })),
        supersedes_claim_id: fc.option(anyId, { nil: undefined, freq: 5 }),
        relationships: optionally(
          fc.array(fc.record({ relationship_type: word(RELATIONSHIP_TYPES), target_claim_id: anyId }), {
            maxLength: 2,
          }),
        ),
        corroboration_events: fc.array(fc.record({ time, actor_id: word([...ACTORS, 'stranger']) }), {
          maxLength: 2,
        }),
      }),
    )
    .map(([target, claim]) => ({ ...claim, ...target }));
}

function evidenceInput(ids: readonly string[]): fc.Arbitrary<EvidenceInput> {
  return fc.record({
    id: fc.constant(''),
    claim_id: ids.length === 0 ? fc.constant('none') : fc.constantFrom(...ids),
    content: fc.constant('as found'),
    valence: word(VALENCES),
    weight: optionally(fc.double({ min: 0, max: 5, noNaN: true })),
  });
}
