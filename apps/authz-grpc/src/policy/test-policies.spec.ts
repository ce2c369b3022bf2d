import { describe, expect, it } from '@jest/globals';
import { testPolicies } from './test-policies.ts';
import type { Policy } from './types.ts';

const readers: Policy = {
  name: 'readers',
  description: '',
  invert: false,
  deny: false,
  engine: 'fixed',
  statements: [{ rules: { action: 'read' } }],
};

describe('testPolicies', () => {
  const context = (action: string) => new Map([['action', action]]);

  it('testPolicies reports for every case whether the policies decide as expected', () => {
    const results = testPolicies(
      [readers],
      [
        { name: 'readers read', context: context('read'), expected: true },
        { context: context('write'), expected: true },
        { context: context('write'), expected: false },
      ],
    );
    expect(results.map(({ name, passed }) => [name, passed])).toEqual([
      ['readers read', true],
      [null, false],
      [null, true],
    ]);
    expect(results[0]?.decision.matched?.policy).toBe('readers');
  });

  it('testPolicies fails a case that was false only because a policy cannot be evaluated', () => {
    const broken: Policy = { ...readers, engine: 'regex', statements: [{ rules: { action: '(' } }] };
    const [result] = testPolicies([broken], [{ context: context('write'), expected: false }]);
    expect(result).toMatchObject({ passed: false, decision: { problems: [{ code: 'bad_pattern' }] } });
  });
});
