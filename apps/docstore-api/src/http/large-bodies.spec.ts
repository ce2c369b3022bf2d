import { randomBytes } from 'node:crypto';
import { once } from 'node:events';
import { request, type ClientRequest, type IncomingMessage } from 'node:http';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { startPostgres, type Postgres } from '@platform/testing';
import { MiB } from '../rules/limits.ts';
import { clientOf, startTestService, type Client, type TestService } from '../test-service.fixture.ts';

let postgres: Postgres;
let service: TestService;
let client: Client;
beforeAll(async () => {
  postgres = await startPostgres();
  const settings = { DOCSTORE_LARGE_BODIES: '1', DOCSTORE_SLOW_REQUEST_MS: '8000' };
  service = await startTestService(await postgres.createDatabase(), settings);
  client = await clientOf(service);
});
afterAll(async () => {
  await service.close();
  await postgres.stop();
});

const body = (filename: string) =>
  JSON.stringify({ filename, contents: randomBytes(1 * MiB).toString('hex') });

/** An upload whose head is sent and whose body is not yet. */
function begin(length: number): ClientRequest {
  const headers = {
    Authorization: `Bearer ${client.key}`,
    'Content-Type': 'application/json',
    'Content-Length': length,
  };
  const sent = request(`${service.base}/v1/file`, { method: 'POST', headers, agent: false });
  sent.on('error', () => undefined);
  sent.flushHeaders();
  return sent;
}
const metric = async (name: string) =>
  (await service.metrics.registry.getSingleMetric(`docstore_body_slots_${name}`)!.get()).values[0]!.value;
/** Connections arrive in no order, so what is begun is waited for. */
async function until(name: string, value: number): Promise<void> {
  while ((await metric(name)) !== value) await client.send('GET', '/v1/usage');
}
const upload = async (filename: string) =>
  (
    await client.send('POST', '/v1/file', {
      body: body(filename),
      headers: { 'Content-Type': 'application/json' },
    })
  ).status;

describe('large bodies', () => {
  it('are let in one by one, all of them', async () => {
    const statuses = await Promise.all(Array.from({ length: 8 }, (_, n) => upload(`one-by-one-${n}`)));
    expect(statuses).toEqual(Array.from({ length: 8 }, () => 201));
  });

  it('that are waited for no more, before or after their turn has come, take nobody’s place', async () => {
    const holder = begin(2 * MiB);
    await until('in_use', 1);
    const waiting = Array.from({ length: 3 }, () => begin(2 * MiB));
    await until('waiting', 3);
    for (const gone of waiting) gone.destroy();
    await until('waiting', 0);
    expect(await metric('in_use')).toBe(1);
    holder.destroy();
    expect(await upload('after-the-gone')).toBe(201);
    expect([await metric('in_use'), await metric('refused_total')]).toEqual([0, 0]);
  });

  it('are timed from when they are wanted: one that does not come is 408, the one behind it is taken', async () => {
    const stalled = begin(2 * MiB);
    const answer = once(stalled, 'response') as Promise<[IncomingMessage]>;
    await until('in_use', 1);
    expect(await upload('behind-the-stalled')).toBe(201);
    const [response] = await answer;
    response.setEncoding('utf8');
    const [text] = (await once(response, 'data')) as [string];
    expect([response.statusCode, (JSON.parse(text) as { error: { code: string } }).error.code]).toEqual([
      408,
      'bad_request',
    ]);
  });
});
