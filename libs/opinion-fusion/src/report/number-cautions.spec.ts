import { describe, expect, it } from '@jest/globals';
import { covers } from '@platform/testing/covers';
import { SUFFIXES } from '../model/units.ts';
import { parseValue } from '../model/value.ts';
import type { InvestigationInput } from '../contract/types.ts';
import { actor, claim, investigation, judge } from '../fixtures/investigation.fixture.ts';

const warningsOf = (...values: string[]) =>
  judge(investigation(values.map((value, i) => claim(`c${i}`, 'abcdef'[i]!, value)))).warnings;

describe('cautions about numbers', () => {
  it.each([
    [['5 km', '5000 metres'], '`kilometre`, `metre`'],
    [['1 hour', '60 minutes'], '`hour`, `minute`'],
    [['5 pounds', '£5'], '`GBP`, `pound`'],
    [['5 rupees', 'INR 5'], '`INR`, `rupee`'],
    [['500 BC', '500'], 'none, `bc`'],
    [['$5', '€5', '5'], 'none, `EUR`, `USD`'],
    [['5 percentage points', '5 %'], '`%`, `percentage point`'],
  ])('cautions name the units of %j, none of which is converted', (values, units) => {
    covers('RM-11.37');
    expect(warningsOf(...values)).toEqual([
      `The numbers on \`colour\` of \`s1\` have different units (${units}); numbers of different units never agree, because none is converted; state them in one unit.`,
    ]);
  });

  it('cautions count no number with a letter for its unit as one without, and say which numbers are converted', () => {
    covers('RM-11.37');
    const claims = ['5 km', '5000 m', '6 km'].map((value, i) => claim(`c${i}`, 'abc'[i]!, value));
    const differ = (more: Partial<InvestigationInput> = {}) =>
      judge(investigation(claims, more)).warnings.find((text) => text.includes('different units'));
    expect(differ()).toMatch(/because none is converted; state them in one unit/);
    expect(differ({ numeric: 'estimate' })).toMatch(/because none is converted but for the estimate; state/);
  });

  it.each([
    ['1914 war', '1939 war'],
    ['2019 election', '2021 election'],
    ['737 MAX', '747 MAX'],
    ['120 widgets', '121 widgets'],
  ])('cautions say that %p and %p agree as numbers before a word that is not a known unit', (one, other) => {
    covers('RM-11.181');
    expect(warningsOf(one, other).join()).toContain(
      `The values \`${one}\` and \`${other}\` on \`colour\` of \`s1\` were read as numbers in the unit`,
    );
  });

  it.each([
    ['1914 war', '1914 war'],
    ['737 MAX', '100 MAX'],
    ['737 MAX', '747 MIN'],
    ['120 km', '121 km'],
    ['120 people', '121 people'],
    ['$120', '$121'],
    ['1066 AD', '1067 AD'],
  ])('cautions say nothing of %p and %p, which are equal, far apart, or in a known unit', (one, other) => {
    covers('RM-11.181');
    expect(warningsOf(one, other).join()).not.toContain('no table, and agree');
  });

  it.each([
    ['36 m', '37 m', '36,000,000', 'metres', 'million'],
    ['2 t', '3 t', '2,000,000,000,000', 'tonnes', 'trillion'],
  ])('cautions say that an estimate counts %p and %p in full', (one, other, amount, unit, factor) => {
    covers('RM-11.315');
    const warnings = (settings: object, ...values: string[]) =>
      judge(
        investigation(
          values.map((value, i) => claim(`c${i}`, 'ab'[i]!, value)),
          settings,
        ),
      ).warnings;
    expect(warnings({ numeric: 'estimate' }, one, other)).toContain(
      `The value \`${one}\` of claim \`c0\` was read as ${amount}, and the estimate counts it so; write its unit out (\`${unit}\`) if one is meant, else \`${factor}\`.`,
    );
    expect(warnings({}, one, other).join()).not.toContain('the estimate counts it so');
    // A capital, and a number with its currency, are written as multipliers.
    expect(warnings({ numeric: 'estimate' }, one.toUpperCase(), `$${other}`).join()).not.toContain(
      'so; write',
    );
  });

  it('cautions say that digits which name something agree as numbers', () => {
    covers('RM-11.170');
    const on = (predicate: string, ...values: string[]) =>
      judge(investigation(values.map((value, i) => claim(`c${i}`, 'abcdef'[i]!, value, { predicate }))))
        .warnings;
    expect(on('postcode', '90210', '90001')).toEqual([
      'The values `90001` and `90210` on `postcode` of `s1` were read as numbers and agree, because they differ by at most 5 %; write a letter or a hyphen into them, such as `id-4711`, if they are names.',
    ]);
    expect(on('tailNumber', '4471', '4470')).toHaveLength(1);
    for (const predicate of ['case_number', 'docket', 'docketNo', 'invoice id', 'order nr', 'patent number'])
      expect([predicate, on(predicate, '90210', '90001').length]).toEqual([predicate, 1]);
    for (const predicate of ['case fatality', 'cases', 'number of orders', 'idle hours'])
      expect([predicate, on(predicate, '90210', '90001')]).toEqual([predicate, []]);
    expect(on('serial no.', '90210', '10001')).toEqual([]);
    expect(on('serial no.', '90210', '90210')).toEqual([]);
    expect(on('inhabitants', '90210', '90001')).toEqual([]);
    expect(on('postcode', '90,210', '90001')).toEqual([]);
  });

  it('a range is text, and a caution says so', () => {
    covers('RM-3.10', 'RM-11.143');
    expect(warningsOf('10–12', '10-12').join()).toContain('`10–12` of claim `c0` looks like a number');
  });

  it.each([
    'in 2024',
    'end of 2024',
    'summer 2024',
    '100 or so',
    'est. 5',
    '5 in total',
    'kr 100',
    'Q1 2024',
    'q4 24',
    '1Q 2024',
    'H2 2023',
    'FY2024',
    'FY 2023/24',
    '5 (five)',
    'RM 5',
  ])('%p is text that looks like a number or date, and a caution says so', (value) => {
    covers('RM-11.143');
    expect(warningsOf(value, '7').join()).toContain(`\`${value}\` of claim \`c0\` looks like a number`);
  });

  it.each(['Q7 2024', 'H1N1', 'H123', 'Formula 1', 'FY', 'Q1', 'Area 51', 'four of clubs 7'])(
    '%p is a name, and no caution says that it looks like a number',
    (value) => {
      covers('RM-11.143');
      expect(warningsOf(value, 'Zagreb').join()).not.toContain('looks like a number');
    },
  );

  it('cautions name a text that begins with a number word, where others state numbers', () => {
    covers('RM-11.14');
    expect(warningsOf('Five dead', '7').join()).toContain('`Five dead` of claim `c0`');
    expect(warningsOf('Five dead', 'Nobody').join()).not.toContain('write it in digits');
    expect(warningsOf('Fiverr', '7').join()).not.toContain('write it in digits');
  });

  it('cautions say that bare numbers were read as years beside a number that is none', () => {
    covers('RM-11.70');
    const [said] = warningsOf('1200', '1230', '950');
    expect(said).toBe(
      'The values `1200` and `1230` on `colour` of `s1` were read as years, which contradict each other, and `950` as a number; write `1,500` or give a unit if numbers are meant.',
    );
    expect(warningsOf('1998', '1999', '2001').join()).not.toContain('read as years');
    expect(warningsOf('1200', '950').join()).not.toContain('read as years');
    expect(warningsOf('1200', '1230', '950 people').join()).not.toContain('read as years');
    const sameYear = [
      claim('c1', 'a', '1200', { event_start_time: '2020', event_end_time: '2021' }),
      claim('c2', 'b', '1200', { event_start_time: '2022', event_end_time: '2023' }),
      claim('c3', 'c', '950'),
    ];
    expect(judge(investigation(sameYear)).warnings.join()).not.toContain('read as years');
  });

  it('cautions say that bare numbers were read as years where another question of the predicate has a number', () => {
    covers('RM-11.72');
    const about = (id: string, by: string, subject_id: string, value: string) =>
      claim(id, by, value, { subject_id });
    const subjects = ['s1', 's2'].map((id) => ({ id, name: id, subject_type: 'town' }));
    const of = (...values: string[]) =>
      judge(
        investigation(
          [
            about('c0', 'a', 's2', '45,210'),
            ...values.map((value, i) => about(`c${i + 1}`, 'bc'[i]!, 's1', value)),
          ],
          { subjects },
        ),
      ).warnings;
    expect(of('1200', '1230').join()).toContain('`45,210`, stated of `s2`, as a number; write `1,500`');
    expect(of('1200', '1900').join()).not.toContain('read as years');
  });

  it('cautions name a number that took the per cent of its question and is a hundredth of another', () => {
    covers('RM-11.72');
    expect(warningsOf('0.3', '30%').join()).toContain('`30%` of claim `c1` is about a hundred times as much');
    expect(warningsOf('0.3%', '30%').join()).not.toContain('hundred times');
    expect(warningsOf('0.3', '45%').join()).not.toContain('hundred times');
  });

  it.each(['people', 'km', '$', '%'])(
    'a bare number from 1000 to 2999 beside one in %s is no year',
    (unit) => {
      covers('RM-11.70');
      const withUnit = (n: number) => (unit === '$' ? `$${n}` : `${n} ${unit}`);
      for (const bare of [1000, 1200, 1999, 2024, 2900]) {
        const [a, b] = [String(bare), String(bare + 30)];
        const said = [a, b, withUnit(950)];
        const claims = said.map((value, i) => claim(`c${i}`, 'abc'[i]!, value));
        const sources = judge(investigation(claims)).subject_results[0]!.source_count;
        expect(sources).toBeGreaterThanOrEqual(2);
      }
    },
  );

  it('cautions about units pass over other scopes, retracted claims, claims below the floor and bare years', () => {
    covers('RM-11.37');
    expect(warningsOf('$5M', '5,000,000', '5 million USD')).toEqual([]);
    expect(warningsOf('1985', '2024-05', '5 km')).toEqual([]);
    const claims = [
      claim('c1', 'a', '$5'),
      claim('c2', 'b', '€5', { scope: 'EU' }),
      claim('c3', 'c', '¥5', { epistemic_status: 'retracted' }),
      claim('c4', 'd', '£5'),
    ];
    const actors = [...'abcd'].map((id) => actor(id, id === 'd' ? { competence: { colour: 0.01 } } : {}));
    expect(judge(investigation(claims, { actors })).warnings.join()).not.toContain('different units');
    const inScope = claims.slice(0, 2).map((one) => ({ ...one, scope: 'EU' }));
    expect(judge(investigation(inScope)).warnings.join()).toContain('in scope `EU` have different units');
  });

  it('cautions name a bare m beside metres and a bare t beside tonnes, once per claim', () => {
    covers('RM-11.37');
    expect(warningsOf('330 m', '329 metres', '330 metres')).toEqual([
      expect.stringMatching(/^The value `330 m` of claim `c0` was read in metres, .* write `million` if/),
    ]);
    expect(warningsOf('330M', '329 metres')).toEqual([
      expect.stringMatching(/^The value `330M` of claim `c0` was read in millions, .* write `metres` if/),
    ]);
    expect(warningsOf('5t', '5 kg')).toEqual([
      expect.stringContaining('different units'),
      expect.stringMatching(/`5t` .* write `trillion` if/),
    ]);
    expect(warningsOf('5 m', '5 million USD')).toEqual([]);
    expect(warningsOf('15m', '16 minutes')).toEqual([expect.stringMatching(/`15m` .* was read in minutes/)]);
  });

  it('cautions name a unit that no table has where bare numbers took it, and no other', () => {
    covers('RM-11.37');
    expect(warningsOf('5 zillion', '5')).toEqual([
      expect.stringMatching(/unit `zillion`, which is in no table, and `5` of claim `c1` was taken/),
    ]);
    expect(warningsOf('5 zillion', '5 zillion')).toEqual([]);
    expect(warningsOf('5 km', '5')).toEqual([]);
    expect(warningsOf('$5', '5', '5 USD')).toEqual([]);
    expect(warningsOf('5 km²', '5')).toEqual([]);
  });

  it('cautions name three decimals beside a number a thousand times as large', () => {
    covers('RM-11.37');
    expect(warningsOf('1.000', '1,000')).toEqual([
      expect.stringMatching(
        /^The value `1\.000` of claim `c0` was read with three decimals, and `1,000` of claim `c1`/,
      ),
    ]);
    expect(warningsOf('-12.345 kg', '-12,345 kg')).toHaveLength(1);
    expect(warningsOf('3.142', '3.141')).toEqual([]);
    expect(warningsOf('3.142', '3,000,000')).toEqual([]);
  });

  it('cautions name three decimals beside four bare digits, which alone would be a year', () => {
    covers('RM-11.37');
    expect(warningsOf('1.500', '1500')).toEqual([
      expect.stringMatching(
        /^The value `1\.500` of claim `c0` was read with three decimals, and `1500` of claim `c1`/,
      ),
    ]);
    expect(warningsOf('1500', '1.500', '1.500')).toHaveLength(1);
    expect(warningsOf('1.500', '2024')).toEqual([]);
  });

  it.each([
    ['5 mil', '5'],
    ['5', '5 mil'],
    ['5 MM', '5 million'],
    ['5 trilion', '5'],
    ['12a', '12'],
    ['747 Boeing', '747'],
    ['5 zorkmids', '2000'],
  ])('cautions name a unit of no table that a bare number takes: %s and %s', (one, other) => {
    covers('RM-11.63');
    const [warning, ...more] = warningsOf(one, other);
    expect(more).toEqual([]);
    expect(warning).toMatch(
      /^The value `.+` of claim `c\d` was read in the unit `.+`, which is in no table, and/,
    );
    expect(warningsOf(one, one)).toEqual([]);
  });

  it('units of a table make no caution where a bare number takes them', () => {
    covers('RM-11.63');
    for (const unit of [
      'km',
      '%',
      'USD',
      '₴',
      'deaths',
      'people',
      'sq km',
      'km/h',
      'kWh',
      'metres per second',
      'pp',
    ])
      expect(warningsOf(`5 ${unit}`, '5')).toEqual([]);
  });

  it.each([
    ['yes', 'Yes.'],
    ['true', '“Yes”'],
    ['Paris', 'Paris.'],
    ['O’Brien', "O'Brien"],
    ['“Paris”', 'Paris'],
    ['e-mail', 'email'],
    ['co\u2011operate', 'cooperate'],
    ['12.', '12'],
  ])('cautions name two values that differ in punctuation only: %s and %s', (one, other) => {
    covers('RM-11.64');
    for (const values of [
      [one, other],
      [other, one],
    ])
      expect(warningsOf(...values).filter((warning) => warning.includes('are kept apart'))).toHaveLength(1);
  });

  it('cautions about punctuation pass over other scopes and retracted claims', () => {
    covers('RM-11.64');
    const beside = (more: object) =>
      judge(investigation([claim('c1', 'a', 'Paris'), claim('c2', 'b', 'Paris.', more)])).warnings;
    expect(beside({})).toHaveLength(1);
    expect(beside({ scope: 'EU' })).toEqual([]);
    expect(beside({ epistemic_status: 'retracted' })).toEqual([]);
    expect(warningsOf('Paris', 'paris', 'Rome')).toEqual([]);
  });

  it('no spelling of a multiplier agrees with a bare number or contradicts its own size in silence', () => {
    covers('RM-11.11', 'RM-11.63');
    for (const [word, { times, power }] of SUFFIXES) {
      const size = `${times}${'0'.repeat(power)}`;
      const sources = (...values: string[]) =>
        judge(investigation(values.map((value, i) => claim(`c${i}`, 'abc'[i]!, value)))).subject_results[0]!
          .source_count;
      for (const written of [`1 ${word}`, `1 ${word.toUpperCase()}`]) {
        if (parseValue(written).kind !== 'number') continue;
        expect([word, sources(written, `${size} items`)]).toEqual([word, 2]);
        expect([word, sources(written, '7')]).toEqual([word, 1]);
      }
      expect([word, parseValue(`1 ${word}`).kind]).toEqual([word, 'number']);
    }
  });
});
