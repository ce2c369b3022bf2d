import { describe, expect, it } from '@jest/globals';
import { covers } from '@platform/testing/covers';
import { randomFrom } from '@platform/argumentation/investigation-framework.fixture';
import { analyze } from '../analyze.ts';
import type { InvestigationInput, InvestigationResult } from '../contract/types.ts';
import { NOW } from '../fixtures/investigation.fixture.ts';

const name = (prefix: string, index: number) => `${prefix}${String(index).padStart(3, '0')}`;

/** What each source says about each item; null where it is silent. */
type Table = readonly (readonly (string | null)[])[];

function judged(table: Table, more: Partial<InvestigationInput> = {}): InvestigationResult {
  return analyze({ ...analyzeInput(table), ...more }, { now: NOW }) as InvestigationResult;
}

function analyzeInput(table: Table): InvestigationInput {
  return {
    research_question: 'What is so?',
    actors: table.map((_, source) => ({
      id: name('a', source),
      name: `Source ${source}`,
      source_type: 'Journalist',
    })),
    subjects: table[0]!.map((_, item) => ({
      id: name('s', item),
      name: `Item ${item}`,
      subject_type: 'item',
    })),
    claims: table.flatMap((said, source) =>
      said.flatMap((value, item) =>
        value === null
          ? []
          : {
              id: `${name('c', source)}-${name('', item)}`,
              actor_id: name('a', source),
              subject_id: name('s', item),
              predicate: 'value',
              value,
              content: 'as said',
            },
      ),
    ),
  };
}

const right = (result: InvestigationResult) =>
  result.subject_results.filter(({ leading_value }) => leading_value?.startsWith('truth')).length;
const joined = (result: InvestigationResult) =>
  new Set(result.source_dependence.filter(({ applied }) => applied).flatMap(({ actor_ids }) => actor_ids));

/**
 * Honest sources who are right four times in five, and liars who all tell one lie about each item, as often
 * as they are loyal to it.
 */
function coalition(seed: number, honest: number, liars: number, items: number, loyalty = 1): Table {
  const random = randomFrom(seed);
  const wrong = (item: number) => `wrong ${Math.floor(random() * 4)} about ${item}`;
  const lies = Array.from({ length: items }, (_, item) => wrong(item));
  const truthful = Array.from({ length: honest }, () =>
    lies.map((_, item) => (random() < 0.8 ? `truth ${item}` : wrong(item))),
  );
  const stray = (item: number) => (random() < 0.5 ? `truth ${item}` : wrong(item));
  return [
    ...truthful,
    ...Array.from({ length: liars }, () => lies.map((lie, item) => (random() < loyalty ? lie : stray(item)))),
  ];
}

describe('copying that could be a coalition', () => {
  it.each([1, 2, 3])(
    'copying that could be a coalition gains nothing for eight identical liars of eighteen (seed %p)',
    (seed) => {
      covers('RM-11.3');
      const table = coalition(seed, 10, 8, 30);
      const detected = judged(table);
      const declared = judged(table, { dependence: 'declared' });
      expect(right(detected)).toBeGreaterThanOrEqual(right(declared));
      // Nobody honest is counted as a copy.
      for (const id of joined(detected)) expect(Number(id.slice(1))).toBeGreaterThanOrEqual(10);
    },
  );

  it('copying that could be a coalition is reported with applied: false and a warning that its members still count one by one', () => {
    covers('RM-11.3', 'RM-11.104');
    // Liars who stray now and then are no echo.
    const { source_dependence: groups, warnings } = judged(coalition(2, 10, 8, 30, 0.9));
    expect(groups).toMatchObject([{ applied: false }]);
    for (const id of groups[0]!.actor_ids) expect(Number(id.slice(1))).toBeGreaterThanOrEqual(10);
    expect(warnings.join('\n')).toContain('They still count one by one');
  });
});

