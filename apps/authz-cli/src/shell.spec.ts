import { once } from 'node:events';
import { createServer, type AddressInfo, type Socket } from 'node:net';
import { expect, it } from '@jest/globals';
import { openAuthzClients } from '@platform/authz-client';
import { covers } from '@platform/testing/covers';
import { readWhole } from './arguments.ts';
import { withAdvice } from './shell.ts';

it('a service that takes a connection and says nothing is named with the time that was waited for it', async () => {
  covers('AUTHZ-CLI.1');
  const sockets: Socket[] = [];
  const server = createServer((socket) => void sockets.push(socket)).listen(0, '127.0.0.1');
  await once(server, 'listening');
  const address = `127.0.0.1:${(server.address() as AddressInfo).port}`;
  const clients = openAuthzClients(address);
  const error = await clients.users
    .listUsers({}, { token: 't', timeoutMs: 1_000 })
    .catch((reason: unknown) =>
      withAdvice(reason, { context: { address }, name: 'default', isChosen: false }),
    );
  clients.close();
  for (const socket of sockets) socket.destroy();
  server.close();
  expect(String(error)).toBe(`Error: no response from ${address} within 1 s`);
});

it('a number of an option is refused below the least that means something', () => {
  expect(() => readWhole('0', '--limit', undefined, 1)).toThrow('--limit must be at least 1');
  expect(readWhole('1', '--limit', undefined, 1)).toBe(1);
});
