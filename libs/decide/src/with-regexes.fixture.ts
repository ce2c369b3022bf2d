import * as plain from './compile.ts';
import { regexEngine } from './regex/domain-regexes.ts';
import { RegexMemory } from './regex/regex.ts';
import type { CompiledPolicySet, DomainPolicies } from './types.ts';

/** The evaluator with regexes loaded, as authz-grpc has it. */
const WITH_REGEXES = { regexes: regexEngine(new RegexMemory(96 * 1_024 * 1_024)) };

export const { combineDomains } = plain;

export function compileDomain(domain: DomainPolicies): plain.CompiledDomain {
  return plain.compileDomain(domain, WITH_REGEXES);
}

export function compilePolicySet(domains: readonly DomainPolicies[]): CompiledPolicySet {
  return plain.compilePolicySet(domains, WITH_REGEXES);
}