describe('sources that never differ', () => {
  it.each([1, 2, 3])(
    'eight sources that never differ and whom most others contradict count as one (seed %p)',
    (seed) => {
      covers('RM-11.28');
      const result = judged(coalition(seed, 10, 8, 30));
      expect(result.source_dependence).toMatchObject([
        { actor_ids: [10, 11, 12, 13, 14, 15, 16, 17].map((i) => name('a', i)), applied: true },
      ]);
      expect(right(result)).toBeGreaterThanOrEqual(29);
    },
  );

  it('sources that never differ because they are right are not suspected beside few who are wrong', () => {
    covers('RM-11.28');
    const truthful = Array.from({ length: 5 }, () => Array.from({ length: 30 }, () => 'truth'));
    const wrong = (source: number) => Array.from({ length: 30 }, (_, item) => `wrong ${source} ${item}`);
    expect(judged([...truthful, wrong(1), wrong(2)]).source_dependence).toEqual([]);
  });

  it('sources that never differ are not suspected where most others agree with them', () => {
    covers('RM-11.28');
    const random = randomFrom(5);
    const truthful = Array.from({ length: 3 }, () => Array.from({ length: 40 }, () => 'truth'));
    const others = Array.from({ length: 12 }, (_, source) =>
      Array.from({ length: 40 }, (_, item) => (random() < 0.6 ? 'truth' : `wrong ${source} ${item}`)),
    );
    expect(judged([...truthful, ...others]).source_dependence).toEqual([]);
  });
});

describe('labels that cannot have been copied', () => {
  it.each([2, 3, 5])('accuse nobody where an item has %p values', (values) => {
    covers('RM-11.1', 'RM-11.2', 'RM-11.101', 'RM-11.102', 'RM-11.103');
    let accused = 0;
    for (const seed of [1, 2, 3]) {
      const random = randomFrom(seed);
      // Each item has its own shares: some are easy, on others most sources are wrong.
      const table = Array.from({ length: 40 }, () =>
        Array.from({ length: 60 }, (_, item) => {
          const share = 0.3 + ((item * 7) % 10) / 15;
          return `value ${random() < share ? item % values : Math.floor(random() * values)}`;
        }),
      );
      accused += joined(judged(table)).size;
    }
    expect(accused).toBeLessThanOrEqual(1);
  });
});

describe('habits with a label', () => {
  /**
   * Yes/no questions; sources that are right 85 times in 100, and what others say about the same questions.
   */
  function crowd(seed: number, others: (truth: boolean[], random: () => number) => string[][]): Table {
    const random = randomFrom(seed);
    const truth = Array.from({ length: 100 }, () => random() < 0.5);
    const careful = Array.from({ length: 22 }, () =>
      truth.map((value) => String(random() < 0.85 ? value : !value)),
    );
    return [...careful, ...others(truth, random)];
  }
  const suspected = (table: Table) =>
    judged(table).source_dependence.flatMap(({ actor_ids: ids }) => ids.map((id) => Number(id.slice(1))));

  it.each([1, 2, 3])(
    'sources that each lean to yes are not suspected of copying for the errors they share (seed %p)',
    (seed) => {
      covers('RM-11.27');
      const leaning = (truth: boolean[], random: () => number) =>
        Array.from({ length: 8 }, () => truth.map((value) => String(random() < (value ? 0.98 : 0.8))));
      expect(suspected(crowd(seed, leaning))).toEqual([]);
    },
  );

  it.each([1, 2, 3])(
    'sources that repeat the scattered errors of one on yes/no questions are suspected (seed %p)',
    (seed) => {
      covers('RM-11.27');
      const copying = (truth: boolean[], random: () => number) => {
        const first = truth.map((value) => (random() < 0.6 ? value : !value));
        return Array.from({ length: 4 }, () =>
          first.map((value) => String(random() < 0.98 ? value : random() < 0.5)),
        );
      };
      expect(suspected(crowd(seed, copying))).toEqual([22, 23, 24, 25]);
    },
  );
});

