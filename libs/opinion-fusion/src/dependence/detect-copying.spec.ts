import { describe, expect, it } from '@jest/globals';
import { covers } from '@platform/testing/covers';
import { detectCopying } from './detect-copying.ts';
import type { SourceStatements } from './agreement.ts';
import { linkCompletely } from './complete-linkage.ts';

type Answers = ReadonlyMap<number, number>;

const statements = (source: string, answers: Answers): SourceStatements => {
  const ordered = [...answers].sort(([x], [y]) => x - y);
  return {
    source,
    items: Int32Array.from(ordered, ([item]) => item),
    values: Int32Array.from(ordered, ([, value]) => value),
  };
};

/** Pseudo-random numbers in [0, 1) from a seed; mulberry32. */
const random = (seed: number) => () => {
  seed = (seed + 0x6d2b79f5) | 0;
  let t = Math.imul(seed ^ (seed >>> 15), 1 | seed);
  t = (t + Math.imul(t ^ (t >>> 7), 61 | t)) ^ t;
  return ((t ^ (t >>> 14)) >>> 0) / 2 ** 32;
};

/**
 * A source that answers each item with `coverage`, and truly (value 0) with `accuracy`, else one of `wrong`
 * other values.
 */
const honest = (
  next: () => number,
  items: number,
  coverage: number,
  accuracy: number,
  wrong: number,
): Answers => {
  const answers = new Map<number, number>();
  for (let item = 0; item < items; item++) {
    if (next() < coverage) answers.set(item, next() < accuracy ? 0 : 1 + Math.floor(next() * wrong));
  }
  return answers;
};

/** Takes over a share of the original's answers and gives its own to the rest. */
const copier = (next: () => number, original: Answers, own: Answers, share: number): Answers =>
  new Map([...own, ...[...original].filter(() => next() < share)]);

const name = (i: number) => `source-${String(i).padStart(3, '0')}`;

describe('detectCopying on simulated sources', () => {
  it.each([
    { accuracy: 0.99, wrong: 20 },
    { accuracy: 0.9, wrong: 10 },
    { accuracy: 0.7, wrong: 10 },
    { accuracy: 0.7, wrong: 3 },
  ])(
    'detectCopying joins fewer than 1 % of independent pairs: accuracy $accuracy, $wrong wrong values',
    ({ accuracy, wrong }) => {
      let joined = 0;
      let pairs = 0;
      for (let seed = 1; seed <= 20; seed++) {
        const next = random(seed);
        const sources = Array.from({ length: 20 }, (_, i) =>
          statements(name(i), honest(next, 100, 0.6, accuracy, wrong)),
        );
        for (const group of detectCopying(sources).groups) {
          joined += (group.sources.length * (group.sources.length - 1)) / 2;
        }
        pairs += (20 * 19) / 2;
      }
      expect(joined / pairs).toBeLessThan(0.01);
    },
  );

  it('detectCopying finds most copiers of a source with errors, and nobody else', () => {
    covers('RM-4.28');
    let found = 0;
    let accused = 0;
    for (let seed = 1; seed <= 20; seed++) {
      const next = random(seed);
      const answers = Array.from({ length: 12 }, () => honest(next, 100, 0.8, 0.75, 10));
      answers[10] = copier(next, answers[0]!, answers[10]!, 0.9);
      answers[11] = copier(next, answers[0]!, answers[11]!, 0.9);
      const { groups } = detectCopying(answers.map((each, i) => statements(name(i), each)));
      for (const { sources } of groups) {
        const copying = sources.filter((source) => [name(0), name(10), name(11)].includes(source)).length;
        if (copying === 3) found++;
        accused += sources.length - copying;
      }
    }
    expect(found).toBeGreaterThanOrEqual(17);
    expect(accused).toBe(0);
  });

  it('detectCopying distinguishes a crowd of copies from the independent sources it outvotes', () => {
    for (let seed = 1; seed <= 10; seed++) {
      const next = random(seed);
      const independent = [0.95, 0.95, 0.95, 0.6, 0.6, 0.6].map((accuracy) =>
        honest(next, 100, 1, accuracy, 20),
      );
      const crowd = new Array<Answers>(5).fill(honest(next, 100, 1, 0.4, 20));
      const { groups } = detectCopying(
        [...independent, ...crowd].map((each, i) => statements(name(i), each)),
      );
      expect(groups.map((group) => group.sources)).toEqual([[6, 7, 8, 9, 10].map(name)]);
    }
  });
});

