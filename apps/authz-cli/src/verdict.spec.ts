import { expect, it } from '@jest/globals';
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
  [true, [trace('readers', false, true)], [], 'allowed: policy `readers` allows it'],
  [
    false,
    [trace('readers', false, true), trace('secrets', true, true)],
    [],
    'denied: policy `secrets` denies it',
  ],
  [false, [trace('readers', false, false)], [], 'denied: no policy allows it'],
  [false, [], [], 'denied: the domain has no policies'],
  [false, [trace('owners', false, false)], ['no owner'], 'denied: the policies could not be evaluated'],
])(
  'the sentence on a decision (authorized %p) names the policy behind it: %#',
  (authorized, policies, problems, sentence) => {
    expect(verdictOf({ authorized, policies, problems } as Parameters<typeof verdictOf>[0])).toBe(sentence);
  },
);
