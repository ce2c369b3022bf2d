import { expect, it } from '@jest/globals';
import { covers } from '@platform/testing/covers';
import { claim, investigation, judge } from '../fixtures/investigation.fixture.ts';
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
