import { describe, expect, it } from '@jest/globals';
import type { InvestigationInput } from '@platform/opinion-fusion';
import fc from 'fast-check';
import { covers } from '@platform/testing/covers';
import { SEED } from '@platform/testing/seed';
import { DAM_INPUT } from '../../dam-failure.fixture.ts';
import { createModel, type Model } from '../../model.ts';
import { withWords } from '../../page/with-words.ts';
import { exampleInput, snapshotOf } from '../../snapshot.fixture.ts';
import { dotSentence, SIDES, weightsOf } from './claim-weights.ts';
import { DOT_ROOM, dotRow } from './dot-places.ts';
import { createTimeline, LANE_KINDS, lanesBy } from './timeline-layout.ts';

fc.configureGlobal({ seed: SEED });

/** The drawing of the narrowest screen, pixels. */
const NARROWEST = 288;
const HEAVIEST = 4;

const claim = fc.record({
  actor_id: fc.constantFrom('a', 'b', 'c', 'd'),
  subject_id: fc.constantFrom('s', 't'),
  predicate: fc.constantFrom('open', 'deaths'),
  value: fc.constantFrom('true', 'false', '3', '17', ''),
  valence: fc.constantFrom('Supports', 'Refutes'),
  scope: fc.constantFrom(undefined, 'city'),
  epistemic_status: fc.constantFrom(undefined, 'retracted'),
  assertion_time: fc.constantFrom(undefined, '2024', '2024-05-01', '2024-05-02', '2025-01-01T00:00:00Z'),
  event_start_time: fc.constantFrom(undefined, '2019-07-01'),
});
/** Claims of few sources on few findings, some undated, some denied, retracted or superseded. */
const investigation = fc
  .tuple(fc.array(claim, { maxLength: 14 }), fc.array(fc.nat({ max: 13 }), { maxLength: 3 }))
  .map(([claims, metas]): InvestigationInput => ({
    research_question: 'Which?',
    actors: ['a', 'b', 'c', 'd'].map((id) => ({
      id,
      name: id,
      source_type: id === 'd' ? 'Anonymous' : 'Expert',
      ...(id === 'b' && { depends_on: ['a'] }),
    })),
    subjects: ['s', 't'].map((id) => ({ id, name: id, subject_type: 'thing' })),
    claims: [
      ...claims.map((one, index) => ({ ...one, id: `c${index}`, content: `Words ${index}.` })),
      ...metas
        .filter((target) => target < claims.length)
        .map((target, index) => ({
          id: `m${index}`,
          actor_id: 'c',
          target_claim_id: `c${target}`,
          predicate: 'is_reliable',
          value: 'false',
          content: `No to ${target}.`,
          assertion_time: '2025-02-02',
        })),
    ],
  }));

/** The dots of every lane, and what the lane holds. */
function drawn(model: Model, kind: (typeof LANE_KINDS)[number]) {
  const timeline = createTimeline(model);
  const weights = weightsOf(model);
  return lanesBy(kind, timeline, model).map((lane) => ({
    lane,
    ...dotRow(lane.moments, weights, { span: timeline.whole, heaviest: HEAVIEST }),
  }));
}

/** What a claim adds to its verdict by the explanation; less than 0 where it is against it. */
function contributionOf(model: Model, id: string): number {
  return model.judged.explanations
    .flatMap(({ contributions }) => contributions)
    .filter(({ claim_id, route }) => claim_id === id && (route === 'voice' || route === 'meta_claim'))
    .reduce((sum, { side, counted }) => sum + (side === 'support' ? counted : -counted), 0);
}

const sideOf = (contribution: number) => (contribution > 0 ? 'for' : contribution < 0 ? 'against' : 'none');

