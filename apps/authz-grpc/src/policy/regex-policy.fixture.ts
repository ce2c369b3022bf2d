import { compilePolicySet } from './compile.ts';
import type { Decision, Policy } from './types.ts';

/** A policy that allows values of the key `value` that match the pattern. */
export function regexPolicy(pattern: string, name = 'p'): Policy {
  return {
    name,
    description: '',
    invert: false,
    deny: false,
    engine: 'regex',
    statements: [{ rules: { value: pattern } }],
  };
}

/** The decision of such a policy on a value. */
export function check(pattern: string, value: string): Decision {
  const set = compilePolicySet([{ domainId: 'd', version: 1, policies: [regexPolicy(pattern)] }]);
  try {
    return set.evaluate(new Map([['value', value]]));
  } finally {
    set.free();
  }
}
