import { describe, expect, it } from '@jest/globals';
import { pairedInterval } from './bootstrap.ts';

describe('pairedInterval', () => {
  it('pairedInterval has no width when every item shows the same difference', () => {
    expect(
      pairedInterval(
        [
          [
            [1, 0],
            [1, 0],
          ],
          [[0, 0]],
        ],
        1,
      ),
    ).toEqual({ difference: 0.5, low: 0.5, high: 0.5 });
  });

  it('pairedInterval covers about ±2 standard errors of a known distribution', () => {
    const items = Array.from({ length: 400 }, (_, i): [number, number] => [i % 2, 0]);
    const { difference, low, high } = pairedInterval([items], 1);
    expect(difference).toBe(0.5);
    expect((high - low) / (2 * 1.96 * 0.025)).toBeCloseTo(1, 0);
  });

  it('pairedInterval gives the same interval for the same seed', () => {
    const items: [number, number][] = [
      [1, 0],
      [0, 1],
      [1, 1],
      [0, 0],
      [1, 0],
    ];
    expect(pairedInterval([items], 3)).toEqual(pairedInterval([items], 3));
  });
});
