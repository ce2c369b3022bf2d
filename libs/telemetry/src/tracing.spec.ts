import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterEach, describe, expect, it } from '@jest/globals';
import { createTracing } from './tracing.ts';

const PARENT = '00-0af7651916cd43dd8448eb211c80319c-b7ad6b7169203331-01';

interface OtlpSpan {
  readonly traceId: string;
  readonly spanId: string;
  readonly parentSpanId?: string;
  readonly name: string;
  readonly kind: number;
  readonly status: { readonly code?: number; readonly message?: string };
  readonly attributes: readonly { readonly key: string; readonly value: Record<string, unknown> }[];
}
interface OtlpRequest {
  readonly resourceSpans: readonly {
    readonly resource: { readonly attributes: OtlpSpan['attributes'] };
    readonly scopeSpans: readonly { readonly spans: readonly OtlpSpan[] }[];
  }[];
}

let server: Server | undefined;
afterEach(() => void server?.close());

/** A collector on loopback that keeps what it is sent. */
async function collector(): Promise<{ url: string; received: OtlpRequest[] }> {
  const received: OtlpRequest[] = [];
  server = createServer((req, res) => {
    const chunks: Buffer[] = [];
    req.on('data', (chunk: Buffer) => chunks.push(chunk));
    req.on('end', () => {
      if (req.url === '/v1/traces')
        received.push(JSON.parse(Buffer.concat(chunks).toString()) as OtlpRequest);
      res.setHeader('Content-Type', 'application/json').end('{}');
    });
  });
  await new Promise<void>((resolve) => server!.listen(0, '127.0.0.1', resolve));
  return { url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`, received };
}

describe('createTracing', () => {
  it('createTracing sends spans that join the incoming trace, and passes it on', async () => {
    const { url, received } = await collector();
    const tracing = createTracing({ service: 'docstore-api', endpoint: url });
    const server = tracing.start('GET', { kind: 'server', parent: PARENT });
    const client = tracing.start('authz.v1.SessionService/IntrospectCredential', {
      kind: 'client',
      parent: server.traceparent,
      attributes: { 'rpc.system': 'grpc' },
    });
    client.end({ error: 'UNAVAILABLE' });
    server.end({ name: 'GET /v1/files/:id', attributes: { 'http.response.status_code': 503 } });
    server.end({ name: 'again' });
    await tracing.close();

    const [resourceSpans] = received.flatMap((request) => request.resourceSpans);
    expect(resourceSpans!.resource.attributes).toContainEqual({
      key: 'service.name',
      value: { stringValue: 'docstore-api' },
    });
    const spans = received.flatMap((request) =>
      request.resourceSpans.flatMap((one) => one.scopeSpans.flatMap((scope) => scope.spans)),
    );
    expect(spans).toHaveLength(2);
    const [call, request] = spans as [OtlpSpan, OtlpSpan];
    expect(request).toMatchObject({
      traceId: '0af7651916cd43dd8448eb211c80319c',
      parentSpanId: 'b7ad6b7169203331',
      name: 'GET /v1/files/:id',
      kind: 2,
      attributes: [{ key: 'http.response.status_code', value: { intValue: 503 } }],
    });
    expect(call).toMatchObject({
      traceId: request.traceId,
      parentSpanId: request.spanId,
      kind: 3,
      status: { code: 2, message: 'UNAVAILABLE' },
    });
    expect(client.traceparent).toBe(`00-${call.traceId}-${call.spanId}-01`);
  });

  it('createTracing begins a trace where none came in or it is malformed', async () => {
    const { url } = await collector();
    const tracing = createTracing({ service: 'authz-grpc', endpoint: url });
    for (const parent of [undefined, '', 'x', PARENT.replace('0af', 'XYZ')]) {
      const span = tracing.start('check', { kind: 'server', parent });
      expect(span.traceparent).toMatch(/^00-[0-9a-f]{32}-[0-9a-f]{16}-01$/);
      expect(span.traceparent).not.toContain('0af7651916cd43dd8448eb211c80319c');
      span.end();
    }
    await tracing.close();
  });

  it('createTracing without an endpoint records nothing and passes on what came in', async () => {
    const tracing = createTracing({ service: 'authz-grpc', endpoint: undefined });
    expect(tracing.start('check', { kind: 'server', parent: PARENT }).traceparent).toBe(PARENT);
    expect(tracing.start('check', { kind: 'server', parent: 'x' }).traceparent).toBeUndefined();
    await tracing.close();
  });

  it('createTracing loses spans, not time or requests, when the collector is unavailable', async () => {
    const tracing = createTracing({ service: 'authz-grpc', endpoint: 'http://127.0.0.1:9' });
    tracing.start('check', { kind: 'server', parent: PARENT }).end();
    await expect(tracing.close()).resolves.toBeUndefined();
  });

  it('createTracing reports how many spans the collector took, and how many were lost while it is unavailable', async () => {
    const exports: [number, boolean][] = [];
    const onExport = (spans: number, error?: Error) => void exports.push([spans, error !== undefined]);
    const { url } = await collector();
    const tracing = createTracing({ service: 'docs', endpoint: url, onExport });
    for (let i = 0; i < 2; i += 1) tracing.start('GET', { kind: 'server', parent: undefined }).end();
    await tracing.close();
    const silenced = createTracing({ service: 'docs', endpoint: 'http://127.0.0.1:1', onExport });
    silenced.start('GET', { kind: 'server', parent: undefined }).end();
    while (exports.length < 2) await silenced.close();
    expect(exports).toEqual([
      [2, false],
      [1, true],
    ]);
  });
});
