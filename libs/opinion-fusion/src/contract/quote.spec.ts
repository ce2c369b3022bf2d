import { describe, expect, it } from '@jest/globals';
import { quote } from './quote.ts';

describe('a user’s text in a message', () => {
  it.each([
    ['ends a line', 'a\nb', '`a\\u000ab`'],
    ['turns the direction', 'a\u202eb', '`a\\u202eb`'],
    ['hides a joiner between letters', 'pay\u200dpal', '`pay\\u200dpal`'],
    ['is half of a character', 'a\ud800b', '`a\\ud800b`'],
    ['is an unseen tag', '🏴\u{e0067}', '`🏴\\u{e0067}`'],
  ])('a user’s text in a message shows what %s', (_what, text, shown) => {
    expect(quote(text)).toBe(shown);
  });

  it.each(['👩‍🚀', '👩🏽‍⚖️', '❤️‍🔥', 'می‌خواهم', 'क्‍ष', 'ünï — “x”'])(
    'a user’s text in a message keeps %s as it is written',
    (text) => {
      expect(quote(text)).toBe(`\`${text}\``);
    },
  );

  it('a user’s text in a message is cut between characters', () => {
    expect(quote(`${'x'.repeat(59)}🙂🙂`)).toBe(`\`${'x'.repeat(59)}…\``);
    expect(quote('x'.repeat(61))).toBe(`\`${'x'.repeat(60)}…\``);
  });

  it('a value in a message that is not text is shown as JSON', () => {
    expect([quote({ a: 1 }), quote(undefined)]).toEqual(['`{"a":1}`', '`undefined`']);
  });
});
