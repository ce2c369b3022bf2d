import { readdirSync, readFileSync } from 'node:fs';
import { afterAll, beforeAll, expect, it } from '@jest/globals';
import type { AuthzClients } from '@platform/authz-client';
import { Domain } from '@platform/proto/authz/v1/domain';
import { Tenant } from '@platform/proto/authz/v1/tenant';
import { covers } from '@platform/testing/covers';
import { refusalOf } from './clients.fixture.ts';
import { createTenancy, startFleet, type Fleet, type Tenancy } from './service.fixture.ts';

interface Scene extends Tenancy {
  readonly domainId: string;
  readonly serviceAccountId: string;
}

const FORCED = { allowLockout: true };

/** Every update that can deactivate something, with `more` beside the deactivation. */
const UPDATES: Record<
  string,
  readonly [
    update: (c: AuthzClients, scene: Scene, more: object) => Promise<unknown>,
    more: Readonly<Record<string, unknown>>,
  ]
> = {
  UpdateUser: [
    (c, { userId: id, token }, more) =>
      c.users.updateUser({ id, active: false, ...FORCED, ...more }, { token }),
    { username: 'renamed', email: 'renamed@example.org' },
  ],
  UpdateTenant: [
    (c, { tenantId: id, token }, more) => {
      const tenant = Tenant.fromPartial({ id, active: false, ...more });
      return c.tenants.updateTenant({ id, tenant, ...FORCED }, { token });
    },
    { name: 'renamed', description: 'renamed' },
  ],
  UpdateDomain: [
    (c, { tenantId, domainId: id, token }, more) =>
      c.domains.updateDomain(
        { tenantId, domain: Domain.fromPartial({ id, active: false, ...more }) },
        { token },
      ),
    { name: 'renamed', detached: true, superiors: { ids: [] } },
  ],
  UpdateServiceAccount: [
    (c, { serviceAccountId: id, token }, more) =>
      c.serviceAccounts.updateServiceAccount({ id, active: false, ...FORCED, ...more }, { token }),
    { description: 'renamed' },
  ],
};

let fleet: Fleet;
beforeAll(async () => {
  const env = {
    AUTHZ_QUOTA_CONTROL_PLANE: '10',
    AUTHZ_QUOTA_USER_PLANE: '15',
    AUTHZ_QUOTA_OVERAGE_PERCENT: '0',
  };
  fleet = await startFleet('postgres', { env });
});
afterAll(() => fleet?.stop());

/** A tenancy whose quota is used up. */
async function openScene(): Promise<Scene> {
  const { clients: c } = fleet;
  const tenancy = await createTenancy(c);
  const { tenantId, token } = tenancy;
  const domain = await c.domains.createDomain(
    { tenantId, name: 'closing', superiorDomainIds: [] },
    { token },
  );
  const account = { name: 'ci', description: '', tenantId };
  const { serviceAccountId } = await c.serviceAccounts.createServiceAccount(account, { token });
  let isUsedUp = false;
  while (!isUsedUp) {
    await c.tenants.getTenant({ id: tenantId }, { token }).catch(() => (isUsedUp = true));
  }
  return { ...tenancy, domainId: domain.id, serviceAccountId };
}

it('every update of the contract that can deactivate something is tried', () => {
  const folder = new URL('../../../proto/authz/v1/', import.meta.url);
  const text = readdirSync(folder)
    .map((name) => readFileSync(new URL(name, folder), 'utf8'))
    .join('\n');
  const bodies = new Map(
    [...text.matchAll(/^message (\w+) \{\n([\s\S]*?)^\}/gm)].map(([, name = '', body = '']) => [name, body]),
  );
  const hasActive = (body: string): boolean =>
    / active = \d/.test(body) ||
    [...body.matchAll(/^ {2}(?:optional )?([A-Z]\w+) \w+ = \d/gm)].some(([, type = '']) =>
      hasActive(bodies.get(type) ?? ''),
    );
  const updates = [...bodies].filter(([name, body]) => /^Update\w+Request$/.test(name) && hasActive(body));
  expect(updates.map(([name]) => name.replace(/Request$/, '')).sort()).toEqual(Object.keys(UPDATES).sort());
});

it.each(Object.entries(UPDATES))(
  '%s that only deactivates is free, and with anything besides it takes quota',
  async (_operation, [update, more]) => {
    covers('AUTHZ-K.9');
    const { clients } = fleet;
    const scene = await openScene();
    for (const [field, value] of Object.entries(more)) {
      const refused = await refusalOf(update(clients, scene, { [field]: value }));
      expect([field, refused.reason]).toEqual([field, 'QUOTA_EXHAUSTED']);
    }
    await update(clients, scene, {});
  },
);
