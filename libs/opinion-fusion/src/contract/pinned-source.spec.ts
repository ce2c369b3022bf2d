import { describe, expect, it } from '@jest/globals';
import { covers } from '@platform/testing/covers';
import { analyze } from '../analyze.ts';
import { investigation, NOW } from '../fixtures/investigation.fixture.ts';
import { resultText } from '../report/result-text.ts';
import { InvalidInvestigation, type Problem } from './invalid-investigation.ts';

const CLAIM = { id: 'c1', actor_id: 'a', subject_id: 's1', predicate: 'colour', value: 'red', content: '' };
const SHA256 = 'a'.repeat(64);

const inputWith = (claim: object) => investigation([{ ...CLAIM, ...claim }]);

function problemsOf(claim: object): readonly Problem[] {
  try {
    analyze(inputWith(claim), { now: NOW });
  } catch (error) {
    if (error instanceof InvalidInvestigation) return error.problems;
    throw error;
  }
  return [];
}
const pinned = (selector: object, more: object = {}) => ({
  source: { document: 'file_1', version: 1, sha256: SHA256, selector, ...more },
});

describe('a source that is pinned to a stored document', () => {
  it('a pinned source with words, position and context is taken', () => {
    covers('INV-Q.1');
    const selector = { exact: '𝔸 red car', start: 3, end: 12, prefix: 'We saw ', suffix: '.' };
    expect(problemsOf({ ...pinned(selector), quote: selector.exact })).toEqual([]);
    expect(problemsOf(pinned({ exact: 'red' }))).toEqual([]);
    expect(problemsOf({ source: { document: 'file_1' } })).toEqual([]);
  });

  it.each([
    ['start beyond end', { exact: 'red', start: 9, end: 6 }, 'start', 'must be at most end, 6, not 9'],
    [
      'a length counted in UTF-16',
      { exact: '𝔸', start: 0, end: 2 },
      'end',
      'must be start + 1, the code points of exact, not start + 2',
    ],
    ['end alone', { exact: 'red', end: 3 }, 'start', 'is required with end: give both, or neither'],
    ['start alone', { exact: 'red', start: 3 }, 'end', 'is required with start: give both, or neither'],
    [
      'a start below 0 beside an end',
      { exact: 'red', start: -1, end: 3 },
      'start',
      'must be a whole number of 0 or more, not `-1`',
    ],
    [
      'an end that is a text beside a start',
      { exact: 'red', start: 0, end: '3' },
      'end',
      'must be a whole number of 0 or more, not `3`',
    ],
    ['no words', { exact: '' }, 'exact', 'must not be empty: give the words of the passage'],
    [
      'a long prefix',
      { exact: 'red', prefix: 'x'.repeat(201) },
      'prefix',
      'must have at most 200 characters, not 201: shorten it',
    ],
    [
      'a long suffix',
      { exact: 'red', suffix: 'x'.repeat(201) },
      'suffix',
      'must have at most 200 characters, not 201: shorten it',
    ],
  ])('a selector with %s is refused by the name of its field', (_, selector, field, message) => {
    covers('INV-Q.2');
    expect(problemsOf(pinned(selector))).toEqual([{ path: `claims[0].source.selector.${field}`, message }]);
  });

  it('a quote that is not the passage, an id that is not a document, and version 0 are refused', () => {
    covers('INV-Q.2');
    expect(problemsOf({ ...pinned({ exact: 'red' }), quote: 'blue' })).toEqual([
      {
        path: 'claims[0].source.selector.exact',
        message: 'must be the same as quote: leave quote out, or give the same words',
      },
    ]);
    expect(problemsOf(pinned({ exact: 'red' }, { document: '../key' })).map(({ path }) => path)).toEqual([
      'claims[0].source.document',
    ]);
    expect(problemsOf(pinned({ exact: 'red' }, { version: 0 })).map(({ path }) => path)).toEqual([
      'claims[0].source.version',
    ]);
  });

  it.each([
    ['one space where the document breaks a line', 'closed all day', 'closed\nall day'],
    ['LF where the document has CR LF', 'closed\nall day', 'closed\r\nall day'],
    ['no indent', 'closed all day', 'closed\r\n\u00a0  all\tday'],
    ['a line break behind it', 'closed all day\n', 'closed all day'],
  ])('a quote with %s has the words of the passage', (_, quote, exact) => {
    covers('INV-Q.35');
    expect(problemsOf({ ...pinned({ exact }), quote })).toEqual([]);
    // A space within a word makes other words of it.
    expect(problemsOf({ ...pinned({ exact }), quote: quote.replace('closed', 'clo sed') })).toHaveLength(1);
  });

  it('pinned sources change not one byte of a result', () => {
    covers('INV-Q.3');
    const textOf = (claim: object) => [...resultText(analyze(inputWith(claim), { now: NOW }))];
    expect(textOf(pinned({ exact: 'red', start: 0, end: 3 }))).toEqual(textOf({}));
  });
});
