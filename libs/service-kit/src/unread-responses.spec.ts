import { once } from 'node:events';
import { createServer, type RequestListener, type Server } from 'node:http';
import { connect, type AddressInfo, type Socket } from 'node:net';
import { text } from 'node:stream/consumers';
import { afterEach, expect, it } from '@jest/globals';
import { covers } from '@platform/testing/covers';
import { eventually } from '@platform/testing/eventually';
import { boundUnread, type UnreadOptions } from './unread-responses.ts';

const MIB = 1024 * 1024;
const PATIENT = 600_000;

let server: Server;
const clients: Socket[] = [];
afterEach(() => {
  for (const client of clients.splice(0)) client.destroy();
  server.closeAllConnections();
  server.close();
});

async function open(options: UnreadOptions, respond: RequestListener): Promise<void> {
  server = createServer(respond);
  boundUnread(server, options);
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
}

/** A client that asks and reads nothing until it is told to. */
function ask(path = '/'): Socket {
  const client = connect((server.address() as AddressInfo).port, '127.0.0.1').pause();
  client.on('error', () => undefined);
  client.write(`GET ${path} HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n`);
  clients.push(client);
  return client;
}

const connections = () =>
  new Promise<number>((resolve, reject) =>
    server.getConnections((error, count) => (error ? reject(error) : resolve(count))),
  );

it('connections whose clients do not read are closed, those that hold most first, and a small response is delivered', async () => {
  covers('PLAT-S.4');
  const waits: number[] = [];
  await open({ roomBytes: 40 * MIB, stalledMsMax: PATIENT }, (req, res) => {
    res.end(Buffer.alloc(req.url === '/small' ? 6 * MIB : 16 * MIB, 'x'));
    waits.push(res.socket?.writableLength ?? 0);
  });
  const small = ask('/small');
  await eventually(() => waits.length).toBe(1);
  for (let n = 0; n < 20; n++) ask('/large');
  await eventually(() => waits.length).toBe(21);
  // What the system's buffers take of each is not counted.
  await eventually(connections).toBeLessThanOrEqual(1 + Math.floor(40 / 8));
  const response = await text(small);
  expect(response.length).toBeGreaterThan(6 * MIB);
});

it('a connection whose client takes nothing of its response is closed, whether the response has ended or not', async () => {
  covers('PLAT-S.4');
  await open({ stalledMsMax: 100 }, (req, res) => {
    if (req.url === '/whole') res.end(Buffer.alloc(16 * MIB));
    else res.write(Buffer.alloc(16 * MIB));
  });
  ask('/whole');
  ask('/stream');
  await eventually(connections).toBe(2);
  await eventually(connections).toBe(0);
});

it('a client that reads slowly, and a stream without news, are served past the time that a client may stall', async () => {
  covers('PLAT-S.4');
  let stream: { write(text: string): unknown; end(): unknown } | undefined;
  await open({ stalledMsMax: 100 }, (req, res) => {
    if (req.url === '/whole') return void res.end(Buffer.alloc(24 * MIB, 'x'));
    stream = res;
    res.write('first');
  });
  const quiet = ask('/stream').resume();
  let heard = '';
  quiet.on('data', (chunk) => (heard += String(chunk)));
  const slow = ask('/whole');
  let received = 0;
  slow.on('data', (chunk: Buffer) => {
    received += chunk.length;
    slow.pause();
    setTimeout(() => slow.resume(), 1);
  });
  slow.resume();
  await once(slow, 'close');
  expect(received).toBeGreaterThan(24 * MIB);
  stream!.write('last');
  await eventually(() => heard).toContain('last');
});
