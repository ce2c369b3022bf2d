import { describe, expect, it } from '@jest/globals';
import { covers } from '@platform/testing/covers';
import { SEED } from '@platform/testing/seed';
import { randomFrom } from '@platform/argumentation/investigation-framework.fixture';
import { analyze } from '../analyze.ts';
import type { InvestigationInput, InvestigationResult } from '../contract/types.ts';
import { NOW } from '../fixtures/investigation.fixture.ts';

interface Source {
  readonly id: string;
  readonly type: string;
  /** What it says about each item. */
  readonly said: readonly string[];
}

function judged(sources: readonly Source[], more: Partial<InvestigationInput> = {}): InvestigationResult {
  return analyze(
    {
      research_question: 'What is so?',
      actors: sources.map(({ id, type }) => ({ id, name: id, source_type: type })),
      subjects: sources[0]!.said.map((_, item) => ({ id: `s${item}`, name: 'x', subject_type: 'item' })),
      claims: sources.flatMap(({ said }, source) =>
        said.map((value, item) => ({
          id: `c${source}-${item}`,
          actor_id: sources[source]!.id,
          subject_id: `s${item}`,
          predicate: 'label',
          value,
          content: 'as said',
        })),
      ),
      ...more,
    },
    { now: NOW },
  ) as InvestigationResult;
}

/** `count` sources that all say the same. */
const alike = (count: number, id: string, type: string, said: readonly string[]): Source[] =>
  Array.from({ length: count }, (_, i) => ({ id: `${id}${i}`, type, said }));
const onEach = (items: number, value: string) => Array.from({ length: items }, (_, i) => `${value} ${i}`);
const suspected = (result: InvestigationResult) =>
  result.source_dependence.flatMap(({ actor_ids: ids }) => ids);

describe('identified sources beside a crowd of unidentified ones', () => {
  const items = [5, 6, 8, 10, 20];
  const crowds = [3, 4, 6, 7, 12];

  it.each(['Anonymous', 'SocialMedia'])(
    'three Regulators are not suspected because identical %s sources disagree',
    (type) => {
      covers('RM-11.40');
      for (const count of items) {
        for (const size of crowds) {
          const result = judged([
            ...alike(3, 'r', 'Regulator', onEach(count, 'true')),
            ...alike(size, 'x', type, onEach(count, 'wrong')),
          ]);
          expect(suspected(result).filter((id) => id.startsWith('r'))).toEqual([]);
          for (const { leading_value: leading } of result.subject_results) expect(leading).toMatch(/^true/);
        }
      }
    },
  );

  it('a Regulator whom one Anonymous source quotes is not suspected because other Anonymous sources disagree', () => {
    covers('RM-11.40');
    for (const count of items) {
      for (const size of crowds) {
        const result = judged([
          ...alike(3, 'r', 'Regulator', onEach(count, 'true')),
          ...alike(1, 'q', 'Anonymous', onEach(count, 'true')),
          ...alike(size, 'x', 'Anonymous', onEach(count, 'wrong')),
        ]);
        expect(suspected(result).filter((id) => id.startsWith('r'))).toEqual([]);
      }
    }
  });

  it('three Regulators are not suspected because Anonymous sources join three Journalists who disagree', () => {
    covers('RM-11.40');
    for (const count of items) {
      for (const size of [0, ...crowds]) {
        const result = judged([
          ...alike(3, 'r', 'Regulator', onEach(count, 'true')),
          ...alike(3, 'j', 'Journalist', onEach(count, 'wrong')),
          ...alike(size, 'x', 'Anonymous', onEach(count, 'wrong')),
        ]);
        expect(suspected(result).filter((id) => id.startsWith('r'))).toEqual([]);
      }
    }
  });

  it('identified sources that copy errors are found among identified ones whatever a crowd says', () => {
    covers('RM-11.40');
    const random = randomFrom(3);
    const noisy = (i: number) => ({
      id: `j${i}`,
      type: 'Journalist',
      said: onEach(40, 'true').map((value) => (random() < 0.8 ? value : `own ${i} ${value}`)),
    });
    const honest = Array.from({ length: 8 }, (_, i) => noisy(i));
    const copied = noisy(8).said;
    const sources = [...honest, ...alike(2, 'k', 'Journalist', copied)];
    const crowd = alike(6, 'x', 'Anonymous', onEach(40, 'wrong'));
    expect(suspected(judged(sources))).toEqual(['k0', 'k1']);
    expect(suspected(judged([...sources, ...crowd]))).toEqual(expect.arrayContaining(['k0', 'k1']));
  });
});