describe('dots', () => {
  it('a lane has a dot for each of its dated claims and names the others, on the side and of the area of their contribution', () => {
    covers('INV-V.50');
    fc.assert(
      fc.property(investigation, fc.constantFrom(...LANE_KINDS), (input, kind) => {
        const model = createModel(withWords(snapshotOf(input)));
        const lanes = drawn(model, kind);
        const seen = lanes.flatMap(({ lane, dots }) => {
          expect(dots).toHaveLength(lane.moments.length);
          return [...dots.map(({ moment }) => moment), ...lane.undated].map((moment) => moment.claim.id);
        });
        const { undated } = createTimeline(model);
        const all = [...seen, ...undated.map((moment) => moment.claim.id)];
        expect([...new Set(all)].toSorted()).toEqual(input.claims.map(({ id }) => id).toSorted());
        for (const { dots } of lanes)
          for (const { moment, weight, radius } of dots) {
            const contribution = contributionOf(model, moment.claim.id);
            expect(weight.side).toBe(sideOf(contribution));
            expect(weight.counted).toBeCloseTo(Math.abs(contribution), 12);
            if (weight.side === 'none' || radius === 3) continue;
            expect(radius ** 2 / 11 ** 2).toBeCloseTo(weight.counted / HEAVIEST, 9);
          }
      }),
    );
  });

  it.each([
    ['dam', DAM_INPUT],
    ['first-flight', exampleInput('first-flight')],
  ] as const)(
    'a finding of %s has all of its claims in its own lane, and says what each adds',
    (_, input) => {
      covers('INV-V.50');
      const model = createModel(withWords(snapshotOf(input)));
      for (const { lane, dots } of drawn(model, 'finding')) {
        const claims = [...dots.map(({ moment }) => moment), ...lane.undated];
        expect(claims.map(({ claim }) => claim.id).toSorted()).toEqual(
          lane.verdict!.claims.map(({ id }) => id).toSorted(),
        );
        const { r, s, contributions } = lane.verdict!.explanation!;
        const elsewhere = contributions.filter(({ route }) => route === 'evidence' || route === 'inference');
        const sum = (side: string, bySide: string) =>
          claims.reduce((total, { claim }) => {
            const weight = weightsOf(model).get(claim.id)!;
            return total + (weight.side === side ? weight.counted : 0);
          }, 0) + elsewhere.reduce((total, one) => total + (one.side === bySide ? one.counted : 0), 0);
        expect(sum('for', 'support')).toBeCloseTo(r, 9);
        expect(sum('against', 'opposition')).toBeCloseTo(s, 9);
      }
    },
  );

  it('no two dots come nearer than a pointer needs on the narrowest screen, and sides lie above and below their band', () => {
    covers('INV-V.50');
    const days = fc.array(fc.tuple(fc.nat({ max: 400 }), fc.constantFrom(...SIDES)), { maxLength: 150 });
    fc.assert(
      fc.property(days, (list) => {
        const model = createModel(withWords(snapshotOf(DAM_INPUT)));
        const [some] = createTimeline(model).moments;
        const moments = list
          .toSorted(([a], [b]) => a - b)
          .map(([at], index) => ({ ...some!, at, claim: { ...some!.claim, id: String(index) } }));
        const weights = new Map(
          list
            .toSorted(([a], [b]) => a - b)
            .map(([, side], index) => [String(index), { side, counted: 1, words: '' }]),
        );
        const span = { from: 0, to: 400 };
        const { dots, band, height } = dotRow(moments, weights, { span, heaviest: 1 });
        expect(dots).toHaveLength(list.length);
        for (const [index, { x, y, weight }] of dots.entries()) {
          expect(x >= 0 && x <= 1 && y >= 0 && y <= height).toBe(true);
          if (weight.side === 'for') expect(y).toBeLessThan(band.top);
          if (weight.side === 'against') expect(y).toBeGreaterThan(band.top + band.height);
          for (const other of dots.slice(index + 1)) {
            const apart = Math.max(Math.abs(other.x - x) * NARROWEST, Math.abs(other.y - y));
            expect(apart).toBeGreaterThan(DOT_ROOM - 0.01);
          }
        }
      }),
      { numRuns: 30 },
    );
  });

  it('a dot is named by a sentence on who says what and what that adds', () => {
    covers('INV-V.50');
    const model = createModel(
      withWords(
        snapshotOf({
          research_question: 'Is the bridge open?',
          actors: [
            { id: 'council', name: 'City council', source_type: 'Regulator' },
            { id: 'daily', name: 'The Daily', source_type: 'Journalist' },
          ],
          subjects: [{ id: 'bridge', name: 'North bridge', subject_type: 'structure' }],
          claims: ['true', 'false'].map((value) => ({
            id: value,
            actor_id: value === 'true' ? 'council' : 'daily',
            subject_id: 'bridge',
            predicate: 'open',
            value,
            content: `The bridge is ${value === 'true' ? 'open' : 'closed'}.`,
            assertion_time: '2025-05-05T00:00:00Z',
          })),
        }),
      ),
    );
    const weights = weightsOf(model);
    const sentences = createTimeline(model)
      .moments.map((moment) => dotSentence(moment, weights.get(moment.claim.id)!))
      .toSorted();
    expect(sentences).toEqual([
      expect.stringMatching(
        /^City council \(5 May 2025\) says “The bridge is open”; counts for “The north bridge is open” with a weight of 0\.\d\d\.$/,
      ),
      expect.stringMatching(
        /^The Daily \(5 May 2025\) says “The bridge is closed”; counts against “The north bridge is open” with a weight of 0\.\d\d\.$/,
      ),
    ]);
  });

  it('a dot takes no side where the reasons of a verdict are not known', () => {
    covers('INV-V.50');
    const model = createModel(withWords(snapshotOf(DAM_INPUT, { explanations: [] })));
    for (const weight of weightsOf(model).values())
      expect(weight).toEqual({ side: 'none', counted: 0, words: 'what it adds is not known here' });
  });
});
