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

  it('testPolicies names in each case the stored attributes that rules name and the case does not bring', () => {
    covers('AUTHZ-CLI.13');
    const rules = { action: 'read', 'user.team': 'blue', 'user.floor': '2' };
    const team: Policy = { ...readers, statements: [{ rules }] };
    const brought = new Map<string, string | string[]>([...context('read'), ['user.team', ['red', 'blue']]]);
    const [bare, partly, whole] = testPolicies(
      [team],
      [
        { context: context('read'), expected: false },
        { context: brought, expected: false },
        { context: new Map([...brought, ['user.floor', ['2']]]), expected: true },
      ],
    );
    expect(bare).toMatchObject({
      passed: true,
      unresolved: [expect.stringContaining('`user.team`'), expect.stringContaining('`user.floor`')],
    });
    expect(partly).toMatchObject({
      passed: true,
      unresolved: [
        'rules name `user.floor`, which this case does not bring: add it to the context to decide as for an account that has it',
      ],
    });
    expect(whole).toMatchObject({ passed: true, unresolved: [] });
    const [plain] = testPolicies([readers], [{ context: context('read'), expected: true }]);
    expect(plain?.unresolved).toEqual([]);
  });

  it('testPolicies fails a case that was false only because a policy cannot be evaluated', () => {
    const broken: Policy = { ...readers, engine: 'regex', statements: [{ rules: { action: '(' } }] };
    const [result] = testPolicies([broken], [{ context: context('write'), expected: false }]);
    expect(result).toMatchObject({ passed: false, decision: { problems: [{ code: 'bad_pattern' }] } });
  });
});