describe('good sources that nobody copies', () => {
  const suspected = (table: Table, more: Partial<InvestigationInput> = {}) =>
    judged(table, more).source_dependence.flatMap(({ actor_ids: ids }) => ids);
  const other = (value: number, of: number, random: () => number) =>
    (value + 1 + Math.floor(random() * (of - 1))) % of;

  it.each([1, 2, 3, 4])(
    'good sources among many who guess are not suspected of copying (seed %p)',
    (seed) => {
      covers('RM-11.29');
      for (const [good, guessers, labels] of [
        [4, 12, 4],
        [3, 9, 4],
        [2, 8, 4],
        [4, 12, 2],
      ] as const) {
        const random = randomFrom(seed);
        const truth = Array.from({ length: 30 }, () => Math.floor(random() * labels));
        const table = Array.from({ length: good + guessers }, (_, source) =>
          truth.map((value) => {
            if (source >= good) return `v${Math.floor(random() * labels)}`;
            return `v${random() < 0.95 ? value : other(value, labels, random)}`;
          }),
        );
        expect(suspected(table)).toEqual([]);
        expect(suspected(table, { reliability: 'estimated' })).toEqual([]);
      }
    },
  );

  it.each([1, 2, 3, 4])(
    'experts beside a larger crowd with a shared blind spot are not suspected of copying (seed %p)',
    (seed) => {
      covers('RM-11.29');
      const random = randomFrom(seed);
      const truth = Array.from({ length: 60 }, () => Math.floor(random() * 5));
      const trap = truth.map((value) => other(value, 5, random));
      const table = Array.from({ length: 30 }, (_, source) =>
        truth.map((value, item) => {
          if (source >= 10 && item % 3 === 0) return `v${random() < 0.7 ? trap[item]! : value}`;
          return `v${random() < (source < 10 ? 0.9 : 0.85) ? value : other(value, 5, random)}`;
        }),
      );
      expect(suspected(table)).toEqual([]);
    },
  );

  it('two experts who agree on five questions on which four others scatter are not suspected of copying', () => {
    covers('RM-11.29');
    const good = ['v4', 'v18', 'v2', 'v8', 'v3'];
    const table = [
      good,
      good,
      ['v8', 'v3', 'v0', 'v8', 'v0'],
      ['v13', 'v13', 'v17', 'v15', 'v18'],
      ['v8', 'v14', 'v0', 'v18', 'v4'],
      ['v10', 'v10', 'v17', 'v14', 'v7'],
    ];
    expect(suspected(table)).toEqual([]);
  });
});

describe('estimated reliability', () => {
  it('estimated reliability finds the few experts among many who guess, and lets them lead', () => {
    covers('RM-11.4');
    const random = randomFrom(7);
    const truth = Array.from({ length: 60 }, (_, item) => item % 2 === 0);
    const table = Array.from({ length: 15 }, (_, source) =>
      truth.map((value) => String(random() < (source < 4 ? 0.95 : 0.52) ? value : !value)),
    );
    const score = (result: InvestigationResult) =>
      result.subject_results.filter(({ expected_probability: p }, item) => p > 0.5 === truth[item]).length;
    const estimated = judged(table, { reliability: 'estimated', dependence: 'declared' });
    expect(score(estimated)).toBeGreaterThan(score(judged(table, { dependence: 'declared' })));
    const list = estimated.estimated_reliability!;
    expect(list.map(({ actor_id: id }) => id)).toEqual(table.map((_, source) => name('a', source)));
    for (const { actor_id: id, mean, low, high, claims } of list) {
      expect(low).toBeLessThan(mean);
      expect(mean).toBeLessThan(high);
      expect(claims).toBe(60);
      if (Number(id.slice(1)) < 4) expect(mean).toBeGreaterThan(0.78);
      else expect(mean).toBeLessThan(0.75);
    }
  });

  it('estimated reliability tests a source only as far as the others know the answer', () => {
    covers('RM-11.4');
    const disputed = ['red', 'red', 'red', 'red', 'red', 'blue'];
    const column = (values: readonly (string | null)[], count: number) =>
      Array.from({ length: count }, () => values);
    // The seventh source is alone on its items, the eighth meets one source that contradicts it, nobody else
    // speaks there.
    const items = [
      ...column([...disputed, null, null, null], 20),
      ...column([null, null, null, null, null, null, 'red', null, null], 20),
      ...column([null, null, null, null, null, null, null, 'red', 'blue'], 20),
    ];
    const table = Array.from({ length: 9 }, (_, source) =>
      // Each of the first five errs once by itself: sources that never differ would count once.
      items.map((values, item) =>
        values[source] ? `${item === source && source < 5 ? 'own' : values[source]} ${item}` : null,
      ),
    );
    const more = { reliability: 'estimated', dependence: 'declared' };
    const means = judged(table, more).estimated_reliability!.map(({ mean }) => mean);
    for (const mean of means.slice(0, 5)) expect(mean).toBeGreaterThan(0.85);
    expect(means[5]).toBeLessThan(0.4);
    expect(means[6]).toBeCloseTo(0.7, 12);
    expect(means[7]).toBeCloseTo(means[8]!, 12);
  });

  it('estimated reliability learns nothing from questions on which nobody differs', () => {
    covers('RM-11.4');
    const table = Array.from({ length: 4 }, () => Array.from({ length: 30 }, (_, item) => `value ${item}`));
    const more = { reliability: 'estimated', dependence: 'declared' };
    for (const { mean, claims } of judged(table, more).estimated_reliability!) {
      expect(mean).toBeCloseTo(0.7, 12);
      expect(claims).toBe(30);
    }
  });

  it('estimated reliability stays at the declared reliability where a source says little', () => {
    covers('RM-11.4');
    const [one] = judged([['yes'], ['yes']], { reliability: 'estimated' }).estimated_reliability!;
    expect(one!.mean).toBeGreaterThan(0.65);
    expect(one!.mean).toBeLessThan(0.75);
  });

  it('estimated reliability is absent unless asked for, and gives the same bytes in any order', () => {
    covers('RM-11.4', 'RM-0.4', 'RM-11.108', 'RM-11.111');
    const table = coalition(3, 6, 2, 12);
    expect(judged(table)).not.toHaveProperty('estimated_reliability');
    const more = { reliability: 'estimated' };
    const result = judged(table, more);
    const inputs = analyzeInput(table);
    const backwards = analyze(
      { ...inputs, ...more, actors: inputs.actors.toReversed(), claims: inputs.claims.toReversed() },
      { now: NOW },
    );
    expect(JSON.stringify(backwards)).toBe(JSON.stringify(result));
  });
});

