import { describe, expect, it } from '@jest/globals';
import { coordinate, count, counted, decimal, percent, points, signed } from './numbers.ts';

const spaced = (text: string) => text.replaceAll('\u00a0', ' ');

describe('numbers as text', () => {
  it.each([
    [0, '0 %'],
    [0.001, '< 1 %'],
    [0.005, '1 %'],
    [0.725, '73 %'],
    [0.999, '> 99 %'],
    [1, '100 %'],
  ])('percent(%p) never claims certainty that is not there', (value, text) => {
    expect(spaced(percent(value))).toBe(text);
  });

  it.each([
    [0, '0.00'],
    [-0, '0.00'],
    [0.004, '< 0.01'],
    [0.314, '0.31'],
    [1, '1.00'],
  ])('decimal(%p)', (value, text) => {
    expect(spaced(decimal(value))).toBe(text);
  });

  it.each([
    [0, '0 points'],
    [0.001, 'less than 1 point'],
    [0.012, '1 point'],
    [0.168, '17 points'],
  ])('points(%p)', (value, text) => {
    expect(spaced(points(value))).toBe(text);
  });

  it.each([
    [0.18, '+0.18'],
    [-0.04, '−0.04'],
    [0.001, '±0.00'],
    [-0.001, '±0.00'],
  ])('signed(%p)', (value, text) => {
    expect(signed(value)).toBe(text);
  });

  it('numbers are grouped in threes from five digits on', () => {
    expect([0, 999, 7300, 73_000, 1_234_567].map(count).map(spaced)).toEqual([
      '0',
      '999',
      '7300',
      '73 000',
      '1 234 567',
    ]);
    expect(spaced(counted(1, 'claim'))).toBe('1 claim');
    expect(spaced(counted(12, 'claim'))).toBe('12 claims');
  });

  it('coordinates read alike on server and browser', () => {
    expect([1 / 3, 50, 0.00004].map(coordinate)).toEqual(['0.333', '50', '0']);
  });
});
