import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { startPostgres, type Postgres } from '@platform/testing';
import { runBuilt, startBuilt } from './built-service.fixture.ts';

/** The least that the service asks for. */
const AUTHZ = { INVESTIGATION_AUTHZ_URL: 'dns:///127.0.0.1:1' };

const saying = (text: string): unknown => expect.stringContaining(text);

describe('the embedded database', () => {
  let folder: string;
  beforeAll(async () => {
    folder = await mkdtemp(join(tmpdir(), 'investigation-'));
  });
  afterAll(() => rm(folder, { recursive: true, force: true }));

  it('belongs to one process: a second one is refused and told who has it', async () => {
    const settings = { DATABASE_URL: `pglite:${join(folder, 'data')}` };
    const service = await startBuilt(settings);
    const refusal = {
      code: 1,
      err: saying(`is open in process ${service.process.pid}`),
    };
    const others = { ...settings, ...AUTHZ, INVESTIGATION_PORT: '0', INVESTIGATION_PROBE_PORT: '0' };
    expect(await runBuilt(others)).toMatchObject(refusal);
    expect(await runBuilt(others, ['migrate'])).toMatchObject(refusal);
    expect(await service.stop()).toBe(0);
    expect(await runBuilt(others, ['migrate'])).toMatchObject({
      code: 0,
      out: saying('up to date'),
    });
  }, 180_000);

  it('is refused for more than one replica', async () => {
    expect(await runBuilt({ ...AUTHZ, INVESTIGATION_REPLICAS: '2' })).toMatchObject({
      code: 2,
      err: 'DATABASE_URL: must name Postgres when INVESTIGATION_REPLICAS is more than 1\n',
    });
  }, 60_000);
});

describe('Postgres', () => {
  let postgres: Postgres;
  beforeAll(async () => {
    postgres = await startPostgres();
  }, 60_000);
  afterAll(() => postgres.stop());

  it('is migrated by `migrate`, before which nothing is served, and serves more than one replica', async () => {
    const settings = { DATABASE_URL: await postgres.createDatabase(), INVESTIGATION_REPLICAS: '2' };
    expect(await runBuilt({ ...settings, ...AUTHZ })).toMatchObject({
      code: 1,
      err: saying('run `migrate` first'),
    });
    expect(await runBuilt(settings, ['migrate'])).toMatchObject({
      code: 0,
      out: 'applied 20260101000000_init\n',
    });
    expect(await runBuilt(settings, ['migrate'])).toMatchObject({ code: 0, out: 'up to date\n' });
    const replicas = await Promise.all([startBuilt(settings), startBuilt(settings)]);
    for (const replica of replicas) expect((await fetch(`${replica.probeUrl}/readyz`)).status).toBe(200);
    expect(await Promise.all(replicas.map((replica) => replica.stop()))).toEqual([0, 0]);
  }, 180_000);

  it('that does not answer ends the service with the reason', async () => {
    expect(await runBuilt({ ...AUTHZ, DATABASE_URL: 'postgres://127.0.0.1:1/none' })).toMatchObject({
      code: 1,
      err: saying('ECONNREFUSED'),
    });
  }, 60_000);
});
