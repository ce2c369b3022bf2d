import { describe, expect, it } from '@jest/globals';
import { covers } from '@platform/testing/covers';
import { ApiError, errorOf, plainWords, problemOf } from './api-error.ts';
import { errorAt, readProblems } from './problems.ts';

describe('an error of the API', () => {
  covers('INV-B.6');
  it('an error of the API names the fields of a 422', () => {
    const text =
      'claims[2].actor_id: is required: give a string\ncompetence["a: b"]: must be a finite number, not "x"\nand 3 more';
    expect(readProblems(text)).toEqual({
      problems: [
        { path: 'claims[2].actor_id', message: 'is required: give a string' },
        { path: 'competence["a: b"]', message: 'must be a finite number, not "x"' },
      ],
      others: ['and 3 more'],
    });
  });

  it('a field shows each problem that it and its parts have, except those that a control of a part shows', () => {
    const error = new ApiError(422, 'rules: must not be empty\nrules[1].x: must go\nrulesets: must go too');
    expect(problemOf(error, 'rules')).toBe('Must not be empty. [1].x: must go.');
    expect(errorAt(error.problems, 'rules', ['rules[1]'])).toBe('Must not be empty.');
    expect(problemOf(error, 'rule')).toBeUndefined();
    expect(plainWords(error)).toContain('rules: must not be empty; rules[1].x: must go; rulesets');
  });

  it('an error of the API carries status, request id and when to try again', async () => {
    const response = Response.json(
      { error: 'the queue is full' },
      { status: 503, headers: { 'X-Request-Id': 'r-1', 'Retry-After': '7' } },
    );
    const error = await errorOf(response);
    expect(error).toMatchObject({ status: 503, requestId: 'r-1', retryAfter: 7, problems: [] });
    expect(plainWords(error)).toBe('The service is busy. Try again in 7\u00a0seconds.');
  });

  it.each([
    [0, /did not answer/],
    [401, /Sign in again/],
    [403, /may not do this: no tenant/],
    [404, /not there/],
    [409, /no tenant/],
    [429, /Too many requests/],
    [500, /still here/],
    [504, /longer/],
  ])('an error of the API is put in plain words: %i', (status, words) => {
    expect(plainWords(new ApiError(status, 'no tenant'))).toMatch(words);
  });

  it('an error of the API shows nothing of a page that a proxy sent', async () => {
    const error = await errorOf(new Response('<html>bad gateway</html>', { status: 502 }));
    expect(plainWords(error)).not.toContain('html');
  });
});
