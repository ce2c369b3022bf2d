import { expect, it } from '@jest/globals';
import fc from 'fast-check';
import { covers } from '@platform/testing/covers';
import { SEED } from '@platform/testing/seed';
import { soak } from '@platform/testing/soak';
import { withAttributes } from '../authorization/policy-scope.ts';
import type { SubjectState } from '../model/entities.ts';
import { readCaseContext } from '../operations/policies.ts';
import { readCheckContext } from './check-context.ts';
import { compilePolicySet } from './compile.ts';
import { policyDomains, searchContexts } from './policies.fixture.ts';
import { testPolicies } from './test-policies.ts';
import type { DomainPolicies, RequestContext } from './types.ts';

fc.configureGlobal({ seed: SEED });

const TENANT = '11111111-1111-4111-8111-111111111111';
const DOMAIN = '22222222-2222-4222-8222-222222222222';
/** The policies and contexts of the fixture are of the domain `d`, which no object of a check can name. */
const inDomain = (text: string) => text.replaceAll('svc://d', `svc://${DOMAIN}`);

const stored = fc.dictionary(
  fc.constantFrom('team', 'floor', '__proto__'),
  fc.uniqueArray(fc.constantFrom('red', 'blue', 'alice', 'BOB', 'xbob', ''), { minLength: 1, maxLength: 3 }),
  { noNullPrototype: true },
);

const accountWith = (attributes: ReadonlyMap<string, readonly string[]>): SubjectState => ({
  id: 'alice',
  kind: 'user',
  username: 'alice',
  active: true,
  isRoot: false,
  tenantIds: new Set([TENANT]),
  leases: new Map(),
  keysLease: null,
  userPlane: null,
  attributes: new Map([[TENANT, attributes]]),
});

/** What a request says: neither attributes of accounts nor another domain. */
const saidOf = (context: RequestContext): RequestContext =>
  new Map(
    [...context]
      .filter(([key]) => !key.startsWith('user.'))
      .map(([key, value]) => [key, typeof value === 'string' ? inDomain(value) : value]),
  );

it('a case that brings the stored attributes of an account decides as a check of that account', () => {
  covers('AUTHZ-A.23');
  const seen = { pairs: 0, told: 0, allowed: 0 };
  fc.assert(
    fc.property(
      policyDomains,
      searchContexts,
      fc.array(stored, { minLength: 4 }),
      (domains, contexts, accounts) => {
        const policies = (JSON.parse(inDomain(JSON.stringify(domains))) as DomainPolicies[])
          .flatMap((domain) => domain.policies)
          .map((policy, index) => ({ ...policy, name: `p${index}` }));
        const set = compilePolicySet([{ domainId: '', version: 0, policies }]);
        try {
          for (const [index, context] of contexts.entries()) {
            const said = saidOf(context);
            const attributes = new Map(Object.entries(accounts[index % accounts.length] ?? {}));
            const { values } = readCheckContext(said);
            const expected = set.evaluate(withAttributes(values, accountWith(attributes), TENANT));
            const brought = new Map(said);
            // A case says one value as a text or as a list of it.
            for (const [key, list] of attributes) {
              const [only] = list;
              brought.set(`user.${key}`, list.length === 1 && index % 2 === 0 ? (only as string) : list);
            }
            const cases = [{ context: readCaseContext(brought), expected: true }];
            const decision = testPolicies(policies, cases)[0]?.decision;
            expect([attributes, decision]).toEqual([attributes, expected]);
            seen.pairs += 1;
            if (expected.allowed) seen.allowed += 1;
            if (set.evaluate(said).allowed !== expected.allowed) seen.told += 1;
          }
        } finally {
          set.free();
        }
      },
    ),
    { numRuns: soak(400, 100), endOnFailure: true },
  );
  expect(seen.allowed).toBeGreaterThan(seen.pairs / 50);
  // Attributes that change no decision would pass as well.
  expect(seen.told).toBeGreaterThan(0);
});
