import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { SEED } from '@platform/testing/seed';
import { timeMs } from '../../format/times.ts';
import { around, moved, shareOf, ticks, zoomed } from './time-scale.ts';

fc.configureGlobal({ seed: SEED });

const DAY_MS = 86_400_000;
const span = fc
  .tuple(fc.integer({ min: -6e13, max: 8e13 }), fc.integer({ min: 1, max: 3e13 }))
  .map(([from, length]) => ({ from, to: from + length }));

describe('timeMs', () => {
  it.each([
    ['1903', Date.UTC(1903, 0, 1)],
    ['1903-12', Date.UTC(1903, 11, 1)],
    ['1903-12-17', Date.UTC(1903, 11, 17)],
    ['1903-12-17T10:35:00Z', Date.UTC(1903, 11, 17, 10, 35)],
    ['1903-12-17T10:35', Date.UTC(1903, 11, 17, 10, 35)],
    ['2024-01-01t00:00:00.5+0130', Date.UTC(2023, 11, 31, 22, 30, 0, 500)],
  ])('timeMs reads %s as the engine does: in UTC without a zone', (text, ms) => {
    expect(timeMs(text)).toBe(ms);
  });

  it.each([null, undefined, '', 'yesterday'])('timeMs returns null for %j', (text) => {
    expect(timeMs(text)).toBeNull();
  });
});

describe('ticks', () => {
  it('ticks are inside the span, in order, and no more than one beyond what was asked for', () => {
    fc.assert(
      fc.property(span, fc.integer({ min: 2, max: 12 }), (whole, most) => {
        const marks = ticks(whole, most);
        expect(marks.length).toBeLessThanOrEqual(most + 1);
        marks.forEach(({ at }, index) => {
          expect(at).toBeGreaterThanOrEqual(whole.from);
          expect(at).toBeLessThanOrEqual(whole.to);
          if (index > 0) expect(at).toBeGreaterThan(marks[index - 1]!.at);
        });
      }),
    );
  });

  it('ticks name years, months, days and hours by the length of the span', () => {
    const from = Date.UTC(2024, 0, 1);
    const labels = (days: number) => ticks({ from, to: from + days * DAY_MS }, 6).map(({ label }) => label);
    expect(labels(3000)[0]).toBe('2024');
    expect(labels(200)[0]).toBe('Jan\u00a02024');
    expect(labels(10)[0]).toBe('2\u00a0Jan\u00a02024');
    expect(labels(0.5)[0]).toBe('1\u00a0Jan 00:00');
  });
});

describe('zooming and moving', () => {
  it('zooming and moving never leave the whole, and going in and out again shows the same length', () => {
    fc.assert(
      fc.property(
        span,
        fc.double({ min: 0.1, max: 4, noNaN: true }),
        fc.double({ min: -3, max: 3, noNaN: true }),
        (whole, factor, share) => {
          for (const part of [
            zoomed(whole, whole, factor),
            moved(zoomed(whole, whole, 0.5), whole, share),
            around(whole, whole),
          ]) {
            expect(part.from).toBeGreaterThanOrEqual(whole.from);
            expect(part.to).toBeLessThanOrEqual(whole.to + 1);
            expect(part.to).toBeGreaterThanOrEqual(part.from);
          }
        },
      ),
    );
  });

  it('zooming and moving keep the center in place', () => {
    const whole = { from: 0, to: 100 * DAY_MS };
    const part = zoomed(whole, whole, 0.5);
    expect(shareOf(part, 50 * DAY_MS)).toBeCloseTo(0.5);
    expect(part.to - part.from).toBe(50 * DAY_MS);
  });
});
