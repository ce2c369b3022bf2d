import { once } from 'node:events';
import { createServer, request, type ClientRequest, type IncomingMessage, type Server } from 'node:http';
import { afterEach, describe, expect, it } from '@jest/globals';
import { renderInvestigationError } from '@platform/error-contracts';
import { covers } from '@platform/testing/covers';
import express from 'express';
import {
  errorHandler,
  createLogger,
  createUploadLimiter,
  listen,
  requestLog,
  type UploadLimiter,
  type UploadLimiterOptions,
} from './index.ts';

const KiB = 1024;
let server: Server;
let port: number;
let uploads: UploadLimiter;
let release: () => void;

/** A server that keeps the room of every body until `release`; the header `x-owner` says whose it is. */
async function start(options: Partial<UploadLimiterOptions> = {}): Promise<void> {
  uploads = createUploadLimiter({ roomBytes: 1024 * KiB, bodyBytesMax: 256 * KiB, ...options });
  const released = new Promise<void>((resolve) => (release = resolve));
  const app = express();
  app.use(requestLog(createLogger({ service: 'test', level: 'silent' })));
  app.post('/', async (req, res) => {
    const max = req.headers['x-max'];
    const bytesMax = max === undefined ? undefined : Number(max);
    const upload = await uploads.receive(req, String(req.headers['x-owner']), bytesMax);
    res.json({ length: upload.bytes.length });
    await released;
    upload.release();
  });
  app.use(errorHandler(renderInvestigationError));
  server = createServer(app);
  port = await listen(server, { host: '127.0.0.1', port: 0, setting: 'none' });
}

afterEach(() => {
  release();
  server.closeAllConnections();
  server.close();
});

/** An upload of a declared length, of which `sent` bytes are sent. */
function begin(owner: string, length: number, sent: number, more: object = {}): ClientRequest {
  const headers = { 'x-owner': owner, 'content-length': length, ...more };
  const upload = request({ port, method: 'POST', headers, agent: false }).on('error', () => undefined);
  upload.flushHeaders();
  upload.write(Buffer.alloc(sent));
  return upload;
}
async function statusOf(upload: ClientRequest): Promise<number> {
  const [response] = (await once(upload, 'response')) as [IncomingMessage];
  return response.statusCode!;
}
/** The status of a whole body. */
const send = (owner: string, length: number) => statusOf(begin(owner, length, length));
async function until(bytes: number): Promise<void> {
  while (uploads.load().bytes !== bytes) await new Promise((resolve) => setTimeout(resolve, 5));
}

describe('the upload limiter', () => {
  it('the upload limiter reserves room as bytes arrive, and none for a declared length', async () => {
    covers('PLAT-F.2');
    await start();
    const stalled = Array.from({ length: 18 }, () => begin('a', 256 * KiB, 1));
    while (uploads.load().arriving < 18) await new Promise((resolve) => setTimeout(resolve, 5));
    expect(uploads.load().bytes).toBe(0);
    expect([await send('b', 300), await send('b', 200 * KiB)]).toEqual([200, 200]);
    for (const upload of stalled) upload.destroy();
  });

  it('the upload limiter refuses a body larger than its route takes', async () => {
    covers('PLAT-F.2');
    await start();
    const sent = (length: number) => statusOf(begin('a', length, length, { 'x-max': 100 }));
    expect([await sent(100), await sent(101)]).toEqual([200, 413]);
  });

  it('the upload limiter gives one owner at most a quarter of the room, refuses what is beyond it with 429, and always takes small bodies', async () => {
    covers('PLAT-F.2');
    await start();
    expect([await send('a', 192 * KiB), await send('a', 192 * KiB)]).toEqual([200, 200]);
    expect(uploads.load().bytes).toBe(256 * KiB);
    expect([await send('a', 65 * KiB), await send('a', 64 * KiB), await send('b', 256 * KiB)]).toEqual([
      429, 200, 200,
    ]);
  });

  it('the upload limiter takes room from the owner that holds most when the room is full', async () => {
    await start();
    const held = ['a', 'b', 'c', 'd'].map((owner) => begin(owner, 256 * KiB, 255 * KiB));
    await until(4 * 191 * KiB);
    const more = ['a', 'b', 'c', 'd'].map((owner) => begin(owner, 256 * KiB, 129 * KiB));
    await until(4 * 256 * KiB);
    const refused = Promise.race(more.map(statusOf));
    expect([await send('e', 128 * KiB), await refused]).toEqual([200, 503]);
    for (const upload of [...held, ...more]) upload.destroy();
    await until(64 * KiB);
  });

  it('the upload limiter frees the room of a body that is refused or broken off', async () => {
    await start();
    const broken = begin('a', 256 * KiB, 128 * KiB);
    await until(64 * KiB);
    broken.destroy();
    await until(0);
    expect(await send('a', 300 * KiB)).toBe(413);
    expect(uploads.load()).toEqual({ arriving: 0, bytes: 0 });
  });

  it('the upload limiter refuses a sender that is slower than the minimum rate with 408', async () => {
    covers('PLAT-F.3');
    await start({ graceMs: 20, tickMs: 10 });
    expect(await statusOf(begin('a', 256 * KiB, 1))).toBe(408);
  });

  it('the upload limiter refuses a body that takes longer than it may with 408, at whatever rate it arrives', async () => {
    covers('PLAT-F.3');
    await start({ arrivalMaxMs: 30, tickMs: 10 });
    expect(await statusOf(begin('a', 256 * KiB, 200 * KiB))).toBe(408);
  });
});
