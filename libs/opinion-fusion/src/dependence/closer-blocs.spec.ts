import { describe, expect, it } from '@jest/globals';
import { covers } from '@platform/testing/covers';
import { randomFrom } from '@platform/argumentation/investigation-framework.fixture';
import { analyze } from '../analyze.ts';
import type { InvestigationResult } from '../contract/types.ts';
import { NOW } from '../fixtures/investigation.fixture.ts';

interface Source {
  readonly id: string;
  readonly type: string;
  readonly said: readonly string[];
}

const WORLDS = 12;

/** How many of the sources whose id begins so are suspected of copying. */
function suspected(sources: readonly Source[], id: string): number {
  const result = analyze(
    {
      research_question: 'What is so?',
      actors: sources.map((source) => ({ id: source.id, name: source.id, source_type: source.type })),
      subjects: sources[0]!.said.map((_, item) => ({ id: `s${item}`, name: 'x', subject_type: 'item' })),
      claims: sources.flatMap((source) =>
        source.said.map((value, item) => ({
          id: `${source.id}-${item}`,
          actor_id: source.id,
          subject_id: `s${item}`,
          predicate: 'is',
          value,
          content: 'as said',
        })),
      ),
    },
    { now: NOW },
  ) as InvestigationResult;
  return result.source_dependence.flatMap(({ actor_ids: ids }) => ids).filter((one) => one.startsWith(id))
    .length;
}

type Random = () => number;
const about = (random: Random, items: number, right: number, values: number) =>
  Array.from({ length: items }, (_, item) =>
    random() < right ? `true ${item}` : `wrong ${item} ${Math.floor(random() * values)}`,
  );
const repeated = (random: Random, said: readonly string[], copied: number, source: number) =>
  said.map((value, item) => (random() < copied ? value : `own ${source} ${item}`));
const many = <T>(count: number, make: (i: number) => T): T[] =>
  Array.from({ length: count }, (_, i) => make(i));

describe('independent sources against more who repeat one another', () => {
  it.each([
    ['six sites word for word', 'Expert', 3, 6, 20, 1, 200],
    ['six sites word for word', 'Expert', 3, 6, 40, 1, 200],
    ['six sites word for word, of four values', 'Expert', 3, 6, 20, 1, 3],
    ['nine sites word for word', 'Expert', 4, 9, 20, 1, 200],
    ['six sites nearly word for word', 'Expert', 3, 6, 20, 0.95, 200],
    ['six sites mostly', 'Journalist', 3, 6, 20, 0.9, 200],
    ['nine sites word for word', 'Journalist', 6, 9, 20, 1, 200],
  ] as const)(
    'sources against %s (%s: %d against %d, %d items, copied %d, %d values) are hardly ever suspected',
    (_what, type, independent, copies, items, copied, values) => {
      covers('RM-11.47');
      let accused = 0;
      for (let world = 1; world <= WORLDS; world++) {
        const random = randomFrom(world * 7919 + items);
        const agency = about(random, items, 0.5, values);
        const sources = [
          ...many(copies, (i) => ({
            id: `copy${i}`,
            type: 'Journalist',
            said: i === 0 ? agency : repeated(random, agency, copied, i),
          })),
          ...many(independent, (i) => ({ id: `own${i}`, type, said: about(random, items, 0.85, values) })),
        ];
        accused += suspected(sources, 'own');
      }
      expect(accused / (WORLDS * independent)).toBeLessThanOrEqual(0.1);
    },
  );

  it.each([
    [2, 3],
    [3, 4],
    [3, 6],
  ])(
    '%d Regulators who now and then err alone are suspected in a third of worlds at most beside %d parties concerned',
    (a, b) => {
      covers('RM-11.47');
      let accused = 0;
      for (let world = 1; world <= WORLDS; world++) {
        const random = randomFrom(world * 31 + a);
        const noisy = (source: number, value: (item: number) => string) =>
          many(12, (item) => (random() < 0.1 ? `noise ${source} ${item}` : value(item)));
        const sources = [
          ...many(a, (i) => ({ id: `r${i}`, type: 'Regulator', said: noisy(i, (item) => `true ${item}`) })),
          ...many(b, (i) => ({
            id: `x${i}`,
            type: 'Institutional',
            said: noisy(a + i, (item) => `${item < 8 ? 'wrong' : 'true'} ${item}`),
          })),
        ];
        accused += suspected(sources, 'r');
      }
      expect(accused / (WORLDS * a)).toBeLessThanOrEqual(0.34);
    },
  );

  it('two who copy the errors of one are still found beside eight others who scatter', () => {
    covers('RM-11.27');
    let found = 0;
    for (let world = 1; world <= WORLDS; world++) {
      const random = randomFrom(world);
      const copied = about(random, 40, 0.7, 200);
      const sources = [
        ...many(8, (i) => ({ id: `own${i}`, type: 'Journalist', said: about(random, 40, 0.8, 200) })),
        ...many(2, (i) => ({ id: `copy${i}`, type: 'Journalist', said: copied })),
      ];
      expect(suspected(sources, 'own')).toBe(0);
      found += suspected(sources, 'copy');
    }
    expect(found).toBe(2 * WORLDS);
  });
});

