import { describe, expect, it } from '@jest/globals';
import { covers } from '@platform/testing/covers';
import { anchorQuote } from './anchor.ts';
import { IndexedText } from './indexed-text.ts';
import { selectPassage } from './selector.ts';

describe('quotes that begin or end within a word or number', () => {
  it.each([
    ['the digits of a number', 'costs 1', 'costs 100'],
    ['its groups', 'a cost of €1,250', 'a cost of €1,250,000'],
    ['its groups in Swiss', 'costs 1', 'costs 1’250'],
    ['its groups with spaces', 'costs 12', 'costs 12 000 euros'],
    ['its last group', '000 euros', 'costs 12 000 euros'],
    ['its groups with spaces that do not break', 'costs 12', 'costs 12\u202F000 euros'],
    ['its decimals', 'fell by 30', 'fell by 30.5 %'],
    ['its decimal sign', 'fell by 30.', 'fell by 30.5 %'],
    ['its whole part', '5 %', 'fell by 30,5 %'],
    ['its sign', '5 %', 'growth of -5 %'],
    ['the minus of an amount', '€5', 'a result of −€5'],
    ['its fraction', 'costs 1', 'costs 1½'],
    ['a score', '7 to 2', '17 to 2'],
    ['a time', 'closed at 17', 'closed at 17:30'],
    ['a range', '10 %', '5–10 %'],
    ['a unit', 'costs 5', 'costs 5m'],
    ['a word', 'the bridge is safe', 'the bridge is safeguarded'],
    ['the beginning of a word', 'safe', 'unsafe'],
    ['a compound', 'toxic', 'is non-toxic'],
    ['a word at the end of a line', 'a declara', 'a declara-\ntion'],
    ['a short form', 'I can', 'I can’t'],
    ['a short form in capitals', 'I CAN', "I CAN'T"],
    ['the rest of a short form', 't go', 'I can’t go'],
    ['the rest of a possessive', 's view', 'the mayor’s view'],
    ['a decade', 'in the 1990', 'in the 1990’s'],
    ['a name', 'Mr O', 'Mr O’Brien'],
    ['a word with a soft hyphen', 'soft', 'soft\u00ADware'],
    ['Greek', 'ασφαλ', 'ασφαλής'],
    ['Russian', 'опасн', 'безопасно'],
    ['Arabic', 'آمن', 'الآمنة'],
    ['Arabic digits', '١', '١٠٠'],
    ['Persian with a joiner', 'می', 'می\u200Cخواهم'],
    ['Hindi, in a syllable', 'क', 'कि'],
    ['Hindi, in a conjunct', 'क्', 'क्षमा'],
    ['Korean', '안전', '불안전'],
    ['an accent', 'cafe', 'cafe\u0301'],
    ['letters outside the BMP', '𝔞', '𝔞𝔟'],
    ['Thai, before its vowel sign', 'ท', 'ที่'],
    ['Thai digits', 'งบประมาณ ๑๕', 'งบประมาณ ๑๕๐๐'],
    ['Thai digits without a space', 'งบ๑๕', 'งบ๑๕๐๐'],
    ['an exponent', 'about 10', 'about 10⁶'],
    ['a negative exponent', 'about 10', 'about 10⁻⁶'],
    ['the digits of an exponent', 'about 10¹', 'about 10¹²'],
    ['the minus of an exponent', 'about 10⁻', 'about 10⁻⁶'],
    ['the power of a unit', 'an area of 10 m', 'an area of 10 m²'],
    ['a formula', 'CO', 'CO₂'],
    ['a formula after its digit', 'H₂', 'H₂O'],
    ['a number before its footnote', 'costs 5', 'costs 5³'],
  ])('a quote that ends within %s is not verified, and its place is the whole', (_name, exact, whole) => {
    covers('INV-Q.68', 'INV-Q.69', 'INV-Q.76', 'INV-Q.77', 'INV-Q.81');
    for (const text of [whole, `They say: ${whole}. So it is.`]) {
      const at = text.indexOf(exact);
      expect(anchorQuote(new IndexedText(text), { exact })).toEqual({ state: 'gone', cut: true });
      const passage = selectPassage(text, at, at + exact.length)!;
      expect(passage.exact.length).toBeGreaterThan(exact.length);
      expect(anchorQuote(new IndexedText(text), passage).state).toBe('verified');
    }
  });

  it.each([
    ['a full stop', 'in 2010', 'in 2010. It'],
    ['a year before a number', 'in 2010', 'in 2010 300 people'],
    ['a footnote', 'costs 5.', 'costs 5.³'],
    ['quotation marks', 'safe', '‘safe’, (safe)'.slice(0, 6)],
    ['a French elision', 'il est là', 'qu’il est là'],
    ['a possessive', 'The mayor', 'The mayor’s view'],
    ['a possessive with a straight apostrophe', "O'Brien", "O'Brien's dog"],
    ['a possessive in capitals', 'THE MAYOR', "THE MAYOR'S VIEW"],
    ['a French elision of one letter', 'est là', 'qu’il s’est là'],
    ['a dash', 'safe', 'safe—or not'],
    ['a list', '5 items', '- 5 items'],
    ['Chinese without spaces', '他说', '因此他说好'],
    ['a number in Chinese', '123', '共123人'],
    ['Japanese without spaces', 'データ', 'このデータは'],
    ['Thai without spaces', 'ไทย', 'คนไทยดี'],
    ['an emoji', 'Yes', '✔️Yes✔️'],
    ['a percent sign', '30', '30%'],
  ])('a quote that ends at %s is verified', (_name, exact, text) => {
    covers('INV-Q.68', 'INV-Q.81');
    expect(anchorQuote(new IndexedText(text), { exact }).state).toBe('verified');
    const at = text.indexOf(exact);
    expect(selectPassage(text, at, at + exact.length)!.exact).toBe(exact);
  });

  it('a quote that stands whole elsewhere is found there alone', () => {
    covers('INV-Q.68');
    const text = new IndexedText('It costs 100. Later it costs 1.');
    expect(anchorQuote(text, { exact: 'costs 1' })).toEqual({ state: 'verified', start: 23, end: 30 });
    expect(anchorQuote(text, { exact: 'costs 1', start: 3, end: 10 })).toMatchObject({
      state: 'moved',
      occurrences: 1,
      candidates: [{ start: 23 }],
    });
  });
});
