import fc from 'fast-check';
import { claimId } from './investigation.arbitrary.fixture.ts';
import type { ActorInput, ClaimInput, InvestigationInput } from './types.ts';
import {
  CLAIM_TYPES,
  DOMAINS,
  EPISTEMIC_STATUSES,
  RELATIONSHIP_TYPES,
  RULE_TYPES,
  SOURCE_TYPES,
} from './vocabulary.ts';

/** Values that nearly meet; an investigation takes a few of one or two rows, so that its claims do. */
const VALUE_ROWS = [
  ['100', '98', '95', '94', '0.1K', '105.2', '+100.0', '-100', '1,000', '1 thousand'],
  ['$100M', '$98m', '$0.1 billion', '$94M', '100M', '99 million', '100 million km', '100M km', '94.9M km'],
  ['5%', '5.2 %', '5', '5 kg', '5kg', '0.95', '1', '1.0'],
  ['yes', 'no', 'TRUE', 'n', 'false', 'maybe'],
  ['2024', '2024-05', '2024-05-03', '2024-05-03T10:00:00Z', '2024-06', '2,000', '2000', '1.95K', '2019'],
  ['red', ' Red', 'ＲＥＤ', 'blue', 'dark  blue', 'Dark blue', 'green', ''],
];
const ACTORS = [...'abcde'];
const DAY = 86_400_000;
const START = Date.UTC(2024, 6, 1);

const word = <T>(words: readonly T[]) => fc.constantFrom(...words);
/** Absent with one chance in `freq` of being there. */
const rarely = <T>(value: fc.Arbitrary<T>, chance: number) =>
  fc.integer({ min: 1, max: chance }).chain((roll) => (roll === 1 ? value : fc.constant(undefined)));
const mostly = <T>(usual: fc.Arbitrary<T>, unusual: fc.Arbitrary<T>) =>
  fc.oneof({ weight: 7, arbitrary: usual }, { weight: 1, arbitrary: unusual });
/** Few instants, so that claims and corroborations meet; some written in another zone, some after the judgement. */
const time = fc.oneof(
  fc.integer({ min: 0, max: 12 }).map((step) => new Date(START + step * 45 * DAY).toISOString()),
  fc.integer({ min: 0, max: 400 * 24 }).map((hour) => new Date(START + hour * 3_600_000).toISOString()),
  word(['2024-07-01T02:30:00+02:00', '2025-03-01T00:00:00.123-05:00', '2026-02-01T00:00:00Z']),
);

/** `calm`: most are well above the floor. */
function actors(calm: number): fc.Arbitrary<ActorInput[]> {
  const share = mostly(fc.double({ min: 0.2, max: 1, noNaN: true }), word([0, 1.5, -1]));
  const reliability = fc.integer({ min: calm > 1 ? 70 : 20, max: 98 }).map((percent) => percent / 100);
  const one = (id: string) =>
    fc.record({
      id: fc.constant(id),
      name: fc.constant(`Actor ${id}`),
      source_type: mostly(word(['Expert', 'analyst', 'Regulator', 'Journalist']), word(SOURCE_TYPES)),
      base_reliability: fc.oneof(
        { weight: 2, arbitrary: fc.constant(null) },
        { weight: 5, arbitrary: reliability },
        { weight: 1, arbitrary: word([0, 0.15, 0.16, 0.99, 1, 1.5, -1]) },
      ),
      competence: rarely(fc.record({ size: share }), 3 * calm),
      default_competence: rarely(word([0.1, 0.5, 0.9, 2]), 6 * calm),
      depends_on: rarely(fc.subarray(ACTORS, { minLength: 1, maxLength: 2 }), 4),
    });
  return fc.tuple(...ACTORS.map(one)).map((list) => [...list]);
}

/** What the claims of one investigation share. */
interface Scene {
  readonly ids: readonly string[];
  readonly values: readonly string[];
  /** Ids of the actors who claim something; with few, one contradicts himself and the others confirm. */
  readonly speakers: readonly string[];
  /** Options are rarer by this factor, so that weights stay and claims tie. */
  readonly calm: number;
}