describe('the few who know better, beside more who share one mistake', () => {
  /** Thirty sources on sixty items take a while. */
  const FEW_WORLDS = 4;

  /** Right with a share of `right`, of so many values that they often coincide where these are few. */
  const knowing = (random: Random, truths: readonly number[], right: number, values: number) =>
    truths.map((truth) => {
      if (random() < right) return truth;
      return (truth + 1 + Math.floor(random() * (values - 1))) % values;
    });

  it.each([
    [10, 20, 0.2, 200],
    [10, 20, 0.4, 5],
    [10, 20, 0.4, 200],
    [10, 20, 0.6, 200],
    [8, 20, 0.2, 200],
    [6, 12, 0.4, 200],
    [5, 8, 0.4, 200],
    [4, 12, 0.4, 5],
  ])(
    '%d Experts beside %d who err together on a share %d of 60 items of %d values are hardly ever suspected',
    (experts, others, share, values) => {
      covers('RM-11.182');
      let accused = 0;
      for (let world = 1; world <= FEW_WORLDS; world++) {
        const random = randomFrom(world * 77 + experts);
        const truths = many(60, () => Math.floor(random() * values));
        const mistakes = knowing(random, truths, 0, values);
        const sources = [
          ...many(experts, (i) => ({
            id: `own${i}`,
            type: 'Expert',
            said: knowing(random, truths, 0.9, values).map(String),
          })),
          ...many(others, (i) => ({
            id: `err${i}`,
            type: 'Institutional',
            said: knowing(random, truths, 0.75, values).map((own, item) =>
              String(item % 10 < share * 10 ? mistakes[item] : own),
            ),
          })),
        ];
        accused += suspected(sources, 'own');
        expect(suspected(sources, 'err')).toBe(0);
      }
      expect(accused / (FEW_WORLDS * experts)).toBeLessThanOrEqual(0.1);
    },
  );

  it('five who copy the errors of one are still found beside fifteen who agree on what is right', () => {
    covers('RM-11.182');
    let found = 0;
    for (let world = 1; world <= FEW_WORLDS; world++) {
      const random = randomFrom(world * 31);
      const truths = many(60, () => Math.floor(random() * 200));
      const original = knowing(random, truths, 0.5, 200);
      const sources = [
        ...many(5, (i) => ({
          id: `copy${i}`,
          type: 'Journalist',
          said: original.map((value) => String(i > 0 && random() < 0.05 ? 1000 + i : value)),
        })),
        ...many(15, (i) => ({
          id: `own${i}`,
          type: 'Journalist',
          said: knowing(random, truths, 0.9, 200).map(String),
        })),
      ];
      expect(suspected(sources, 'own')).toBe(0);
      found += suspected(sources, 'copy');
    }
    expect(found).toBe(5 * FEW_WORLDS);
  });
});
