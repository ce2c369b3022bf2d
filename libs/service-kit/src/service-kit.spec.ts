import type { Server } from 'node:http';
import { createServer, request as httpRequest } from 'node:http';
import { connect } from 'node:net';
import { Writable } from 'node:stream';
import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { DomainError, renderInvestigationError } from '@platform/error-contracts';
import { createTracing } from '@platform/telemetry';
import express from 'express';
import { covers } from '@platform/testing/covers';
import { Registry } from 'prom-client';
import {
  errorHandler,
  respondToParserErrors,
  behindProbe,
  createLogger,
  createMetrics,
  createSpanMetrics,
  createProbeServer,
  createReadiness,
  docsPage,
  drainServer,
  httpListener,
  listen,
  readBody,
  requestLog,
  requestTrace,
  requireJson,
  SECURITY_HEADERS,
  securityHeaders,
  startServers,
  unknownUrl,
  type Listener,
  type Probe,
  type ServerOptions,
} from './index.ts';

const BYTES_MAX = 1000;
const metrics = createMetrics('test');
let lines: Record<string, unknown>[];
let server: Server;
let url: string;
let releaseSlow: () => void;

beforeEach(async () => {
  lines = [];
  const sink = new Writable({
    write(chunk, _encoding, done) {
      lines.push(JSON.parse(String(chunk)));
      done();
    },
  });
  const logger = createLogger({ service: 'test', level: 'info' }, sink);
  const slow = new Promise<void>((resolve) => (releaseSlow = resolve));
  const app = express().disable('x-powered-by');
  app.use(requestTrace(createTracing({ service: 'test', endpoint: undefined })), requestLog(logger));
  app.use(metrics.middleware, securityHeaders());
  app.post('/body', async (req, res) => {
    requireJson(req);
    const body = await readBody(req, { bytesMax: BYTES_MAX });
    res.json({ length: body.length, isOwnBuffer: body.buffer.byteLength === body.length });
  });
  app.get('/items/:id', (req, res) => {
    req.log().info('inside');
    res.json({ id: req.params.id });
  });
  app.get('/slow', async (_req, res) => {
    await slow;
    res.json({});
  });
  app.get('/domain', () => {
    throw new DomainError('unavailable', 'full', { retryAfterSeconds: 3, cause: new Error('inner') });
  });
  app.get('/no-room', () => {
    throw new DomainError('unavailable', 'too many large requests at once');
  });
  app.get('/bug', () => {
    throw new TypeError('secret detail');
  });
  app.use('/docs', docsPage(GUIDE));
  app.use(unknownUrl, metrics.countRefusals, errorHandler(renderInvestigationError));
  server = createServer(app);
  respondToParserErrors(server, (error) => ({ error }));
  url = `http://127.0.0.1:${await listen(server, { host: '127.0.0.1', port: 0, setting: 'TEST_PORT' })}`;
});

afterEach(() => {
  releaseSlow();
  server.closeAllConnections();
  server.close();
});

const post = (
  body: string | Buffer,
  headers: Record<string, string> = { 'content-type': 'application/json' },
) => fetch(`${url}/body`, { method: 'POST', body, headers, duplex: 'half' } as RequestInit);

