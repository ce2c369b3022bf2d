import { describe, expect, it } from '@jest/globals';
import { covers } from '@platform/testing/covers';
import { Registry } from 'prom-client';
import { watchDependencies } from './dependencies.ts';

describe('watchDependencies', () => {
  it('watchDependencies shows which dependencies respond, and one that hangs as down, until they recover', async () => {
    covers('PLAT-O.12');
    const registry = new Registry();
    let isUnavailable = false;
    const stop = watchDependencies(
      registry,
      {
        database: () => (isUnavailable ? new Promise(() => undefined) : Promise.resolve()),
        redis: () => {
          if (isUnavailable) throw new Error('refused');
          return Promise.resolve();
        },
        'authz-grpc': () => Promise.resolve(),
      },
      { pingEveryMs: 5, pingMaxMs: 5 },
    );
    const shown = async () => {
      const { values } = await registry.getSingleMetric('dependency_up')!.get();
      return Object.fromEntries(values.map(({ labels, value }) => [labels['name'], value]));
    };
    const until = async (expected: object) => {
      while (JSON.stringify(await shown()) !== JSON.stringify(expected))
        await new Promise((resolve) => setTimeout(resolve, 5));
    };
    await until({ database: 1, redis: 1, 'authz-grpc': 1 });
    isUnavailable = true;
    await until({ database: 0, redis: 0, 'authz-grpc': 1 });
    isUnavailable = false;
    await until({ database: 1, redis: 1, 'authz-grpc': 1 });
    stop();
    isUnavailable = true;
    await new Promise((resolve) => setTimeout(resolve, 30));
    expect(await shown()).toEqual({ database: 1, redis: 1, 'authz-grpc': 1 });
  });
});
