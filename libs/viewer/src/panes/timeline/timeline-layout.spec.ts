import { describe, expect, it } from '@jest/globals';
import type { InvestigationResult } from '@platform/opinion-fusion';
import { covers } from '@platform/testing/covers';
import { DAM_INPUT } from '../../dam-failure.fixture.ts';
import { createModel } from '../../model.ts';
import { exampleInput, largeInput, snapshotOf } from '../../snapshot.fixture.ts';
import { ageingOf } from './ageing.ts';
import { timeMs } from '../../format/times.ts';
import {
  busiestStretch,
  connectors,
  createTimeline,
  density,
  LANE_KINDS,
  type Lane,
  lanesBy,
  longestSilence,
} from './timeline-layout.ts';
import { ageingWords, eventWords, momentSentences } from './timeline-words.ts';

const dam = createModel(snapshotOf(DAM_INPUT));
const timeline = createTimeline(dam);
const momentOf = (id: string) => timeline.moments.find(({ claim }) => claim.id === id)!;
const kindsOf = (id: string) => momentOf(id).ageing.corroborations.map(({ kind }) => kind);

describe('the day that a judgement is of', () => {
  it.each([
    ['2025-05-20', '2025-05-20T00:00:00.000Z'],
    ['2025-05-20T12:00:00+02:00', '2025-05-20T10:00:00.000Z'],
    // What is in the future is judged as of the evaluation.
    ['2031-01-01', '2026-03-14T09:12:45.000Z'],
    [null, '2026-03-14T09:12:45.000Z'],
  ])('the timeline of an investigation with as_of %s is as of %s', (as_of, expected) => {
    covers('INV-V.68');
    const drawn = createTimeline(createModel(snapshotOf({ ...DAM_INPUT, as_of })));
    expect(new Date(drawn.asOf).toISOString()).toBe(expected);
  });

  it('a corroboration after as_of refreshes nothing in the drawing, as in the judgement', () => {
    covers('INV-V.68');
    const model = createModel(snapshotOf({ ...DAM_INPUT, as_of: '2024-01-01' }));
    const late = model.claims
      .map(ageingOf(model))
      .flatMap(({ corroborations }) => corroborations.filter(({ at }) => at > Date.UTC(2024, 0)));
    expect(new Set(late.map(({ kind }) => kind))).toEqual(new Set(late.length ? ['ignored'] : []));
  });
});

describe('corroborations', () => {
  it('corroborations of an independent source count, those of the author are ignored', () => {
    covers('INV-R12.1', 'INV-R12.3');
    expect(kindsOf('panel-erosion')).toEqual(['independent', 'ignored']);
  });

  it('corroborations of a source that depends on the author are dependent, those before the claim are ignored', () => {
    covers('INV-R12.2', 'INV-R12.4');
    expect(kindsOf('wire-toll-3')).toEqual(['ignored', 'dependent']);
  });

  it.each(['constructor', '__proto__', 'toString'])(
    'corroborations of a source with competences are as independent for a predicate called %s',
    (predicate) => {
      covers('INV-R2.2');
      const known = {
        source_type: 'Expert',
        competence: JSON.parse('{"other":0.5}') as Record<string, number>,
      };
      const input = {
        research_question: 'q',
        subjects: [{ id: 's', name: 's', subject_type: 'thing' }],
        actors: [
          { id: 'a', name: 'a', ...known },
          { id: 'b', name: 'b', ...known, default_competence: 0.01 },
        ],
        claims: [
          {
            id: 'c',
            actor_id: 'a',
            subject_id: 's',
            predicate,
            value: 'v',
            content: 'c',
            assertion_time: '2025-01-01T00:00:00Z',
            corroboration_events: [{ time: '2025-06-01T00:00:00Z', actor_id: 'b' }],
          },
        ],
      };
      const model = createModel(snapshotOf(input));
      expect(ageingOf(model)(model.claims[0]!).corroborations.map(({ kind }) => kind)).toEqual(['dependent']);
    },
  );

  it.each(['first-flight', 'chernobyl-deaths', 'lk-99', 'dam'])(
    'the timeline ages every claim of %s to where the engine has it',
    (name) => {
      const model = createModel(snapshotOf(name === 'dam' ? DAM_INPUT : exampleInput(name)));
      const ageing = ageingOf(model);
      for (const claim of model.claims) {
        const { corroborations, teeth } = ageing(claim);
        const counted = corroborations.filter(({ kind }) => kind !== 'ignored').length;
        if (!claim.analysis) continue;
        expect(counted).toBe(claim.analysis.corroboration_count);
        if (claim.analysis.decay_origin === null) continue;
        expect(teeth.at(-1)!.origin).toBe(timeMs(claim.analysis.decay_origin));
        // One tooth for each valid corroboration at a later instant, and the last: the saw was not given up.
        expect(teeth[0]!.from).toBe(timeMs(claim.input.assertion_time));
        if (counted > 0 && timeMs(claim.analysis.last_corroborated)! > teeth[0]!.from)
          expect(teeth.length).toBeGreaterThan(1);
      }
    },
  );
});

