import type { ExplainAuthorizationResponse } from '@platform/proto/authz/v1/authorization';
import { visible } from './output.ts';

/**
 * The decision in a sentence that names the policy behind it: the first deny that matches, else the first
 * allow.
 */
export function verdictOf({ authorized, policies, problems }: ExplainAuthorizationResponse): string {
  const matched = policies.filter((policy) => policy.matched);
  const decisive = matched.find(({ deny }) => deny) ?? matched[0];
  if (authorized && decisive) return `allowed: policy \`${visible(decisive.policyName)}\` allows it`;
  if (decisive?.deny) return `denied: policy \`${visible(decisive.policyName)}\` denies it`;
  if (problems.length > 0) return 'denied: the policies could not be evaluated';
  return policies.length === 0 ? 'denied: the domain has no policies' : 'denied: no policy allows it';
}
