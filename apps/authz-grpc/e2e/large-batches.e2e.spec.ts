import { beforeAll, describe, expect, it } from '@jest/globals';
import { requestContext } from '@platform/authz-client';
import { EvaluationEngine } from '@platform/proto/authz/v1/policy';
import { covers } from '@platform/testing/covers';
import { useFleet } from './fleet.fixture.ts';
import { createTenancy, policy, type Tenancy } from './service.fixture.ts';

const fleet = useFleet('postgres');
let busy: Tenancy;
let calm: Tenancy;
beforeAll(async () => {
  busy = await createTenancy(fleet.clients);
  calm = await createTenancy(fleet.clients);
  const policies = Array.from({ length: 1_500 }, (_, n) =>
    policy(`p${n}`, { subject: `^(a|b)${n}[a-z]{1,40}$` }, { engine: EvaluationEngine.REGEX }),
  );
  await fleet.clients.domains.putDomainPolicies(
    { tenantId: busy.tenantId, domainId: busy.rootDomainId, policies, allowLockout: true },
    { token: busy.token },
  );
});

const contextOf = ({ rootDomainId }: Tenancy, subject: string) => ({
  context: requestContext({ subject, action: 'read', object: `svc://${rootDomainId}/reports/1` }),
});

describe('batches of a tenant with many patterns', () => {
  it.each<[string, number]>([
    ['one batch', 1],
    ['many batches at once', 12],
  ])('a check of another tenant that begins after %s is not answered last', async (_name, count) => {
    covers('AUTHZ-G.12');
    const { authorization } = fleet.clients;
    const checks = Array.from({ length: 300 }, (_, n) => contextOf(busy, `a${n}x`));
    const answered: string[] = [];
    const batches = Array.from({ length: count }, async () => {
      const { results } = await authorization.batchCheckAuthorization({ checks }, { token: busy.token });
      answered.push('batch');
      return results;
    });
    // What the batches read is in memory, and they have begun to decide, once this is answered.
    await authorization.checkAuthorization(contextOf(busy, 'a1x'), { token: busy.token });
    await authorization.checkAuthorization(contextOf(calm, calm.userId), { token: calm.token });
    answered.push('check');
    for (const results of await Promise.all(batches))
      expect(results.map(({ authorized }) => authorized)).toEqual(checks.map(() => true));
    // Behind all that was there before it, the check would be the last.
    expect(answered.at(-1)).toBe('batch');
  });
});
