import { describe, expect, it } from '@jest/globals';
import { covers } from '@platform/testing/covers';
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

  it('testPolicies says in each case which stored attributes a check would know and a test does not', () => {
    covers('AUTHZ-CLI.13');
    const team: Policy = { ...readers, statements: [{ rules: { action: 'read', 'user.team': 'blue' } }] };
    const [result] = testPolicies([team], [{ context: context('read'), expected: false }]);
    expect(result).toMatchObject({ passed: true, unresolved: [expect.stringContaining('`user.team`')] });
    const [plain] = testPolicies([readers], [{ context: context('read'), expected: true }]);
    expect(plain?.unresolved).toEqual([]);
  });

  it('testPolicies fails a case that was false only because a policy cannot be evaluated', () => {
    const broken: Policy = { ...readers, engine: 'regex', statements: [{ rules: { action: '(' } }] };
    const [result] = testPolicies([broken], [{ context: context('write'), expected: false }]);
    expect(result).toMatchObject({ passed: false, decision: { problems: [{ code: 'bad_pattern' }] } });
  });
});
