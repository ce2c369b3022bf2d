import { describe, expect, it } from '@jest/globals';
import { quantile, robustSlope } from './statistics.ts';

const line = (count: number, slope: number) =>
  Array.from({ length: count }, (_, x): [number, number] => [x, 100 + slope * x]);

describe('quantile', () => {
  it.each([
    [0, 1],
    [0.5, 3],
    [0.99, 5],
    [1, 5],
  ])('%f of one to five is %i', (share, value) => {
    expect(quantile([5, 3, 1, 2, 4], share)).toBe(value);
  });
});

describe('robustSlope', () => {
  it('robustSlope is the slope of a line, growing, level or falling', () => {
    for (const slope of [3, 0, -0.5]) expect(robustSlope(line(20, slope))).toBeCloseTo(slope, 12);
  });

  it('robustSlope is moved little by a quarter of points that are far off, where least squares would be', () => {
    const points = line(40, 2).map(([x, y], index): [number, number] => [x, index >= 30 ? y - 80 : y]);
    expect(robustSlope(points)).toBeGreaterThan(1);
    expect(robustSlope(points)).toBeLessThanOrEqual(2);
    const spikes = line(40, 0).map(([x, y], index): [number, number] => [x, index % 5 === 0 ? y + 300 : y]);
    expect(robustSlope(spikes)).toBe(0);
  });

  it('robustSlope of a single point is null', () => {
    expect(robustSlope(line(1, 1))).toBeNaN();
  });
});
