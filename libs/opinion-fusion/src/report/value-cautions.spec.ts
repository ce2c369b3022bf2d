import { describe, expect, it } from '@jest/globals';
import { covers } from '@platform/testing/covers';
import { claim, investigation, judge } from '../fixtures/investigation.fixture.ts';

const warningsOf = (...values: string[]) =>
  judge(investigation(values.map((value, i) => claim(`c${i}`, 'abcdef'[i]!, value)))).warnings;

describe('cautions about values', () => {
  it.each(['unknown', 'N/A', '?', '-', 'not stated'])(
    'cautions say that %p competes with the answers, and only where there are others',
    (value) => {
      covers('RM-11.72');
      expect(warningsOf('red', value).join()).toContain(
        'counts as an answer that contradicts the others; leave the claim out if its source does not say.',
      );
      expect(warningsOf(value, value).join()).not.toContain('counts as an answer');
    },
  );

  it('cautions name a number that may be the time of day beside it', () => {
    covers('RM-11.187');
    expect(warningsOf('12:30', '12.30').join()).toContain(
      'The values `12.30` of claim `c1` and `12:30` of claim `c0` on `colour` of `s1` may be the same time of day',
    );
    expect(warningsOf('12:30', '12.31').join()).not.toContain('time of day');
    expect(warningsOf('12.30', '12.31').join()).not.toContain('time of day');
    expect(warningsOf('12:30', '12.3').join()).not.toContain('time of day');
  });

  it.each(['1', '0', '1.0'])('cautions name the number %s beside a yes or no', (number) => {
    covers('RM-11.190');
    expect(warningsOf('true', number).join()).toContain(
      `The values \`${number}\` of claim \`c1\` and \`true\` of claim \`c0\` on \`colour\` of \`s1\` are a number and a yes or no, and are kept apart`,
    );
    expect(warningsOf('2', number).join()).not.toContain('yes or no');
    expect(warningsOf('true', '2').join()).not.toContain('a number and a yes or no');
  });

  it('cautions name a yes or no with words after it beside yes and no', () => {
    covers('RM-11.72');
    expect(warningsOf('no', 'yes, definitely').join()).toContain('contradicts yes and no alike');
    expect(warningsOf('red', 'yes, definitely').join()).not.toContain('yes and no alike');
    expect(warningsOf('no', 'Nobel').join()).not.toContain('yes and no alike');
    expect(warningsOf('yes', 'not bankrupt').join()).toContain('contradicts yes and no alike');
    expect(warningsOf('guilty', 'not guilty').join()).not.toContain('yes and no alike');
  });

  it.each([
    [['NO', 'NO', 'SE'], 'NO', 'no'],
    [['X', 'Y', 'Z'], 'Y', 'yes'],
    [['no', 'se'], 'no', 'no'],
  ])('cautions say about %p that %p was read as %p', (values, word, answer) => {
    covers('RM-11.175');
    expect(warningsOf(...values).join()).toContain(
      `The value \`${word}\` of claim \`c${values.indexOf(word)}\` on \`colour\` of \`s1\` was read as the answer ${answer}`,
    );
  });

  it('cautions say once a question that a code was read as yes or no, also where other subjects have codes', () => {
    covers('RM-11.175');
    const country = (id: string, actor: string, subject_id: string, value: string) =>
      claim(id, actor, value, { subject_id });
    const claims = [
      country('c1', 'a', 's', 'NO'),
      country('c2', 'b', 's', 'NO'),
      country('c3', 'a', 't', 'SE'),
    ];
    const { warnings } = judge(
      investigation(claims, {
        subjects: ['s', 't'].map((id) => ({ id, name: id, subject_type: 'country' })),
      }),
    );
    expect(warnings.filter((warning) => warning.includes('was read as the answer'))).toHaveLength(1);
  });

  it.each([[['no', 'partly', 'yes']], [['Y', 'N']], [['Y', 'unclear']], [['NO', '?!']], [['true', 'blue']]])(
    'cautions leave yes and no of %p as they are',
    (values) => {
      covers('RM-11.175');
      expect(warningsOf(...values).join()).not.toContain('was read as the answer');
    },
  );

  it.each(['twelve', 'none', 'Nobody', 'a dozen'])(
    'cautions say that %p beside numbers is no number',
    (word) => {
      covers('RM-11.14');
      expect(warningsOf('12', word).join()).toContain('was read as text');
      expect(warningsOf('red', 'Twelve', 'none').join()).not.toContain('was read as text');
    },
  );

  it.each([
    ['Putin', '\u0420utin'],
    ['Kevin', '\u039aevin'],
    ['Moscow', 'M\u043esc\u043ew'],
  ])('cautions say that %p and %p, of letters of two scripts, look alike', (one, other) => {
    covers('RM-11.64');
    expect(warningsOf(one, other).join()).toContain('characters that look alike');
  });

  it.each([
    ['José Núñez', 'Jose Nunez', 'have the same words but for accents or order'],
    ['Smith, John', 'John Smith', 'have the same words but for accents or order'],
    ['14:05', '2:05 pm', 'are the same time of day'],
    ['0:05', '12:05 a.m.', 'are the same time of day'],
  ])('cautions say that %p and %p are alike', (one, other, likeness) => {
    covers('RM-11.72');
    expect(warningsOf(one, other).join()).toContain(`${likeness}, and are kept apart`);
  });

  it.each([
    ['Arsenal 3-2 Chelsea', 'Arsenal 2-3 Chelsea'],
    ['14:05', '2:05 am'],
    ['Smith, John', 'Joan Smith'],
  ])('cautions do not say that %p and %p are alike', (one, other) => {
    covers('RM-11.72');
    expect(warningsOf(one, other).join()).not.toMatch(/same words|same time/);
  });

  it.each([
    ['USA', 'United States of America'],
    ['USA', 'United States'],
    ['U.S.', 'United States'],
    ['UK', 'United Kingdom'],
    ['St. Kitts', 'Saint Kitts'],
    ['St. Kitts', 'saint  kitts'],
    ['J. Smith', 'John Smith'],
    ['Acme Corp.', 'Acme Corporation'],
  ])('cautions say that %p and %p look like a short and a long form', (one, other) => {
    covers('RM-11.72');
    for (const values of [
      [one, other],
      [other, one],
    ])
      expect(warningsOf(...values).join()).toContain(
        'look like a short and a long form of one name, and are',
      );
  });

  it.each([
    ['London', 'London, UK'],
    ['Springfield', 'springfield (Illinois)'],
  ])('cautions say that %p and %p differ in what one adds', (one, other) => {
    covers('RM-11.72');
    for (const values of [
      [one, other],
      [other, one],
    ])
      expect(warningsOf(...values).join()).toContain('differ in what one adds, and are kept apart');
  });

  it.each([
    ['London', 'Londonderry'],
    ['London', 'London Bridge'],
    ['Smith', 'Smithson, John'],
    ['x', 'Paris, Texas'],
    ['yes', 'yes, definitely'],
  ])('cautions do not say that %p and %p differ in what one adds', (one, other) => {
    covers('RM-11.72');
    expect(warningsOf(one, other).join()).not.toContain('what one adds');
  });

  it('cautions tell once of a full stop alone', () => {
    covers('RM-11.46');
    expect(warningsOf('New York', 'new york.')).toHaveLength(1);
  });

  it.each([
    ['AA', 'AAA'],
    ['us', 'United States'],
    ['USB', 'Union Bank'],
    ['St. Kitts', 'Saint Lucia'],
    ['J. Smith', 'K. Smith'],
    ['J. Smith', 'Adam Smith'],
    ['Sxt. Kitts', 'Saint Kitts'],
  ])('cautions do not say that %p and %p look like a short and a long form', (one, other) => {
    covers('RM-11.72');
    expect(warningsOf(one, other).join()).not.toContain('short and a long form');
  });
});
