import { describe, expect, it } from '@jest/globals';
import { covers } from '@platform/testing/covers';
import { guessSourceType } from './guess-source-type.ts';

describe('the type that the name of a source suggests', () => {
  covers('INV-B.10');
  it.each([
    ['Fire Department', 'Institutional'],
    ['Press Office of the City', 'Institutional'],
    ['Forensic Institute', 'Expert'],
    ['Dr. Ada Byron', 'Expert'],
    ['Anonymous blog', 'Anonymous'],
    ['@smoke_watch', 'SocialMedia'],
    ['X user smoke', 'SocialMedia'],
    ['The Daily Herald', 'Journalist'],
    ['Ministry of Health', 'Regulator'],
    ['A former employee', 'Insider'],
    ['Moody Ratings', 'Analyst'],
    ['Troll farm', 'Troll'],
    ['Maria', null],
    ['Drake', null],
  ])('the name of a source suggests the type %p %p', (name, type) => {
    expect(guessSourceType(name)).toBe(type);
  });
});
