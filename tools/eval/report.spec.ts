import { describe, expect, it } from '@jest/globals';
import { CONTESTANTS } from './contestants.ts';
import type { Measurement } from './measure.ts';
import type { CheckedChance } from '@platform/opinion-fusion';
import { bins } from '@platform/opinion-fusion';
import { reliabilityDiagram } from './reliability-diagram.ts';
import { meanScore, report, totalSuspicion } from './report.ts';
import { SYNTHETIC } from './synthetic.ts';

const sets = [SYNTHETIC['copying coalition']!(1), SYNTHETIC['spammers']!(1)];
const measured = (right: boolean): Measurement => {
  const outcomes: CheckedChance[] = Array.from({ length: 10 }, () => ({ right, probability: 0.75 }));
  return {
    outcomes: Object.fromEntries(sets.map(({ name }) => [name, outcomes])),
    times: Object.fromEntries(sets.map(({ name }) => [name, 1])),
    memory: 100,
  };
};

describe('report', () => {
  const all = new Map(CONTESTANTS.map(({ name, engine }) => [name, measured(engine)]));
  const attack = { name: 'a | b', outcome: 'o', target: 't' };
  const page = (holds: boolean) =>
    report({
      sets,
      missing: ['population'],
      synthetic: [],
      measured: all,
      suspicions: [{ set: 'spammers', actors: 30, real: 2, redrawn: [1, 0, 0] }],
      attacks: [{ ...attack, holds }],
      intervals: [{ set: 'numbers', full: 10, fullHolding: 9, few: 0, fewHolding: 0 }],
    });

  it('the report states reached and missed as measured', () => {
    for (const mode of ['declared', 'estimated'])
      expect(page(true)).toContain(
        `| mean accuracy, open sets, reliability ${mode} | 1.000 | ≥ 0.775, and better than every method |`,
      );
    expect(page(true)).toContain('| attacks withstood | 1 of 1 | all |  | reached |');
    expect(page(false)).toContain('| attacks withstood | 0 of 1 | all |  | **missed** |');
    expect(page(true)).toContain('| actors suspected in redrawn data | 1.11 % | ≤ 1 % |  | **missed** |');
  });

  it('the report states how often intervals hold the right number', () => {
    expect(page(true)).toContain('| numbers | 9 of 10 (90 %) | – |');
  });

  it('the report names the sets that were not given, and escapes bars in cells', () => {
    expect(page(true)).toContain('Not given, and so not measured: population.');
    expect(page(true)).toContain('a \\| b');
  });

  it('the report gives the difference of two methods with an interval without width where all items agree', () => {
    expect(page(true)).toContain('| majority vote | +100.0 [+100.0, +100.0] | +100.0 [+100.0, +100.0] |');
  });
});

describe('meanScore', () => {
  it('meanScore is null when the method did not answer one of the sets', () => {
    const { outcomes, ...rest } = measured(true);
    expect(
      meanScore({ ...rest, outcomes: { spammers: outcomes['spammers']! } }, sets, 'accuracy'),
    ).toBeNull();
  });
});

describe('totalSuspicion', () => {
  it('totalSuspicion counts actors once for each seed', () => {
    expect(totalSuspicion([{ set: 's', actors: 40, real: 9, redrawn: [1, 0, 2] }])).toEqual({
      suspected: 3,
      actors: 120,
    });
  });
});

describe('reliabilityDiagram', () => {
  it('reliabilityDiagram draws a dot for each bin that holds answers, at its stated chance and share of right ones', () => {
    const filled = bins([
      { right: true, probability: 0.75 },
      { right: false, probability: 0.25 },
    ]);
    const svg = reliabilityDiagram([{ title: 'a < b', bins: filled, calibrationError: 0.25 }]);
    expect(svg.match(/<circle/g)).toHaveLength(2);
    expect(svg).toContain('<circle cx="150.0" cy="0.0"');
    expect(svg).toContain('<circle cx="50.0" cy="200.0"');
    expect(svg).toContain('a &lt; b');
  });
});
