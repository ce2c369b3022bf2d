import { describe, expect, it } from '@jest/globals';
import { covers } from '@platform/testing/covers';
import { parseValue, valuesAgree } from './value.ts';

describe('numbers before several words', () => {
  it.each([
    ['5 million Australian dollars', 'A$5m'],
    ['5 million Canadian dollars', 'CAD 5m'],
    ['5m Hong Kong dollars', 'HK$5m'],
    ['200 Egyptian pounds', 'EGP 200'],
    ['5 million British pounds', '£5m'],
    ['30 million Indian rupees', '₹30m'],
    ['300 Kenyan shillings', 'KSh 300'],
    ['10 Danish kroner', 'DKK 10'],
    ['10 Swedish kronor', 'SEK 10'],
    ['5 Saudi riyals', 'SAR 5'],
    ['KSh 5m', 'KES 5 million'],
    ['Ksh. 5m', 'KES 5,000,000'],
    ['Rs 5 crore', '50 million rupees'],
    ['Rs. 500', '500 rupees'],
    ['RM 5 million', 'MYR 5m'],
    ['Rp 5,000', 'IDR 5,000'],
    ['J$5m', 'JMD 5m'],
    ['GH₵5m', 'GHS 5m'],
    ['R5m', '5 million rand'],
    ['R 5,000', 'ZAR 5,000'],
    ['$5m per year', '5 million US dollars per year'],
    ['A$5m p.a.', '5 million Australian dollars a year'],
    ['62 years old', '62 years'],
    ['62-year-old', '62 years'],
    ['62 years of age', '62 years'],
    ['62 y/o', '62 years'],
    ['aged 62', '62 years'],
    ['18 months old', '18 months'],
    ['200 people killed', '200 deaths'],
    ['200 civilians killed', '200 civilian deaths'],
    ['12 people injured', '12 wounded'],
    ['30 people arrested', '30 arrests'],
    ['30 million barrels of oil', '30m barrels'],
    ['5 tonnes of CO2', '5 metric tons of CO₂'],
    ['50 basis points', '50 bps'],
    ['5 children', '5 child'],
  ])('%p agrees with %p', (one, other) => {
    covers('RM-11.184');
    expect(parseValue(one).key).toBe(parseValue(other).key);
  });

  it.each([
    ['200 civilians killed', '200 people killed'],
    ['200 people killed', '200 people injured'],
    ['5 tonnes of rice', '5 tonnes of wheat'],
    ['5 million Australian dollars', '5 million US dollars'],
    ['5 Egyptian pounds', '£5'],
    ['62 years old', '62 months old'],
    ['50 basis points', '50 percentage points'],
  ])('%p does not agree with %p', (one, other) => {
    covers('RM-11.184');
    expect(parseValue(one).kind).toBe('number');
    expect(valuesAgree(parseValue(one), parseValue(other))).toBe(false);
  });

  it.each(['R5', 'R2D2', 'RS 6', 'RM 5', '12 angry men', '$5m (2019 prices)', '5 dollars of hope'])(
    '%p is text',
    (text) => {
      covers('RM-11.184');
      expect(parseValue(text).kind).toBe('text');
    },
  );
});