describe('sources that always give the same label', () => {
  it.each([2, 3, 4, 10, 12])(
    'sources that always give the same of %p labels are no copiers for that',
    (labels) => {
      covers('RM-11.27');
      const random = randomFrom(SEED);
      const truths = Array.from({ length: 40 }, () => Math.floor(random() * labels));
      const good = Array.from({ length: 12 }, (_, i) => ({
        id: `g${i}`,
        type: 'Journalist',
        said: truths.map((truth) => `v${random() < 0.8 ? truth : Math.floor(random() * labels)}`),
      }));
      const constant = alike(
        2,
        'h',
        'Journalist',
        truths.map(() => 'v0'),
      );
      expect(suspected(judged([...good, ...constant])).filter((id) => id.startsWith('h'))).toEqual([]);
    },
  );
});

describe('sources that leave the same questions open', () => {
  it.each(['unknown', 'declined to comment', '---'])(
    'sources that say %p of the same questions are no copiers for that',
    (open) => {
      covers('RM-11.201');
      const accused = Array.from({ length: 30 }, (_, seed) => {
        const random = randomFrom(seed);
        const noisy = (i: number) =>
          onEach(12, 'true').map((value) => (random() < 0.85 ? value : `own ${i} ${value}`));
        const source = (i: number) => ({ id: `j${i}`, type: 'Journalist', said: noisy(i) });
        const silent = (i: number) => ({
          ...source(i),
          said: noisy(i).map((value, item) => (item % 3 === 0 ? open : value)),
        });
        return suspected(judged([...Array.from({ length: 6 }, (_, i) => source(i)), silent(6), silent(7)]));
      });
      expect(accused.flat()).toEqual([]);
    },
  );
});

describe('two camps', () => {
  it.each([
    [2, 'Regulator', 3, 'Institutional', 'true'],
    [3, 'Regulator', 4, 'Institutional', 'true'],
    [3, 'Regulator', 6, 'Institutional', 'true'],
    [4, 'Regulator', 6, 'Institutional', 'true'],
    [2, 'Expert', 3, 'Journalist', 'wrong'],
    [2, 'Journalist', 3, 'Journalist', 'wrong'],
    [2, 'Regulator', 3, 'Regulator', 'wrong'],
  ])('neither camp is suspected of %p %s and %p %s sources of one mind each', (a, typeA, b, typeB, leads) => {
    covers('RM-11.47');
    for (const items of [5, 10, 30]) {
      const result = judged([
        ...alike(a, 'r', typeA, onEach(items, 'true')),
        ...alike(b, 'x', typeB, onEach(items, 'wrong')),
      ]);
      expect(suspected(result)).toEqual([]);
      for (const { leading_value: leading } of result.subject_results)
        expect(leading!.split(' ')[0]).toBe(leads);
    }
  });

  it('two Regulators are not suspected where they agree with three parties concerned on most questions', () => {
    covers('RM-11.47');
    const camp = (value: string) => [...onEach(6, 'both'), ...onEach(4, value)];
    const result = judged([
      ...alike(2, 'r', 'Regulator', camp('true')),
      ...alike(3, 'x', 'Institutional', camp('wrong')),
    ]);
    expect(suspected(result)).toEqual([]);
  });
});

