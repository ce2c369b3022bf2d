import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { requestContext } from '@platform/authz-client';
import { ROOT_PASSWORD, startPostgres, startRedis, type Postgres, type Redis } from '@platform/testing';
import { createFallbackLimitStore } from '../src/limits/fallback-limit-store.ts';
import { createMemoryLimitStore } from '../src/limits/memory-limit-store.ts';
import type { LimitStore } from '../src/limits/limit-store.ts';
import { createLogger } from '@platform/service-kit';
import { covers } from '@platform/testing/covers';
import { eventually } from '@platform/testing/eventually';
import { openClients } from './clients.fixture.ts';

const logger = createLogger({ service: 'test', level: 'silent' });

/** A shared limit store that can be switched off, as when Redis is unavailable. */
function switchable(inner: LimitStore): { limits: LimitStore; setUnavailable(away: boolean): void } {
  let away = false;
  const limits = Object.fromEntries(
    Object.entries(inner).map(([name, method]) => [
      name,
      (...args: unknown[]) =>
        away && name !== 'close'
          ? Promise.reject(new Error('away'))
          : (method as (...args: unknown[]) => unknown)(...args),
    ]),
  ) as unknown as LimitStore;
  return { limits, setUnavailable: (value) => (away = value) };
}

describe('while the shared limit store is unavailable', () => {
  it('every state is asked for anew, limits are shared out, and writes are announced on return', async () => {
    covers('AUTHZ-G.6');
    const shared = createMemoryLimitStore();
    const { limits, setUnavailable } = switchable(shared);
    let returned = 0;
    const fallback = createFallbackLimitStore(limits, {
      replicas: 2,
      logger,
      newId: randomUUID,
      onReturn: () => (returned += 1),
    });
    const ask = async (version: string) =>
      fallback.tryAcquire({ expectVersions: [['user:1', version]], rates: [], quotas: [] });
    const before = await ask('');
    const version = before.kind === 'stale' ? (before.versions.get('user:1') as string) : '';
    expect(await ask(version)).toEqual({ kind: 'acquired' });

    setUnavailable(true);
    const during = await ask(version);
    expect(during.kind).toBe('stale');
    expect(fallback.isUnavailable()).toBe(true);
    await fallback.commitInvalidation(await fallback.beginInvalidation(['user:1']));
    const quotas = [{ key: 'data_plane:1', calls: 1, epoch: 1, capacity: 10 }];
    const take = () => fallback.tryAcquire({ expectVersions: [], rates: [], quotas });
    expect(await take()).toEqual({ kind: 'uninitialized', keys: ['data_plane:1'] });
    await fallback.seed('data_plane:1', { used: 0, epoch: 1 });
    let granted = 0;
    for (let i = 0; i < 20; i += 1) if ((await take()).kind === 'acquired') granted += 1;
    expect(granted).toBe(5);

    setUnavailable(false);
    await eventually(() => fallback.isUnavailable()).toBe(false);
    expect(returned).toBe(1);
    expect((await ask(version)).kind).toBe('stale');
    await fallback.close();
  });
});

describe('a service whose Redis dies and comes back', () => {
  let postgres: Postgres;
  let redis: Redis;
  beforeAll(async () => {
    postgres = await startPostgres();
    // Its own, for it is stopped in the middle.
    redis = await startRedis({ ...process.env, TEST_REDIS_URL: undefined });
  });
  afterAll(async () => {
    await redis.stop();
    await postgres.stop();
  });

  it('authz-grpc keeps deciding by what Postgres holds while Redis is unavailable', async () => {
    covers('AUTHZ-G.6');
    const { CONFIG } = await import('../src/config.ts');
    const { startService } = await import('../src/service.ts');
    const { createPolicyWorker } = await import('../src/worker/policy-worker-pool.ts');
    const { POLICY_WORKER } = await import('./policy-worker.fixture.ts');
    const { createTenancy, policy } = await import('./service.fixture.ts');
    const config = await CONFIG.load({
      DATABASE_URL: await postgres.createDatabase(),
      REDIS_URL: redis.url,
      AUTHZ_MIGRATE_ON_START: 'true',
      AUTHZ_ROOT_PASSWORD: ROOT_PASSWORD,
      AUTHZ_GRPC_PORT: '0',
      AUTHZ_HTTP_PORT: '0',
      AUTHZ_PROBE_PORT: '0',
      AUTHZ_LOG_LEVEL: 'silent',
      AUTHZ_REDIS_TIMEOUT_MS: '200',
    });
    const service = await startService(config, { policyWorker: createPolicyWorker(POLICY_WORKER) });
    const clients = openClients(service.grpcPort);
    const tenancy = await createTenancy(clients);
    const { tenantId, token, rootDomainId: domainId, userId } = tenancy;
    const context = requestContext({ subject: 'alice', action: 'a', object: `svc://${domainId}/x` });
    const ask = async () =>
      (await clients.authorization.checkAuthorization({ context }, { token })).authorized;
    const keep = policy('starter', { subject: userId });
    const put = (...policies: ReturnType<typeof policy>[]) =>
      clients.domains.putDomainPolicies({ tenantId, domainId, policies }, { token });
    expect(await ask()).toBe(false);
    await redis.stop();
    expect(await ask()).toBe(false);
    await put(keep, policy('alice', { subject: 'alice' }));
    expect(await ask()).toBe(true);
    await put(keep);
    expect(await ask()).toBe(false);
    const metrics = await (await fetch(`http://127.0.0.1:${service.probePort}/metrics`)).text();
    expect(metrics).toMatch(/^authz_gate_away\{.*\} 1$/m);
    clients.close();
    await service.stop();
  });
});
