import { once } from 'node:events';
import { connect, type Socket } from 'node:net';
import { Client, credentials, Server, ServerCredentials } from '@grpc/grpc-js';
import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { covers } from '@platform/testing/covers';
import { endSilentConnections } from './silent-connections.ts';

const PREFACE = 'PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n';
/** An empty SETTINGS frame (RFC 9113 §6.5). */
const SETTINGS = Buffer.from([0, 0, 0, 4, 0, 0, 0, 0, 0]);
const echo = (bytes: Buffer) => bytes;
const SILENT_MS = 300;

let server: Server;
let port: number;
beforeEach(async () => {
  server = new Server();
  const method = { requestStream: false, responseStream: false, originalName: 'echo' };
  const codec = {
    requestSerialize: echo,
    requestDeserialize: echo,
    responseSerialize: echo,
    responseDeserialize: echo,
  };
  server.addService(
    { echo: { path: '/test/Echo', ...method, ...codec } },
    {
      echo: (call: { request: Buffer }, done: (error: null, response: Buffer) => void) =>
        done(null, call.request),
    },
  );
  port = await new Promise((resolve, reject) =>
    server.bindAsync('127.0.0.1:0', ServerCredentials.createInsecure(), (error, bound) =>
      error === null ? resolve(bound) : reject(error),
    ),
  );
  endSilentConnections(server, SILENT_MS);
});
afterEach(() => server.forceShutdown());

describe('connections without a call', () => {
  it.each<[string, (socket: Socket) => void]>([
    ['sends nothing', () => undefined],
    ['sends only the preface', (socket) => socket.write(PREFACE)],
    [
      'sends the preface and its settings',
      (socket) => socket.write(Buffer.concat([Buffer.from(PREFACE), SETTINGS])),
    ],
  ])('a connection that %s is closed, and one that made a call stays', async (_what, send) => {
    covers('PLAT-F.17');
    const client = new Client(`127.0.0.1:${port}`, credentials.createInsecure());
    const call = () =>
      new Promise((resolve, reject) =>
        client.makeUnaryRequest('/test/Echo', echo, echo, Buffer.from('x'), (error, response) =>
          error === null ? resolve(response) : reject(error),
        ),
      );
    await call();
    const before = client.getChannel().getConnectivityState(false);
    const socket = connect(port, '127.0.0.1');
    socket.resume().on('error', () => undefined);
    send(socket);
    await once(socket, 'close');
    // It connected before the other one, whose time is over.
    expect(client.getChannel().getConnectivityState(false)).toBe(before);
    await call();
    client.close();
  });
});
