import { randomUUID } from 'node:crypto';
import { beforeAll, describe, expect, it } from '@jest/globals';
import { verifyListedChain } from '@platform/authz-client';
import { covers } from '@platform/testing/covers';
import { createAuditStore } from '../src/store/sql-audit-store.ts';
import { useFleet } from './fleet.fixture.ts';
import { createTenancy, type Fleet, type Tenancy } from './service.fixture.ts';

const DAY_MS = 86_400_000;
const RETENTION_DAYS = 2;

/** A chain as two replicas leave it that write across midnight, each with what waited with it. */
describe('audit verify after retention', () => {
  const fleet = useFleet('postgres');
  let tenancy: Tenancy;
  const midnight = Math.ceil(Date.now() / DAY_MS) * DAY_MS;
  const deps = () => (fleet.replicas[0] as Fleet['replicas'][number]).service.deps;
  const verify = () => verifyListedChain(fleet.clients, { token: tenancy.token }, tenancy.tenantId);
  beforeAll(async () => {
    tenancy = await createTenancy(fleet.clients);
    const store = createAuditStore(deps().database);
    for (const time of [midnight - 2, midnight + 1, midnight - 1, midnight + 2]) {
      await store.append([
        {
          id: randomUUID(),
          time,
          tenantId: tenancy.tenantId,
          domainId: tenancy.rootDomainId,
          subject: 'a',
          action: 'b',
          object: `svc://${tenancy.rootDomainId}/x`,
          decision: true,
          matchedPolicy: '',
          callerId: tenancy.userId,
          latencyMicros: 1,
          policyVersion: 1,
          outcome: '',
          operation: '',
          detail: '',
        },
      ]);
    }
  });

  it('audit verify holds after retention, in whatever order the days ended', async () => {
    covers('AUTHZ-U.5');
    // Those of the tenant's creation and of the session are of today.
    expect(await verify()).toEqual({ rows: 6, broken: null });
    const now = midnight + RETENTION_DAYS * DAY_MS - 1;
    await deps().auditPartitions.maintain({ now, retentionDays: RETENTION_DAYS });
    expect(await verify()).toEqual({ rows: 6, broken: null });
    await deps().auditPartitions.maintain({ now: now + 1, retentionDays: RETENTION_DAYS });
    expect(await verify()).toEqual({ rows: 1, broken: null });
  });

  it('audit verify finds that the oldest row is missing when retention did not remove it', async () => {
    covers('AUTHZ-U.5');
    const { tenantId } = tenancy;
    const { rows } = await deps().database.query<{ sequence: number }>(
      'SELECT max(sequence) AS sequence FROM audit_events WHERE tenant_id = $1',
      [tenantId],
    );
    const first = Number(rows[0]?.sequence);
    const context = new Map(
      Object.entries({ subject: 'a', action: 'b', object: `svc://${tenancy.rootDomainId}/x` }).map(
        ([key, value]) => [key, { value: { $case: 'single' as const, value } }],
      ),
    );
    await fleet.clients.authorization.checkAuthorization({ context }, { token: tenancy.token });
    expect(await verify()).toEqual({ rows: 2, broken: null });
    await deps().database.query('DELETE FROM audit_events WHERE tenant_id = $1 AND sequence = $2', [
      tenantId,
      first,
    ]);
    expect(await verify()).toEqual({ rows: 1, broken: first + 1 });
  });
});
