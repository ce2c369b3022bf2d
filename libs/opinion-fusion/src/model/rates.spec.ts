import { describe, expect, it } from '@jest/globals';
import { covers } from '@platform/testing/covers';
import { SUFFIXES } from './units.ts';
import { parseValue, valuesAgree } from './value.ts';

/** Spellings of one rate, the first of which names it. */
const RATES = [
  ['per year', 'a year', 'each year', '/year', '/yr', ' / year', 'p.a.', 'per annum', 'annually', 'yearly'],
  ['per month', 'a month', '/month', '/mo', 'monthly', 'per calendar month'],
  ['per week', 'a week', '/wk', 'every week', 'weekly'],
  ['per day', 'a day', '/d', '/day', 'daily'],
  ['per hour', 'an hour', '/h', '/hr', 'hourly'],
  ['per capita', 'per head', 'a head', 'per person', '/person'],
] as const;
const CURRENCIES = ['$#', 'US$ #', 'USD #', '# USD', '€#', '# euros', '£#', 'KES #', '#'];
/** Letters that are units, too: beside no currency a rate leaves `m` the meter and `t` the tonne. */
const LETTERS = new Set(['m', 't']);

const withRate = (amount: string, rate: string) => (/^[ /]/.test(rate) ? amount + rate : `${amount} ${rate}`);

describe('rates', () => {
  it('every multiplier with every currency and every spelling of a rate equals the number spelled out', () => {
    covers('RM-11.183');
    const wrong: string[] = [];
    for (const [multiplier, { times, power }] of SUFFIXES) {
      const spelledOut = (1.5 * times * 10 ** power).toFixed(0);
      for (const currency of CURRENCIES) {
        if (currency === '#' && LETTERS.has(multiplier)) continue;
        for (const [name, ...others] of RATES) {
          const expected = parseValue(withRate(currency.replace('#', spelledOut), name));
          if (expected.kind !== 'number') wrong.push(`${currency} ${name}`);
          for (const number of [`1.5${multiplier}`, `1.5 ${multiplier}`])
            for (const rate of [name, ...others]) {
              const written = withRate(currency.replace('#', number), rate);
              if (parseValue(written).key !== expected.key) wrong.push(written);
            }
        }
      }
    }
    expect(wrong).toEqual([]);
  });

  it.each([
    ['$1.5bn per year', '$1.5 billion per year'],
    ['$5m per day', '5,000,000 USD a day'],
    ['5k per month', '5,000 per month'],
    ['5M a year', '5 million per year'],
    ['5 K per month', '5,000 monthly'],
    ['$5m pa', '$5 million per year'],
    ['£900 pcm', '£900 per month'],
    ['5% pa', '5 per cent per year'],
    ['$80 a barrel', '80 dollars per barrel'],
    ['$80/bbl', 'USD 80 per barrel'],
    ['5m barrels per day', '5 million barrels a day'],
    ['60 km an hour', '60 km/h'],
    ['60 miles an hour', '60 mph'],
    ['5 m per second', '5 metres per second'],
    ['5 m/s', '5 metres a second'],
    ['5m per year', '5 million per year'],
    ['5m annually', '5,000,000 a year'],
    ['5m per capita', '5 million per capita'],
    ['5 t/ha', '5 tonnes per hectare'],
    ['5 t per year', '5 tonnes a year'],
    ['0.2 K per decade', '0.2 kelvin per decade'],
    ['200 people/km²', '200 people per square kilometre'],
    ['200 per sq km', '200 per square kilometre'],
    ['$5 per person per year', '$5/year/person'],
    ['3 mW/m²', '3 milliwatt per square metre'],
  ])('%p agrees with %p', (one, other) => {
    covers('RM-11.183');
    expect(parseValue(one).kind).toBe('number');
    expect(parseValue(one).key).toBe(parseValue(other).key);
  });

  it.each([
    ['$5m per year', '$5m per month'],
    ['$5m per year', '$5m'],
    ['$5m per day', '5 m per day'],
    ['5% per year', '5%'],
    ['5 MW/m²', '5 mW/m²'],
    ['6.5 K/km', '6,500 per km'],
    ['5 Pa', '5 per year'],
    ['5 b/s', '5 B/s'],
  ])('%p does not agree with %p', (one, other) => {
    covers('RM-11.183');
    expect(valuesAgree(parseValue(one), parseValue(other))).toBe(false);
  });

  it.each(['1/May', '5 a side', '12/D', '24/7', '1/2'])('%p is no rate', (text) => {
    covers('RM-11.183');
    expect(parseValue(text).kind).toBe('text');
  });
});
