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
