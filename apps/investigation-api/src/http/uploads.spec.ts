import { once } from 'node:events';
import { request } from 'node:http';
import { describe, expect, it } from '@jest/globals';
import { covers } from '@platform/testing/covers';
import { suiteService } from '../suite-service.fixture.ts';

const service = suiteService('scripted');

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
