import { describe, expect, it } from '@jest/globals';
import { covers } from '@platform/testing/covers';
import { unknownWord } from './unknown-word.ts';
import { DOMAINS, SOURCE_TYPES } from './vocabulary.ts';

describe('a kind of source that is not known', () => {
  it.each([
    ['Gov', 'Regulator'],
    ['Government', 'Regulator'],
    ['government agency', 'Regulator'],
    ['News agency', 'Journalist'],
    ['Newspaper', 'Journalist'],
    ['University', 'Institutional'],
    ['NGO', 'Institutional'],
    ['Blog', 'SocialMedia'],
    ['Jurnalist', 'Journalist'],
    ['Trol', 'Troll'],
  ])('the kind of source %p is refused with %s, which it means, as the nearest', (word, nearest) => {
    covers('RM-2.27');
    expect(unknownWord(word, SOURCE_TYPES)).toBe(
      `\`${word}\` is not known; the nearest is ${nearest}, all are: ${SOURCE_TYPES.join(', ')}`,
    );
  });

  it.each(['Poll', 'Zebra', 'x', ''])(
    'the kind of source %p, near to none, is refused with what each kind is',
    (word) => {
      covers('RM-2.27');
      const said = unknownWord(word, SOURCE_TYPES);
      expect(said).toContain('only by its letters: choose by meaning of Regulator (ministry, ');
      for (const kind of SOURCE_TYPES) expect(said).toContain(`${kind} (`);
    },
  );

  it('a word of another list is refused with the nearest only where it is a misspelling', () => {
    covers('RM-2.11');
    expect(unknownWord('Financ', DOMAINS)).toContain('the nearest is Finance, ');
    expect(unknownWord('Government', DOMAINS)).not.toContain('nearest');
  });
});
