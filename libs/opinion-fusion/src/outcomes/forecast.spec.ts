import { describe, expect, it } from '@jest/globals';
import { covers } from '@platform/testing/covers';
import { analyze } from '../analyze.ts';
import type { ClaimInput, InvestigationInput, InvestigationResult } from '../contract/types.ts';
import { forecastOf } from './forecast.ts';

const NOW = new Date('2026-01-02T00:00:00Z');

const claim = (id: string, actor_id: string, value: string, more: Partial<ClaimInput> = {}): ClaimInput => ({
  id,
  actor_id,
  subject_id: 'deal',
  predicate: 'price',
  value,
  content: '',
  ...more,
});

function forecast(claims: ClaimInput[], value: string, predicate = 'price') {
  const input: InvestigationInput = {
    research_question: 'What was paid?',
    actors: [
      { id: 'a', name: 'Registry', source_type: 'Regulator' },
      { id: 'b', name: 'Daily', source_type: 'Journalist' },
      { id: 'd', name: 'Second registry', source_type: 'Regulator' },
      { id: 'c', name: 'Blog', source_type: 'Anonymous', base_reliability: 0.4 },
    ],
    subjects: [{ id: 'deal', name: 'Deal', subject_type: 'event' }],
    claims,
  };
  const result = analyze(input, { now: NOW }) as InvestigationResult;
  return forecastOf({ input, result, judgedAt: NOW, subject_id: 'deal', predicate, value });
}
const rightOf = (said: ReturnType<typeof forecast>) =>
  said!.statements.map(({ actor_id, was_right }) => `${actor_id} ${was_right ? 'right' : 'wrong'}`);

describe('forecastOf', () => {
  it('forecastOf follows the outcome through spellings, for the leading value and for every source', () => {
    covers('INV-O.3');
    const claims = [
      claim('1', 'a', '$5M'),
      claim('2', 'b', '7 million dollars'),
      claim('3', 'c', '5,000,000 USD'),
    ];
    const said = forecast(claims, '5 million USD');
    expect(said).toMatchObject({ leading_value: '$5M', was_right: true });
    expect(said!.chance_of_outcome).toBe(said!.chance);
    expect(rightOf(said)).toEqual(['a right', 'b wrong', 'c right']);
    expect(said!.statements.map(({ reliability }) => reliability)).toEqual([expect.any(Number), 0.7, 0.4]);
  });

  it('forecastOf gives the chance of a value that did not lead, and none to a value that nobody said', () => {
    covers('INV-O.3');
    const claims = [claim('1', 'a', 'red'), claim('2', 'b', 'blue')];
    const said = forecast(claims, 'blue');
    expect(said).toMatchObject({ leading_value: 'red', was_right: false });
    expect(said!.chance_of_outcome).toBeGreaterThan(0);
    expect(said!.chance_of_outcome).toBeLessThan(said!.chance);
    expect(forecast(claims, 'green')).toMatchObject({ was_right: false, chance_of_outcome: 0 });
  });

  it('forecastOf scores the answer that leads to a yes-or-no question, no where more speaks for no', () => {
    covers('INV-O.8');
    const no = [claim('1', 'a', 'no'), claim('2', 'b', 'false')];
    expect(forecast(no, 'false')).toMatchObject({ leading_value: 'false', was_right: true });
    const wrong = forecast(no, 'yes')!;
    expect(wrong).toMatchObject({ leading_value: 'false', was_right: false });
    expect(wrong.chance).toBeGreaterThan(0.5);
    expect(wrong.chance_of_outcome).toBeCloseTo(1 - wrong.chance, 12);
    expect(rightOf(wrong)).toEqual(['a wrong', 'b wrong']);
  });

  it('forecastOf scores yes as the answer to a yes-or-no question where more speaks for yes, and at an even chance', () => {
    covers('INV-O.8');
    expect(forecast([claim('1', 'a', 'yes')], 'true')).toMatchObject({
      leading_value: 'true',
      was_right: true,
    });
    const even = [claim('1', 'a', 'yes'), claim('2', 'd', 'no')];
    expect(forecast(even, 'no')).toMatchObject({ leading_value: 'true', was_right: false });
  });

  it('forecastOf counts a denial as right where what it denies is not the outcome, and leaves out what was taken back', () => {
    covers('INV-O.3');
    const claims = [
      claim('1', 'a', 'red'),
      claim('2', 'b', 'red', { valence: 'Refutes' }),
      claim('3', 'c', 'blue', { epistemic_status: 'retracted' }),
    ];
    expect(rightOf(forecast(claims, 'blue'))).toEqual(['a wrong', 'b right']);
    expect(rightOf(forecast(claims, 'red'))).toEqual(['a right', 'b wrong']);
  });

  it('forecastOf counts a source once for what was right and once for what was wrong', () => {
    covers('INV-O.3');
    const claims = ['red', 'red', 'blue', 'green'].map((value, index) =>
      claim(String(index), 'a', value, { content: String(index) }),
    );
    expect(rightOf(forecast(claims, 'red'))).toEqual(['a right', 'a wrong']);
  });

  it('forecastOf has nothing to say of a question that the judgement has no verdict on', () => {
    expect(forecast([claim('1', 'a', 'red')], 'red', 'colour')).toBeNull();
  });
});
