import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import type { AnalysisPool } from '../engine/analysis-pool.ts';
import { createAnalysisPool } from '../engine/analysis-pool.ts';
import { bundleWorker } from '../engine/bundle-worker.fixture.ts';
import type { TestService } from '../test-service.fixture.ts';
import { startTestService } from '../test-service.fixture.ts';

/** A gate that the first freeze waits at, when it is done and before what it froze is stored. */
function gated(analysis: AnalysisPool) {
  let open = () => {};
  let reached = () => {};
  const opened = new Promise<void>((resolve) => (open = resolve));
  const isWaiting = new Promise<void>((resolve) => (reached = resolve));
  let freezes = 0;
  const pool: AnalysisPool = {
    ...analysis,
    async freeze(...args) {
      freezes += 1;
      const isFirst = freezes === 1;
      const frozen = await analysis.freeze(...args);
      if (isFirst) {
        reached();
        await opened;
      }
      return frozen;
    },
  };
  return { pool, open: () => open(), isWaiting };
}

const worker = bundleWorker(new URL('../engine/analysis-worker.ts', import.meta.url));
const pool = createAnalysisPool({ threads: 1, queueMax: 8, memoryMiBMax: 256, file: worker.file });
const gate = gated(pool);
let service: TestService;
let token: string;
beforeAll(async () => {
  service = await startTestService(worker.file, {}, { analysis: gate.pool });
  token = await service.sign({ tenant_id: 'tenant', sub: 'owner' }, 'at+jwt');
});
afterAll(async () => {
  await service.close();
  await pool.close();
  worker.remove();
});

async function send<T>(method: string, path: string, body: unknown): Promise<T> {
  const response = await fetch(`${service.url}/api/v1/sessions${path}`, {
    method,
    headers: { authorization: `Bearer ${token}`, 'content-type': 'application/json' },
    body: JSON.stringify(body),
  });
  expect(response.ok).toBe(true);
  return (await response.json()) as T;
}

describe('a published snapshot', () => {
  it('does not go back to a judgement before the one that was published meanwhile (INV-S.19)', async () => {
    await send('POST', '', { name: 'race', session_id: 'race' });
    await send('POST', '/race/judge', {});
    const slow = send('PUT', '/race/share', { public: true });
    await gate.isWaiting;
    await send('POST', '/race/judge', {});
    const { url_path } = await send<{ url_path: string }>('PUT', '/race/share', { public: true });
    gate.open();
    await slow;
    const shown = await fetch(`${service.url}${url_path}.json`);
    const { judgements } = (await shown.json()) as { judgements: unknown[] };
    expect(judgements).toHaveLength(2);
  });
});
