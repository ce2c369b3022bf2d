import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { covers } from '@platform/testing/covers';
import { SEED } from '@platform/testing/seed';
import { LANE_KINDS } from './timeline-layout.ts';
import { FIRST_VIEW, readView, viewSearch } from './timeline-view.ts';
import { viewPart } from './view-part.ts';

fc.configureGlobal({ seed: SEED });

const HOUR_MS = 3_600_000;
const WHOLE = { from: Date.UTC(-3000, 0), to: Date.UTC(12_000, 0) };
const instant = fc.integer({ min: WHOLE.from, max: WHOLE.to });
const view = fc.record({
  kind: fc.constantFrom(...LANE_KINDS),
  page: fc.integer({ min: 1, max: 999_999 }),
  span: fc.oneof(
    fc.constant(null),
    fc
      .tuple(instant, instant)
      .map(([a, b]) => ({ from: Math.min(a, b), to: Math.max(a, b) }))
      .filter(({ from, to }) => to - from >= HOUR_MS),
  ),
  aged: fc.oneof(
    fc.constant('all' as const),
    fc.uniqueArray(fc.string({ unit: 'grapheme' }).filter((id) => id !== 'all')).map((ids) => new Set(ids)),
  ),
});

describe('the view in the address', () => {
  it('the address leads to the lanes, their page, the zoom and the unfolded lanes that it was made of, and keeps all else', () => {
    covers('INV-V.52', 'INV-V.56');
    fc.assert(
      fc.property(view, (chosen) => {
        const search = viewSearch('?pane=timeline&aged=old', chosen);
        expect(readView(search, WHOLE)).toEqual(chosen);
        expect(new URLSearchParams(search).get('pane')).toBe('timeline');
        expect(readView(viewPart(search), WHOLE)).toEqual(chosen);
        expect(viewPart(search)).not.toContain('pane=');
      }),
    );
  });

  it.each([
    '',
    '?lanes=rows',
    '?lane_page=0',
    '?lane_page=2.5',
    '?from=yesterday&to=2025-01-01',
    '?from=2025-01-01&to=2024-01-01',
  ])('an address with the search "%s" shows the first view', (search) => {
    expect(readView(search, WHOLE)).toEqual(FIRST_VIEW);
  });

  it('an address that names more time than there is shows all of it', () => {
    const whole = { from: Date.UTC(2020, 0), to: Date.UTC(2021, 0) };
    expect(readView('?from=1990-01-01&to=2020-03-01', whole).span).toEqual(whole);
    expect(viewSearch('', FIRST_VIEW)).toBe('');
  });
});