describe('two sources that are never wrong', () => {
  /** Sources right in `share` of `items` questions; each errs alone, over `wrong` values a question. */
  const erring = (random: () => number, items: number, wrong: number) => {
    return (count: number, id: string, type: string, share: number): Source[] =>
      Array.from({ length: count }, (_, i) => ({
        id: `${id}${i}`,
        type,
        said: onEach(items, 'true').map((value) =>
          random() < share ? value : `wrong ${Math.floor(random() * wrong)} not ${value}`,
        ),
      }));
  };
  const seeds = Array.from({ length: 64 }, (_, seed) => seed);

  it.each([
    ['Regulator', 4, 'Insider', 0.5, 60],
    ['Regulator', 4, 'Insider', 0.5, 40],
    ['Regulator', 3, 'Insider', 0.5, 60],
    ['Regulator', 4, 'Institutional', 0.4, 25],
    ['Regulator', 4, 'Journalist', 0.4, 60],
  ])(
    'two %ss are not suspected besides %p %s sources that are right in the share %p of %p questions and err alone',
    (type, others, otherType, share, count) => {
      covers('RM-11.300');
      const accused = seeds.filter((seed) => {
        const some = erring(randomFrom(seed), count, 2);
        return (
          suspected(judged([...some(2, 'r', type, 1), ...some(others, 'x', otherType, share)])).length > 0
        );
      });
      expect(accused.length).toBeLessThanOrEqual(4);
    },
  );

  it('two Regulators who share errors are suspected besides five Insiders who are mostly right', () => {
    covers('RM-11.300');
    const found = seeds.slice(0, 20).filter((seed) => {
      const some = erring(randomFrom(seed), 30, 4);
      const [first] = some(1, 'r', 'Regulator', 0.6);
      const sources = [first!, { ...first!, id: 'r1' }, ...some(5, 'x', 'Insider', 0.8)];
      return suspected(judged(sources)).join() === 'r0,r1';
    });
    expect(found.length).toBeGreaterThanOrEqual(18);
  });
});

describe('a stock answer', () => {
  it.each([
    [12, 2, 1, 13],
    [8, 3, 0.9, 15],
    [10, 3, 0.5, 200],
  ])(
    'beside %p others, %p sources who give it to the share %p of questions are no copiers of %p values',
    (others, own, share, values) => {
      covers('RM-11.27');
      const random = randomFrom(SEED);
      const any = () => Math.floor(random() * values);
      let accused = 0;
      for (let round = 0; round < 8; round += 1) {
        const truths = Array.from({ length: 40 }, any);
        const saying = (id: string, count: number, stock: number) =>
          Array.from({ length: count }, (_, i) => ({
            id: `${id}${i}`,
            type: 'Journalist',
            said: truths.map((truth) =>
              random() < stock ? 'unknown' : `v${random() < 0.8 ? truth : any()}`,
            ),
          }));
        accused += suspected(judged([...saying('g', others, 0), ...saying('u', own, share)])).length;
      }
      expect(accused).toBeLessThanOrEqual(2);
    },
  );
});

describe('a majority with a habit', () => {
  it.each([3, 4, 10])(
    'four good sources are not suspected because six others nearly always give the same of %p labels',
    (labels) => {
      covers('RM-11.27');
      const random = randomFrom(SEED);
      const any = () => Math.floor(random() * labels);
      let accused = 0;
      for (let round = 0; round < 12; round += 1) {
        const truths = Array.from({ length: 40 }, any);
        const saying = (id: string, count: number, of: (truth: number) => number) =>
          Array.from({ length: count }, (_, i) => ({
            id: `${id}${i}`,
            type: 'Journalist',
            said: truths.map((truth) => `v${of(truth)}`),
          }));
        const guess = (truth: number, share: number) => (random() < share ? truth : any());
        const sources = [
          ...saying('g', 4, (truth) => guess(truth, 0.8)),
          ...saying('h', 6, (truth) => (random() < 0.9 ? 0 : guess(truth, 0.6))),
        ];
        accused += suspected(judged(sources)).length;
      }
      // 33, 44 and 22 of 48 good ones were, before habits counted for little.
      expect(accused).toBeLessThanOrEqual(2);
    },
  );
});

describe('copying whatever sources are called', () => {
  /** The groups by the place of their sources, not by id. */
  const groupsOf = (tables: readonly (readonly string[])[], ids: readonly string[]) =>
    judged(tables.map((said, i) => ({ id: ids[i]!, type: 'Journalist', said })))
      .source_dependence.map(({ actor_ids: found, probability, applied }) => ({
        places: found.map((id) => ids.indexOf(id)).sort((a, b) => a - b),
        probability: probability.toFixed(6),
        applied,
      }))
      .sort((a, b) => a.places[0]! - b.places[0]!);

  it('copying is found alike whatever two equal camps are called', () => {
    covers('RM-11.41');
    for (const size of [2, 3, 4, 6]) {
      const tables = [
        ...Array.from({ length: size }, () => onEach(10, 'one')),
        ...Array.from({ length: size }, () => onEach(10, 'other')),
      ];
      const ids = tables.map((_, i) => `a${i}`);
      expect(groupsOf(tables, ids.toReversed())).toEqual(groupsOf(tables, ids));
    }
  });

  it('copying is found alike in random tables whose ids are permuted', () => {
    covers('RM-11.41');
    const random = randomFrom(SEED);
    for (let round = 0; round < 20; round++) {
      const truths = Array.from({ length: 25 }, () => Math.floor(random() * 4));
      const tables = Array.from({ length: 9 }, (_, source) =>
        truths.map((truth) => `v${random() < (source < 3 ? 0.9 : 0.3) ? truth : Math.floor(random() * 4)}`),
      );
      const ids = tables.map((_, i) => `a${i}`);
      const permuted = ids
        .map((id) => ({ id, at: random() }))
        .sort((a, b) => a.at - b.at)
        .map(({ id }) => id);
      expect(groupsOf(tables, permuted)).toEqual(groupsOf(tables, ids));
    }
  });
});

