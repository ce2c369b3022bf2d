import { describe, expect, it } from '@jest/globals';
import type { Sql, SqlResult } from '@platform/database';
import { createMemoryGate } from '../gate/memory-gate.ts';
import { createPolicyCache } from '../state/policy-cache.ts';
import { createAdmission } from './admission.ts';

/** Turns of the event loop after which a call that asks neither store nor network has got as far as it can. */
const TURNS = 20;

async function turns(): Promise<void> {
  for (let i = 0; i < TURNS; i += 1) await new Promise((resolve) => setImmediate(resolve));
}

/** A store whose reads of an epoch are answered by the test. */
function createHeldStore() {
  const reads: ((epoch: number) => void)[] = [];
  const sql: Sql = {
    query: <Row>() =>
      new Promise<SqlResult<Row>>((resolve) => {
        reads.push((epoch) => resolve({ rows: [{ epoch } as Row], rowCount: 1 }));
      }),
  };
  return { sql, reads };
}

describe('a call that begins after a write returned', () => {
  it('shares no read that began before it, though another writer is still at work (AUTHZ-G.3)', async () => {
    const gate = createMemoryGate();
    const { sql, reads } = createHeldStore();
    const policies = createPolicyCache(sql, { bytesMax: 1 });
    const admission = createAdmission({ gate, database: sql, policies, entitiesMax: 10 });
    const readEpoch = () => admission.admit((reading) => ({ result: reading.get('epoch', 'tenant') }));

    const written = await gate.pend(['epoch:tenant']);
    const other = await gate.pend(['epoch:tenant']);
    const early = readEpoch();
    await turns();
    // The first writer has committed; the mark that stands is the other one's.
    await gate.settle(written);
    const late = readEpoch();
    await turns();
    reads[0]?.(1);
    reads[1]?.(2);
    expect([await early, await late]).toEqual([1, 2]);
    await gate.settle(other);
  });
});
