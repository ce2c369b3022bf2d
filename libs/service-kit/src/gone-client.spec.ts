import { once } from 'node:events';
import { createServer } from 'node:http';
import { connect } from 'node:net';
import { describe, expect, it } from '@jest/globals';
import { renderInvestigationError } from '@platform/error-contracts';
import express from 'express';
import { errorHandler, listen, readBody } from './index.ts';

const timers = () => process.getActiveResourcesInfo().filter((resource) => resource === 'Timeout').length;

describe('a client that goes in the middle of its body', () => {
  it('a client that disconnects in the middle of its body leaves no timer that keeps a stopping process alive', async () => {
    const before = timers();
    const gone = new AbortController();
    const app = express();
    app.post('/broken', async (req) => void (await readBody(req, { bytesMax: 100 })));
    app.post('/aborted', async (req) => {
      await once(
        req.on('error', () => {}),
        'close',
      );
      gone.abort(new Error('gone'));
      await readBody(req, { bytesMax: 100, signal: gone.signal });
    });
    let failures = 0;
    app.use(((error, _req, _res, next) => {
      failures++;
      next(error);
    }) as express.ErrorRequestHandler);
    app.use(errorHandler(renderInvestigationError));
    const server = createServer(app);
    const port = await listen(server, { host: '127.0.0.1', port: 0, setting: 'none' });
    for (const path of ['/broken', '/aborted']) {
      const socket = connect(port, '127.0.0.1');
      socket.write(`POST ${path} HTTP/1.1\r\nHost: x\r\nContent-Length: 50\r\n\r\nhalf`);
      await once(server, 'request');
      socket.destroy();
    }
    while (failures < 2) await new Promise((resolve) => setImmediate(resolve));
    server.closeAllConnections();
    await new Promise((resolve) => server.close(resolve));
    expect(timers()).toBeLessThanOrEqual(before);
  });
});
