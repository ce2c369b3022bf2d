import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { openTcpProxy, startPostgres, type Postgres } from '@platform/testing';
import { runBuilt, startBuilt } from './built-service.fixture.ts';
import { client, demoInvestigation, sessionPath } from './client.fixture.ts';

/** The least that the service asks for. */
const AUTHZ = { INVESTIGATION_AUTHZ_URL: 'dns:///127.0.0.1:1', INVESTIGATION_PROBE_PORT: '0' };

const saying = (text: string): unknown => expect.stringContaining(text);

describe('the embedded database', () => {
  let folder: string;
  beforeAll(async () => {
    folder = await mkdtemp(join(tmpdir(), 'investigation-'));
  });
  afterAll(() => rm(folder, { recursive: true, force: true }));

  it('the embedded database belongs to one process: a second one is refused and told which process holds it', async () => {
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
  });

  it('the embedded database is refused for more than one replica', async () => {
    expect(await runBuilt({ ...AUTHZ, INVESTIGATION_REPLICAS: '2' })).toMatchObject({
      code: 2,
      err: 'DATABASE_URL: must name Postgres when INVESTIGATION_REPLICAS is more than 1\n',
    });
  });
});

describe('Postgres', () => {
  let postgres: Postgres;
  beforeAll(async () => {
    postgres = await startPostgres();
  });
  afterAll(() => postgres.stop());

  it('nothing is served on Postgres before `migrate`, and more than one replica afterwards', async () => {
    const settings = { DATABASE_URL: await postgres.createDatabase(), INVESTIGATION_REPLICAS: '2' };
    expect(await runBuilt({ ...settings, ...AUTHZ })).toMatchObject({
      code: 1,
      err: saying('run `migrate` first'),
    });
    expect(await runBuilt(settings, ['migrate'])).toMatchObject({
      code: 0,
      out: expect.stringMatching(/^applied 20260101000000_init, .*\n$/),
    });
    expect(await runBuilt(settings, ['migrate'])).toMatchObject({ code: 0, out: 'up to date\n' });
    const replicas = await Promise.all([startBuilt(settings), startBuilt(settings)]);
    for (const replica of replicas) expect((await fetch(`${replica.probeUrl}/readyz`)).status).toBe(200);
    expect(await Promise.all(replicas.map((replica) => replica.stop()))).toEqual([0, 0]);
  });

  it('an unavailable Postgres is 503 until it is back, with its data', async () => {
    const url = new URL(await postgres.createDatabase());
    expect((await runBuilt({ DATABASE_URL: url.href }, ['migrate'])).code).toBe(0);
    const way = await openTcpProxy({ host: url.hostname, port: Number(url.port || 5432) });
    url.hostname = '127.0.0.1';
    url.port = String(way.port);
    const service = await startBuilt({ DATABASE_URL: url.href });
    const call = client(service.url, service.token);
    const payload = demoInvestigation();
    const created = await call('POST', '/api/v1/sessions', { name: 'Kept', session_id: 'kept', payload });
    expect(created.status).toBe(201);
    const session = sessionPath('kept');
    const uuid = '00000000-0000-4000-8000-000000000000';

    await way.cut();
    for (const [method, path, body] of [
      ['GET', session],
      ['GET', '/api/v1/sessions'],
      ['PATCH', session, { name: 'Lost' }],
      ['POST', '/api/v1/sessions', { name: 'Lost', payload }],
      ['POST', `${session}/judge`, {}],
      ['GET', `/share/${uuid}/slug`],
    ] as const) {
      const { status, text, headers } = await call(method, path, body);
      expect([method, path, status, headers.get('retry-after')]).toEqual([method, path, 503, '1']);
      expect(text).toContain('the database cannot be reached, try again');
    }
    const tool = await call(
      'POST',
      '/mcp',
      {
        jsonrpc: '2.0',
        id: 1,
        method: 'tools/call',
        params: { name: 'list_investigation_sessions', arguments: {} },
      },
      { accept: 'application/json, text/event-stream' },
    );
    expect([tool.status, tool.text]).toEqual([200, saying('unavailable (503)')]);

    await way.mend();
    expect((await call('GET', session)).json).toMatchObject({ name: 'Kept', payload });
    expect(await service.stop()).toBe(0);
    await way.cut();
  });
});
