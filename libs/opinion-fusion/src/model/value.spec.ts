import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { SEED } from '@platform/testing/seed';
import { covers } from '@platform/testing/covers';
import { looksLikeNumber } from './looks-like-number.ts';
import { normalise, parseValue, valuesAgree } from './value.ts';

fc.configureGlobal({ seed: SEED });

const agree = (a: string, b: string) => {
  const result = valuesAgree(parseValue(a), parseValue(b));
  expect(valuesAgree(parseValue(b), parseValue(a))).toBe(result);
  return result;
};

describe('values', () => {
  it('values are normalized by NFKC, trim, lower case and single spaces', () => {
    covers('RM-3.1');
    expect(normalise('  ﬁne\u00a0 \t DAY ')).toBe('fine day');
    expect(agree('Straße', 'straße')).toBe(true);
    expect(agree('İ', 'i')).toBe(false);
  });

  it.each(['10⁶', '10²', '42¹', '2¹⁰', '101₂'])('the digits of %s are no number run together', (text) => {
    covers('RM-3.1');
    expect(parseValue(text).kind).toBe('text');
    expect(agree(text, normalise(text))).toBe(false);
    expect(looksLikeNumber(parseValue(text))).toBe(true);
    expect(agree('5 m²', '5 m2')).toBe(true);
  });

  it.each([
    ['yes', 'TRUE'],
    ['y', 'true'],
    ['No', 'false'],
    ['n', 'no'],
    ['99M', '100M'],
    ['100M', '0.1B'],
    ['95', '100'],
    ['0.95', '1'],
    ['1.1M', '1,100,000'],
    ['5 m', '5 million'],
    ['5million', '5,000K'],
    ['$5K', '$ 5,000'],
    ['5 %', '5 percent'],
    ['-5', '\u22125'],
    ['+5', '5'],
    ['0', '-0.0'],
    ['10 km', '10.2 km'],
    ['5kg', '5 KG'],
    ['1 000 000', '1M'],
    ['2000', '2,000'],
    ['2000', '2K'],
    ['2024', '2024-05'],
    ['2024-05', '2024-05-31'],
    ['2024-05-01', '2024-05-01T10:00:00Z'],
    ['2024-05-01T12:00:00+02:00', '2024-05-01T10:00:00Z'],
    ['Red', ' red '],
  ])('%p agrees with %p', (a, b) => {
    covers('RM-3.2', 'RM-3.4', 'RM-3.5', 'RM-3.6', 'RM-3.7', 'RM-3.8', 'RM-3.11', 'INV-R5.1', 'INV-R5.2');
    expect(agree(a, b)).toBe(true);
  });

  it.each([
    ['yes', 'no'],
    ['94.9', '100'],
    ['2019', '2024'],
    ['2024-04', '2024-05'],
    ['2024-05-01', '2024-05-02T00:00:00Z'],
    ['$5', '€5'],
    ['$5', '5'],
    ['5 km', '5 mi'],
    ['5kg', '5K g'],
    ['5', '5%'],
    ['1e5', '100000'],
    ['5-10', '5'],
    ['1,5', '1.5'],
    ['1,5', '15'],
    ['0,500', '500'],
    ['-0,125 kg', '-125 kg'],
    ['2024', '-2024'],
    ['0', '0.0001'],
    ['-100', '100'],
    ['red', 'blue'],
    ['7:10 a.m.', '7:16 a.m.'],
    ['true', '1'],
  ])('%p does not agree with %p', (a, b) => {
    covers('RM-3.9', 'RM-3.10', 'RM-3.12');
    expect(agree(a, b)).toBe(false);
  });

  it.each([
    ['$5M', '5 million USD'],
    ['US$100M', 'USD 99M'],
    ['usd100m', '$ 0.1bn'],
    ['€5', 'EUR 5'],
    ['5 EUR', '5€'],
    ['CHF 100M', '99M chf'],
    ['¥500', '500 JPY'],
    ['-$5', 'USD -5'],
    ['$5 USD', '$5'],
    ['CA$5', 'CAD 5'],
    ['5 dollars', '$5'],
    ['100bn', '100B'],
    ['3 mn', '3M'],
    ['2tn', '2 trillion'],
    ['~100M', '100M'],
    ['about 2000', '2,000'],
    ['approx. $5M', 'circa 5M USD'],
    ['59 seconds', '59 s'],
    ['59 sec', '59 s'],
    ['12 kilometres', '12km'],
    ['5 per cent', '5%'],
    ['17 May 2024', '2024-05-17'],
    ['May 17, 2024', '2024-05-17'],
    ['17th of May, 2024', '2024-05'],
    ['Sept 3, 2024', '2024-09-03'],
    ['May 2024', '2024-05'],
    ['c. 1900', '1900'],
    ['ca. 1900', '1,900'],
    ['circa 1900', '1900-05'],
    ['c.1900', '1900-05-17'],
    ['circa 1900', 'about 1901'],
    ['circa 1900', '1905'],
    ['circa 1900', '1,850'],
    ['around 100', '100'],
    ['the 17th of May 2024', '2024-05-17'],
    ['Friday, 17 May 2024', '2024-05-17'],
    ['Friday, May 17, 2024', '17. May 2024'],
    ['5 Mio', '5 million'],
    ['5 Mrd. €', '5bn EUR'],
    ['5 crore', '50 million'],
    ['5 km²', '5 sq km'],
    ['5 km2', '5 square kilometres'],
    ['5 km^2', '5 sq. kilometers'],
    ['5 m²', '5 square metres'],
    ['5 MW', '5 megawatts'],
    ['5 °C', '5 degrees Celsius'],
    ['5 tonnes', '5 metric tons'],
    ['3 months', '3 mo'],
    ['5 votes', '5 vote'],
    ['5 rubles', 'RUB 5'],
    ['5 won', 'KRW 5'],
    ['5 Kč', 'CZK 5'],
    ['5 mln', '5 million'],
    ['5 lakhs', '500,000'],
    ['5 crores', '50M'],
    ['5 hundred', '500'],
    ['5 Millionen', '5M'],
    ['2 Milliarden', '2 bn'],
    ['60 mph', '60 miles per hour'],
    ['60 km/h', '60 km per hour'],
    ['0.9 m/s', '0.9 metres per second'],
    ['4000 mg/day', '4,000 milligrams per day'],
    ['318 C', '318 °C'],
    ['600 F', '600 °F'],
    ['500 BC', '500 BCE'],
    ['circa 100 BC', '102 BC'],
    ['c. 100 BC', 'about 102 BCE'],
    ['circa 100 BC', '100 BC'],
    ['0.05', '.05'],
    ['05', '5'],
  ])('%p agrees with %p, as people write it', (a, b) => {
    covers('RM-11.11', 'RM-11.13', 'RM-11.137', 'RM-11.138', 'RM-11.141');
    expect(agree(a, b)).toBe(true);
  });

  it.each([
    ['$5', '5 CAD'],
    ['$5 CAD', '$5'],
    ['$5 CAD', '5 CAD'],
    ['USD/EUR 100M', 'USD 100M'],
    ['12 km', '12 mi'],
    ['60 s', '1 min'],
    ['31 April 2024', '2024-04-31'],
    ['abc 5', '5'],
    ['circa 1900', '1906'],
    ['circa 1900', 'circa 1894'],
    ['circa 1066 AD', '1072 AD'],
    ['circa 1900', '1950-05'],
    ['circa 1900', '1901-05'],
    ['Monday, 17 May 2024', '2024-05-17'],
    ['5 Gb', '5 GB'],
    ['5 MW', '5 mW'],
    ['5 Mg', '5 mg'],
    ['5 km²', '5 km³'],
    ['5 km²', '5 km'],
    ['500 BC', '500'],
    ['500 BC', '500 AD'],
    ['100 BC', '102 BC'],
    ['1066 AD', '1100 AD'],
    ['1066 CE', '1067 AD'],
    ['476 AD', '480 CE'],
    ['circa 1066 AD', '1500 AD'],
    ['100 BC', '102 BCE'],
    ['circa 100 BC', '150 BC'],
    ['02139', '02140'],
    ['007', '7'],
  ])('%p does not agree with %p, as people write it', (a, b) => {
    covers('RM-11.11', 'RM-11.13', 'RM-11.164', 'RM-11.169', 'RM-11.390');
    expect(agree(a, b)).toBe(false);
  });

  it.each([
    'US $5 million',
    'U.S. $5 million',
    'U.S.$5m',
    'US$ 5 million',
    '5 million U.S. dollars',
    'about US $5 million',
  ])('%p agrees with $5 million', (value) => {
    covers('RM-11.11');
    expect(agree(value, '$5 million')).toBe(true);
  });

  it.each([
    ['5 CAD', 'CAD'],
    ['CAD 5', 'CAD'],
    ['5 cad', 'cad'],
    ['5 Usd', 'USD'],
    ['eur 5', 'EUR'],
    ['ALL 5,000', 'ALL'],
    ['COP 5M', 'COP'],
    ['TOP 9.99', 'TOP'],
    ['500 ALL', 'ALL'],
    ['5 all', 'all'],
    ['10 top', 'top'],
    ['5 kgs', 'kilogram'],
    ['500 shp', 'shp'],
    ['12 awg', 'awg'],
    ['3 myr', 'myr'],
    ['1985s', 'second'],
    ['20 s', 'second'],
  ])('%p is a number with the unit %p', (raw, unit) => {
    covers('RM-11.11');
    expect(parseValue(raw)).toMatchObject({ kind: 'number', unit });
  });

  it.each([
    'all 5',
    'All 5',
    'ALL 5',
    'top 10',
    'TOP 10',
    'Top 100',
    'try 5',
    'bob 5',
    'cup 5',
    'mad 5',
    'php 8',
    'irr 12%',
    'COP26',
    'SDG 13',
    'CRC 32',
    'the 1980s',
    '1980s',
    '24th',
    '10.15am',
    '11 pm',
    '1st',
    '5 May',
    '12 dec.',
  ])('%p is text: what looks like a currency or a unit in it is another word', (raw) => {
    covers('RM-11.11');
    expect(parseValue(raw).kind).toBe('text');
  });

  it.each([
    '$5 CAD',
    '1e5',
    '5-10',
    '1,5',
    '2023-02-29',
    '17/05/2024',
    'USD/EUR 100M',
    '31 April 2024',
    'A$5 CAD',
    'fifty-two',
    '16th century',
    '\u0662\u0665',
    '\u096b km',
  ])('%p looks like a number and is text', (raw) => {
    covers('RM-11.14');
    expect(looksLikeNumber(parseValue(raw))).toBe(true);
  });

  it('every usual spelling of a number or a date is read as one, or looks like one', () => {
    covers('RM-11.14');
    const numbers = [
      '5',
      '1,500',
      '1.5',
      '1,5',
      '1.500,5',
      '1 500',
      '5 million',
      'five million',
      '5 Mio',
      '2 dozen',
    ];
    const hedges =
      `c. |ca. |about |around |roughly |nearly |almost |over |under |more than |less than |at least |
      at most |up to |just over |only |some |~|≈|>|<|≥|± |+|-|No. |$|€ |`
        .split('|')
        .map((one) => one.trimStart());
    const dates = [
      '17. Mai 2024',
      '17 mai 2024',
      '17 de mayo de 2024',
      '1. März 2024',
      '3 août 2024',
      '17 mei 2024',
    ]
      .concat([
        '17/05/2024',
        '17.05.2024',
        '17-May-2024',
        '17 May 2024',
        'May 17th, 2024',
        'the 17th of May 2024',
      ])
      .concat([
        'Friday, 17 May 2024',
        'Monday, 17 May 2024',
        'Freitag, 17. Mai 2024',
        'since 2024',
        'mid-2024',
      ]);
    const spellings = [...hedges.flatMap((hedge) => numbers.map((number) => hedge + number)), ...dates];
    const silent = spellings.filter((spelling) => {
      const value = parseValue(spelling);
      return value.kind === 'text' && !looksLikeNumber(value);
    });
    expect(silent).toEqual([]);
  });

  it.each([
    'NO2',
    'C4',
    'five',
    'a million reasons',
    'Seven Samurai',
    'Mars 2020',
    '7:10 am',
    '$5',
    '2024',
    'red',
    '',
    '7:10',
    'top 10',
    'All 5',
    'COP26',
    '10 Downing Street',
    'v1.2.3',
    'A320',
    'S3',
    'EUR',
    'may',
  ])('%p is no number that was read as text', (raw) => {
    covers('RM-11.14');
    expect(looksLikeNumber(parseValue(raw))).toBe(false);
  });

  it('values are dates only from 1000 to 2999 and only when the day exists', () => {
    covers('RM-3.3');
    expect(parseValue('2999-12-31').kind).toBe('date');
    expect(parseValue('1000').kind).toBe('date');
    expect(parseValue('999').kind).toBe('number');
    expect(parseValue('0999').kind).toBe('text');
    expect(parseValue('3000').kind).toBe('number');
    expect(parseValue('2023-02-29').kind).toBe('text');
    expect(parseValue('+2024').kind).toBe('number');
    expect(parseValue('2024 km').kind).toBe('number');
    expect(parseValue('2024km').kind).toBe('number');
  });

  it('values of any text parse, agree with themselves, and near agreement is not equality of form', () => {
    covers('RM-4.18', 'RM-10.8');
    fc.assert(
      fc.property(
        fc.oneof(
          fc.string({ unit: 'binary' }),
          fc.string({ unit: fc.constantFrom(...'0123456789.,-+eE$€% kmbt:TZ') }),
          fc.string({
            unit: fc.constantFrom('1', '2024', '.5', ' ', '~', 'about ', 'USD', 'mn', 'May', '$', 's', ','),
          }),
        ),
        (text) => {
          const value = parseValue(text);
          expect(valuesAgree(value, parseValue(text))).toBe(true);
          if (value.kind === 'number') expect(Number.isFinite(value.amount)).toBe(true);
        },
      ),
    );
    expect([agree('100', '96'), agree('96', '92.5'), agree('100', '92.5')]).toEqual([true, true, false]);
    expect(parseValue('99M').key).not.toBe(parseValue('100M').key);
    expect(parseValue('100M').key).toBe(parseValue('0.1B').key);
  });

  it('values of long and huge texts are read in linear time as text', () => {
    expect(parseValue('9'.repeat(400)).kind).toBe('text');
    expect(parseValue(`${'1,000'.repeat(20_000)}x`).kind).toBe('text');
    expect(parseValue(' '.repeat(1_000_000)).key).toBe('t:');
  });
});
