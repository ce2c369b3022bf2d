import { readFileSync } from 'node:fs';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { requestContext } from '@platform/authz-client';
import { covers } from '@platform/testing/covers';
import { startCollector, type CollectedSpan, type Collector } from './collector.fixture.ts';
import {
  createOwner,
  startPlatform,
  stopServices,
  type LogLine,
  type Owner,
  type Platform,
  type ServiceName,
} from './platform.fixture.ts';

const SENT_TRACE = '0af7651916cd43dd8448eb211c80319c';
const SENT_SPAN = 'b7ad6b7169203331';
const LEVELS: Readonly<Record<ServiceName, string>> = {
  'authz-grpc': 'AUTHZ_LOG_LEVEL',
  'docstore-api': 'DOCSTORE_LOG_LEVEL',
  'investigation-api': 'INVESTIGATION_LOG_LEVEL',
};

let collector: Collector;
let platform: Platform;
let owner: Owner;

beforeAll(async () => {
  collector = await startCollector();
  platform = await startPlatform((name) => ({
    OTEL_EXPORTER_OTLP_ENDPOINT: collector.url,
    // Milliseconds after which a batch that is not full is sent.
    OTEL_BSP_SCHEDULE_DELAY: '50',
    [LEVELS[name]]: 'debug',
  }));
  owner = await createOwner(platform.authz, 'a user password for tests 2846');
});
afterAll(async () => {
  await stopServices();
  collector.close();
});

/** The spans of a trace, once those of these names have come; twice named, two of them. */
async function spansOf(traceId: string, ...names: string[]): Promise<CollectedSpan[]> {
  for (;;) {
    const arrived = collector.spans.filter((span) => span.traceId === traceId);
    const missing = arrived.reduce((left, { name }) => {
      const at = left.indexOf(name);
      return at < 0 ? left : left.toSpliced(at, 1);
    }, names);
    if (missing.length === 0) return arrived;
    await new Promise((resolve) => setTimeout(resolve, 20));
  }
}

/**
 * The lines of a service's log that belong to a request, once there are any: they are written a little later.
 */
async function linesOf(name: ServiceName, requestId: string): Promise<LogLine[]> {
  for (;;) {
    const lines = platform.services[name].lines.filter((line) => line.request_id === requestId);
    if (lines.length > 0) return lines;
    await new Promise((resolve) => setTimeout(resolve, 20));
  }
}

const send = (url: string, requestId: string, traceId: string, body?: string) =>
  fetch(url, {
    method: body === undefined ? 'GET' : 'POST',
    headers: {
      authorization: `Bearer ${owner.token}`,
      'x-request-id': requestId,
      traceparent: `00-${traceId}-${SENT_SPAN}-01`,
      ...(body === undefined ? {} : { 'content-type': 'application/json' }),
    },
    ...(body === undefined ? {} : { body }),
  });

describe('one request over two services', () => {
  it("a request to docstore-api is one trace that continues the sender's, with its ids in both logs", async () => {
    const response = await send(`${platform.docstoreUrl}/v1/usage`, 'trace-1', SENT_TRACE);
    expect(response.status).toBe(200);

    const spans = await spansOf(
      SENT_TRACE,
      'GET /v1/usage',
      'authz.v1.SessionService/IntrospectCredential',
      'authz.v1.SessionService/IntrospectCredential',
    );
    const named = (service: ServiceName, name: string) => {
      const found = spans.filter((span) => span.service === service && span.name === name);
      expect(found).toHaveLength(1);
      return found[0]!;
    };
    const request = named('docstore-api', 'GET /v1/usage');
    const call = named('docstore-api', 'authz.v1.SessionService/IntrospectCredential');
    const served = named('authz-grpc', 'authz.v1.SessionService/IntrospectCredential');
    expect(request.parentSpanId).toBe(SENT_SPAN);
    expect(call.parentSpanId).toBe(request.spanId);
    expect(served.parentSpanId).toBe(call.spanId);
    // Caller and service name the call alike, by the semantic conventions.
    const rpc = ({ attributes }: CollectedSpan) =>
      Object.fromEntries(
        attributes
          .filter(({ key }) => key.startsWith('rpc.'))
          .map(({ key, value }) => [key, value['stringValue']]),
      );
    for (const span of [call, served])
      expect(rpc(span)).toEqual({
        'rpc.system': 'grpc',
        'rpc.service': 'authz.v1.SessionService',
        'rpc.method': 'IntrospectCredential',
      });

    for (const name of ['docstore-api', 'authz-grpc'] as const) {
      const lines = await linesOf(name, 'trace-1');
      expect(lines.map((line) => line.trace_id)).toEqual(lines.map(() => SENT_TRACE));
    }
  });

  it('a request to investigation-api has the analysis as a span of its own', async () => {
    const traceId = SENT_TRACE.replace('0af', '1af');
    const body = readFileSync(new URL('../../examples/first-flight.json', import.meta.url), 'utf8');
    const path = '/api/v1/investigations/analyze';
    const response = await send(platform.investigationUrl + path, 'trace-2', traceId, body);
    expect(response.status).toBe(200);

    const spans = await spansOf(traceId, `POST ${path}`, 'analysis analyze');
    const request = spans.find((span) => span.name === `POST ${path}`)!;
    expect(request).toMatchObject({ service: 'investigation-api', parentSpanId: SENT_SPAN });
    expect(spans.find((span) => span.name === 'analysis analyze')).toMatchObject({
      service: 'investigation-api',
      parentSpanId: request.spanId,
    });
    expect(spans.every(({ service }) => ['investigation-api', 'authz-grpc'].includes(service))).toBe(true);
    expect(await linesOf('investigation-api', 'trace-2')).toContainEqual(
      expect.objectContaining({ trace_id: traceId, msg: 'request' }),
    );
  });

  it('a request without a trace begins one, which its log lines name', async () => {
    const response = await fetch(`${platform.docstoreUrl}/v1/nope`, {
      headers: { 'x-request-id': 'trace-3' },
    });
    expect(response.status).toBe(404);
    const span = async () => {
      for (;;) {
        const found = collector.spans.find(
          (one) => one.service === 'docstore-api' && one.name === 'GET none',
        );
        if (found) return found;
        await new Promise((resolve) => setTimeout(resolve, 20));
      }
    };
    const { traceId } = await span();
    const [line] = await linesOf('docstore-api', 'trace-3');
    expect(line?.trace_id).toBe(traceId);
  });
});

