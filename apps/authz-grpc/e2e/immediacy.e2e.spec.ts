import { beforeAll, describe, expect, it } from '@jest/globals';
import { requestContext, GrpcCallError, type AuthzClients } from '@platform/authz-client';
import { covers } from '@platform/testing/covers';
import { soak } from '@platform/testing/soak';
import { useFleet } from './fleet.fixture.ts';
import {
  createTenancy,
  createUserAndLogin,
  policy,
  rootToken,
  USER_PASSWORD,
  type Replica,
  type Tenancy,
} from './service.fixture.ts';

/**
 * Writes and checks of each kind; every check that begins after its write returned must decide by the new
 * state.
 */
const WRITES = soak(250);
const CHECKS_EACH = 4;

/** Two replicas over one Postgres and one Redis. */
describe('immediately means immediately', () => {
  const fleet = useFleet('postgres and redis', { replicas: 2 });
  let one: AuthzClients;
  let other: AuthzClients;
  let tenancy: Tenancy;
  let root: string;
  beforeAll(async () => {
    [one, other] = fleet.replicas.map(({ clients }: Replica) => clients) as [AuthzClients, AuthzClients];
    tenancy = await createTenancy(one);
    root = await rootToken(one);
  });

  const target = () =>
    requestContext({ subject: 'alice', action: 'read', object: `svc://${tenancy.rootDomainId}/x` });

  /** 'allowed', 'denied' or the reason of the refusal. */
  async function ask(clients: AuthzClients, token: string): Promise<string> {
    try {
      const { authorized } = await clients.authorization.checkAuthorization({ context: target() }, { token });
      return authorized ? 'allowed' : 'denied';
    } catch (error) {
      if (error instanceof GrpcCallError) return error.reason;
      throw error;
    }
  }

  async function askAll(token: string): Promise<Set<string>> {
    const asks = Array.from({ length: CHECKS_EACH }, (_, i) => ask(i % 2 === 0 ? other : one, token));
    return new Set(await Promise.all(asks));
  }

  it(`${WRITES} PutDomainPolicies take effect immediately while other callers keep checking`, async () => {
    covers('AUTHZ-G.3', 'AUTHZ-P.PutDomainPolicies');
    const { tenantId, token, userId, rootDomainId: domainId } = tenancy;
    const keep = policy('starter', { subject: userId });
    const grant = policy('grant', { subject: 'alice' });
    let isWriting = true;
    // Checks that overlap the writes keep both replicas' caches warm with the state of the moment.
    const noise = Promise.all(
      [one, other].map(async (clients) => {
        let asked = 0;
        while (isWriting) {
          await ask(clients, token);
          asked += 1;
        }
        return asked;
      }),
    );
    const wrong: string[] = [];
    for (let i = 0; i < WRITES; i += 1) {
      const isGranted = i % 2 === 0;
      const policies = isGranted ? [keep, grant] : [keep];
      const writer = i % 3 === 0 ? other : one;
      await writer.domains.putDomainPolicies({ tenantId, domainId, policies }, { token });
      for (const response of await askAll(token)) {
        if (response !== (isGranted ? 'allowed' : 'denied')) wrong.push(`${i}: ${response}`);
      }
    }
    isWriting = false;
    expect((await noise).every((asked) => asked > 0)).toBe(true);
    expect(wrong).toEqual([]);
  });

  it(`${WRITES} DeleteApiKey take effect immediately`, async () => {
    covers('AUTHZ-G.3', 'AUTHZ-P.DeleteApiKey');
    const { token, userId } = tenancy;
    const wrong: string[] = [];
    for (let i = 0; i < WRITES; i += 1) {
      const { apiKey, keyId } = await one.apiKeys.createApiKey({ userId }, { token });
      for (const response of await askAll(apiKey))
        if (response === 'TOKEN_INVALID') wrong.push(`${i} before`);
      await (i % 2 === 0 ? one : other).apiKeys.deleteApiKey({ userId, keyId }, { token });
      for (const response of await askAll(apiKey))
        if (response !== 'TOKEN_INVALID') wrong.push(`${i}: ${response}`);
    }
    expect(wrong).toEqual([]);
  });

  it(`UpdateUser that deactivates and reactivates a user takes effect immediately, ${WRITES} times`, async () => {
    covers('AUTHZ-G.3', 'AUTHZ-P.UpdateUser');
    const user = await createTenancy(one);
    const object = `svc://${user.rootDomainId}/x`;
    const context = requestContext({ subject: user.userId, action: 'read', object });
    let { token } = user;
    const wrong: string[] = [];
    for (let i = 0; i < WRITES; i += 1) {
      const active = i % 2 === 1;
      await (i % 3 === 0 ? other : one).users.updateUser({ id: user.userId, active }, { token: root });
      // What deactivation ended stays ended; the user logs in again.
      if (active) {
        const { username, tenantName: tenant } = user;
        ({ token } = await one.sessions.login({ username, password: USER_PASSWORD, tenant }));
      }
      const responses = await Promise.all(
        [one, other, one, other].map((clients) =>
          clients.authorization.checkAuthorization({ context }, { token }).then(
            ({ authorized }) => (authorized ? 'allowed' : 'denied'),
            (error: unknown) => (error as GrpcCallError).reason,
          ),
        ),
      );
      for (const response of responses)
        if (response !== (active ? 'allowed' : 'TOKEN_INVALID')) wrong.push(`${i}: ${response}`);
    }
    expect(wrong).toEqual([]);
  });

  it('Logout takes effect immediately', async () => {
    covers('AUTHZ-G.3', 'AUTHZ-S.3');
    const wrong: string[] = [];
    for (let i = 0; i < soak(25, 5); i += 1) {
      const { userId, plainToken: token } = await createUserAndLogin(i % 2 === 0 ? one : other);
      await (i % 2 === 0 ? other : one).users.getUser({ id: userId }, { token });
      await (i % 2 === 0 ? one : other).sessions.logout({ userId }, { token });
      for (const clients of [one, other]) {
        if ((await clients.sessions.isLoggedIn({}, { token })).isLoggedIn) wrong.push(String(i));
      }
    }
    expect(wrong).toEqual([]);
  });

  it('a quota is exact over both replicas', async () => {
    covers('AUTHZ-Q.1');
    const limited = await createTenancy(one);
    const tenant = await one.tenants.getTenant({ id: limited.tenantId }, { token: root });
    const dataPlane = { maxTokens: 500n, tokens: 0n, maxOverage: 50n, overage: 0n };
    await one.tenants.updateTenant({ id: '', tenant: { ...tenant, dataPlane } }, { token: root });
    const context = requestContext({ subject: 'a', action: 'b', object: `svc://${limited.rootDomainId}/x` });
    let granted = 0;
    let refused = 0;
    await Promise.all(
      Array.from({ length: 32 }, async (_, worker) => {
        for (let i = 0; i < 25; i += 1) {
          await (worker % 2 === 0 ? one : other).authorization
            .checkAuthorization({ context }, { token: limited.token })
            .then(
              () => (granted += 1),
              (error: unknown) => {
                if ((error as GrpcCallError).reason !== 'QUOTA_EXHAUSTED') throw error;
                refused += 1;
              },
            );
        }
      }),
    );
    expect([granted, refused]).toEqual([550, 250]);
  });

  it('an audit chain has no fork although both replicas write it', async () => {
    covers('AUTHZ-U.5');
    const { verifyAllChains } = await import('../src/audit/verify-chain.ts');
    const { auditRows } = (fleet.replicas[0] as Replica).service.deps;
    let rows = 0;
    for await (const report of verifyAllChains(auditRows)) {
      expect(report.broken).toBeNull();
      rows += report.rows;
    }
    expect(rows).toBeGreaterThan(WRITES);
  });
});