describe('request log', () => {
  it('the request log echoes a sane request id and writes it into every line, with the trace id and without the query', async () => {
    const traceparent = '00-0af7651916cd43dd8448eb211c80319c-b7ad6b7169203331-01';
    const headers = {
      'x-request-id': 'abc-1',
      traceparent,
      authorization: 'Bearer secret',
      'x-api-key': 'secret',
    };
    const response = await fetch(`${url}/items/7?token=secret`, { headers });
    expect(response.headers.get('x-request-id')).toBe('abc-1');
    expect(lines.map((line) => line.msg)).toEqual(['inside', 'request']);
    for (const line of lines) {
      expect(line).toMatchObject({ request_id: 'abc-1', trace_id: '0af7651916cd43dd8448eb211c80319c' });
      expect(line.request).toEqual({ method: 'GET', path: '/items/7' });
    }
    expect(lines[1]?.response).toEqual({ status: 200 });
    expect(JSON.stringify(lines)).not.toContain('secret');
  });

  it.each([
    'Root=1-67891233-abcdef012345678912345678',
    'Zm9v/YmFy+w==',
    'a b',
    '"',
    'a,b@c~d',
    'x'.repeat(128),
  ])('the request log takes over the id `%s`, and its lines are one line of JSON each', async (id) => {
    covers('AUTHZ-C.33');
    const response = await fetch(`${url}/items/7`, { headers: { 'x-request-id': id } });
    expect(response.headers.get('x-request-id')).toBe(id);
    expect(lines.map((line) => line['request_id'])).toEqual([id, id]);
  });

  it.each(['a\tb', 'x'.repeat(129), 'é', ''])(
    'the request log makes an id of its own in place of `%s`',
    async (id) => {
      const response = await fetch(`${url}/items/7`, { headers: { 'x-request-id': id } });
      expect(response.headers.get('x-request-id')).toMatch(/^[0-9a-f-]{36}$/);
    },
  );

  it('the request log masks secrets that are logged by mistake', () => {
    const written: string[] = [];
    const logger = createLogger(
      { service: 's', level: 'info' },
      { write: (line: string) => void written.push(line) },
    );
    logger.info({
      req: { headers: { authorization: 'hush', 'x-api-key': 'hush' } },
      user: { password: 'hush' },
    });
    expect(written[0]).toContain('[redacted]');
    expect(written[0]).not.toContain('hush');
  });
});

describe('body', () => {
  it('a body is read up to the limit, into a buffer of its own', async () => {
    const response = await post('x'.repeat(BYTES_MAX));
    expect(await response.json()).toEqual({ length: BYTES_MAX, isOwnBuffer: true });
  });

  it('a body one byte over the limit is refused', async () => {
    covers('INV-E.413');
    expect((await post('x'.repeat(BYTES_MAX + 1))).status).toBe(413);
  });

  it('a body is refused by its declared length before a byte of it is sent', async () => {
    covers('INV-E.413');
    const status = await new Promise((resolve, reject) => {
      const req = httpRequest(`${url}/body`, {
        method: 'POST',
        headers: { 'content-type': 'application/json', 'content-length': String(BYTES_MAX + 1) },
      });
      req.on('response', (res) => resolve(res.statusCode)).on('error', reject);
      req.flushHeaders();
    });
    expect(status).toBe(413);
  });

  it('a body is refused while it streams, not after the upload', async () => {
    covers('INV-E.413');
    const status = await new Promise((resolve, reject) => {
      const req = httpRequest(`${url}/body`, {
        method: 'POST',
        headers: { 'content-type': 'application/json' },
      });
      req.on('response', (res) => resolve(res.statusCode)).on('error', reject);
      req.write('x'.repeat(BYTES_MAX + 1));
    });
    expect(status).toBe(413);
  });

  it.each([
    [{}],
    [{ 'content-type': 'text/plain' }],
    [{ 'content-type': 'application/json; charset=latin1' }],
    [{ 'content-type': 'application/json; profile=x; charset=latin1' }],
    [{ 'content-type': 'application/json; charset=""' }],
    [{ 'content-type': 'application/json, application/json' }],
    [{ 'content-type': 'application/json', 'content-encoding': 'gzip' }],
  ])('a body of another type is refused: %j', async (headers) => {
    covers('INV-E.415');
    expect((await post(Buffer.from('{}'), headers as Record<string, string>)).status).toBe(415);
  });

  it.each([
    'application/json',
    'Application/JSON ; Charset="UTF-8"',
    'application/json; charset=utf-8; profile=x',
    'application/json; profile="a; charset=latin1"',
    'application/json;',
  ])('a JSON body in UTF-8 is accepted with any parameters (RFC 9110 §8.3.1): %s', async (type) => {
    expect((await post('{}', { 'content-type': type })).status).toBe(200);
  });

  it('a body that breaks off harms no other request', async () => {
    const socket = connect(Number(new URL(url).port), '127.0.0.1');
    socket.write(
      'POST /body HTTP/1.1\r\nhost: x\r\ncontent-type: application/json\r\ncontent-length: 10\r\n\r\nabc',
    );
    await new Promise((resolve) => setImmediate(resolve));
    socket.destroy();
    expect((await post('{}')).status).toBe(200);
  });
});

