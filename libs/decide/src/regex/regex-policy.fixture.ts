import { openRegexCrate, type Regex } from './regex-crate.ts';
import { StandIns } from './regex-members.ts';
import { writeForm, type RegexTail } from './regex-shape.ts';
import { compilePolicySet } from '../with-regexes.fixture.ts';
import { compilePolicySet as compileWith } from '../compile.ts';
import { regexEngine } from './domain-regexes.ts';
import type { RegexMemory } from './regex.ts';
import type { CompiledPolicySet, Decision, Policy } from '../types.ts';

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

/** Policies that allow values of the key `value`, one of each pattern, named by their places. */
export function compilePatterns(patterns: readonly string[], memory: RegexMemory): CompiledPolicySet {
  const policies = patterns.map((pattern, place) => regexPolicy(pattern, `p${place}`));
  const domain = { domainId: 'd', version: 1, policies };
  return compileWith([domain], { regexes: regexEngine(memory) });
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

/** The pattern as written and in its form, each with the value that it runs on. */
export function runsOf({ pattern, form }: RegexTail, value: string): readonly (readonly [string, string])[] {
  if (form === null) return [[pattern, value]];
  const standIns = new StandIns([form], () => crate);
  const { text } = standIns.replace(value, new Map());
  return [
    [pattern, value],
    [writeForm(form, standIns.membersOf()), text],
  ];
}
