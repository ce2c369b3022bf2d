import { once } from 'node:events';
import { createServer, type Server } from 'node:http';
import { connect, type Socket } from 'node:net';
import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { covers } from '@platform/testing/covers';
import { drainServer, listen } from './index.ts';

/** Longer than any test. */
const FOREVER_MS = 600_000;

let server: Server;
let port: number;
let sockets: Socket[];

beforeEach(async () => {
  sockets = [];
  server = createServer((_req, res) => void res.end('answer'));
  server.keepAliveTimeout = FOREVER_MS;
  port = await listen(server, { host: '127.0.0.1', port: 0, setting: 'TEST_PORT' });
});
afterEach(() => {
  sockets.forEach((socket) => socket.destroy());
  server.closeAllConnections();
  server.close();
});

async function open(): Promise<Socket> {
  const socket = connect(port, '127.0.0.1').on('error', () => undefined);
  sockets.push(socket);
  await once(socket, 'connect');
  return socket;
}

/** Sends a request on a connection that may be used again, and gives the whole response. */
async function ask(socket: Socket): Promise<string> {
  socket.write('GET / HTTP/1.1\r\nHost: x\r\n\r\n');
  let response = '';
  while (!response.endsWith('\r\n\r\n6\r\nanswer\r\n0\r\n\r\n') && !response.endsWith('\r\n\r\nanswer')) {
    const [chunk] = (await once(socket, 'data')) as [Buffer];
    response += chunk.toString();
  }
  return response;
}

const untilRefused = async () => {
  for (;;) {
    const socket = connect(port, '127.0.0.1');
    const isRefused = await new Promise((resolve) =>
      socket.once('connect', () => resolve(false)).once('error', () => resolve(true)),
    );
    socket.destroy();
    if (isRefused) return;
    await new Promise((resolve) => setTimeout(resolve, 5));
  }
};

describe('a server that drains', () => {
  it('a server that drains responds on a connection that was idle until its port closed, and ends it with the response', async () => {
    covers('INV-P.7');
    const idle = await open();
    expect(await ask(idle)).toContain('Connection: keep-alive\r\nKeep-Alive: timeout=600\r\n');
    const drained = drainServer(server, { delayMs: 1, maxMs: FOREVER_MS });
    await untilRefused();
    const ended = once(idle, 'end');
    expect(await ask(idle)).toContain('Connection: close\r\n');
    await ended;
    expect(await drained).toBe(true);
  });

  it('a server that drains keeps an idle connection open only as long as its client may rely on it', async () => {
    server.keepAliveTimeout = 200;
    const idle = await open();
    await ask(idle);
    const unused = await open();
    const closed = [once(idle, 'close'), once(unused, 'close')];
    expect(await drainServer(server, { delayMs: 1, maxMs: FOREVER_MS })).toBe(true);
    await Promise.all(closed);
  });

  it('a server that drains closes idle connections at once without a balancer, including those that never sent anything', async () => {
    const idle = await open();
    await ask(idle);
    const unused = await open();
    const closed = [once(idle, 'close'), once(unused, 'close')];
    expect(await drainServer(server, { delayMs: 0, maxMs: FOREVER_MS })).toBe(true);
    await Promise.all(closed);
  });

  it('a server that drains cuts off a request that does not arrive within the limit, and says so', async () => {
    const connected = once(server, 'connection') as Promise<[Socket]>;
    const half = await open();
    const [far] = await connected;
    const closed = once(half, 'close');
    half.write('GET / HTTP/1.1\r\nHost');
    while (far.bytesRead === 0) await new Promise((resolve) => setImmediate(resolve));
    expect(await drainServer(server, { delayMs: 0, maxMs: 10 })).toBe(false);
    await closed;
  });
});
