import { randomBytes } from 'node:crypto';
import { once } from 'node:events';
import { request, type ClientRequest, type IncomingMessage } from 'node:http';
import { describe, expect, it } from '@jest/globals';
import { covers } from '@platform/testing/covers';
import { MiB } from '../rules/limits.ts';
import { clientOf } from '../test-service.fixture.ts';
import { useTestService } from './service-for-suite.fixture.ts';

const { service, client } = useTestService({ DOCSTORE_LARGE_BODIES: '1', DOCSTORE_SLOW_REQUEST_MS: '8000' });

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
const upload = async (filename: string) =>
  (
    await client.send('POST', '/v1/file', {
      body: body(filename),
      headers: { 'Content-Type': 'application/json' },
    })
  ).status;

describe('large bodies', () => {
  it('large bodies are admitted one by one until all are read', async () => {
    const statuses = await Promise.all(Array.from({ length: 8 }, (_, n) => upload(`one-by-one-${n}`)));
    expect(statuses).toEqual(Array.from({ length: 8 }, () => 201));
  });

  it('half-sent bodies take no room from other bodies, no matter who sends them', async () => {
    covers('PLAT-F.2');
    const halfSent = Array.from({ length: 12 }, () => {
      const sent = begin(8 * MiB);
      sent.write(Buffer.alloc(100_000, ' '));
      return sent;
    });
    const other = await clientOf(service);
    const json = { filename: 'beside-the-half-sent', contents: randomBytes(1 * MiB).toString('hex') };
    expect((await other.send('POST', '/v1/file', { json })).status).toBe(201);
    expect(await upload('beside-its-own-half-sent')).toBe(201);
    for (const sent of halfSent) sent.destroy();
    expect([await metric('in_use'), await metric('refused_total')]).toEqual([0, 0]);
  });

  it('large bodies that do not arrive in time are refused with 408', async () => {
    covers('PLAT-F.3');
    const stalled = begin(2 * MiB);
    const [response] = (await once(stalled, 'response')) as [IncomingMessage];
    response.setEncoding('utf8');
    const [text] = (await once(response, 'data')) as [string];
    expect([response.statusCode, (JSON.parse(text) as { error: { code: string } }).error.code]).toEqual([
      408,
      'bad_request',
    ]);
  });
});