describe('errors', () => {
  const get = async (path: string) => {
    const response = await fetch(url + path);
    return { status: response.status, headers: response.headers, body: await response.json() };
  };

  it('errors get the response of the contract, with its headers', async () => {
    const { status, headers, body } = await get('/domain');
    expect([status, headers.get('retry-after'), body]).toEqual([503, '3', { error: 'full' }]);
    expect(lines[0]).toMatchObject({ err: { message: 'inner' } });
  });

  it('a refusal with 503 is in the log with its reason, whatever caused it', async () => {
    covers('PLAT-O.12');
    await fetch(`${url}/no-room`);
    expect(lines).toContainEqual(
      expect.objectContaining({ level: 'warn', msg: 'too many large requests at once' }),
    );
  });

  it('unexpected errors show the request id and are logged', async () => {
    covers('INV-E.500');
    const { status, headers, body } = await get('/bug');
    expect(status).toBe(500);
    expect(body).toEqual({ error: `internal error, request id ${headers.get('x-request-id')}` });
    expect(lines[0]).toMatchObject({ err: { message: 'secret detail' } });
  });

  it('unknown and undecodable URLs are 404', async () => {
    expect((await get('/nowhere')).body).toEqual({ error: 'no `GET /nowhere` here' });
    expect((await get('/items/%ff')).status).toBe(404);
  });

  it('errors of the HTTP parser carry a body too', async () => {
    const response = await new Promise<string>((resolve) => {
      const socket = connect(Number(new URL(url).port), '127.0.0.1', () => socket.write('HELLO\r\n\r\n'));
      socket.once('data', (data) => resolve(String(data)));
    });
    expect(response).toMatch(/^HTTP\/1\.1 400 Bad Request\r\n/);
    expect(Object.keys(SECURITY_HEADERS).length).toBeGreaterThan(5);
    for (const [name, value] of Object.entries(SECURITY_HEADERS))
      expect(response).toContain(`\r\n${name}: ${value}\r\n`);
    expect(response).toContain('{"error":"the request is not valid HTTP"}');
  });

  it('errors of the HTTP parser close the connection, although the client keeps its half open and sends more', async () => {
    const socket = connect({ port: Number(new URL(url).port), host: '127.0.0.1', allowHalfOpen: true });
    socket.on('error', () => undefined).write('HELLO\r\n\r\n');
    let response = '';
    socket.on('data', (chunk: Buffer) => {
      response += chunk.toString();
      socket.write('and more');
    });
    await new Promise((resolve) => socket.once('end', resolve));
    expect(response).toContain('{"error":"the request is not valid HTTP"}');
    const count = () => new Promise((resolve) => server.getConnections((_error, open) => resolve(open)));
    while ((await count()) !== 0) await new Promise((resolve) => setTimeout(resolve, 20));
    socket.destroy();
  });
});

const lowerCased = (headers: Readonly<Record<string, string>>) =>
  Object.fromEntries(Object.entries(headers).map(([name, value]) => [name.toLowerCase(), value]));