describe('ageing', () => {
  it('ageing names the day on which a quarter is left as the day of going stale', () => {
    covers('INV-R13.11');
    for (const { claim, ageing } of timeline.moments) {
      if (!claim.analysis || ageing.staleAt === null) continue;
      expect(claim.isStale).toBe(ageing.staleAt < timeline.asOf);
    }
    expect(ageingWords(momentOf('wire-toll-3'), timeline.asOf)).toMatch(/stale since/);
    expect(ageingWords(momentOf('panel-erosion'), timeline.asOf)).toMatch(/left, stale from/);
    expect(ageingWords(momentOf('rating-2021'), timeline.asOf)).toBe('retracted, weighs nothing');
  });

  it('ageing is not drawn for a claim without a time of assertion', () => {
    expect(ageingWords(momentOf('hearsay-repairs'), timeline.asOf)).toBeNull();
  });
});

describe('lanes', () => {
  it.each(LANE_KINDS)('lanes by %s hold every dated claim once, in the order of time', (kind) => {
    const lanes = lanesBy(kind, timeline, dam);
    const ids = lanes.flatMap(({ moments }) => moments.map(({ claim }) => claim.id));
    expect(ids.toSorted()).toEqual(
      dam.claims
        .map(({ id }) => id)
        .filter((id) => id !== 'hearsay-repairs')
        .toSorted(),
    );
    for (const { moments } of lanes) {
      const times = moments.map(({ at }) => at!);
      expect(times).toEqual(times.toSorted((a, b) => a - b));
    }
  });

  it('lanes keep undated claims apart instead of dropping them', () => {
    expect(timeline.undated.map(({ claim }) => claim.id)).toEqual(['hearsay-repairs']);
  });

  it('lanes draw a bounded number of rows of a large investigation before they are unfolded, the highest ranked', () => {
    covers('INV-V.51');
    const model = createModel(snapshotOf(largeInput(600, 150, 40), { explanations: [] }));
    const lanes = lanesBy('finding', createTimeline(model), model);
    const ahead = lanes.filter(({ isDrawnAhead }) => isDrawnAhead);
    expect(ahead.length).toBeGreaterThan(0);
    expect(ahead.length).toBeLessThan(lanes.length);
    expect(ahead.flatMap(({ shown }) => shown).length).toBeLessThanOrEqual(120);
    const { shown: drawn, moments } = lanesBy('actor', createTimeline(model), model)[0]!;
    const ranks = (list: typeof moments) => list.map(({ claim }) => claim.ranked!.rank);
    expect(Math.max(...ranks(drawn))).toBe(ranks(moments).toSorted((a, b) => a - b)[drawn.length - 1]);
  });
});

