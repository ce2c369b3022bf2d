import { describe, expect, it } from '@jest/globals';
import { Domain, GetDomainPoliciesResponse } from '@platform/proto/authz/v1/domain';
import { GetPolicyVersionResponse, GetShadowPoliciesResponse } from '@platform/proto/authz/v1/policy_set';
import { covers } from '@platform/testing/covers';
import { SEED } from '@platform/testing/seed';
import fc from 'fast-check';
import type { Policy } from '../policy/types.ts';
import { toEnd } from '../policy/to-end.ts';
import { messageOf, writeResponse } from './policy-messages.ts';
import { readingPolicySets } from './policy-set-services.ts';
import { readingDomains } from './tenant-services.ts';

fc.configureGlobal({ seed: SEED });

const text = fc.string({ unit: 'grapheme', maxLength: 40 });
const policy: fc.Arbitrary<Policy> = fc.record({
  name: text,
  description: text,
  invert: fc.boolean(),
  deny: fc.boolean(),
  engine: fc.constantFrom('fixed' as const, 'prefix' as const, 'glob' as const, 'regex' as const),
  statements: fc.array(fc.record({ rules: fc.dictionary(fc.stringMatching(/^[a-z.]{1,9}$/), text) })),
});
const TYPES = [Domain, GetDomainPoliciesResponse, GetPolicyVersionResponse, GetShadowPoliciesResponse];

describe('a response with a set of policies', () => {
  it('the bytes that are written a policy at a time are those of the generated code', () => {
    covers('AUTHZ-V.28');
    fc.assert(
      fc.property(fc.array(policy), (policies) => {
        for (const type of TYPES as (typeof GetDomainPoliciesResponse)[]) {
          const response = type.fromPartial({ version: type === (Domain as unknown) ? 7n : undefined });
          const steps = Array.from(writeResponse(type, response, policies));
          expect(steps).toHaveLength(policies.length);
          const written = toEnd(writeResponse(type, response, policies));
          expect(type.decode(written)).toEqual({ ...response, policies: policies.map(messageOf) });
        }
      }),
    );
  });

  it('every method that reads a set has a handler that writes its response', () => {
    covers('AUTHZ-V.28');
    const written = Buffer.from('written');
    const methods = Object.entries({ ...readingDomains, ...readingPolicySets });
    const names = methods.filter(([, { responseSerialize }]) => {
      try {
        return (responseSerialize as (response: unknown) => Buffer)(written) === written;
      } catch {
        return false;
      }
    });
    expect(names.map(([name]) => name).sort()).toEqual([
      'getDomain',
      'getDomainByName',
      'getDomainPolicies',
      'getPolicyVersion',
      'getShadowPolicies',
    ]);
  });
});
