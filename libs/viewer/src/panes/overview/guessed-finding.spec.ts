import { describe, expect, it } from '@jest/globals';
import { covers } from '@platform/testing/covers';
import { guessedFinding } from './guessed-finding.ts';

const FINDINGS = [
  ['vaccine_was_mandatory', 'true'],
  ['deaths', '14'],
  ['infected', '1.2k'],
  ['first_case_on', '2025-03-01'],
].map(([predicate, leading_value]) => ({ predicate: predicate!, leading_value: leading_value! }));

describe('the finding that a page begins with while none is marked', () => {
  covers('INV-V.59', 'INV-V.265');
  it.each([
    ['How many people were infected?', 'infected'],
    ['How many deaths were there?', 'deaths'],
    ['When did it begin?', 'first_case_on'],
    // Two count something, and neither has a word of the question.
    ['How many were there?', 'vaccine_was_mandatory'],
    ['Why did it begin?', 'vaccine_was_mandatory'],
    // A question of yes or no that stands first is answered first.
    ['Was the vaccine mandatory, and when was the first case?', 'vaccine_was_mandatory'],
    ['Did they vaccinate, and how many deaths were there?', 'vaccine_was_mandatory'],
    ['After the war, when was the first case?', 'first_case_on'],
  ])('“%s” is guessed to be answered by %p', (question, predicate) => {
    expect(guessedFinding(FINDINGS, question)?.predicate).toBe(predicate);
  });

  it('an investigation without findings has none to begin with', () => {
    expect(guessedFinding([], 'How many?')).toBeUndefined();
  });
});
