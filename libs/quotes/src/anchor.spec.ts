import { describe, expect, it } from '@jest/globals';
import { covers } from '@platform/testing/covers';
import { anchorQuote } from './anchor.ts';
import { IndexedText } from './indexed-text.ts';
import { selectPassage } from './selector.ts';

const TEXT = '𝔄 The bridge is open. Later: The bridge is open again.';
const at = (text: string, words: string, nth = 0) => {
  let from = -1;
  for (let count = 0; count <= nth; count += 1) from = text.indexOf(words, from + 1);
  return selectPassage(text, from, from + words.length)!;
};
const anchor = (text: string, selector: Parameters<typeof anchorQuote>[1]) =>
  anchorQuote(new IndexedText(text), selector);

describe('a quote in a text', () => {
  it('positions count code points, not UTF-16 code units', () => {
    covers('INV-Q.4');
    expect(at(TEXT, 'The bridge')).toMatchObject({ start: 2, end: 12, prefix: '𝔄 ' });
    expect(anchor(TEXT, at(TEXT, 'The bridge'))).toEqual({ state: 'verified', start: 2, end: 12 });
  });

  it('a quote whose text was shifted is moved to its candidates, the one with its context first', () => {
    covers('INV-Q.5');
    const selector = at(TEXT, 'bridge is open', 1);
    const edited = TEXT.replace('𝔄 ', '𝔄 An introduction. ');
    const start = selector.start + 'An introduction. '.length;
    expect(anchor(edited, selector)).toMatchObject({
      state: 'moved',
      occurrences: 2,
      candidates: [{ start, end: start + 14, agreement: 1 }, { agreement: expect.any(Number) }],
    });
  });

  it('a lookalike that slid into the very position of a quote is not taken for it', () => {
    covers('INV-Q.5');
    const selector = { exact: 'yes', start: 4, end: 7, prefix: 'it: ', suffix: '. sh' };
    expect(anchor('it: yes. she: yes.', selector).state).toBe('verified');
    expect(anchor('us: yes. she: yes.', selector)).toMatchObject({
      state: 'moved',
      candidates: [{ start: 4 }, {}],
    });
  });

  it('words in another case, spacing or Unicode form are gone', () => {
    covers('INV-Q.5');
    for (const exact of ['the bridge', 'The  bridge', 'The bri\u0064\u0301ge', 'The brigde'])
      expect(anchor(TEXT, { exact })).toEqual({ state: 'gone' });
  });

  it('a quote without position is verified where one place alone has its context', () => {
    covers('INV-Q.5');
    expect(anchor(TEXT, { exact: 'open again' })).toMatchObject({ state: 'verified', start: 43 });
    expect(anchor(TEXT, { exact: 'bridge is open' })).toMatchObject({ state: 'moved', occurrences: 2 });
    expect(anchor(TEXT, { exact: 'bridge is open', suffix: ' again' })).toMatchObject({ state: 'verified' });
  });

  it('half of a surrogate pair is no quote, and a position beyond the text matches nothing', () => {
    expect(anchor(TEXT, { exact: '\udd04' })).toEqual({ state: 'gone' });
    expect(anchor(TEXT, { exact: '.', start: 999, end: 1000 })).toMatchObject({
      state: 'moved',
      occurrences: 2,
    });
  });

  it('texts that repeat themselves a million times are searched in one pass', () => {
    const text = 'a'.repeat(1_000_000);
    expect(anchor(text, { exact: `${'a'.repeat(5000)}b` })).toEqual({ state: 'gone' });
    expect(anchor(text, { exact: `b${'a'.repeat(5000)}` })).toEqual({ state: 'gone' });
    const pinned = { start: 500_000, end: 505_000, prefix: 'b' };
    expect(anchor(text, { exact: 'a'.repeat(5000), ...pinned })).toEqual({ state: 'gone', cut: true });
    const moved = anchor('他'.repeat(1_000_000), { exact: '他'.repeat(5000), ...pinned });
    expect(moved).toMatchObject({ state: 'moved', occurrences: 995_001, candidates: { length: 5 } });
  });
});