describe('crowds of the unidentified', () => {
  const crowd = (size: number, value: string, source_type: string) =>
    Array.from({ length: size }, (_, i) => ({
      actor: { id: `${source_type}${name('', i)}`, name: 'x', source_type },
      claim: {
        id: `${source_type}${name('', i)}`,
        actor_id: `${source_type}${name('', i)}`,
        subject_id: 's',
        predicate: 'p',
        value,
        content: 'as said',
      },
    }));
  const verdict = (size: number) => {
    const all = [...crowd(1, 'official', 'Regulator'), ...crowd(size, 'rumour', 'Anonymous')];
    return (
      analyze(
        {
          research_question: 'q',
          actors: all.map(({ actor }) => actor),
          subjects: [{ id: 's', name: 'S', subject_type: 't' }],
          claims: all.map(({ claim }) => claim),
        },
        { now: NOW },
      ) as InvestigationResult
    ).subject_results[0]!;
  };

  it('five Anonymous sources do not outvote a Regulator', () => {
    covers('RM-11.9');
    expect(verdict(5).leading_value).toBe('official');
  });

  it.each([5, 30, 500])(
    '%p Anonymous sources do not make the value of three Regulators the less likely one',
    (size) => {
      covers('RM-11.9');
      const regulators = crowd(3, 'official', 'Regulator').map(({ actor, claim }, i) => ({
        actor: { ...actor, id: `R${i}` },
        claim: { ...claim, id: `R${i}`, actor_id: `R${i}` },
      }));
      const all = [...regulators, ...crowd(size, 'rumour', 'Anonymous')];
      const [verdict] = (
        analyze(
          {
            research_question: 'q',
            actors: all.map(({ actor }) => actor),
            subjects: [{ id: 's', name: 'S', subject_type: 't' }],
            claims: all.map(({ claim }) => claim),
          },
          { now: NOW },
        ) as InvestigationResult
      ).subject_results;
      const [leading, rival] = verdict!.rival_values;
      expect(leading!.value).toBe('official');
      expect(leading!.calibrated_probability).toBeGreaterThan(0.5);
      expect(rival!.calibrated_probability).toBeLessThan(leading!.calibrated_probability);
    },
  );

  it('five hundred Anonymous sources stay below two units of evidence', () => {
    covers('RM-11.9', 'RM-11.131');
    const { confidence } = verdict(500);
    const r = (2 * confidence.support) / confidence.uncertainty;
    expect(r).toBeLessThanOrEqual(2);
    expect(r).toBeGreaterThan(1.9);
  });
});
