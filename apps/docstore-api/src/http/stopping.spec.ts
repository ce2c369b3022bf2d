import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, expect, it } from '@jest/globals';
import { openDatabase } from '@platform/database';
import { startPostgres } from '@platform/testing';
import { clientOf, startTestService } from '../test-service.fixture.ts';

/**
 * Begins a merge that would take minutes, stops the service while it is at work, and looks at what it leaves.
 */
async function stopAmidMerge(databaseUrl: string) {
  const service = await startTestService(databaseUrl);
  const client = await clientOf(service);
  const { id, etag } = await client.create('merged', '\n'.repeat(300_000));
  await client.send('POST', `/v1/file/${id}/edit`, { json: { append: '\n'.repeat(1000) }, ifMatch: etag });
  const cut = client
    .send('POST', `/v1/file/${id}/merge`, {
      json: { base_etag: etag, contents: '\n'.repeat(299_000) },
      headers: { 'Idempotency-Key': 'stopped' },
    })
    .then(
      () => false,
      () => true,
    );
  while (!service.deps.compute.load().isBusy) await new Promise((resolve) => setTimeout(resolve, 1));
  await service.close();
  const database = await openDatabase(databaseUrl, { embeddedFolder: 'unused' });
  const { rows } = await database.query('SELECT key FROM idempotent_answers');
  await database.close();
  const faults = service.log.filter(({ level }) => level === 50);
  return { isCut: await cut, keysHeld: rows, faults };
}

describe('a service that is stopped while a merge is at work', () => {
  const NOTHING = { isCut: true, keysHeld: [], faults: [] };

  it('a service stopped during a merge releases its Idempotency-Key and logs no error, on PGlite', async () => {
    const folder = await mkdtemp(join(tmpdir(), 'docstore-stopping-'));
    expect(await stopAmidMerge(`pglite:${folder}`)).toEqual(NOTHING);
    await rm(folder, { recursive: true });
  });

  it('a service stopped during a merge releases its Idempotency-Key and logs no error, on Postgres', async () => {
    const postgres = await startPostgres();
    expect(await stopAmidMerge(await postgres.createDatabase())).toEqual(NOTHING);
    await postgres.stop();
  });
});
