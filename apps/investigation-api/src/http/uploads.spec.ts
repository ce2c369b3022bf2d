import { once } from 'node:events';
import { request } from 'node:http';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { covers } from '@platform/testing/covers';
import { bundleWorker } from '../engine/bundle-worker.fixture.ts';
import { startTestService, type TestService } from '../test-service.fixture.ts';

const worker = bundleWorker(new URL('../engine/scripted-worker.fixture.ts', import.meta.url));
let service: TestService;
beforeAll(async () => {
  service = await startTestService(worker.file);
});
afterAll(async () => {
  await service.close();
  worker.remove();
});

describe('half-sent uploads of the largest size', () => {
  it.each(['/api/v1/investigations/analyze', '/mcp'])(
    'half-sent uploads of the largest size keep no other client from %s',
    async (path) => {
      covers('PLAT-F.2');
      const headers = {
        authorization: `Bearer ${service.token}`,
        'content-type': 'application/json',
        'content-length': 16 * 1024 * 1024,
      };
      const halfSent = Array.from({ length: 18 }, () => {
        const sent = request(`${service.url}${path}`, { method: 'POST', headers, agent: false });
        sent.on('error', () => undefined).write('{');
        return sent;
      });
      await Promise.all(halfSent.map((sent) => once(sent, 'socket')));
      const token = await service.sign({ sub: 'somebody else' }, 'at+jwt');
      for (let i = 0; i < 3; i++)
        expect((await service.analyze('a', { authorization: `Bearer ${token}` })).status).toBe(200);
      for (const sent of halfSent) sent.destroy();
    },
  );
});