describe('detectCopying in small investigations', () => {
  const agreed = (from: number, to: number, value: number) =>
    Array.from({ length: to - from }, (_, i): [number, number] => [from + i, value]);

  it('detectCopying joins nobody on fewer than five shared values, however rare', () => {
    covers('RM-4.29');
    const sources = [
      new Map(agreed(0, 4, 7)),
      new Map(agreed(0, 4, 7)),
      ...Array.from({ length: 8 }, () => new Map(agreed(0, 4, 0))),
    ].map((answers, i) => statements(name(i), answers));
    expect(detectCopying(sources)).toEqual({ pairs: [], groups: [], accuracy: new Map(), leftOut: 0 });
  });

  it('detectCopying joins on five shared values that all others contradict', () => {
    covers('RM-4.29');
    const odd = new Map([...agreed(0, 5, 7), ...agreed(5, 30, 0)]);
    const crowd = Array.from({ length: 8 }, () => new Map(agreed(0, 30, 0)));
    const sources = [odd, new Map(odd), ...crowd].map((answers, i) => statements(name(i), answers));
    expect(detectCopying(sources).groups.map((group) => group.sources)).toEqual([[name(0), name(1)]]);
  });

  it('detectCopying joins only pairs with a posterior of 0.95', () => {
    covers('RM-4.29');
    let apart = 0;
    for (let seed = 1; seed <= 20; seed++) {
      const next = random(seed);
      const answers = Array.from({ length: 10 }, () => honest(next, 30, 0.9, 0.6, 4));
      answers[9] = copier(next, answers[0]!, answers[9]!, 0.5);
      const { pairs, groups } = detectCopying(answers.map((each, i) => statements(name(i), each)));
      for (const { first, second, probability, agreements } of pairs) {
        const together = groups.some(({ sources }) => sources.includes(first) && sources.includes(second));
        if (together) expect([probability >= 0.95, agreements >= 5]).toEqual([true, true]);
        else if (agreements >= 5 && probability > 0.5 && probability < 0.95) apart++;
      }
    }
    expect(apart).toBeGreaterThan(0);
  });

  it('detectCopying joins nobody who agrees with everybody else', () => {
    covers('RM-4.28');
    const sources = Array.from({ length: 10 }, (_, i) => statements(name(i), new Map(agreed(0, 50, 0))));
    expect(detectCopying(sources).groups).toEqual([]);
  });

  it('detectCopying does not join two sources that are the only ones to speak', () => {
    const sources = Array.from({ length: 2 }, (_, i) => statements(name(i), new Map(agreed(0, 50, 0))));
    expect(detectCopying(sources).groups).toEqual([]);
  });

  it('detectCopying names what a group shares: items, and values that few others report', () => {
    covers('RM-4.28', 'RM-4.29');
    const crowd = Array.from({ length: 6 }, () => new Map(agreed(0, 20, 0)));
    const odd = new Map([...agreed(0, 8, 9), ...agreed(8, 20, 0)]);
    const sources = [...crowd, odd, new Map(odd)].map((answers, i) => statements(name(i), answers));
    const [group, ...rest] = detectCopying(sources).groups;
    expect(rest).toEqual([]);
    expect(group).toMatchObject({ sources: [name(6), name(7)], sharedItems: 20, sharedRareValues: 8 });
    expect(group!.probability).toBeGreaterThanOrEqual(0.95);
  });

  it('detectCopying reads the first of several statements on one item, and nothing from sources without statements', () => {
    const none = { source: 'silent', items: new Int32Array(), values: new Int32Array() };
    const twice = { source: 'twice', items: Int32Array.of(1, 1), values: Int32Array.of(4, 5) };
    expect(detectCopying([none, twice])).toEqual({ pairs: [], groups: [], accuracy: new Map(), leftOut: 0 });
    expect(detectCopying([])).toEqual({ pairs: [], groups: [], accuracy: new Map(), leftOut: 0 });
  });
});

describe('detectCopying whatever the input', () => {
  const sources = (seed: number) => {
    const next = random(seed);
    const answers = Array.from({ length: 15 }, () => honest(next, 60, 0.8, 0.7, 5));
    answers[9] = copier(next, answers[2]!, answers[9]!, 0.95);
    return answers.map((each, i) => statements(name(i), each));
  };

  it('detectCopying does not depend on the order of the sources nor on how items and values are numbered', () => {
    const given = sources(11);
    const renumbered = given.map(({ source, items, values }) => {
      const pairs = [...items].map((item, i): [number, number] => [1000 - item, 50 - values[i]!]);
      return statements(source, new Map(pairs));
    });
    const expected = detectCopying(given);
    expect(expected.groups.map((group) => group.sources)).toEqual([[name(2), name(9)]]);
    expect(detectCopying([...given].reverse())).toEqual(expected);
    const again = detectCopying(renumbered);
    expect(again.groups.map((group) => group.sources)).toEqual(expected.groups.map((group) => group.sources));
  });

  it('detectCopying stays finite with thousands of identical and of opposed statements', () => {
    const many = (value: number) =>
      new Map(Array.from({ length: 20_000 }, (_, item): [number, number] => [item, value]));
    const { pairs, groups } = detectCopying(
      [1, 1, 2, 3, 3, 3, 3].map((value, i) => statements(name(i), many(value))),
    );
    for (const { probability, firstCopies } of pairs) {
      expect(probability).toBeGreaterThanOrEqual(0);
      expect(probability).toBeLessThanOrEqual(1);
      expect(firstCopies).toBeGreaterThanOrEqual(0);
      expect(firstCopies).toBeLessThanOrEqual(1);
    }
    expect(groups.map((group) => group.sources)).toContainEqual([name(0), name(1)]);
  });
});

describe('linkCompletely', () => {
  it('linkCompletely makes no group of a chain', () => {
    covers('RM-4.30');
    const links = [
      { a: 0, b: 1, strength: 0.99 },
      { a: 1, b: 2, strength: 0.98 },
      { a: 2, b: 3, strength: 0.97 },
    ];
    expect(linkCompletely(links, 0.95)).toEqual([
      [0, 1],
      [2, 3],
    ]);
  });

  it('linkCompletely joins sources whose every pair is strong enough', () => {
    covers('RM-4.30');
    const links = [0, 1, 2, 3].flatMap((a) =>
      [0, 1, 2, 3].filter((b) => b > a).map((b) => ({ a, b, strength: 1 })),
    );
    expect(linkCompletely(links, 0.95)).toEqual([[0, 1, 2, 3]]);
    links[0] = { a: 0, b: 1, strength: 0.5 };
    expect(linkCompletely(links, 0.95)).toEqual([[0, 2, 3]]);
  });
});
