import { describe, expect, it } from '@jest/globals';
import { covers } from '@platform/testing/covers';
import { actor, claim, investigation, judge } from '../fixtures/investigation.fixture.ts';
import { joinEchoes } from './echoes.ts';

/** By item, what each source states; null where it is silent. */
const itemsOf = (rows: readonly (readonly (string | null)[])[]) =>
  rows.map((row) => ({
    slots: [...new Set(row.filter((value) => value !== null))].map((value) => ({
      classes: row.flatMap((other, source) => (other === value ? [source] : [])),
    })),
  }));
/** The numbering that most choices of a bound lead to, and its share. */
const mostly = (rows: Parameters<typeof itemsOf>[0], count: number) => {
  const [most] = joinEchoes(itemsOf(rows), count).toSorted((a, b) => b.share - a.share);
  return { joined: [...most!.joined], share: Number(most!.share.toFixed(9)) };
};
const times = <T>(count: number, make: (i: number) => T) => Array.from({ length: count }, (_, i) => make(i));

describe('joinEchoes', () => {
  it('sources that never differ on twenty disputed items have one number', () => {
    covers('RM-11.23');
    const rows = times(20, () => ['x', 'x', 'y', 'x']);
    expect(mostly(rows, 4)).toEqual({ joined: [0, 0, 2, 0], share: 1 });
  });

  it('sources that never differ on eleven to nineteen disputed items have one number by so many tenths', () => {
    covers('RM-11.23');
    const apartOn = (items: number) =>
      joinEchoes(itemsOf(times(items, () => ['x', 'x', 'y'])), 3)
        .filter(({ joined }) => joined[1] === 1)
        .reduce((sum, { share }) => sum + share, 0);
    expect(times(12, (i) => Number(apartOn(9 + i).toFixed(9)))).toEqual([
      1, 1, 0.9, 0.8, 0.7, 0.6, 0.5, 0.4, 0.3, 0.2, 0.1, 0,
    ]);
  });

  it('sources stay apart with ten disputed items, with one difference, and where nobody disputes', () => {
    covers('RM-11.23');
    const apart = { joined: [0, 1, 2], share: 1 };
    expect(
      mostly(
        times(10, () => ['x', 'x', 'y']),
        3,
      ),
    ).toEqual(apart);
    const once = [...times(30, () => ['x', 'x', 'y']), ['x', 'z', 'y']];
    expect(mostly(once, 3)).toEqual(apart);
    expect(
      mostly(
        times(30, () => ['x', 'x', 'x']),
        3,
      ),
    ).toEqual(apart);
  });

  it('sources stay apart where comparing them would take too much work', () => {
    const crowd = times(1000, (source) => (source === 0 ? 'y' : 'x'));
    expect(
      new Set(
        mostly(
          times(21, () => crowd),
          1000,
        ).joined,
      ).size,
    ).toBe(1000);
  });

  it('identical liars do not make one another reliable', () => {
    covers('RM-11.23');
    const wrong = (item: number, source: number) => `w${(item * 7 + source * 3) % 5}`;
    const honest = (item: number, source: number) =>
      (item * 3 + source * 5) % 10 < 8 ? 'truth' : wrong(item, source);
    const said = times(30, (item) => times(18, (source) => (source < 8 ? 'lie' : honest(item, source))));
    const { subject_results: verdicts, estimated_reliability: estimates } = judge(
      investigation(
        said.flatMap((row, i) =>
          row.map((value, k) => claim(`c${i}-${k}`, `a${k}`, value, { subject_id: `s${i}` })),
        ),
        {
          actors: times(18, (k) => actor(`a${k}`, { source_type: 'Journalist', base_reliability: 0.7 })),
          subjects: times(30, (i) => ({ id: `s${i}`, name: `s${i}`, subject_type: 'thing' })),
          reliability: 'estimated',
          dependence: 'declared',
        },
      ),
    );
    expect(verdicts.map(({ leading_value: value }) => value)).toEqual(times(30, () => 'truth'));
    const meanOf = (id: string) => estimates!.find(({ actor_id }) => actor_id === id)!.mean;
    expect(meanOf('a0')).toBeLessThan(meanOf('a17'));
  });
});
