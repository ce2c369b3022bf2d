import { beforeAll, describe, expect, it } from '@jest/globals';
import { requestContext } from '@platform/authz-client';
import { EvaluationEngine } from '@platform/proto/authz/v1/policy';
import { covers } from '@platform/testing/covers';
import { useFleet } from './fleet.fixture.ts';
import { createTenancy, policy, type Tenancy } from './service.fixture.ts';

const fleet = useFleet('postgres');
const DOMAINS = 4;
let busy: Tenancy;
let calm: Tenancy;
/** Domains of the busy tenant, whose regexes do not all fit into the memory for them. */
let heavy: string[];

const write = ({ tenantId, token }: Tenancy, domainId: string, patterns: readonly string[]) =>
  fleet.clients.domains.putDomainPolicies(
    {
      tenantId,
      domainId,
      policies: patterns.map((name, n) => policy(`p${n}`, { name }, { engine: EvaluationEngine.REGEX })),
      allowLockout: true,
    },
    { token },
  );

beforeAll(async () => {
  busy = await createTenancy(fleet.clients);
  calm = await createTenancy(fleet.clients);
  heavy = [];
  for (let n = 0; n < DOMAINS; n += 1) {
    const domain = await fleet.clients.domains.createDomain(
      { tenantId: busy.tenantId, name: `heavy ${n}`, superiorDomainIds: [], detached: true },
      { token: busy.token },
    );
    heavy.push(domain.id);
    await write(
      busy,
      domain.id,
      Array.from({ length: 5 }, (_, i) => `^[ab]{1,${9_990 - 5 * n - i}}$`),
    );
  }
  await write(calm, calm.rootDomainId, ['^calm-\\d+$', '^[^/]+-ö$']);
});

/** A check of the key `name`; resolves to the decision and the id of its row. */
async function check({ token, userId }: Tenancy, domainId: string, name: string) {
  let id = '';
  const { authorized } = await fleet.clients.authorization.checkAuthorization(
    {
      context: requestContext({ subject: userId, action: 'read', object: `svc://${domainId}/x`, name }),
    },
    {
      token,
      onTrailer: (trailer: { get(key: string): unknown[] }) => (id = String(trailer.get('x-check-id')[0])),
    },
  );
  return { authorized, id };
}

describe('checks of a tenant whose regexes are compiled again and again', () => {
  it.each([
    ['without regexes that match', 'x', false],
    ['by a regex', 'calm-7', true],
    ['by a regex, of letters beyond ASCII', 'жук-ö', true],
  ])('a check of another tenant %s is decided before most of them', async (_name, name, allowed) => {
    covers('AUTHZ-D.23');
    // What the decisions read is in memory after these.
    for (const domainId of heavy) await check(busy, domainId, 'a');
    await check(calm, calm.rootDomainId, name);
    const checks = Array.from({ length: 24 }, (_, n) => check(busy, heavy[n % DOMAINS]!, 'aab'));
    const other = await check(calm, calm.rootDomainId, name);
    const all = await Promise.all(checks);
    expect(all.map(({ authorized }) => authorized)).toEqual(all.map(() => true));
    expect(other.authorized).toBe(allowed);
    // Ids ascend in the order of the decisions.
    const decided = [...all, other].map(({ id }) => id).sort();
    expect(decided.indexOf(other.id)).toBeLessThan(12);
  });
});
