import { describe, expect, it } from '@jest/globals';
import { redraw } from './redraw.ts';
import { readSets, syntheticSets } from './sets.ts';
import { SYNTHETIC } from './synthetic.ts';

describe('redraw', () => {
  const set = SYNTHETIC['hard items']!(1);

  it('redraw keeps who speaks on what, and draws only labels that the item has', () => {
    const drawn = redraw(set, 1);
    const speakers = (claims: typeof set.claims) => claims.map(([source, item]) => `${source} ${item}`);
    expect(speakers(drawn.claims)).toEqual(speakers(set.claims));
    const labels = new Set(set.claims.map(([, item, value]) => `${item} ${value}`));
    expect(drawn.claims.every(([, item, value]) => labels.has(`${item} ${value}`))).toBe(true);
  });

  it('redraw draws the same for the same seed and otherwise for another', () => {
    expect(redraw(set, 1)).toEqual(redraw(set, 1));
    expect(redraw(set, 1)).not.toEqual(redraw(set, 2));
  });
});

describe('the sets', () => {
  const { sets, missing } = readSets(null);

  it('the evaluation names the two sets whose license is missing, next to the eight in the repository', () => {
    expect(sets.map(({ name }) => name)).toEqual([
      'flights',
      'books',
      'bluebird',
      'rte',
      'sentiment',
      'dog',
      'weather_amt',
      'sp_amt',
    ]);
    expect(missing).toEqual(['birthplaces', 'population']);
  });

  it.each([...sets, ...syntheticSets()])(
    '$name holds at most one claim of a source on an item, and known indices',
    (set) => {
      const said = new Set(set.claims.map(([source, item]) => `${source} ${item}`));
      expect(said.size).toBe(set.claims.length);
      expect(
        set.claims.every(
          ([source, item]) => set.sources[source] !== undefined && set.items[item] !== undefined,
        ),
      ).toBe(true);
      expect(Object.keys(set.gold).every((item) => set.items[Number(item)] !== undefined)).toBe(true);
      if (set.classes) expect(set.claims.every(([, , value]) => set.classes!.includes(value))).toBe(true);
    },
  );

  it('generated sets are the same for the same seed', () => {
    for (const make of Object.values(SYNTHETIC)) expect(make(5)).toEqual(make(5));
  });

  it('a folder of sets that does not exist is refused by name', () => {
    expect(() => readSets('/nowhere')).toThrow('--data names the folder /nowhere, which does not exist');
  });
});
