import { describe, expect, it } from '@jest/globals';
import { covers } from '@platform/testing/covers';
import { createMemoryLimitStore } from '../limits/memory-limit-store.ts';
import { createPolicyCache } from '../state/policy-cache.ts';
import type { EpochState } from '../model/entities.ts';
import type { EntityStore } from '../store/entity-store.ts';
import { createDecisionRunner } from './decision-runner.ts';

/**
 * Turns of the event loop after which a call that asks neither store nor network has got as far as it can.
 */
const TURNS = 20;

async function turns(): Promise<void> {
  for (let i = 0; i < TURNS; i += 1) await new Promise((resolve) => setImmediate(resolve));
}

/** A store whose reads of an epoch resolve when the test says. */
function createHeldStore() {
  const reads: ((epoch: number) => void)[] = [];
  const entities: EntityStore = {
    load: () =>
      new Promise<EpochState>((resolve) => {
        reads.push((epoch) => resolve({ epoch, startedAt: 0 }));
      }),
    loadPolicies: async () => null,
    loadShadow: async () => null,
  };
  return { entities, reads };
}

describe('a call that begins after a write returned', () => {
  it('shares no read that began before it, though another writer is still at work', async () => {
    covers('AUTHZ-G.3');
    const limits = createMemoryLimitStore();
    const { entities, reads } = createHeldStore();
    const quotas = { usage: async () => ({ used: 0, epoch: 1 }) };
    const policies = createPolicyCache(entities, { bytesMax: 1 });
    const decisions = createDecisionRunner({
      limits,
      entities,
      quotas,
      policies,
      now: () => new Date(0),
      cycleMs: 1,
      startDueCycle: () => Promise.resolve(),
      entitiesMax: 10,
    });
    const readEpoch = () =>
      decisions.runDecision((reading) => ({ result: reading.get('epoch', 'tenant').epoch }));

    const written = await limits.beginInvalidation(['epoch:tenant']);
    const other = await limits.beginInvalidation(['epoch:tenant']);
    const early = readEpoch();
    await turns();
    // The first writer has committed; the mark that stands is the other one's.
    await limits.commitInvalidation(written);
    const late = readEpoch();
    await turns();
    reads[0]?.(1);
    reads[1]?.(2);
    expect([await early, await late]).toEqual([1, 2]);
    await limits.commitInvalidation(other);
  });
});
