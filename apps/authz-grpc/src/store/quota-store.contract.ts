import { randomUUID } from 'node:crypto';
import { describe, expect, it } from '@jest/globals';
import { LATER, type OpenStores } from './store.fixture.ts';

const LIMITS = { maxTokens: 5_000_000_000, maxOverage: 7 };

/** What every QuotaStore promises. */
export function quotaStoreContract(open: OpenStores): void {
  describe('quota store', () => {
    it('the quota store reads back a plane with its limits and no usage', async () => {
      const { quotas } = open().stores;
      const ownerId = randomUUID();
      await quotas.insert(ownerId, 'data_plane', LIMITS);
      const [row] = await quotas.find([ownerId, randomUUID()]);
      expect(row).toMatchObject({ ownerId, plane: 'data_plane', ...LIMITS, used: 0 });
      await quotas.updateLimits(ownerId, 'data_plane', { maxTokens: 1, maxOverage: 0 });
      expect(await quotas.find([ownerId])).toEqual([{ ...row, maxTokens: 1, maxOverage: 0 }]);
      await quotas.remove(ownerId);
      expect(await quotas.find([ownerId])).toEqual([]);
    });

    it('the quota store keeps the larger of the figures that replicas flush within a cycle', async () => {
      const { quotas } = open().stores;
      const name = { ownerId: randomUUID(), plane: 'user_plane' } as const;
      await quotas.insert(name.ownerId, name.plane, LIMITS);
      const { epoch } = await quotas.usage(name);
      for (const used of [3, 2]) await quotas.saveUsage([{ ...name, used, epoch }]);
      expect(await quotas.usage(name)).toEqual({ used: 3, epoch });
    });

    it('the quota store counts usage of an earlier cycle as zero', async () => {
      const { quotas } = open().stores;
      const name = { ownerId: randomUUID(), plane: 'user_plane' } as const;
      await quotas.insert(name.ownerId, name.plane, LIMITS);
      const { epoch } = await quotas.usage(name);
      await quotas.saveUsage([{ ...name, used: 9, epoch }]);
      await quotas.startCycle('user', LATER);
      expect(await quotas.cycleStart('user')).toEqual(LATER);
      expect(await quotas.find([name.ownerId])).toMatchObject([{ used: 0, epoch: epoch + 1 }]);
      await quotas.saveUsage([{ ...name, used: 1, epoch: epoch + 1 }]);
      await quotas.saveUsage([{ ...name, used: 50, epoch }]);
      expect(await quotas.find([name.ownerId])).toMatchObject([{ used: 1, epoch: epoch + 1 }]);
    });

    it('the quota store reports zero usage for an absent plane', async () => {
      const usage = await open().stores.quotas.usage({ ownerId: randomUUID(), plane: 'data_plane' });
      expect(usage).toEqual({ used: 0, epoch: 1 });
    });
  });
}
