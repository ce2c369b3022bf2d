import { createHash } from 'node:crypto';
import { expect, it } from '@jest/globals';
import { digestOfPolicies } from './digest.ts';
import type { Policy } from './types.ts';

const READERS: Policy = {
  name: 'readers',
  description: '',
  engine: 'prefix',
  deny: false,
  invert: false,
  statements: [{ rules: { object: 'svc://a/', action: 'read' } }],
};

it('the digest of a set of policies is the documented text hashed', () => {
  const text = '["readers","","prefix",false,false,[[["action","read"],["object","svc://a/"]]]]\n';
  expect(digestOfPolicies([READERS])).toBe(`sha256:${createHash('sha256').update(text).digest('hex')}`);
});

it('the digest does not depend on the order in which the keys of rules were stored', () => {
  const stored = { ...READERS, statements: [{ rules: { action: 'read', object: 'svc://a/' } }] };
  expect(digestOfPolicies([stored])).toBe(digestOfPolicies([READERS]));
});

it.each<[string, Partial<Policy>]>([
  ['name', { name: 'writers' }],
  ['description', { description: 'who reads' }],
  ['engine', { engine: 'fixed' }],
  ['deny', { deny: true }],
  ['invert', { invert: true }],
  ['value of a rule', { statements: [{ rules: { object: 'svc://a/', action: 'write' } }] }],
  ['key of a rule', { statements: [{ rules: { object: 'svc://a/', verb: 'read' } }] }],
  ['number of statements', { statements: [...READERS.statements, ...READERS.statements] }],
])('the digest changes with the %s', (_what, change) => {
  expect(digestOfPolicies([{ ...READERS, ...change }])).not.toBe(digestOfPolicies([READERS]));
});