function claim(id: string, index: number, { ids, values, speakers, calm }: Scene) {
  const anyId = mostly(word(ids), fc.constant('missing'));
  const earlier = fc.integer({ min: 0, max: Math.max(index - 1, 0) }).map(claimId);
  const about: fc.Arbitrary<Partial<ClaimInput>> = fc.oneof(
    { weight: 6, arbitrary: fc.constant({ subject_id: 's1' }) },
    { weight: 1, arbitrary: fc.constant({ subject_id: 's2' }) },
    { weight: index === 0 ? 0 : 4, arbitrary: earlier.map((target_claim_id) => ({ target_claim_id })) },
  );
  const events = (size: object) =>
    fc.array(fc.record({ time, actor_id: mostly(word(ACTORS), fc.constant('stranger')) }), size);
  const relation = fc.record({
    relationship_type: mostly(word(['complements', 'refines', 'qualifies']), word(RELATIONSHIP_TYPES)),
    target_claim_id: anyId,
  });
  const often = <T>(list: fc.Arbitrary<T[]>, times: number) =>
    list.map((one) => Array(times).fill(one).flat() as T[]);
  return fc
    .tuple(
      about,
      fc.record({
        id: fc.constant(id),
        actor_id: word(speakers),
        predicate: mostly(fc.constant('size'), fc.constant('colour')),
        value: word(values),
        content: fc.constant('as said'),
        valence: word(['Supports', 'Refutes', 'refutes', 'neutral', undefined, null]),
        claim_type: rarely(fc.oneof(fc.constant('Causal'), word(CLAIM_TYPES)), 2),
        assertion_time: rarely(time, calm),
        event_start_time: rarely(
          word(['2024', '2024-02', '2024-02-15', '2023-12-31T23:00:00-01:00']),
          5 * calm,
        ),
        event_end_time: rarely(word(['2024-03', '2024-02-15T12:00:00Z', '2025', '2024-12-31']), 5 * calm),
        scope: rarely(word(['north', '', 'south']), 5 * calm),
        epistemic_status: rarely(word(EPISTEMIC_STATUSES), 3),
        decay_half_life_days: rarely(
          mostly(word([30, 100.5, 1000, 365_000]), word([0, -1, 365_001])),
          5 * calm,
        ),
        supersedes_claim_id: rarely(anyId, 8 * calm),
        relationships: fc.oneof(
          { weight: 24, arbitrary: fc.array(relation, { maxLength: 3 }) },
          { weight: 1, arbitrary: often(fc.array(relation, { minLength: 1, maxLength: 4 }), 26) },
        ),
        corroboration_events: fc.oneof(
          { weight: 12, arbitrary: fc.constant(undefined) },
          { weight: 12, arbitrary: events({ minLength: 1, maxLength: 2 }) },
          { weight: 3 * calm, arbitrary: events({ minLength: 3, maxLength: 8 }) },
          { weight: 1, arbitrary: often(events({ minLength: 8, maxLength: 9 }), 14) },
        ),
      }),
    )
    .map(([target, rest]): ClaimInput => ({ ...rest, ...target }));
}

const numbered = <T>(prefix: string, one: fc.Arbitrary<T>, maxLength: number) =>
  fc
    .array(one, { maxLength })
    .map((list) => list.map((item, index) => ({ ...item, id: `${prefix}${index}` })));

/**
 * Valid investigations in which much meets: nearly equal values, denials, chains of metas, duplicates, supersession,
 * several corroborations, competence, chains of dependence, event intervals of several precisions, distinctions over
 * rivals. At most 11 claims, so that extensions can be found by trying every subset.
 */
export function contestedInvestigations(): fc.Arbitrary<InvestigationInput> {
  const palette = fc
    .subarray(VALUE_ROWS, { minLength: 1, maxLength: 2 })
    .chain((rows) => fc.subarray(rows.flat(), { minLength: 2, maxLength: 4 }));
  return fc
    .tuple(fc.integer({ min: 1, max: 11 }), palette, word([1, 4]), word([1, 3, 5, 5]))
    .chain(([count, values, calm, speaking]) => {
      const speakers = ACTORS.slice(0, speaking);
      const ids = Array.from({ length: count }, (_, index) => claimId(index));
      const anyId = mostly(word(ids), fc.constant('missing'));
      const claims = fc
        .tuple(...ids.map((id, index) => claim(id, index, { ids, values, speakers, calm })))
        .chain((list) => fc.shuffledSubarray([...list], { minLength: list.length }));
      return fc.record({
        research_question: fc.constant('What is so?'),
        actors: actors(calm),
        subjects: fc.constant(
          ['s1', 's2'].map((id) => ({ id, name: `Subject ${id}`, subject_type: 'thing' })),
        ),
        claims,
        evidence: numbered(
          'e',
          fc.record({
            claim_id: word(ids),
            content: fc.constant('as found'),
            valence: word(['Supports', 'refutes', 'Refutes', 'neutral']),
            weight: fc.oneof(
              fc.constant(undefined),
              fc.double({ min: 0, max: 3, noNaN: true }),
              word([0, -1, 5, 200]),
            ),
          }),
          8,
        ),
        inferences: numbered(
          'i',
          fc.record({
            subject_id: word(['s1', 's1', 's1', 's2']),
            predicate: word(['size', 'size', 'size', 'age']),
            premise_claim_ids: fc.array(anyId, { maxLength: 3 }),
            rule_type: word(RULE_TYPES),
            rule_param: word(['hint', 'hint', 'hint', 'hint', '', undefined]),
            rule_param2: word(['more', 'more', 'more', ' ', null]),
          }),
          6,
        ),
        distinctions: numbered(
          'd',
          fc.record({
            argument_a: anyId,
            argument_b: anyId,
            feature: fc.constant('setting'),
            condition_a: fc.constant('indoors'),
            condition_b: fc.constant('outdoors'),
          }),
          2,
        ),
        domain: word([undefined, 'news', ...DOMAINS]),
        decay_half_life_days: rarely(word([0, -3, 10, 500]), 4),
        dependent_refresh_factor: rarely(word([0, 0.25, 1, 1.5, -0.5]), 3),
        as_of: rarely(time, 4),
      }) as fc.Arbitrary<InvestigationInput>;
    });
}
