import { expect, it } from '@jest/globals';
import { inRounds } from './rounds.ts';
import { SEED } from './seed.ts';

it('rounds go on, each from the next seed, until there are enough cases', () => {
  const seeds: number[] = [];
  inRounds(
    () => seeds.length === 3,
    (seed) => seeds.push(seed),
  );
  expect(seeds).toEqual([SEED, SEED + 1, SEED + 2]);
});

it('a property whose cases never come fails and names its seed', () => {
  expect(() =>
    inRounds(
      () => false,
      () => {},
    ),
  ).toThrow(`Too few cases after 50 rounds from seed ${SEED}`);
});
