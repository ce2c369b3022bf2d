import { describe, expect, it } from '@jest/globals';
import { covers } from '@platform/testing/covers';
import { limitStoreContract } from './limit-store.contract.ts';
import { createMemoryLimitStore } from './memory-limit-store.ts';

limitStoreContract('in process', async () => {
  const limits = createMemoryLimitStore();
  return { one: limits, other: limits };
});

describe('the in-process limit store over time', () => {
  it('the in-process limit store allows 1,000 calls at once, then one more each 100 µs', async () => {
    covers('AUTHZ-L.1');
    let now = 1_700_000_000_000_000;
    const limits = createMemoryLimitStore({ nowMicros: () => now });
    const rates = [{ key: 't', limit: 1_000, windowMs: 100 }];
    const enter = async () => (await limits.tryAcquire({ expectVersions: [], rates, quotas: [] })).kind;
    for (let i = 0; i < 1_000; i += 1) expect(await enter()).toBe('acquired');
    expect(await enter()).toBe('rate_limited');
    now += 100;
    expect(await enter()).toBe('acquired');
    expect(await enter()).toBe('rate_limited');
    now += 99;
    expect(await enter()).toBe('rate_limited');
  });

  it('the in-process limit store starts a rate anew after a clock that ran ahead is set back', async () => {
    covers('AUTHZ-L.1');
    let now = 1_700_000_000_000_000;
    const limits = createMemoryLimitStore({ nowMicros: () => now });
    const rates = [{ key: 't', limit: 2, windowMs: 100 }];
    const enter = async () => (await limits.tryAcquire({ expectVersions: [], rates, quotas: [] })).kind;
    expect([await enter(), await enter(), await enter()]).toEqual(['acquired', 'acquired', 'rate_limited']);
    now -= 3_600_000_000;
    expect([await enter(), await enter(), await enter()]).toEqual(['acquired', 'acquired', 'rate_limited']);
  });

  it('the in-process limit store forgets the mark of a writer that died', async () => {
    let now = 0;
    const limits = createMemoryLimitStore({ nowMicros: () => now });
    const { version } = await limits.beginInvalidation(['k']);
    expect((await limits.tryAcquire({ expectVersions: [['k', version]], rates: [], quotas: [] })).kind).toBe(
      'acquired',
    );
    now += 15_000_000;
    expect((await limits.tryAcquire({ expectVersions: [['k', version]], rates: [], quotas: [] })).kind).toBe(
      'stale',
    );
  });
});
