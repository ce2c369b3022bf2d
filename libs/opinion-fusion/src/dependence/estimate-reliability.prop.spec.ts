import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { covers } from '@platform/testing/covers';
import { SEED } from '@platform/testing/seed';
import { actor, claim, investigation, judge } from '../fixtures/investigation.fixture.ts';

fc.configureGlobal({ seed: SEED });

const SOURCES = 6;
const PRIOR = 0.7;
const sum = (list: readonly number[]) => list.reduce((total, x) => total + x, 0);
const bounded = (x: number) => Math.min(0.99, Math.max(0.01, x));

/**
 * By question, the value that each source states; null where it is silent. More than 12 values keep the
 * domain open.
 */
const questions = fc
  .array(
    fc.array(fc.option(fc.integer({ min: 0, max: 4 }), { freq: 4 }), {
      minLength: SOURCES,
      maxLength: SOURCES,
    }),
    { minLength: 1, maxLength: 8 },
  )
  .map((rows) => [
    ...rows,
    ...Array.from({ length: 13 }, (_, i) => [100 + i, ...Array<null>(SOURCES - 1).fill(null)]),
  ]);

/** The means of the model as its text says, each likelihood written out for each value and each statement. */
function meansOf(rows: readonly (readonly (number | null)[])[]): number[] {
  let accuracy = Array<number>(SOURCES).fill(PRIOR);
  const items = rows.map((row) => {
    const values = [...new Set(row.filter((value) => value !== null))];
    const count = (value: number) => row.filter((other) => other === value).length;
    return { row, values, count, votes: row.filter((value) => value !== null).length };
  });
  const chances = (
    { values, count, votes }: (typeof items)[number],
    speaking: readonly (readonly [number, number])[],
  ) => {
    const logs = values.map((truth) =>
      sum(
        speaking.map(([source, stated]) => {
          const right = bounded(accuracy[source]!);
          if (stated === truth) return Math.log(right);
          const wrong = votes - count(truth) + 0.5 * (values.length - 1);
          return Math.log(((1 - right) * (count(stated) + 0.5)) / wrong);
        }),
      ),
    );
    const high = Math.max(...logs);
    const weights = logs.map((log) => Math.exp(log - high));
    return weights.map((weight) => weight / sum(weights));
  };
  const told = items.flatMap((item) => {
    const speaking = item.row.flatMap((value, source) => (value === null ? [] : [[source, value] as const]));
    return speaking.map(([source, value]) => ({ item, speaking, source, value }));
  });
  let tests = told.map(({ item, source, value }) => ({
    source,
    known: 1,
    right: item.count(value) / item.votes,
    item,
  }));
  for (let round = 0; ; round += 1) {
    const own = (source: number) =>
      tests.filter((test) => test.source === source && test.item.values.length > 1);
    accuracy = accuracy.map((_, source) => {
      const right = sum(own(source).map(({ known, right: chance }) => known * chance));
      return (right + 10 * PRIOR) / (sum(own(source).map(({ known }) => known)) + 10);
    });
    // The means that are told rest on the last truth, not on the last accuracy used for it.
    if (round === 15) return accuracy;
    tests = told.map(({ item, speaking, source, value }) => {
      const without = chances(
        item,
        speaking.filter(([other]) => other !== source),
      );
      const entropy = sum(without.map((p) => (p > 0 ? -p * Math.log(p) : 0)));
      const known = item.values.length < 2 ? 0 : Math.max(0, 1 - entropy / Math.log(item.values.length));
      return { item, source, known, right: chances(item, speaking)[item.values.indexOf(value)]! };
    });
  }
}

describe('estimated reliability in an open domain', () => {
  it('estimated reliabilities are those of the model with every likelihood written out', () => {
    covers('RM-11.4', 'RM-11.109');
    fc.assert(
      fc.property(questions, (rows) => {
        const ids = Array.from({ length: SOURCES }, (_, k) => `a${k}`);
        const { estimated_reliability: estimates } = judge(
          investigation(
            rows.flatMap((row, i) =>
              row.flatMap((value, k) =>
                value === null ? [] : [claim(`c${i}-${k}`, ids[k]!, `v${value}`, { subject_id: `s${i}` })],
              ),
            ),
            {
              actors: ids.map((id) => actor(id, { source_type: 'Journalist', base_reliability: PRIOR })),
              subjects: rows.map((_, i) => ({ id: `s${i}`, name: `s${i}`, subject_type: 'thing' })),
              reliability: 'estimated',
              dependence: 'declared',
            },
          ),
        );
        const expected = meansOf(rows);
        estimates!.forEach(({ mean }, k) => {
          expect(mean).toBeCloseTo(expected[k]!, 9);
        });
      }),
    );
  });
});

/** Yes or no by `sources` on `questions`, each right with the probability `accuracy`, by a fixed sequence. */
function survey(sources: number, questions: number, accuracy: number, truth: (question: number) => boolean) {
  let state = 4_242;
  const next = () => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0;
    return state / 2 ** 32;
  };
  const actors = Array.from({ length: sources }, (_, k) => actor(`a${k}`, { source_type: 'Journalist' }));
  const subjects = Array.from({ length: questions }, (_, i) => ({
    id: `s${i}`,
    name: `s${i}`,
    subject_type: 'thing',
  }));
  const claims = subjects.flatMap(({ id }, i) =>
    actors.map((one) => {
      const says = next() < accuracy === truth(i);
      return claim(`${id}-${one.id}`, one.id, says ? 'yes' : 'no', { subject_id: id });
    }),
  );
  const { subject_results: verdicts } = judge(
    investigation(claims, { actors, subjects, reliability: 'estimated' }),
  );
  return verdicts.filter(
    ({ subject_id: id, expected_probability: P }) => P > 0.5 === truth(Number(id.slice(1))),
  ).length;
}

describe('estimated reliability in a closed domain', () => {
  it.each([
    ['every answer is yes', () => true],
    ['every answer is no', () => false],
    ['nine answers in ten are yes', (i: number) => i % 10 > 0],
    ['every other answer is yes', (i: number) => i % 2 > 0],
  ])('sources that are right seven times in ten are believed where %s', (_, truth) => {
    covers('RM-11.176');
    expect(survey(20, 60, 0.7, truth)).toBeGreaterThanOrEqual(54);
  });
});

describe('estimated reliability of sources that are right half the time', () => {
  it('four sources that agree are not outweighed by one that is a little better', () => {
    covers('RM-11.177');
    const actors = ['a', 'b', 'c', 'd', 'e'];
    let state = 77;
    const next = (below: number) => {
      state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0;
      return Math.floor((state / 2 ** 32) * below);
    };
    const said = Array.from({ length: 200 }, (_, i) =>
      actors.map(() => (next(2) === 0 ? `right${i}` : `wrong${next(10)}`)),
    );
    const { subject_results: verdicts } = judge(
      investigation(
        said.flatMap((values, i) =>
          values.map((value, k) => claim(`c${i}-${k}`, actors[k]!, value, { subject_id: `s${i}` })),
        ),
        {
          actors: actors.map((id) => actor(id, { source_type: 'Journalist' })),
          subjects: said.map((_, i) => ({ id: `s${i}`, name: `s${i}`, subject_type: 'thing' })),
          reliability: 'estimated',
        },
      ),
    );
    for (const { subject_id: id, leading_value: leading } of verdicts) {
      const values = said[Number(id.slice(1))]!;
      const most = values.find((value) => values.filter((other) => other === value).length >= 4);
      if (most !== undefined) expect(leading).toBe(most);
    }
  });
});
