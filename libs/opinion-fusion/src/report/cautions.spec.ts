import { describe, expect, it } from '@jest/globals';
import { covers } from '@platform/testing/covers';
import { actor, claim, investigation, judge } from '../fixtures/investigation.fixture.ts';

describe('cautions', () => {
  it('name two predicates that differ only in case or white space', () => {
    covers('RM-11.10');
    const { warnings } = judge(
      investigation([
        claim('c1', 'a', 'red', { predicate: 'p' }),
        claim('c2', 'b', 'red', { predicate: 'P ' }),
      ]),
    );
    expect(warnings).toEqual([expect.stringMatching(/`P ` and `p` differ only in case/)]);
  });

  it('name two scopes that differ only in case', () => {
    covers('RM-11.10');
    const { warnings } = judge(
      investigation([claim('c1', 'a', 'red', { scope: 'EU' }), claim('c2', 'b', 'red', { scope: 'eu' })]),
    );
    expect(warnings).toEqual([expect.stringMatching(/scopes `EU` and `eu`/)]);
  });

  it('name a competence that matches no predicate, and the predicate that is nearest', () => {
    covers('RM-11.10');
    const actors = [actor('a', { competence: { Colour: 0.5 } })];
    const { warnings } = judge(investigation([claim('c1', 'a', 'red')], { actors }));
    expect(warnings).toEqual([
      expect.stringMatching(/for `Colour` matches no predicate; `colour` is nearest/),
    ]);
  });

  it('name a leading value that no accepted claim holds, unless the verdict denies it', () => {
    covers('RM-11.10');
    const { warnings, subject_results } = judge(
      investigation([
        claim('c1', 'a', 'red'),
        claim('c2', 'b', 'blue'),
        claim('c3', 'c', 'elsewhere', {
          scope: 'x',
          decay_half_life_days: 1,
          assertion_time: '2025-12-31T00:00:00Z',
        }),
      ]),
    );
    expect(subject_results[0]!.leading_value).toBe('red');
    expect(warnings).toEqual([expect.stringMatching(/`red` .* is held by no accepted claim/)]);
  });

  it('say nothing of names that differ in letters', () => {
    covers('RM-11.10');
    const { warnings } = judge(
      investigation([
        claim('c1', 'a', 'red', { predicate: 'p1' }),
        claim('c2', 'b', 'red', { predicate: 'p2' }),
      ]),
    );
    expect(warnings).toEqual([]);
  });
});
