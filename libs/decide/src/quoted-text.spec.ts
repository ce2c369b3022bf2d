import { expect, it } from '@jest/globals';
import { covers } from '@platform/testing/covers';
import { SEED } from '@platform/testing/seed';
import fc from 'fast-check';
import { quotedText } from './quoted-text.ts';

fc.configureGlobal({ seed: SEED });

const tricky = fc
  .array(fc.constantFrom('a', 'bob', ' ', ', ', ': ', '"', '`', '` is `', '` and `', '\n', '\\', '\\u{60}'), {
    maxLength: 6,
  })
  .map((parts) => parts.join(''));
const rules = fc.array(fc.tuple(tricky, tricky), { minLength: 1, maxLength: 3 });

/** The text that was quoted. */
const read = (words: string) => (words.startsWith('"') ? (JSON.parse(words) as string) : words);

it('words about rules read back to these rules and no others, in a sentence and in a list', () => {
  covers('AUTHZ-CLI.76');
  fc.assert(
    fc.property(rules, (given) => {
      const sentence = given
        .map(([key, value]) => `\`${quotedText(key)}\` is \`${quotedText(value)}\``)
        .join(' and ');
      expect(
        sentence
          .slice(1, -1)
          .split(/` (?:is|and) `/)
          .map(read),
      ).toEqual(given.flat());
      expect(sentence.split('`')).toHaveLength(4 * given.length + 1);
      const list = given.map((rule) => rule.map(quotedText).join(': ')).join(', ');
      expect(list).not.toContain('\n');
      const one = '"(?:[^"\\\\]|\\\\.)*"|(?:(?!, |: ).)+';
      expect(
        Array.from(list.matchAll(new RegExp(`(${one})(?:, |: |$)`, 'g')), ([, text]) => read(text!)),
      ).toEqual(given.flat());
    }),
  );
});