describe('supersession', () => {
  it('supersession follows the chains of the result, the last claim current', () => {
    covers('INV-S.2');
    const chain = (dam.full as InvestigationResult).temporal_analysis!.supersession_chains[0]!;
    expect(chain.claim_ids).toEqual(['wire-toll-3', 'regulator-toll-11', 'inquest-toll-12']);
    expect(momentOf('wire-toll-3').isSuperseded).toBe(true);
    expect(momentOf('inquest-toll-12').isCurrent).toBe(true);
    expect(momentOf('inquest-toll-12').supersedes.map(({ id }) => id)).toEqual(['regulator-toll-11']);
  });

  it('supersession is drawn from the older row through all rows between to the newer one', () => {
    const [{ moments: rows }] = lanesBy('finding', timeline, dam).filter(({ moments }) =>
      moments.some(({ claim }) => claim.id === 'inquest-toll-12'),
    ) as [Lane];
    const pieces = connectors(rows);
    const from = rows.findIndex(({ claim }) => claim.id === 'regulator-toll-11');
    const to = rows.findIndex(({ claim }) => claim.id === 'inquest-toll-12');
    const at = timeMs('2025-05-20T10:00:00Z');
    const parts = pieces.map((list) => list.find((piece) => piece.at === at)?.part);
    expect(parts[from]).toBe('leave');
    expect(parts[to]).toBe('arrive');
    expect(parts.slice(from + 1, to).every((part) => part === 'pass')).toBe(true);
    expect(parts.filter(Boolean)).toHaveLength(to - from + 1);
  });

  it('supersession follows the input where summary mode keeps no chains', () => {
    covers('INV-R15.2');
    const model = createModel(snapshotOf({ ...DAM_INPUT, summary_mode: true }));
    const { moments } = createTimeline(model);
    expect(moments.filter(({ isCurrent }) => isCurrent).map(({ claim }) => claim.id)).toEqual([
      'inquest-toll-12',
    ]);
    expect(moments.every(({ ageing }) => ageing.teeth.length === 0)).toBe(true);
  });
});

describe('bursts and gaps', () => {
  it('bursts and gaps count every instant of the span once', () => {
    expect(density([0, 1, 5, 9, 10, 99], { from: 0, to: 10 }, 5)).toEqual([2, 0, 1, 0, 1]);
  });

  it('bursts and gaps name the longest silence and the busiest stretch, and neither where statements are spread evenly', () => {
    const even = Array.from({ length: 60 }, (_, i) => i * 10);
    expect(longestSilence(even)).toBeNull();
    expect(busiestStretch(even)).toBeNull();
    const uneven = [0, 500, 501, 502, 503, 1000];
    expect(longestSilence(uneven)).toEqual({ from: 0, to: 500 });
    expect(busiestStretch(uneven)).toEqual({ from: 500, to: 503, count: 4 });
  });

  it('no statements have no bursts and no gaps', () => {
    expect(longestSilence([])).toBeNull();
    expect(busiestStretch([])).toBeNull();
  });
});

describe('words', () => {
  it('words name the open ends of an event', () => {
    expect(eventWords(momentOf('minutes-repairs'))).toBe('from 1\u00a0May\u00a02019, end open');
    expect(eventWords(momentOf('rating-2018'))).toBe('until 1\u00a0Jun\u00a02018, start open');
    expect(eventWords(momentOf('hearsay-repairs'))).toBeNull();
  });

  it('sentences say all that a row draws', () => {
    expect(momentSentences(momentOf('panel-erosion'), timeline.asOf)).toMatch(
      /^Event .*\. Asserted .* 2\u00a0corroborations: 1 independent, 1 ignored\. Half-life .* Weight: /,
    );
  });
});

it('an empty timeline has a span and no rows', () => {
  const model = createModel(
    snapshotOf({ research_question: 'Nothing?', actors: [], subjects: [], claims: [] }),
  );
  const { moments, whole } = createTimeline(model);
  expect(moments).toEqual([]);
  expect(whole.to).toBeGreaterThan(whole.from);
});
