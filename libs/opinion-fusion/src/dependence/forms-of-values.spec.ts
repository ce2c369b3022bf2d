import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { covers } from '@platform/testing/covers';
import { SEED } from '@platform/testing/seed';
import { actor, claim, investigation, judge } from '../fixtures/investigation.fixture.ts';
import { parseValue } from '../model/value.ts';
import { formsOfValues } from './forms-of-values.ts';

fc.configureGlobal({ seed: SEED });

/** What stands for each of the values, the first of which most sources state. */
const standing = (...values: readonly string[]) => {
  const stated = values.map((value, i) => ({ value: parseValue(value), claims: i === 0 ? 2 : 1 }));
  const forms = formsOfValues(stated);
  return values.map((value) => {
    const key = forms.get(parseValue(value).key);
    return values.find((one) => parseValue(one).key === key);
  });
};

describe('forms of one value', () => {
  it.each([
    ['John Smith', 'Smith, John'],
    ['John Smith', 'J. Smith'],
    ['J. Smith', 'John Smith'],
    ['Zürich', 'Zurich'],
    ['05:30', '5:30 am'],
    ['1987-05-12', '1987-05'],
    ['1987', '1987-05-12'],
    ['4987', '5000'],
    ['5000', '4987'],
    ['4987', '4990'],
    ['4.9 million', '4,870,000'],
    ['330 metres', '1083 ft'],
    ['2000', '2,000'],
  ])('%p and %p are one value to the search for copying', (most, other) => {
    covers('RM-11.178');
    expect(standing(most, other)).toEqual([most, most]);
  });

  it.each([
    ['John Smith', 'Mary Smith'],
    ['John Smith', 'Smith'],
    ['1987-05-12', '1987-05-13'],
    ['4987', '4986'],
    ['4987', '6000'],
    ['$5', '€5'],
    ['yes', 'no'],
    ['0', '5'],
  ])('%p and %p stay two values to the search for copying', (most, other) => {
    covers('RM-11.178');
    expect(standing(most, other)).toEqual([most, other]);
  });

  it('a form that fits two values counts as the one that more sources state', () => {
    covers('RM-11.178');
    expect(standing('Jane Smith', 'John Smith', 'J. Smith')).toEqual([
      'Jane Smith',
      'John Smith',
      'Jane Smith',
    ]);
  });

  it('forms are the same in any order of the values', () => {
    covers('RM-9.4', 'RM-11.178');
    const texts =
      '1987|1987-05|1987-05-12|1990|1,990 m|2 km|2000|2100|a. smith|ann smith|smith, ann|yes|true story|17:30|5:30 pm';
    const value = fc.constantFrom(...texts.split('|'));
    const stated = fc.uniqueArray(fc.tuple(value, fc.integer({ min: 1, max: 3 })), {
      selector: ([text]) => parseValue(text).key,
    });
    fc.assert(
      fc.property(stated, (given) => {
        const values = given.map(([text, claims]) => ({ value: parseValue(text), claims }));
        const forms = formsOfValues(values);
        expect([...formsOfValues(values.toReversed())].toSorted()).toEqual([...forms].toSorted());
        for (const stands of forms.values()) expect(forms.get(stands)).toBe(stands);
      }),
    );
  });
});

describe('sources that write in one form', () => {
  const people = ['Ann Weber', 'Tom Novak', 'Lena Rossi', 'Max Lopez', 'Sue Berg', 'Ada Fox', 'Eva Hall'];
  it.each<[string, (item: number) => string, (item: number) => string]>([
    ['put surnames first', (i) => people[i]!, (i) => people[i]!.split(' ').reverse().join(', ')],
    ['give initials', (i) => people[i]!, (i) => people[i]!.replace(/^(.)\w+/, '$1.')],
    ['round numbers', (i) => `${4_813 + 911 * i}`, (i) => `${Math.round((4_813 + 911 * i) / 100) * 100}`],
    ['measure in feet', (i) => `${900 + 100 * i} m`, (i) => `${Math.round((900 + 100 * i) / 0.3048)} ft`],
    ['leave the day out', (i) => `19${40 + i}-06-1${i}`, (i) => `19${40 + i}-06`],
    ['measure in °F', (i) => `${10 + 3 * i} °C`, (i) => `${Math.round(50 + 5.4 * i)} °F`],
    ['measure in nautical miles', (i) => `${90 + 70 * i} km`, (i) => `${50 + 38 * i} nautical miles`],
    ['weigh in stones', (i) => `${60 + 7 * i} kg`, (i) => `${9 + i} stone`],
    ['write days with points', (i) => `2024-05-1${i}`, (i) => `1${i}.05.2024`],
    ['give ranges', (i) => `${100 + 40 * i}`, (i) => `${90 + 40 * i}-${110 + 40 * i}`],
    ['pay in euros', (i) => `$${40 + 9 * i}M`, (i) => `€${35 + 8 * i}M`],
  ])('sources that %s are not suspected of copying', (_, plain, other) => {
    covers('RM-11.178', 'RM-11.200');
    expect(suspicions(plain, other)).toEqual([]);
  });

  const elected = (i: number) => people[i]!;
  const before = (i: number) => (i < 4 ? `Predecessor of ${people[i]!}` : people[i]!);
  it('sources that said before all others what has changed since are not suspected of copying', () => {
    covers('RM-11.202');
    expect(suspicions(elected, before, ['2026-03-01', '2025-03-01'])).toEqual([]);
  });

  it('sources that say after others what those did not say are suspected of copying', () => {
    covers('RM-11.202');
    expect(suspicions(elected, before, ['2026-03-01', '2026-04-01'])).toEqual([['f', 'g', 'h']]);
  });

  it('sources that share errors in a unit of their own are suspected where others of that unit differ', () => {
    covers('RM-11.200');
    const inMiles = (item: number, source: number) =>
      `${50 + 38 * item + (source < 5 ? 0 : 60)} nautical miles`;
    expect(suspicions(inMiles, inMiles)).toEqual([['f', 'g', 'h']]);
  });

  /** The groups suspected among five sources that state `plain` and three that state `other`. */
  function suspicions(
    plain: (item: number, source: number) => string,
    other: (item: number, source: number) => string,
    [early, late]: readonly (string | undefined)[] = [],
  ): string[][] {
    const sources = [...'abcdefgh'];
    const claims = people.flatMap((_name, item) =>
      sources.map((source, i) =>
        claim(`${source}${item}`, source, (i < 5 ? plain : other)(item, i), {
          subject_id: `s${item}`,
          assertion_time: (i < 5 ? early : late) ?? null,
        }),
      ),
    );
    return judge(
      investigation(claims, {
        actors: sources.map((id) => actor(id)),
        subjects: people.map((name, item) => ({ id: `s${item}`, name, subject_type: 'thing' })),
      }),
    ).source_dependence.map(({ actor_ids: ids }) => ids);
  }
});
