import type { ExplainAuthorizationResponse } from '@platform/proto/authz/v1/authorization';
import { visible } from './output.ts';

/** A policy that matches need not decide, as where another one cannot be evaluated. */
type Explained = Pick<
  ExplainAuthorizationResponse,
  'authorized' | 'decidingPolicy' | 'decidingDomainId' | 'denied' | 'policies'
>;

/**
 * The decision in a sentence that names the policy behind it, as the service decided it; of a refusal without
 * one, the policy that was nearest to allowing it. A policy is named with its domain where that is one of
 * `domains`, names by id.
 */
export function verdictOf(
  { authorized, decidingPolicy, decidingDomainId = '', denied, policies }: Explained,
  domains: ReadonlyMap<string, string> = new Map(),
): string {
  if (decidingPolicy !== undefined) {
    const policy = `policy \`${visible(decidingPolicy)}\`${ofDomain(decidingDomainId, domains)}`;
    return authorized ? `allowed: ${policy} allows it` : `denied: ${policy} denies it`;
  }
  if (denied === true) return 'denied: the policies could not be evaluated';
  if (policies.length === 0) return 'denied: the domain has no policies';
  return `denied: no policy allows it${nearest(policies, domains)}`;
}

/** What stands behind the name of a policy of the domain; empty for a domain that is none of `domains`. */
export function ofDomain(domainId: string, domains: ReadonlyMap<string, string>): string {
  const name = domains.get(domainId);
  return name === undefined ? '' : ` of domain \`${visible(name)}\``;
}

/**
 * Of the allow policies that match by a rule, the one that fails by the fewest rules of a statement, then the
 * one that matches by the most; empty where there is none.
 */
function nearest(
  policies: ExplainAuthorizationResponse['policies'],
  domains: ReadonlyMap<string, string>,
): string {
  const failures = policies.flatMap(({ policyName, domainId, deny, inverted, statements }) => {
    if (deny || inverted) return [];
    const policy = `policy \`${visible(policyName)}\`${ofDomain(domainId, domains)}`;
    return statements.filter(({ matchedRules }) => matchedRules > 0).map((one) => ({ policy, ...one }));
  });
  failures.sort((a, b) => a.failedRules - b.failedRules || b.matchedRules - a.matchedRules);
  const [first, ...others] = failures;
  if (first === undefined) return '';
  const more = first.failedRules - 1;
  const fails = more === 0 ? 'does not match' : `and ${more} more do not match`;
  const equal = others.filter(
    ({ failedRules, matchedRules }) =>
      failedRules === first.failedRules && matchedRules === first.matchedRules,
  );
  const ties = new Set(equal.map(({ policy }) => policy).filter((policy) => policy !== first.policy)).size;
  const tied = ties === 0 ? '' : ` (${ties === 1 ? '1 other is' : `${ties} others are`} as near)`;
  return `; nearest: ${first.policy}, \`${visible(first.failedRuleKey)}\` ${fails}${tied}`;
}
