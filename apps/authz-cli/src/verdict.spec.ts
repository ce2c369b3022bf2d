import { expect, it } from '@jest/globals';
import { covers } from '@platform/testing/covers';
import { verdictOf } from './verdict.ts';

const trace = (policyName: string, deny: boolean, matched: boolean) => ({
  domainId: 'd',
  domainVersion: 1n,
  policyName,
  deny,
  inverted: false,
  matched,
  statements: [],
});

/** A policy that does not match, by the rules of its statements that fail. */
const failing = (policyName: string, ...statements: string[][]) => ({
  ...trace(policyName, false, false),
  statements: statements.map((keys, index) => ({
    index,
    matched: false,
    failedRuleKey: keys[0]!,
    failedRules: keys.length,
    matchedRules: 3 - keys.length,
  })),
});
const verdictOn = (...policies: object[]) =>
  verdictOf({ authorized: false, policies, problems: [] } as unknown as Parameters<typeof verdictOf>[0]);

it('a refusal names the policy that fails by the fewest rules, and how many others are as near', () => {
  covers('AUTHZ-CLI.22');
  const denied = 'denied: no policy allows it';
  const far = failing('owners', ['subject', 'object']);
  const near = failing('editors', ['subject', 'action'], ['user.role']);
  expect(verdictOn(far, near)).toBe(`${denied}; nearest: policy \`editors\`, \`user.role\` does not match`);
  expect(verdictOn(near, far, failing('admins', ['user.role']), failing('bots', ['subject']))).toBe(
    `${denied}; nearest: policy \`editors\`, \`user.role\` does not match (2 others are as near)`,
  );
  expect(verdictOn(far)).toBe(`${denied}; nearest: policy \`owners\`, \`subject\` and 1 more do not match`);
  const single = failing('alice', ['subject']);
  const unmet = { ...single, statements: [{ ...single.statements[0]!, matchedRules: 0 }] };
  expect(verdictOn(unmet, far)).toContain('nearest: policy `owners`');
  const long = { ...single, policyName: 'long', statements: [{ ...single.statements[0]!, matchedRules: 5 }] };
  expect(verdictOn(single, long)).toMatch(/nearest: policy `long`, `subject` does not match$/);
  const deny = { ...near, policyName: 'secrets', deny: true };
  expect(verdictOn(deny, { ...near, inverted: true })).toBe(denied);
  // A service of an earlier version does not count rules.
  const old = {
    ...far,
    statements: [{ index: 0, matched: false, failedRuleKey: 'subject', failedRules: 0, matchedRules: 0 }],
  };
  expect(verdictOn(old)).toBe(denied);
});

it.each([
  [{ authorized: true, decidingPolicy: 'readers' }, 'allowed: policy `readers` allows it'],
  [{ authorized: false, decidingPolicy: 'secrets', denied: true }, 'denied: policy `secrets` denies it'],
  [{ authorized: false, denied: false }, 'denied: no policy allows it'],
  [{ authorized: false, denied: false, policies: [] }, 'denied: the domain has no policies'],
  [{ authorized: false, denied: true }, 'denied: the policies could not be evaluated'],
  [{ authorized: false, denied: true, policies: [] }, 'denied: the policies could not be evaluated'],
])('the sentence on %j names the policy that decided, or why none did', (decision, sentence) => {
  covers('AUTHZ-CLI.25');
  const policies = [trace('readers', false, true), trace('secrets', true, true)];
  expect(verdictOf({ policies, decidingPolicy: undefined, denied: undefined, ...decision })).toBe(sentence);
});
