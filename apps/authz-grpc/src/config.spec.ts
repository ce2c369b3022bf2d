import { readFileSync } from 'node:fs';
import { describe, expect, it } from '@jest/globals';
import { covers } from '@platform/testing/covers';
import { CONFIG } from './config.ts';

describe('the settings of authz-grpc', () => {
  it('the README lists the settings as the definition has them', () => {
    const readme = readFileSync(new URL('../README.md', import.meta.url), 'utf8');
    // Formatters pad the columns; the cells are what counts.
    const cells = (table: string) => table.replace(/ *\| */g, '|').replace(/-+/g, '-');
    expect(cells(readme)).toContain(cells(CONFIG.table()));
  });

  it('bad settings are refused with every bad variable named at once', async () => {
    await expect(CONFIG.load({ AUTHZ_HTTP_PORT: 'x', AUTHZ_REPLICAS: '0' })).rejects.toThrow(
      'AUTHZ_HTTP_PORT: must be a whole number\nAUTHZ_REPLICAS: must be at least 1',
    );
  });

  it('bad settings are refused without their values, which may be secrets', async () => {
    const env = { DATABASE_URL: 'mysql://root:hidden@a', REDIS_URL: 'hidden' };
    await expect(CONFIG.load(env)).rejects.toThrow(
      /^DATABASE_URL: must be `postgres:.*\nREDIS_URL: must be `redis:\/\/…` or `rediss:\/\/…`$/,
    );
  });

  it('several replicas without Postgres and Redis are refused', async () => {
    covers('AUTHZ-G.5');
    await expect(CONFIG.load({ AUTHZ_REPLICAS: '2' })).rejects.toThrow(
      'DATABASE_URL: must name Postgres when AUTHZ_REPLICAS is more than 1\n' +
        'REDIS_URL: must be set when AUTHZ_REPLICAS is more than 1',
    );
    const stores = { DATABASE_URL: 'postgres://a/b', REDIS_URL: 'redis://a' };
    await expect(CONFIG.load({ AUTHZ_REPLICAS: '2', ...stores })).resolves.toMatchObject({ replicas: 2 });
  });

  it('a Redis Cluster is named by one node or several, and several nodes without a cluster are refused', async () => {
    covers('PLAT-S.1');
    const nodes = 'redis://a:7001,redis://b:7002';
    await expect(CONFIG.load({ REDIS_CLUSTER: 'true', REDIS_URL: nodes })).resolves.toMatchObject({
      redisUrl: nodes,
      redisCluster: true,
    });
    await expect(CONFIG.load({ REDIS_URL: nodes })).rejects.toThrow(
      'REDIS_URL: several nodes need REDIS_CLUSTER',
    );
    await expect(CONFIG.load({ REDIS_CLUSTER: 'true' })).rejects.toThrow('REDIS_CLUSTER: needs REDIS_URL');
  });
});
