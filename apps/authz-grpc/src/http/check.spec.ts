import { once } from 'node:events';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { createUploadLimiter, HEAD_TIMES } from '@platform/service-kit';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { covers } from '@platform/testing/covers';
import { CONFIG } from '../config.ts';
import { createAccess } from './access.ts';
import { createCheckRoutes, parseBody } from './check.ts';

/** The body is refused before anything else of the service is asked. */
const deps = {
  tokens: { authenticate: async () => ({ use: 'session' }) },
  tracing: { isOn: false },
  logger: { info: () => undefined },
  metrics: { observeRequest: () => undefined, countRefusal: () => undefined },
} as unknown as Parameters<typeof createCheckRoutes>[0];

let server: Server;
let url: string;
beforeAll(async () => {
  const uploads = createUploadLimiter({ roomBytes: 1024 * 1024, bodyBytesMax: 1024 * 1024 });
  const answer = createCheckRoutes(deps, createAccess(await CONFIG.load({})), uploads);
  server = createServer(HEAD_TIMES, (req, res) => void answer(req, res));
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  url = `http://127.0.0.1:${(server.address() as AddressInfo).port}/v1/authz/check`;
});
afterAll(() => {
  server.closeAllConnections();
  server.close();
});

describe('a check over REST', () => {
  it.each([65 * 1024, 1024 * 1024, 16 * 1024 * 1024])(
    'a body of %d bytes is refused with 413',
    async (size) => {
      for (let times = 0; times < 5; times++) {
        const response = await fetch(url, { method: 'POST', body: 'x'.repeat(size) });
        expect(response.status).toBe(413);
        expect(await response.text()).toContain('the body is larger than 65536 bytes');
      }
    },
  );

  it.each([
    ['a list', `{"checks":[${'null,'.repeat(200_000)}null]}`],
    ['an object', `{${Array.from({ length: 100_000 }, (_, i) => `"k${i}":1`).join()}}`],
    ['many lists', `{"checks":[${`[${'1,'.repeat(999)}1],`.repeat(999)}1]}`],
  ])('a body of %s beyond what a batch can have is refused while it is read', (_what, body) => {
    covers('AUTHZ-G.12');
    expect(() => parseBody(Buffer.from(body))).toThrow(/more than \d+ keys or/);
  });

  it('a head that does not arrive is given up within 12 seconds', () => {
    covers('PLAT-F.3');
    expect(server.headersTimeout + HEAD_TIMES.connectionsCheckingInterval).toBeLessThan(12_000);
  });
});
