import { describe, expect, it } from '@jest/globals';
import { covers } from '@platform/testing/covers';
import { placesAsTyped } from './typed-words.ts';

const found = (text: string, words: string) =>
  placesAsTyped(text, words).map(([from, to]) => text.slice(from, to));

describe('words as they may have been typed', () => {
  it.each([
    ['straight quotation marks and apostrophes', `"We'll go"`, '“We’ll go”'],
    ['quotation marks of other languages', '"No", "no"', '„No“, «no»'],
    ['hyphens for dashes and a minus', 'dam - 2010-2012, -5', 'dam – 2010—2012, −5'],
    ['two hyphens for a dash', 'dam -- it', 'dam — it'],
    ['a dash without its spaces', 'dam-it', 'dam — it'],
    ['spaces for those that do not break', '12 000 euros', '12\u00A0000\u202Feuros'],
    ['nothing for soft hyphens and joiners', 'software', 'soft\u00AD\u200Bware'],
    ['letters for ligatures', 'official floor', 'oﬃcial ﬂoor'],
    ['dots for an ellipsis', 'wait...', 'wait…'],
    ['letters without accents', 'naive Zurich', 'naïve Zu\u0308rich'],
    ['another case', 'the Mayor said', 'THE MAYOR SAID'],
    ['one word that is hyphenated at the end of a line', 'a declaration of', 'a declara-\ntion of'],
    ['words that are hyphenated at the end of a line by their own hyphen', 'well-known', 'well-\nknown'],
    ['words that are spaced letter by letter', 'declaration', 'D E C L A R A T I O N'],
    ['words that are drawn without a space', 'took 12 000', 'took12 000'],
    ['Hebrew without the points that its PDF file tears apart', 'אלהים', 'א לֹ ִה ים'],
    ['pointed Hebrew', 'אֱלֹהִים', 'א לֹ ִה ים'],
    ['Arabic without vowel signs and stretching', 'محمد', 'مُحَـمَّد'],
    ['Persian with joiners that its PDF file lacks', 'می\u200Cخواهم', 'می خواهم'],
    ['Chinese within its words', '说"好"', '说“好”'],
  ])('%s find what is stored', (_name, words, stored) => {
    covers('INV-Q.58', 'INV-Q.60');
    // Chinese and Japanese have letters on both sides.
    const text = `${/\p{Script=Han}/u.test(stored) ? '他' : 'x, '}${stored}吧, x`;
    const whole = text.replace('吧', /\p{Script=Han}/u.test(stored) ? '吧' : '');
    expect(found(whole, words)).toEqual([stored]);
  });

  it.each([
    ['digits that are apart', '12000 people', '12\n000 people'],
    ['a number and its footnote', 'EUR 123', 'EUR 12³ and 12 3'],
    ['the same digits with another sign', '-5 %', '5 %'],
    ['letters of two words', 'rto', 'bar to'],
    ['half of a ligature', 'ind', 'ﬁnd'],
    ['other vowel signs of Hindi', 'कि', 'की'],
    ['other sounds of Japanese', 'か', 'が'],
    ['a hyphen alone', '-', 'a b'],
    ['white space alone', '  ', 'a  b'],
  ])('%s are not the same words', (_name, words, stored) => {
    covers('INV-Q.58');
    expect(found(stored, words)).toEqual([]);
  });

  it('what repeats itself a million times is searched in one pass', () => {
    const text = 'á'.repeat(1_000_000);
    expect(placesAsTyped(text, `${'a'.repeat(5_000)}b`)).toEqual([]);
    expect(placesAsTyped(text, 'a'.repeat(5_000))).toHaveLength(995_001);
  });
});
