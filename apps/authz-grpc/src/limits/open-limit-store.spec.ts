import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { covers } from '@platform/testing/covers';
import { createLogger } from '@platform/service-kit';
import { openTcpProxy, startRedis, type Redis, type Severable } from '@platform/testing';
import { Registry } from 'prom-client';
import { openLimitStore, requireShared } from './open-limit-store.ts';

const logger = createLogger({ service: 'test', level: 'silent' });
let redis: Redis;
let proxy: Severable;
beforeAll(async () => {
  redis = await startRedis();
  proxy = await openTcpProxy({ host: '127.0.0.1', port: redis.port });
});
afterAll(async () => {
  await proxy.cut();
  await redis.stop();
});

const open = (more: Partial<Parameters<typeof openLimitStore>[0]> = {}) =>
  openLimitStore({
    url: `redis://127.0.0.1:${proxy.port}`,
    isCluster: false,
    timeoutMs: 200,
    replicas: 1,
    logger,
    registry: new Registry(),
    newId: randomUUID,
    onReturn: () => undefined,
    onError: () => undefined,
    ...more,
  });

describe('openLimitStore', () => {
  covers('PLAT-O.10');
  it('openLimitStore opens while Redis is unavailable, decides in process, and uses Redis once it responds', async () => {
    await proxy.cut();
    const registry = new Registry();
    let returned = 0;
    const limits = await open({ registry, onReturn: () => (returned += 1) });
    expect(await registry.metrics()).toContain('authz_gate_away 1');
    expect(await limits.tryAcquire({ expectVersions: [], rates: [], quotas: [] })).toEqual({
      kind: 'acquired',
    });
    await proxy.mend();
    while (limits.isUnavailable()) await new Promise((resolve) => setTimeout(resolve, 20));
    expect(returned).toBe(1);
    expect(await registry.metrics()).toContain('authz_gate_away 0');
    await limits.close();
  });

  it('a replica without calls shows that Redis is unavailable, and that it is back', async () => {
    covers('PLAT-O.12');
    const registry = new Registry();
    let lastError: unknown;
    const limits = await open({ registry, onError: (error) => (lastError = error) });
    const ask = () => requireShared(limits, () => lastError);
    await ask();
    await proxy.cut();
    const failure: unknown = await ask().catch((error: unknown) => error);
    expect(failure).toMatchObject({ message: 'Redis does not respond', cause: lastError });
    expect(lastError).toBeInstanceOf(Error);
    expect(await registry.metrics()).toContain('authz_gate_away 1');
    await proxy.mend();
    while (limits.isUnavailable()) await new Promise((resolve) => setTimeout(resolve, 20));
    await ask();
    expect(await registry.metrics()).toContain('authz_gate_away 0');
    await limits.close();
  });

  it.each([undefined, 'requests', 'responses'] as const)(
    'openLimitStore uses Redis again after its connection was silent, and closes while it is: %s',
    async (direction) => {
      covers('PLAT-W.5', 'PLAT-W.6');
      const limits = await open();
      const enter = () => limits.tryAcquire({ expectVersions: [], rates: [], quotas: [] });
      for (let time = 0; time < 2; time++) {
        proxy.silence(direction);
        while (!limits.isUnavailable()) expect(await enter()).toEqual({ kind: 'acquired' });
        proxy.speak();
        while (limits.isUnavailable()) await new Promise((resolve) => setTimeout(resolve, 20));
      }
      proxy.silence(direction);
      expect(await enter()).toEqual({ kind: 'acquired' });
      await limits.close();
      proxy.speak();
    },
  );
});
