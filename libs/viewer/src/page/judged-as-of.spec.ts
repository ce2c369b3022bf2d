import { describe, expect, it } from '@jest/globals';
import { covers } from '@platform/testing/covers';
import { ASSETS, exampleInput, snapshotOf } from '../snapshot.fixture.ts';
import { renderSharePage } from './render-share-page.tsx';

describe('the day that a judgement is of', () => {
  it.each([
    [
      '2025-05-20',
      ' as of 20 May 2025',
      'Analyzed as of20 May 2025, 00:00 UTC',
      ' as of 20 May 2025, 00:00 UTC',
    ],
    // What lies in the future is judged as of the evaluation.
    ['2031-01-01', '', 'Analyzed as of14 Mar 2026, 09:12 UTC', ''],
    [undefined, '', 'Analyzed as of14 Mar 2026, 09:12 UTC', ''],
  ])(
    'overview, timeline and citation of an investigation with as_of %s name the day that it is judged for',
    (as_of, day, fact, instant) => {
      covers('INV-V.68');
      const snapshot = snapshotOf({ ...exampleInput('first-flight'), ...(as_of && { as_of }) });
      const [overview, timeline] = (['overview', 'timeline'] as const).map((pane) =>
        renderSharePage(snapshot, { assets: ASSETS, pane, page: 1 })
          .replace(/<[^>]*>/g, '')
          .replaceAll('\u00a0', ' '),
      );
      expect(overview).toContain(`judged 14 Mar 2026${day}.`);
      expect(overview).toContain(`judged 14 Mar 2026, 09:12 UTC${instant} by engine`);
      expect(timeline).toContain(fact);
    },
  );
});
