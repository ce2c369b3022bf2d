import { describe, expect, it } from '@jest/globals';
import type { DataSet } from './data-set.ts';
import { judge, toInvestigation } from './engine.ts';
import type { EngineOptions } from './engine.ts';
import { toOutcomes } from './outcomes.ts';

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
  it('gives false, with the chance of false, where most sources say false', () => {
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

  it('gives the value that was claimed first on a tie', () => {
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

  it('never shows the right values to the engine', () => {
    const claims: DataSet['claims'] = [[0, 0, 'false']];
    expect(toInvestigation(set(claims, { 0: 'true' }), OPTIONS)).toEqual(
      toInvestigation(set(claims, {}), OPTIONS),
    );
  });
});

describe('toOutcomes', () => {
  it('counts an item without an answer as wrong', () => {
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
