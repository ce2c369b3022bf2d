import { createServer, type AddressInfo } from 'node:net';
import { once } from 'node:events';
import { expect, it } from '@jest/globals';
import { covers } from '@platform/testing/covers';
import { openAuthzClients } from './clients.ts';

/** With the back-off of grpc-js, this many attempts take longer than a test may last. */
const ATTEMPTS = 15;

it('clients of an unavailable service look for it at least once a second', async () => {
  covers('AUTHZ-A.22');
  let attempts = 0;
  let enough = (): void => undefined;
  const reached = new Promise<void>((resolve) => (enough = resolve));
  const server = createServer((socket) => {
    socket.destroy();
    if ((attempts += 1) === ATTEMPTS) enough();
  });
  await once(server.listen(0, '127.0.0.1'), 'listening');
  const clients = openAuthzClients(`127.0.0.1:${(server.address() as AddressInfo).port}`);
  await expect(clients.connected(1)).rejects.toThrow();
  await reached;
  clients.close();
  server.close();
});
