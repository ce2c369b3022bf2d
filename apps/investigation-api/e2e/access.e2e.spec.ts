import { afterAll, afterEach, beforeAll, describe, expect, it } from '@jest/globals';
import type { Postgres } from '@platform/testing';
import { freePort, migratedDatabase, ROOT_PASSWORD, startPostgres } from '@platform/testing';
import { covers } from '@platform/testing/covers';
import { eventually } from '@platform/testing/eventually';
import type { Authz, Tenant } from './authz.fixture.ts';
import { createTenant, startAuthz } from './authz.fixture.ts';
import type { BuiltService } from './built-service.fixture.ts';
import { startBuilt } from './built-service.fixture.ts';

let postgres: Postgres;
let sessionsUrl: string;
beforeAll(async () => {
  postgres = await startPostgres();
  sessionsUrl = await migratedDatabase(postgres, 'investigation-api');
});
afterAll(() => postgres.stop());

const list = (service: BuiltService, token: string) =>
  fetch(`${service.url}/api/v1/sessions`, { headers: { authorization: `Bearer ${token}` } });
const startWith = (target: string) =>
  startBuilt({
    DATABASE_URL: sessionsUrl,
    INVESTIGATION_AUTHZ_URL: `dns:///${target}`,
    INVESTIGATION_JWT_PUBLIC_KEY: '',
  });

describe('credentials', () => {
  let authz: Authz;
  let tenant: Tenant;
  let service: BuiltService;
  beforeAll(async () => {
    authz = await startAuthz(await postgres.createDatabase(), {
      env: { AUTHZ_QUOTA_USER_PLANE: '40', AUTHZ_QUOTA_OVERAGE_PERCENT: '0' },
    });
    service = await startWith(authz.target);
    tenant = await createTenant(authz);
  });
  afterAll(async () => {
    await service?.stop();
    await authz?.kill();
  });

  it('tokens and API keys are accepted, and refused in the same words once revoked', async () => {
    covers('INV-E.401');
    const { owner } = await createTenant(authz);
    const byKey = () => fetch(`${service.url}/api/v1/sessions`, { headers: { 'x-api-key': owner.apiKey } });
    expect([(await list(service, owner.token)).status, (await byKey()).status]).toEqual([200, 200]);
    await authz.clients.sessions.logout({ userId: owner.userId }, { token: owner.token });
    const revoked = await list(service, owner.token);
    const forged = await list(service, `${owner.token.slice(0, -4)}AAAA`);
    expect([revoked.status, await revoked.text()]).toEqual([forged.status, await forged.text()]);
    expect(revoked.status).toBe(401);
    expect((await byKey()).status).toBe(200);
  });

  it('credentials without a tenant get 403 on sessions', async () => {
    const { token } = await authz.clients.sessions.login({
      username: 'root',
      password: ROOT_PASSWORD,
    });
    const response = await list(service, token);
    expect([response.status, await response.json()]).toEqual([
      403,
      { error: 'sessions belong to a tenant: send a credential that carries one' },
    ]);
  });

  it('credentials are introspected once per request, and without quota get 429 with Retry-After', async () => {
    covers('INV-A.3');
    const statuses: number[] = [];
    let last: Response;
    do {
      last = await list(service, tenant.owner.token);
      statuses.push(last.status);
    } while (last.status === 200);
    // Login and API key took some of the 40; a request that asked twice would get through half as often.
    expect(statuses.length).toBeGreaterThan(25);
    expect(statuses.at(-1)).toBe(429);
    expect(Number(last.headers.get('retry-after'))).toBeGreaterThanOrEqual(1);
    expect(await last.json()).toEqual({ error: 'the call quota is used up' });
  });
});

describe('while authz-grpc is unavailable', () => {
  let authz: Authz | undefined;
  let service: BuiltService | undefined;
  afterEach(async () => {
    await service?.stop();
    await authz?.kill();
  });

  async function expectUnavailable(token: string): Promise<void> {
    const timeOfRefusal = async () => {
      const startedAt = performance.now();
      const response = await list(service!, token);
      expect([response.status, await response.json()]).toEqual([
        503,
        { error: 'credentials cannot be checked at the moment, try again later' },
      ]);
      expect(response.headers.get('retry-after')).toBe('1');
      return performance.now() - startedAt;
    };
    for (let n = 0; n < 2; n += 1) await timeOfRefusal();
    // A bound of the interface and no measure of speed: callers wait no longer than this. What else the
    // machine does adds to it.
    await eventually(timeOfRefusal).toBeLessThan(2000);
  }
  async function untilServed(token: string): Promise<void> {
    await eventually(async () => (await list(service!, token)).status).toBe(200);
  }

  it('nobody is let in within 2 s, whether it is gone or hangs, and all are once it is back', async () => {
    covers('INV-A.4', 'INV-E.503');
    const port = await freePort();
    const database = await postgres.createDatabase();
    // The service starts before there is anybody to ask.
    service = await startWith(`127.0.0.1:${port}`);
    authz = await startAuthz(database, { port });
    const { token } = (await createTenant(authz)).owner;
    await untilServed(token);

    authz.freeze();
    await expectUnavailable(token);
    authz.thaw();
    await untilServed(token);

    await authz.kill();
    await expectUnavailable(token);
    authz = await startAuthz(database, { port });
    await untilServed(token);
  });

  it('investigation-api starts without authz-grpc and its keys, and responds 503', async () => {
    covers('INV-A.4');
    const known = await startAuthz(await postgres.createDatabase());
    const { token } = (await createTenant(known)).owner;
    await known.kill();
    service = await startWith(known.target);
    await expectUnavailable(token);
    expect((await list(service, 'no.token.atall')).status).toBe(401);
  });
});