describe('what a suspicion says', () => {
  it('a suspicion of more than two says that at least two of them agree on each item counted', () => {
    covers('RM-11.42');
    const sources = [
      ...alike(4, 'g', 'Journalist', onEach(30, 'true')),
      ...alike(3, 'k', 'Journalist', onEach(30, 'wrong')),
    ].map((source, i) => ({
      ...source,
      said: source.said.map((value, item) => (item % 7 === i ? `own ${i} ${item}` : value)),
    }));
    const { source_dependence: groups, warnings } = judged(sources);
    for (const { actor_ids: ids, shared_items: items } of groups) {
      const said = sources.filter(({ id }) => ids.includes(id)).map((source) => source.said);
      const agreed = said[0]!.filter((_, item) => new Set(said.map((all) => all[item])).size < said.length);
      expect(items).toBe(agreed.length);
    }
    expect(groups.some(({ actor_ids: ids }) => ids.length > 2)).toBe(true);
    expect(warnings.join('\n')).toMatch(
      /At least two of the actors `k0`, `k1`, `k2` say the same unusual things: the same on/,
    );
    expect(warnings.join('\n')).toContain('at most one in five of the other identified sources report');
  });
});

describe('sources that never differ, with estimated reliability', () => {
  it.each([
    [20, 4, 'Regulator'],
    [30, 10, 'Expert'],
    [60, 4, 'Regulator'],
  ])(
    'on %p questions, %p Journalists who agree keep their declared reliability against one %s',
    (items, count, type) => {
      covers('RM-11.43');
      const result = judged(
        [
          ...alike(count, 'b', 'Journalist', onEach(items, 'theirs')),
          ...alike(1, 'w', type, onEach(items, 'own')),
        ],
        { reliability: 'estimated' },
      );
      for (const { leading_value: leading, source_count: voices } of result.subject_results) {
        expect(leading).toMatch(/^theirs/);
        expect(voices).toBe(count);
      }
      for (const { actor_id: id, mean } of result.estimated_reliability!)
        if (id.startsWith('b')) expect(mean).toBeGreaterThanOrEqual(0.7 - 1e-9);
    },
  );

  it('one more question moves the chance of sources that never differ by no more than five points', () => {
    covers('RM-11.43');
    for (const [count, type] of [
      [2, 'Regulator'],
      [4, 'Regulator'],
      [10, 'Expert'],
    ] as const) {
      const chances = Array.from({ length: 16 }, (_, i) => {
        const items = 8 + i;
        const [verdict] = judged(
          [
            ...alike(count, 'b', 'Journalist', onEach(items, 'theirs')),
            ...alike(1, 'w', type, onEach(items, 'own')),
          ],
          { reliability: 'estimated' },
        ).subject_results;
        return verdict!.rival_values.find(({ value }) => value.startsWith('theirs'))!.calibrated_probability;
      });
      for (const [i, chance] of chances.slice(1).entries())
        expect(Math.abs(chance - chances[i]!)).toBeLessThanOrEqual(0.05);
    }
  });

  it.each([
    ['Expert', 'Expert', 'Journalist'],
    ['Regulator', 'Regulator', 'Institutional'],
    ['Regulator', 'Expert', 'Journalist'],
  ])(
    'from eight questions to nineteen, one more turns no verdict between %p and %p and three %p sources',
    (one, other, third) => {
      covers('RM-11.203');
      const leading = Array.from({ length: 12 }, (_, i) => {
        const sources = [
          ...alike(1, 'r', one, onEach(8 + i, 'true')),
          ...alike(1, 'e', other, onEach(8 + i, 'true')),
          ...alike(3, 'j', third, onEach(8 + i, 'wrong')),
        ];
        return judged(sources, { reliability: 'estimated' }).subject_results[0]!.leading_value;
      });
      expect(new Set(leading)).toEqual(new Set(['true 0']));
    },
  );

  it('one warning names where reliability as declared would let another value lead', () => {
    covers('RM-11.204');
    const sources = [
      ...alike(1, 'r', 'Regulator', onEach(8, 'true')),
      ...alike(1, 'e', 'Expert', onEach(8, 'true')),
      ...alike(3, 'j', 'Journalist', onEach(8, 'wrong')),
    ];
    const estimated = judged(sources, { reliability: 'estimated' });
    const declared = judged(sources);
    expect(estimated.subject_results[0]!.leading_value).toBe('true 0');
    expect(declared.subject_results[0]!.leading_value).toBe('wrong 0');
    expect(declared.warnings).toEqual([]);
    expect(estimated.warnings).toEqual([
      'With reliability as declared, another value would lead on `label` of `s0`, `label` of `s1`, `label` of `s2` and 5 more: how far the sources agree with one another decides there. Judge with reliability declared, too, before you rely on either.',
    ]);
    const agreed = [...sources, ...alike(2, 'k', 'Regulator', onEach(8, 'true'))];
    expect(judged(agreed, { reliability: 'estimated', dependence: 'declared' }).warnings).toEqual([]);
  });

  it('sources that never differ and are outnumbered are still found to be wrong', () => {
    covers('RM-11.43');
    const random = randomFrom(SEED);
    const good = Array.from({ length: 8 }, (_, i) => ({
      id: `g${i}`,
      type: 'Journalist',
      said: onEach(40, 'true').map((value) => (random() < 0.9 ? value : `own ${i} ${value}`)),
    }));
    const result = judged([...good, ...alike(3, 'k', 'Journalist', onEach(40, 'wrong'))], {
      reliability: 'estimated',
      dependence: 'declared',
    });
    for (const { actor_id: id, mean } of result.estimated_reliability!)
      if (id.startsWith('k')) expect(mean).toBeLessThan(0.4);
  });
});

