import { describe, expect, it } from '@jest/globals';
import { covers } from '@platform/testing/covers';
import { gateContract } from './gate.contract.ts';
import { createMemoryGate } from './memory-gate.ts';

gateContract('in process', async () => {
  const gate = createMemoryGate();
  return { one: gate, other: gate };
});

describe('the in-process gate over time', () => {
  it('the in-process gate allows 1,000 calls at once, then one more each 100 µs', async () => {
    covers('AUTHZ-L.1');
    let now = 1_700_000_000_000_000;
    const gate = createMemoryGate({ nowMicros: () => now });
    const rates = [{ key: 't', limit: 1_000, windowMs: 100 }];
    const enter = async () => (await gate.enter({ seen: [], rates, takes: [] })).kind;
    for (let i = 0; i < 1_000; i += 1) expect(await enter()).toBe('entered');
    expect(await enter()).toBe('rate_limited');
    now += 100;
    expect(await enter()).toBe('entered');
    expect(await enter()).toBe('rate_limited');
    now += 99;
    expect(await enter()).toBe('rate_limited');
  });

  it('the in-process gate starts a rate anew after a clock that ran ahead is set back', async () => {
    covers('AUTHZ-L.1');
    let now = 1_700_000_000_000_000;
    const gate = createMemoryGate({ nowMicros: () => now });
    const rates = [{ key: 't', limit: 2, windowMs: 100 }];
    const enter = async () => (await gate.enter({ seen: [], rates, takes: [] })).kind;
    expect([await enter(), await enter(), await enter()]).toEqual(['entered', 'entered', 'rate_limited']);
    now -= 3_600_000_000;
    expect([await enter(), await enter(), await enter()]).toEqual(['entered', 'entered', 'rate_limited']);
  });

  it('the in-process gate forgets the mark of a writer that died', async () => {
    let now = 0;
    const gate = createMemoryGate({ nowMicros: () => now });
    const { stamp } = await gate.pend(['k']);
    expect((await gate.enter({ seen: [['k', stamp]], rates: [], takes: [] })).kind).toBe('entered');
    now += 15_000_000;
    expect((await gate.enter({ seen: [['k', stamp]], rates: [], takes: [] })).kind).toBe('stale');
  });
});
