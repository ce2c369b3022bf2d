import { beforeAll, describe, expect, it } from '@jest/globals';
import { requestContext } from '@platform/authz-client';
import { EvaluationEngine } from '@platform/proto/authz/v1/policy';
import { covers } from '@platform/testing/covers';
import { useFleet } from './fleet.fixture.ts';
import { createTenancy, policy, type Tenancy } from './service.fixture.ts';

/** More reads of the clock than the calls of a test make before they begin to decide. */
const READS_OF_BEGUN_BATCHES = 200;

/** Called whenever the service reads its clock, which it does for every decision. */
let onClockRead = () => {};
const fleet = useFleet('postgres', {
  now: () => {
    onClockRead();
    return new Date();
  },
});
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
    ['many batches', 5],
  ])('a check of another tenant sent during %s is decided before the last item', async (_name, count) => {
    covers('AUTHZ-G.12');
    const { authorization } = fleet.clients;
    let checkId = '';
    const onTrailer = (trailer: { get(key: string): unknown[] }) =>
      (checkId = String(trailer.get('x-check-id')[0]));
    const check = () =>
      authorization.checkAuthorization(contextOf(calm, calm.userId), { token: calm.token, onTrailer });
    // What both tenants' decisions read is in memory after these, so that no decision waits for Postgres.
    await check();
    await authorization.checkAuthorization(contextOf(busy, 'a1x'), { token: busy.token });
    const begun = new Promise<void>((resolve) => {
      let reads = 0;
      onClockRead = () => {
        reads += 1;
        if (reads === READS_OF_BEGUN_BATCHES) resolve();
      };
    });
    const checks = Array.from({ length: 1_000 }, (_, n) => contextOf(busy, `a${n}x`));
    const batches = Promise.all(
      Array.from({ length: count }, () =>
        authorization.batchCheckAuthorization({ checks }, { token: busy.token }),
      ),
    );
    await begun;
    await check();
    const items = (await batches).flatMap(({ results }) => results);
    expect(items.map(({ authorized }) => authorized)).toEqual(items.map(() => true));
    // Ids ascend in the order of the decisions. The order of the responses depends on Postgres, too.
    const decided = [...items.map((item) => item.checkId), checkId].sort();
    expect(decided.indexOf(checkId)).toBeGreaterThan(0);
    expect(decided.indexOf(checkId)).toBeLessThan(decided.length - 1);
  });
});
