import { describe, expect, it } from '@jest/globals';
import { DocstoreError } from '@platform/docstore-client';
import { covers } from '@platform/testing/covers';
import { pauseAfter } from './follower.ts';

const refused = (seconds?: string) =>
  new DocstoreError(429, new Headers(seconds === undefined ? {} : { 'Retry-After': seconds }), {
    error: { code: 'rate_limited', message: 'the call quota is used up' },
  });

describe('the pause of a follower after an error', () => {
  it.each([
    ['as long as docstore-api says', refused('7'), 7_000],
    ['an hour where a used-up quota names thirty days', refused('2592000'), 3_600_000],
    ['as long as without changes where docstore-api says nothing', refused(), 1_000],
    ['as long as without changes after a lost connection', new Error('socket hang up'), 1_000],
  ])('a follower pauses %s', (_name, error, ms) => {
    covers('AUTHZ-K.9');
    expect(pauseAfter(error, 1_000)).toBe(ms);
  });
});
