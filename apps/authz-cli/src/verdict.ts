import type { ExplainAuthorizationResponse } from '@platform/proto/authz/v1/authorization';
import { visible } from './output.ts';

/** A policy that matches need not decide, as where another one cannot be evaluated. */
type Explained = Pick<ExplainAuthorizationResponse, 'authorized' | 'decidingPolicy' | 'denied' | 'policies'>;

/** The decision in a sentence that names the policy behind it, as the service decided it. */
export function verdictOf({ authorized, decidingPolicy, denied, policies }: Explained): string {
  if (decidingPolicy !== undefined) {
    const policy = `policy \`${visible(decidingPolicy)}\``;
    return authorized ? `allowed: ${policy} allows it` : `denied: ${policy} denies it`;
  }
  if (denied === true) return 'denied: the policies could not be evaluated';
  return policies.length === 0 ? 'denied: the domain has no policies' : 'denied: no policy allows it';
}
