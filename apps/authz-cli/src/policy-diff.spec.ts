import { expect, it } from '@jest/globals';
import { covers } from '@platform/testing/covers';
import type { Policy } from '@platform/proto/authz/v1/policy';
import { diffPolicies } from './policy-diff.ts';

const policy = (name: string, rules: Record<string, string>, more: Partial<Policy> = {}): Policy => ({
  name,
  description: '',
  invert: false,
  deny: false,
  engine: 1,
  statements: [{ rules: new Map(Object.entries(rules)) }],
  ...more,
});

it('diffPolicies names added, removed and changed policies, and the lines that differ', () => {
  const before = [policy('root-access', { subject: 'root' }), policy('starter', { subject: 'alice' })];
  const after = [
    policy('starter', { subject: 'bob' }, { deny: true }),
    policy('readers', { action: 'read' }),
  ];
  const { added, removed, changed, lines } = diffPolicies(before, after);
  expect({ added, removed, changed }).toEqual({
    added: ['readers'],
    removed: ['root-access'],
    changed: ['starter'],
  });
  expect(lines).toEqual([
    '+ readers',
    '- root-access',
    '~ starter',
    '    - subject: alice',
    '    + deny: true',
    '    + subject: bob',
  ]);
});

it('diffPolicies finds no difference in another order of rules', () => {
  const one = [policy('p', { action: 'read', subject: 'bob' })];
  const other = [policy('p', { subject: 'bob', action: 'read' })];
  expect(diffPolicies(one, other).lines).toEqual([]);
});

it('a diff shows characters that a terminal would obey as escapes', () => {
  covers('AUTHZ-CLI.10');
  const { lines } = diffPolicies([], [policy('a\u202eb\u009bc', { subject: 'x' })]);
  expect(lines).toEqual(['+ a\\u{202e}b\\u{9b}c']);
});
