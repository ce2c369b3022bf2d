import { expect, it } from '@jest/globals';
import { covers } from '@platform/testing/covers';
import { actor, claim, investigation, judge } from '../fixtures/investigation.fixture.ts';
import { answerOf } from './answer-of.ts';

const verdictOn = (...values: string[]) => {
  const claims = values.map((value, index) => claim(`c${index}`, 'abcdef'[index]!, value));
  return judge(investigation(claims)).subject_results[0]!;
};

it('the answer that leads has a chance of one half or more, whatever else is said', () => {
  covers('INV-O.29');
  for (const values of [
    ['yes'],
    ['no'],
    ['yes', 'no', 'no'],
    ['yes', 'yes', 'no', 'partly'],
    ['yes', 'no', 'no', 'partly'],
    ['yes', 'no', 'partly', 'partly'],
    ['no', 'partly'],
  ]) {
    const verdict = verdictOn(...values);
    if (verdict.leading_value === 'true') expect(answerOf(verdict).chance).toBeGreaterThanOrEqual(0.5);
  }
});

it('at an even chance the answer is the side that has more weight, unless one led before', () => {
  covers('INV-V.141');
  const said = (value: string) => {
    const actors = [actor('a', { source_type: 'Insider', base_reliability: null })];
    return judge(investigation([claim('c', 'a', value)], { actors })).subject_results[0]!;
  };
  for (const [value, answer, other] of [
    ['no', 'false', 'true'],
    ['yes', 'true', 'false'],
  ] as const) {
    expect(said(value).calibrated_probability).toBeCloseTo(0.5, 12);
    expect(answerOf(said(value))).toEqual({ value: answer, chance: expect.closeTo(0.5, 12) });
    expect(answerOf(said(value), 'partly').value).toBe(answer);
    expect(answerOf(said(value), other).value).toBe(other);
  }
});