describe('a check', () => {
  it.each([
    [
      'gRPC',
      '2af',
      'authz.v1.AuthorizationService/CheckAuthorization',
      (context: Record<string, string>, traceparent: string) =>
        platform.authz.authorization.checkAuthorization(
          { context: requestContext(context) },
          { token: owner.token, metadata: { traceparent } },
        ),
    ],
    [
      'REST',
      '3af',
      'POST /v1/authz/check',
      (context: Record<string, string>, traceparent: string) =>
        fetch(`${platform.authzUrl}/v1/authz/check`, {
          method: 'POST',
          headers: { authorization: `Bearer ${owner.token}`, traceparent },
          body: JSON.stringify({ context }),
        }),
    ],
  ])('a check over %s has its strict audit write as a span', async (_transport, prefix, named, check) => {
    const object = `svc://${owner.rootDomainId}/thing`;
    const traceId = SENT_TRACE.replace('0af', prefix);
    await check({ subject: owner.userId, action: 'read', object }, `00-${traceId}-${SENT_SPAN}-01`);
    const spans = await spansOf(traceId, 'audit write', named);
    const served = spans.find((span) => span.parentSpanId === SENT_SPAN);
    expect(served?.service).toBe('authz-grpc');
    expect(spans.find((span) => span.name === 'audit write')?.parentSpanId).toBe(served?.spanId);
  });
});

describe('the database', () => {
  covers('PLAT-O.20');
  const DATABASE = (span: CollectedSpan) =>
    span.attributes.some(({ key }) => key === 'db.system.name') && span.service !== 'authz-grpc';

  it('statements of requests at the same time are spans below the request that sent each, without values', async () => {
    const sent = Array.from({ length: 8 }, (_, i) => ({
      traceId: SENT_TRACE.replace('0af7', `4${i}f7`),
      filename: `notes/unguessable-${i}.md`,
    }));
    const statuses = await Promise.all(
      sent.map(async ({ traceId, filename }) => {
        const body = JSON.stringify({ filename, contents: 'first\n' });
        return (await send(`${platform.docstoreUrl}/v1/file`, `trace-${traceId}`, traceId, body)).status;
      }),
    );
    expect(statuses).toEqual(sent.map(() => 201));
    const shapes = [];
    for (const { traceId } of sent) {
      const spans = await spansOf(traceId, 'POST /v1/file');
      const [request] = spans.filter(({ name }) => name === 'POST /v1/file');
      const below = spans.filter(DATABASE);
      for (const span of below) {
        expect(span.name).toMatch(/^[A-Z]+( [a-z_]+)?$/);
        expect(span.parentSpanId).toBe(request!.spanId);
      }
      expect(below.filter(({ name }) => name.startsWith('INSERT '))).not.toEqual([]);
      shapes.push(below.map(({ name }) => name).sort());
      expect(JSON.stringify(below)).not.toMatch(/unguessable|notes\//);
    }
    // Each request has its own statements: none is missing here and there twice.
    for (const shape of shapes) expect(shape).toEqual(shapes[0]);
  });

  it.each([
    [
      'investigation-api',
      '5af',
      'GET /api/v1/sessions',
      (traceId: string) => send(`${platform.investigationUrl}/api/v1/sessions`, 'trace-5', traceId),
    ],
    [
      'authz-grpc',
      '6af',
      'authz.v1.UserService/ListUsers',
      (traceId: string) =>
        platform.authz.users.listUsers(
          {},
          { token: owner.token, metadata: { traceparent: `00-${traceId}-${SENT_SPAN}-01` } },
        ),
    ],
  ] as const)('what %s reads for a request is a span of its trace', async (service, prefix, name, read) => {
    const traceId = SENT_TRACE.replace('0af', prefix);
    await read(traceId);
    const spans = await spansOf(traceId, name);
    const [request] = spans.filter((span) => span.name === name);
    const statements = spans.filter((span) => span.service === service && span.name.startsWith('SELECT '));
    const above = new Set(statements.map(({ parentSpanId }) => parentSpanId));
    expect(above.has(request!.spanId)).toBe(true);
  });
});
