import { openRegexCrate, type Regex } from './regex-crate.ts';
import { compilePolicySet } from '../with-regexes.fixture.ts';
import type { Decision, Policy } from '../types.ts';

/** A policy that allows values of the key `value` that match the pattern. */
function regexPolicy(pattern: string, name = 'p'): Policy {
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

let crate = openRegexCrate();

/** In a crate of ordinary size: the larger it has grown, the slower it is. */
export function compile(regex: string): Regex {
  if (crate.bytes > 32_000_000) crate = openRegexCrate();
  return new crate.RRegex(regex);
}

export function tryCompile(regex: string): Regex | null {
  try {
    return compile(regex);
  } catch {
    return null;
  }
}

export function isAscii(text: string): boolean {
  return Buffer.byteLength(text) === text.length;
}
