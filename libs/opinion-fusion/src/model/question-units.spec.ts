import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { SEED } from '@platform/testing/seed';
import { covers } from '@platform/testing/covers';
import { actor, claim, investigation, judge, verdictOf } from '../fixtures/investigation.fixture.ts';

fc.configureGlobal({ seed: SEED });

const sourcesBehind = (values: readonly string[], more: Parameters<typeof claim>[3] = {}) =>
  verdictOf(
    judge(
      investigation(
        values.map((value, i) =>
          claim(`c${i}`, [...'abcdef'][i]!, value, i === values.length - 1 ? more : {}),
        ),
      ),
    ),
  ).source_count;

describe('the unit of a number without one', () => {
  it('a number without a unit takes the only unit of the question', () => {
    covers('RM-11.12', 'RM-11.140', 'RM-11.165');
    expect(sourcesBehind(['$5M', '5 million USD', '5,000,000'])).toBe(3);
    expect(sourcesBehind(['$2,000', '2000'])).toBe(2);
  });

  it('a small m is the metre beside lengths and the million elsewhere, and a small t the tonne', () => {
    covers('RM-11.12');
    expect(sourcesBehind(['330 m', '330 metres', '331m'])).toBe(3);
    expect(sourcesBehind(['330M', '330 metres', '330 metres'])).toBe(2);
    expect(sourcesBehind(['5 t', '5 tonnes', '5 tonnes'])).toBe(3);
    expect(sourcesBehind(['5000 m', '5000 metres', '3 km', '4 km', '3 miles', '4 miles'])).toBe(2);
    expect(sourcesBehind(['5000 m', '5000 metres', '3 km', '9 kg'])).toBe(1);
    expect(sourcesBehind(['5 m', '5 million'])).toBe(2);
    expect(sourcesBehind(['$5m', '5 million USD'])).toBe(2);
  });

  it.each([
    [['500 t', '500 tonnes', '500 tons'], 2],
    [['500 t', '500 tons', '500 tons'], 2],
    [['36,000 t', '36,000 tonnes', '36 kt', '36 kt'], 2],
    [['2 t', '2 tonnes', '2 Mt', '2 Gt'], 2],
    [['12 t', '12 tonnes', '12 dwt'], 2],
    [['120 m', '120 metres', '65 fathoms'], 2],
    [['3 m', '3 metres', '2 nautical miles', '2 nautical miles'], 2],
    [['300 K', '300 kelvin', '27 °C'], 2],
    [['300 K', '300 kelvin', '80 °F', '80 °F'], 2],
  ])('a letter is the unit of its kind beside every unit of that kind: %j', (values, agreeing) => {
    covers('RM-11.188');
    const { warnings } = judge(
      investigation(values.map((value, i) => claim(`c${i}`, [...'abcdef'][i]!, value))),
    );
    expect(sourcesBehind(values)).toBe(agreeing);
    expect(warnings.filter((text) => text.includes(' was read in '))).toEqual([
      expect.stringMatching(/was read in (?:tonne|metre|kelvin)s/),
    ]);
  });

  it.each([
    [['120 m', '40 floors'], 1],
    [['5 k', '5 km'], 1],
    [['5m people', '5,200,000 people'], 0],
    [['5m', '5,200,000 people'], 0],
    [['5m', '$4,000'], 0],
  ])('a multiplier that makes a number a hundredfold of all others is warned of: %j', (values, warned) => {
    covers('RM-11.189');
    const { warnings } = judge(
      investigation(values.map((value, i) => claim(`c${i}`, [...'abcdef'][i]!, value))),
    );
    expect(warnings.filter((text) => text.includes('more than a hundred times'))).toHaveLength(warned);
  });

  it('a small m is the minute beside hours, minutes and seconds', () => {
    covers('RM-11.187');
    expect(sourcesBehind(['15m', '15 minutes', '15 min'])).toBe(3);
    expect(sourcesBehind(['15m', '15 minutes', '2 hours', '3 hours'])).toBe(2);
    expect(sourcesBehind(['15m', '15 days', '15 days'])).toBe(2);
    expect(sourcesBehind(['15 m', '15 minutes', '15 metres'])).toBe(1);
  });

  it('pounds are those of mass beside masses, and pounds of any kind elsewhere', () => {
    covers('RM-11.187');
    expect(sourcesBehind(['160 pounds', '160 lbs', '161 lb'])).toBe(3);
    expect(sourcesBehind(['160 pounds', '160', '160 lbs', '70 kg'])).toBe(3);
    expect(sourcesBehind(['160 pounds', '160 pounds', '£160', '160 lb'])).toBe(2);
    expect(sourcesBehind(['160 pounds', '160 pounds', '160'])).toBe(3);
  });

  it('a number without a unit is no year before Christ', () => {
    covers('RM-11.12');
    expect(sourcesBehind(['500 BC', '500', '500'])).toBe(2);
    expect(sourcesBehind(['1066 AD', '1066'])).toBe(2);
    expect(sourcesBehind(['1066 AD', '1066 AD', '1100'])).toBe(2);
  });

  it('a number without a unit has none where the question has two units', () => {
    covers('RM-11.12');
    expect(sourcesBehind(['$5M', '€9', '5,000,000'])).toBe(1);
    expect(sourcesBehind(['$5M', '5M USD', '5,000,000', '€9', '9 EUR'])).toBe(2);
  });

  it('a number without a unit takes the unit that has more behind it', () => {
    covers('RM-11.12', 'RM-11.62');
    expect(sourcesBehind(['$5M', '5M USD', '5,000,000', '€9'])).toBe(3);
    const camps = (...said: readonly (readonly [value: string, source_type: string])[]) =>
      judge(
        investigation(
          said.map(([value], i) => claim(`c${i}`, `a${i}`, value)),
          { actors: said.map(([, source_type], i) => ({ id: `a${i}`, name: 'a', source_type })) },
        ),
      );
    const authorities = [
      ['12 stalls', 'Regulator'],
      ['12', 'Expert'],
      ['12', 'Journalist'],
    ] as const;
    for (const crowd of [1, 9]) {
      const posts = Array.from({ length: crowd }, () => ['40 booths', 'SocialMedia'] as const);
      const { subject_results: verdicts, warnings } = camps(...authorities, ...posts);
      expect(verdictOf({ subject_results: verdicts } as never).source_count).toBe(3);
      expect(verdicts[0]!.rival_values.map(({ value }) => value)).toEqual(['12 stalls', '40 booths']);
      expect(warnings.join()).toContain('numbers without a unit were taken to be in `stalls`');
    }
  });

  it('a number without a unit takes none from retracted claims, claims below the floor and other questions', () => {
    covers('RM-11.12', 'RM-11.166');
    expect(sourcesBehind(['5', '5', '$5'], { epistemic_status: 'retracted' })).toBe(2);
    expect(sourcesBehind(['$5', '5', '€5'], { epistemic_status: 'retracted' })).toBe(2);
    expect(sourcesBehind(['$5', '5', '€5'], { predicate: 'price' })).toBe(2);
    const weak = [actor('a'), actor('b'), actor('c', { source_type: 'Troll', base_reliability: 0.05 })];
    const claims = [claim('c1', 'a', '$5'), claim('c2', 'b', '5'), claim('c3', 'c', '€5')];
    expect(verdictOf(judge(investigation(claims, { actors: weak }))).source_count).toBe(2);
  });

  it('a number without a unit is a duplicate of the same number with it, a bare year included', () => {
    covers('RM-11.12', 'RM-11.15', 'RM-11.142');
    const dropped = (...values: string[]) =>
      judge(investigation(values.map((value, i) => claim(`c${i}`, 'a', value)))).warnings.filter((warning) =>
        warning.includes('was dropped'),
      ).length;
    expect(dropped('2000', '2,000')).toBe(1);
    expect(dropped('2000', '$2,000')).toBe(1);
    expect(dropped('2024-05', '2024')).toBe(0);
  });

  it('an unidentified source does not take the unit of the others from numbers without one', () => {
    covers('RM-11.12');
    const types = ['Regulator', 'Expert', 'Journalist', 'SocialMedia'];
    const actors = types.map((source_type, i) => actor('abcd'[i]!, { source_type }));
    for (const [own, bare, again, other, ofCrowd] of [
      ['12 dead', '12', '12', '40 killed', 3],
      ['$5M', '5 million', '5,000,000', '€9M', 2],
    ] as const) {
      const claims = [own, bare, again, other].map((value, i) => claim(`c${i}`, 'abcd'[i]!, value));
      expect(verdictOf(judge(investigation(claims, { actors }))).source_count).toBe(3);
      const crowd = actors.map((one) => ({ ...one, source_type: 'Anonymous' }));
      expect(verdictOf(judge(investigation(claims, { actors: crowd }))).source_count).toBe(ofCrowd);
    }
  });

  it('units are the same for any order of the claims', () => {
    covers('RM-9.4', 'RM-11.12');
    const value = fc.constantFrom(
      '$5',
      '5 USD',
      '5',
      '€5',
      '5.1',
      '2000',
      '2,000',
      '$2K',
      '17 May 2024',
      '$5 CAD',
    );
    const given = fc.array(fc.tuple(fc.constantFrom(...'abcde'), value), { minLength: 1, maxLength: 10 });
    fc.assert(
      fc.property(given, fc.infiniteStream(fc.nat()), (rows, random) => {
        const claims = rows.map(([by, what], i) => claim(`c${i}`, by, what));
        const keys = new Map(claims.map((one) => [one, random.next().value as number]));
        const shuffled = claims.toSorted((a, b) => keys.get(a)! - keys.get(b)!);
        expect(JSON.stringify(judge(investigation(shuffled)))).toBe(
          JSON.stringify(judge(investigation(claims))),
        );
      }),
    );
  });

  it('a claim whose value looks like a number and is text keeps a warning', () => {
    covers('RM-11.14', 'RM-11.143');
    const { warnings } = judge(
      investigation([claim('c1', 'a', '$5 CAD'), claim('c2', 'b', '5-10'), claim('c3', 'c', '$5')]),
    );
    expect(warnings.filter((warning) => warning.includes('was read as text'))).toEqual([
      expect.stringMatching(/^The value `\$5 CAD` of claim `c1` looks like/),
      expect.stringMatching(/^The value `5-10` of claim `c2` looks like/),
    ]);
  });
});
