import { describe, expect, it } from '@jest/globals';
import { covers } from '@platform/testing/covers';
import { SEED } from '@platform/testing/seed';
import fc from 'fast-check';
import { guessMapping } from './mapping.ts';
import { importClaims } from './read-claims.ts';
import { dependsOnMark, markOf, readNumber, type DecimalMark } from './read-numbers.ts';
import { readSheet } from './sheet.ts';

fc.configureGlobal({ seed: SEED });

/** The values that an import makes of cells, by the mark that is chosen, or that they show. */
function values(cells: readonly string[], decimalMark: DecimalMark | null = null, delimiter = ';') {
  const sheet = readSheet(
    [
      ['source', 'subject', 'predicate', 'value'],
      ...cells.map((cell, i) => [`S${i}`, 'Bridge', 'width', cell]),
    ]
      .map((row) => row.map((cell) => `"${cell}"`).join(delimiter))
      .join('\r\n'),
  );
  const { claims, numbers, undecided } = importClaims(
    sheet,
    guessMapping(sheet.columns),
    { actors: [], subjects: [], claims: [] },
    { createMissing: true, sourceTypes: {}, subjectType: 'topic', dateOrders: {}, decimalMark },
  );
  return { values: claims.map((claim) => claim['value']), shown: numbers?.shown, undecided };
}

describe('numbers as people write them', () => {
  const amounts = fc.record({
    whole: fc.nat({ max: 9_999_999 }),
    decimals: fc.stringMatching(/^(?:|\d|\d\d|\d{4})$/),
    before: fc.constantFrom('', '€ ', '$', '~', 'CHF ', '-'),
    after: fc.constantFrom('', ' €', ' mg/l', ' m', '%', ' km/h'),
    separator: fc.constantFrom('own', '', ' ', '\u00a0', '\u202f', '’'),
  });
  interface Amount {
    readonly whole: number;
    readonly decimals: string;
    readonly before: string;
    readonly after: string;
    readonly separator: string;
  }
  const written = ({ whole, decimals, before, after, separator }: Amount, mark: DecimalMark) => {
    const thousands = separator === 'own' ? (mark === 'comma' ? '.' : ',') : separator;
    const grouped = String(whole).replaceAll(/\B(?=(?:\d{3})+$)/g, thousands);
    return `${before}${grouped}${decimals === '' ? '' : `${mark === 'comma' ? ',' : '.'}${decimals}`}${after}`;
  };

  it('a number written with either decimal mark is read as the same number', () => {
    covers('INV-B.98');
    fc.assert(
      fc.property(amounts, (amount) => {
        const { whole, decimals, before, after } = amount;
        const plain = `${before}${whole}${decimals === '' ? '' : `.${decimals}`}${after}`;
        expect(readNumber(written(amount, 'comma'), 'comma')).toBe(plain);
        expect(readNumber(written(amount, 'point'), 'point')).toBe(plain);
      }),
    );
  });

  it.each([
    ['Route 66'],
    ['1.2.3'],
    ['12,5 to 13,5 m'],
    ['Paris'],
    ['1,2,3'],
    ['3,4-dioxane'],
    ['12.34.567'],
    ['0.123.456'],
    ['21-cv-1234'],
  ])('the text %p is no number by either mark, or the same by both', (text) => {
    covers('INV-B.98');
    expect(dependsOnMark(text)).toBe(false);
  });

  it.each<[ReturnType<typeof markOf>['shown'], string[]]>([
    ['comma', ['12,50 mg/l', '1.250', '3']],
    ['comma', ['€ 1.250,75', '1.250 €']],
    ['point', ['0.750', '1.250']],
    ['point', ['12.50', '1,250']],
    ['point', ['1,250,000']],
    ['each', ['12,5 m', '12,50 m', '12.5 m']],
    ['ask', ['1.250 €', '1250 €']],
    ['ask', ['12,5', '12.5', '1.250']],
    ['none', ['12', 'red', '5.6.1994x']],
  ])('a column shows %p', (shown, cells) => {
    covers('INV-B.98');
    expect(markOf(cells).shown).toBe(shown);
  });

  it('an import writes numbers with decimal commas as the engine reads them, and waits where they are not clear', () => {
    covers('INV-B.98');
    expect(values(['12,5 m', '12,50 m', '12.5 m'])).toMatchObject({
      shown: 'each',
      values: ['12.5 m', '12.50 m', '12.5 m'],
    });
    expect(values(['1.250 €', '1250 €', '1.250,00 €'])).toMatchObject({
      shown: 'comma',
      values: ['1250 €', '1250 €', '1250.00 €'],
    });
    expect(values(['1.250 €'])).toMatchObject({ shown: 'ask', values: ['1.250 €'] });
    expect(values(['1.250 €'], 'comma').values).toEqual(['1250 €']);
    expect(values(['1.250 €'], 'point').values).toEqual(['1.250 €']);
    expect(values(['12,5 m', '13,25 m'], 'point').values).toEqual(['12,5 m', '13,25 m']);
    expect(values(['12.5', '1,250'])).toMatchObject({ shown: undefined, values: ['12.5', '1,250'] });
  });

  it('numbers that could be read either way have a decimal point in a CSV with commas, and are asked for in others', () => {
    covers('INV-B.100');
    const cells = ['1,250', '1250', '3,000 m'];
    expect(values(cells, null, ',')).toMatchObject({ shown: 'point', values: cells });
    expect(values(cells, 'comma', ',').values).toEqual(['1.250', '1250', '3.000 m']);
    for (const delimiter of [';', '\t', '|'])
      expect(values(cells, null, delimiter)).toMatchObject({ shown: 'ask' });
    expect(values(['12,50', '1,250'], null, ',')).toMatchObject({ shown: 'comma' });
    expect(values(['12,5', '12.5', '1,250'], null, ',')).toMatchObject({ shown: 'ask' });
  });

  it('an import writes days among the values in one form, and asks for their order once', () => {
    covers('INV-B.99');
    const one = ['1994-06-05', '1994-06-05', '1994-06-05'];
    expect(values(['5.6.1994', '5. Juni 1994', '05/06/1994'])).toMatchObject({ values: one, undecided: [] });
    expect(values(['05/06/1994', '5 de junio de 1994'])).toMatchObject({ undecided: ['value'] });
    expect(values(['1994', '5 June 1994', 'May 2024']).values).toEqual(['1994', '5 June 1994', 'May 2024']);
  });
});
