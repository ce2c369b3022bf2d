import { describe, expect, it } from '@jest/globals';
import { createLogger } from '@platform/service-kit';
import { covers } from '@platform/testing/covers';
import type { Gate } from './gate.ts';
import { createMemoryGate } from './memory-gate.ts';
import { createQuotaFlush } from './quota-flush.ts';

const logger = createLogger({ service: 'test', level: 'silent' });
const OWNER = '018f0000-0000-7000-8000-000000000001';
const KEY = `data_plane:${OWNER}`;

describe('the flush of quota counters', () => {
  it('the flush of quota counters keeps what was counted before the shared gate became unavailable', async () => {
    covers('AUTHZ-G.6');
    let isAway = false;
    const shared = createMemoryGate();
    const gate: Gate = {
      ...shared,
      usage: async (keys) => (isAway ? keys.map(() => null) : shared.usage(keys)),
      isAway: () => isAway,
    };
    const written: unknown[] = [];
    const quotas = { saveUsage: async (counters: readonly unknown[]) => void written.push(...counters) };
    const flush = createQuotaFlush(gate, quotas, logger);
    await gate.seed(KEY, { used: 7, epoch: 1 });
    const takes = [{ key: KEY, calls: 1, epoch: 1, capacity: 10 }];
    await flush.observing(gate).enter({ seen: [], rates: [], takes });
    isAway = true;
    await flush.flush();
    expect(written).toEqual([]);
    isAway = false;
    await flush.close();
    expect(written).toEqual([{ ownerId: OWNER, plane: 'data_plane', used: 8, epoch: 1 }]);
  });
});
