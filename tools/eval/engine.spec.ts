import { describe, expect, it } from '@jest/globals';
import type { DataSet } from './data-set.ts';
import { judge, toInvestigation } from './engine.ts';
import type { EngineOptions } from './engine.ts';
import { nullTest } from './null-test.ts';
import { toOutcomes } from './outcomes.ts';
import { readSets } from './sets.ts';

const OPTIONS: EngineOptions = {
  dependence: 'declared',
  reliability: 'declared',
  chance: 'expected_probability',
};

const set = (claims: DataSet['claims'], gold: DataSet['gold']): DataSet => ({
  name: 'case',
  kind: 'binary',
  classes: ['false', 'true'],
  sources: ['a', 'b', 'c'],
  items: ['first', 'second', 'third'],
  claims,
  gold,
});

describe('judge', () => {
  it('judge returns false, with the chance of false, where most sources say false', () => {
    const [answer] = judge(
      set(
        [
          [0, 0, 'false'],
          [1, 0, 'false'],
          [2, 0, 'true'],
        ],
        {},
      ),
      OPTIONS,
    ).answers;
    expect(answer!.value).toBe('false');
    expect(answer!.probability).toBeGreaterThan(0.5);
  });

  it('judge returns the value that was claimed first on a tie', () => {
    const judged = judge(
      set(
        [
          [0, 0, 'false'],
          [1, 0, 'true'],
          [0, 1, 'true'],
          [1, 1, 'false'],
        ],
        {},
      ),
      OPTIONS,
    );
    expect(judged.answers.map((answer) => answer?.value)).toEqual(['false', 'true', undefined]);
  });

  it('judge never shows the right values to the engine', () => {
    const claims: DataSet['claims'] = [[0, 0, 'false']];
    expect(toInvestigation(set(claims, { 0: 'true' }), OPTIONS)).toEqual(
      toInvestigation(set(claims, {}), OPTIONS),
    );
  });
});

describe('toOutcomes', () => {
  it('toOutcomes counts an item without an answer as wrong', () => {
    expect(
      toOutcomes(set([[0, 0, 'true']], { 0: 'true', 2: 'true' }), [
        { value: 'true', probability: 0.9 },
        null,
        null,
      ]),
    ).toEqual([
      { right: true, probability: 0.9 },
      { right: false, probability: 0 },
    ]);
  });
});

describe('the null test', () => {
  it('the null test finds at most one in a hundred actors suspected of copying where nobody can have copied', () => {
    const { sets } = readSets(null);
    const suspicions = sets
      .filter(({ name }) => ['bluebird', 'rte', 'dog', 'weather_amt'].includes(name))
      .map((public_) => nullTest(public_, [1]));
    const suspected = suspicions.reduce((sum, { redrawn }) => sum + redrawn[0]!, 0);
    expect(suspected).toBeLessThanOrEqual(0.01 * suspicions.reduce((sum, { actors }) => sum + actors, 0));
  });
});