describe('crowds of unidentified sources, with estimated reliability', () => {
  it.each([
    [1, 5],
    [2, 12],
    [3, 12],
    [5, 30],
    [10, 30],
  ])(
    '%p Regulators lead on any number of questions before %p Anonymous sources who agree on something else',
    (regulators, crowd) => {
      covers('RM-11.44');
      for (const items of [1, 2, 3, 4, 5, 6, 7, 10, 12, 15, 19, 20, 30]) {
        const { subject_results: verdicts } = judged(
          [
            ...alike(regulators, 'r', 'Regulator', onEach(items, 'true')),
            ...alike(crowd, 'x', 'Anonymous', onEach(items, 'wrong')),
          ],
          { reliability: 'estimated' },
        );
        for (const { leading_value: leading } of verdicts) expect(leading).toMatch(/^true/);
      }
    },
  );
});

describe('sources that nothing tested, with estimated reliability', () => {
  it.each(['Expert', 'Analyst', 'Journalist', 'Insider', 'Institutional', 'Anonymous', 'SocialMedia'])(
    'three %s sources of one mind whom nobody contradicts lead, and none is below the floor',
    (type) => {
      covers('RM-11.45');
      for (const items of [1, 2, 5, 15]) {
        const result = judged(alike(3, 'a', type, onEach(items, 'red')), { reliability: 'estimated' });
        for (const { leading_value: leading, source_count: count } of result.subject_results)
          expect([leading?.slice(0, 3), count]).toEqual(['red', 3]);
        expect(result.warnings).toEqual([]);
      }
    },
  );

  it('four sources of low declared reliability lead before the one who contradicts them once', () => {
    covers('RM-11.45');
    const yes = Array.from({ length: 6 }, () => 'yes');
    const sources = [
      ...alike(1, 'c', 'Institutional', yes),
      ...alike(2, 'n', 'Analyst', yes),
      ...alike(1, 'i', 'Insider', yes),
      { id: 'j', type: 'Journalist', said: ['no'] },
    ];
    const { subject_results: verdicts } = judged(sources, { reliability: 'estimated' });
    for (const { calibrated_probability: chance } of verdicts) expect(chance).toBeGreaterThan(0.5);
  });
});
