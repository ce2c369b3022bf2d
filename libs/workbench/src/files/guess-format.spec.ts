import { describe, expect, it } from '@jest/globals';
import { covers } from '@platform/testing/covers';
import { guessFormat } from './guess-format.ts';

describe('the format that a file seems to have', () => {
  it.each([
    ['a ClaimReview', '{"@type": "ClaimReview", "claimReviewed": "x"}', 'claimreview'],
    ['the response of the Fact Check Tools API', '{"claims": [{"claimReview": []}]}', 'claimreview'],
    ['an investigation', '{"research_question": "x", "claims": []}', 'json'],
    ['a page', '<html>', null],
  ])('%s is guessed by what stands early in it', async (_name, text, format) => {
    covers('INV-IMPORT.107');
    expect(await guessFormat(new Blob([text]))).toBe(format);
  });
});
