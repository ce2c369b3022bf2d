import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import pg from 'pg';
import { covers } from '@platform/testing/covers';
import { openTcpProxy, startPostgres, type Postgres, type Severable } from '@platform/testing';
import { outputOf, startReplica, type Replica } from './replica.fixture.ts';

const AWAY = {
  status: 503,
  retryAfter: '1',
  body: {
    error: {
      code: 'internal',
      message: 'the database cannot be reached, try again',
      request_id: expect.any(String) as unknown,
    },
  },
};

describe('a replica whose Postgres becomes unavailable and comes back', () => {
  let postgres: Postgres;
  let way: Severable;
  let replica: Replica;
  let key: string;
  let database: string;
  beforeAll(async () => {
    postgres = await startPostgres();
    const url = new URL(await postgres.createDatabase());
    database = url.pathname.slice(1);
    const env = { DATABASE_URL: url.href };
    await outputOf(['migrate'], env);
    key = await outputOf(['key', '--owner', 'away'], env);
    way = await openTcpProxy({ host: url.hostname, port: Number(url.port || 5432) });
    url.hostname = '127.0.0.1';
    url.port = String(way.port);
    replica = await startReplica({ DATABASE_URL: url.href });
  });
  afterAll(async () => {
    await replica?.stop();
    await way?.cut();
    await postgres?.stop();
  });

  async function send(method: string, path: string, json?: unknown, headers: Record<string, string> = {}) {
    const response = await fetch(replica.url + path, {
      method,
      headers: {
        authorization: `Bearer ${key}`,
        ...(json === undefined ? {} : { 'content-type': 'application/json' }),
        ...headers,
      },
      ...(json === undefined ? {} : { body: JSON.stringify(json) }),
    });
    const body = (await response.json()) as { id: string; contents?: string };
    return { status: response.status, retryAfter: response.headers.get('retry-after'), body };
  }

  it('a replica without Postgres responds 503 with Retry-After, and serves its data again once Postgres is back', async () => {
    const { body: document } = await send('POST', '/v1/file', { filename: 'kept', contents: 'kept' });
    const path = `/v1/file/${document.id}`;
    expect(await send('GET', '/v1/key')).toMatchObject({ status: 200 });
    await way.cut();
    const calls: Parameters<typeof send>[] = [
      ['GET', path],
      ['GET', '/v1/file'],
      ['GET', '/v1/key'],
      ['PUT', path, { contents: 'lost' }, { 'if-match': '*' }],
      ['POST', '/v1/file', { filename: 'lost', contents: 'lost' }, { 'idempotency-key': 'again' }],
    ];
    for (const call of calls) expect([call, await send(...call)]).toEqual([call, AWAY]);

    await way.mend();
    expect(await send('GET', path)).toMatchObject({ status: 200, body: { contents: 'kept' } });
    expect((await send(...calls[4]!)).status).toBe(201);
  });

  it('a replica whose database takes no connections, or is gone, responds 503 with Retry-After until it is back', async () => {
    covers('PLAT-W.2');
    const { body: document } = await send('POST', '/v1/file', { filename: 'safe', contents: 'safe' });
    const admin = new pg.Client(postgres.url);
    await admin.connect();
    const calls: Parameters<typeof send>[] = [
      ['GET', `/v1/file/${document.id}`],
      ['GET', '/v1/key'],
      ['PUT', `/v1/file/${document.id}`, { contents: 'lost' }, { 'if-match': '*' }],
    ];
    const expectAway = async () => {
      for (const call of calls) expect([call, await send(...call)]).toEqual([call, AWAY]);
    };
    await admin.query(`ALTER DATABASE ${database} ALLOW_CONNECTIONS false`);
    await admin.query('SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE datname = $1', [
      database,
    ]);
    await expectAway();
    await admin.query(`ALTER DATABASE ${database} RENAME TO ${database}_gone`);
    await expectAway();
    await admin.query(`ALTER DATABASE ${database}_gone RENAME TO ${database}`);
    await admin.query(`ALTER DATABASE ${database} ALLOW_CONNECTIONS true`);
    await admin.end();
    expect(await send('GET', `/v1/file/${document.id}`)).toMatchObject({ body: { contents: 'safe' } });
  });

  it('a replica whose document another transaction holds responds 503 with Retry-After, until it is free', async () => {
    covers('PLAT-W.7');
    const { body: document } = await send('POST', '/v1/file', { filename: 'held', contents: 'held' });
    const holder = new pg.Client(Object.assign(new URL(postgres.url), { pathname: `/${database}` }).href);
    await holder.connect();
    await holder.query('BEGIN');
    await holder.query('SELECT FROM documents FOR UPDATE');
    const path = `/v1/file/${document.id}`;
    const change = () => send('PUT', path, { filename: 'held', contents: 'changed' }, { 'if-match': '*' });
    const message = 'another change holds what this request needs, try again later';
    expect(await change()).toEqual({ ...AWAY, body: { error: { ...AWAY.body.error, message } } });
    expect(await send('GET', path)).toMatchObject({ status: 200, body: { contents: 'held' } });
    await holder.end();
    expect(await change()).toMatchObject({ status: 200 });
  });
});