describe('headers and pages', () => {
  it.each(['/items/1', '/nowhere', '/bug', '/domain', '/items/%ff'])(
    'data responses may load and frame nothing: %s',
    async (path) => {
      const { headers } = await fetch(url + path);
      expect(headers.get('content-security-policy')).toBe(
        "default-src 'none';base-uri 'none';frame-ancestors 'none'",
      );
      expect(headers.get('x-content-type-options')).toBe('nosniff');
      expect(headers.get('x-powered-by')).toBeNull();
      expect(Object.fromEntries(headers)).toMatchObject(lowerCased(SECURITY_HEADERS));
    },
  );

  it('the guide loads styles and scripts of our origin alone, for ever by their content', async () => {
    covers('INV-P.4');
    const page = await fetch(`${url}/docs`);
    const text = await page.text();
    expect(page.headers.get('content-security-policy')).toContain("script-src 'self';style-src 'self'");
    const files = [...text.matchAll(/(?:src|href)="(\/[^"]+)"/g)].map(([, link]) => link as string);
    expect(files).toEqual([
      expect.stringMatching(/^\/docs\/guide-\w+\.css$/),
      expect.stringMatching(/^\/docs\/guide-\w+\.js$/),
      '/openapi.json',
    ]);
    for (const file of files.slice(0, 2)) {
      const { status, headers } = await fetch(url + file);
      expect([status, headers.get('cache-control')]).toEqual([200, expect.stringContaining('immutable')]);
    }
    expect(text).not.toMatch(/(src|href)="(?!\/(?!\/)|#|data:)/);
  });

  it('the guide that a browser has already is not sent again', async () => {
    const etag = (await fetch(`${url}/docs`)).headers.get('etag')!;
    expect((await fetch(`${url}/docs`, { headers: { 'If-None-Match': etag } })).status).toBe(304);
  });
});

const GUIDE = {
  document: {
    openapi: '3.1.0',
    info: { title: 'Test', version: '1' },
    tags: [{ name: 'Read' }],
    paths: {
      '/items/{id}': {
        get: {
          operationId: 'getItem',
          summary: 'Read an item',
          tags: ['Read'],
          responses: { 200: { description: 'Success.' } },
        },
      },
    },
  },
  openApiUrl: '/openapi.json',
  credential: { words: 'None is needed.' },
  first: 'getItem',
  exampleUrl: 'http://127.0.0.1:1',
};

/** The server, which listens already, as a running service. */
async function startOver(
  maxMs: number,
  onClose: () => unknown = () => {},
  other: Listener[] = [],
  closeMaxMs?: number,
) {
  const readiness = createReadiness();
  const probeAddress = { host: '127.0.0.1', port: 0, setting: 'TEST_PROBE_PORT' };
  const options = (probe: Probe): ServerOptions => ({
    logger: createLogger(
      { service: 's', level: 'info' },
      { write: (line) => void lines.push(JSON.parse(line)) },
    ),
    registry: metrics.registry,
    readiness,
    listeners: [
      { label: 'port', open: async () => 0, drain: (times) => drainServer(server, times) },
      ...other,
    ],
    probe,
    drain: { delayMs: 0, maxMs },
    close: async () => void (await onClose()),
    ...(closeMaxMs === undefined ? {} : { closeMaxMs }),
  });
  const running = await behindProbe(probeAddress, (probe) => startServers(options(probe)));
  return { readiness, running };
}

describe('probes and stop', () => {
  it('probes show readiness, liveness and metrics per route and code', async () => {
    const readiness = createReadiness({ registry: metrics.registry });
    const probes = createProbeServer(() => ({ readiness, registry: metrics.registry }));
    const probeUrl = `http://127.0.0.1:${await listen(probes, { host: '127.0.0.1', port: 0, setting: 'X' })}`;
    const status = async (path: string) => (await fetch(probeUrl + path)).status;
    expect([await status('/livez'), await status('/readyz'), await status('/else')]).toEqual([200, 503, 404]);
    readiness.set(true);
    expect(await status('/readyz')).toBe(200);
    await fetch(`${url}/items/1`);
    await fetch(`${url}/items/2`);
    await fetch(`${url}/domain`);
    const text = await (await fetch(`${probeUrl}/metrics`)).text();
    expect(text).toMatch(
      /http_request_duration_seconds_count\{app="test",method="GET",route="\/items\/:id",code="200"\} \d+/,
    );
    expect(text).toContain('process_cpu_seconds_total');
    // Only counters may end so (Prometheus, "Metric and label naming").
    expect(text.match(/^# TYPE \S+_total (?!counter)\S+$/gm)).toBeNull();
    expect(text).toContain('service_ready{app="test"} 1');
    expect(text).toMatch(/http_refusals_total\{kind="unavailable",app="test"\} [1-9]/);
    expect(text).not.toContain('/items/1');
    probes.close();
    probes.closeAllConnections();
  });

  it('a service that still starts lives and is not ready, and its probe port closes when it cannot start', async () => {
    covers('PLAT-W.4');
    const address = { host: '127.0.0.1', port: 0, setting: 'TEST_PROBE_PORT' };
    let probeUrl = '';
    const started = behindProbe(address, async ({ port }) => {
      probeUrl = `http://127.0.0.1:${port}`;
      const status = async (path: string) => (await fetch(probeUrl + path)).status;
      expect([await status('/livez'), await status('/readyz'), await status('/metrics')]).toEqual([
        200, 503, 503,
      ]);
      throw new Error('no such database');
    });
    await expect(started).rejects.toThrow('no such database');
    await expect(fetch(`${probeUrl}/livez`)).rejects.toThrow();
  });

  it('readiness fails while a store does not respond, and recovers by itself', async () => {
    covers('PLAT-W.3');
    let ping: () => Promise<void> = () => Promise.resolve();
    const readiness = createReadiness({ ping: () => ping(), pingEveryMs: 5, pingMaxMs: 5 });
    const changes: boolean[] = [];
    readiness.onChange((isReady) => changes.push(isReady));
    const until = async (isReady: boolean) => {
      while (readiness.isReady() !== isReady) await new Promise((resolve) => setTimeout(resolve, 5));
    };
    readiness.set(true);
    ping = () => new Promise(() => undefined);
    await until(false);
    ping = () => Promise.resolve();
    await until(true);
    ping = () => Promise.reject(new Error('refused'));
    await until(false);
    ping = () => Promise.resolve();
    await until(true);
    readiness.set(false);
    expect([readiness.isReady(), changes]).toEqual([false, [true, false, true, false, true, false]]);
  });

  it('a stop fails readiness first, and finishes requests that have begun before the stores close', async () => {
    covers('INV-P.7');
    const order: string[] = [];
    const { readiness, running } = await startOver(60_000, () => order.push('closed'));
    expect(readiness.isReady()).toBe(true);
    const answered = fetch(`${url}/slow`).then((response) => order.push(`status ${response.status}`));
    await new Promise((resolve) => server.once('request', resolve));
    const stopped = running.stop();
    expect(readiness.isReady()).toBe(false);
    while (server.listening) await new Promise((resolve) => setImmediate(resolve));
    await expect(fetch(`${url}/items/1`)).rejects.toThrow();
    releaseSlow();
    expect(await stopped).toBe(true);
    await answered;
    expect(order.sort()).toEqual(['closed', 'status 200']);
  });

  it('a stop cuts requests that do not end within the limit, and reports that', async () => {
    const { running } = await startOver(10);
    const answered = fetch(`${url}/slow`).then(
      () => 'answered',
      () => 'cut',
    );
    await new Promise((resolve) => server.once('request', resolve));
    expect([await running.stop(), await answered]).toEqual([false, 'cut']);
  });

  it('a service that stops ends although its stores do not close', async () => {
    covers('PLAT-W.6');
    const { running } = await startOver(10, () => new Promise<void>(() => undefined), [], 20);
    expect(await running.stop()).toBe(true);
    expect(lines.map(({ msg }) => msg)).toContain('stores did not close in time');
  });

  it('a service logs `listening` with the ports at the start, and `stopped` once the stores are closed', async () => {
    const words = () => lines.map(({ msg }) => msg).filter((word) => word !== 'request');
    const { running } = await startOver(10, () => expect(words()).not.toContain('stopped'));
    await running.stop();
    expect(words()).toEqual(['listening', 'stopped']);
    expect(lines.find(({ msg }) => msg === 'stopped')).toMatchObject({ clean: true });
  });

  it('a service that finds a port taken closes everything again', async () => {
    const order: string[] = [];
    const port = Number(new URL(url).port);
    const taken = httpListener('other_port', createServer(), {
      host: '127.0.0.1',
      port,
      setting: 'TEST_PORT',
    });
    await expect(startOver(10, () => order.push('closed'), [taken])).rejects.toThrow(
      `port ${port} on 127.0.0.1 is taken; choose another with TEST_PORT`,
    );
    expect(order).toEqual(['closed']);
  });

  it('a taken port is reported with the setting that chooses it', async () => {
    const second = createServer();
    const port = Number(new URL(url).port);
    await expect(listen(second, { host: '127.0.0.1', port, setting: 'TEST_PORT' })).rejects.toThrow(
      `port ${port} on 127.0.0.1 is taken; choose another with TEST_PORT`,
    );
  });
});

describe('createSpanMetrics', () => {
  covers('PLAT-O.11');
  it('createSpanMetrics counts spans that were taken and lost, and warns about losses once a minute', async () => {
    const registry = new Registry();
    const warnings: object[] = [];
    let now = new Date('2026-01-01T00:00:00Z');
    const logger = { warn: (fields: object) => void warnings.push(fields) };
    const onExport = createSpanMetrics(registry, { logger, now: () => now });
    const err = new Error('refused');
    onExport(5);
    onExport(2, err);
    onExport(3, err);
    now = new Date('2026-01-01T00:01:00Z');
    onExport(4, err);
    expect(warnings).toEqual([
      { err, spans: 2 },
      { err, spans: 4 },
    ]);
    const text = await registry.metrics();
    expect(text).toContain('spans_exported_total 5');
    expect(text).toContain('spans_lost_total 9');
  });
});
