import { describe, expect, it } from '@jest/globals';
import { createLogger } from '@platform/service-kit';
import { covers } from '@platform/testing/covers';
import type { LimitStore } from './limit-store.ts';
import { createMemoryLimitStore } from './memory-limit-store.ts';
import { createQuotaFlush } from './quota-flush.ts';

const logger = createLogger({ service: 'test', level: 'silent' });
const OWNER = '018f0000-0000-7000-8000-000000000001';
const KEY = `data_plane:${OWNER}`;

describe('the flush of quota counters', () => {
  it('the flush of quota counters keeps what was counted before the shared limit store became unavailable', async () => {
    covers('AUTHZ-G.6');
    let isUnavailable = false;
    const shared = createMemoryLimitStore();
    const limits: LimitStore = {
      ...shared,
      usage: async (keys) => (isUnavailable ? keys.map(() => null) : shared.usage(keys)),
      isUnavailable: () => isUnavailable,
    };
    const written: unknown[] = [];
    const store = { saveUsage: async (counters: readonly unknown[]) => void written.push(...counters) };
    const flush = createQuotaFlush(limits, store, logger);
    await limits.seed(KEY, { used: 7, epoch: 1 });
    const quotas = [{ key: KEY, calls: 1, epoch: 1, capacity: 10 }];
    await flush.observing(limits).tryAcquire({ expectVersions: [], rates: [], quotas });
    isUnavailable = true;
    await flush.flush();
    expect(written).toEqual([]);
    isUnavailable = false;
    await flush.close();
    expect(written).toEqual([{ ownerId: OWNER, plane: 'data_plane', used: 8, epoch: 1 }]);
  });
});
