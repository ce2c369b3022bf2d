import { readFileSync } from 'node:fs';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { requestContext } from '@platform/authz-client';
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

/** The spans of a trace, once `count` of them have come. */
async function spansOf(traceId: string, count: number): Promise<CollectedSpan[]> {
  const arrived = () => collector.spans.filter((span) => span.traceId === traceId);
  while (arrived().length < count) await new Promise((resolve) => setTimeout(resolve, 20));
  return arrived();
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
    const answer = await send(`${platform.docstoreUrl}/v1/usage`, 'trace-1', SENT_TRACE);
    expect(answer.status).toBe(200);

    const spans = await spansOf(SENT_TRACE, 3);
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

    for (const name of ['docstore-api', 'authz-grpc'] as const) {
      const lines = await linesOf(name, 'trace-1');
      expect(lines.map((line) => line.trace_id)).toEqual(lines.map(() => SENT_TRACE));
    }
  });

  it('a request to investigation-api has the analysis as a span of its own', async () => {
    const traceId = SENT_TRACE.replace('0af', '1af');
    const body = readFileSync(new URL('../../examples/first-flight.json', import.meta.url), 'utf8');
    const path = '/api/v1/investigations/analyze';
    const answer = await send(platform.investigationUrl + path, 'trace-2', traceId, body);
    expect(answer.status).toBe(200);

    const spans = await spansOf(traceId, 4);
    const request = spans.find((span) => span.name === `POST ${path}`)!;
    expect(request).toMatchObject({ service: 'investigation-api', parentSpanId: SENT_SPAN });
    expect(spans.find((span) => span.name === 'analysis analyze')).toMatchObject({
      service: 'investigation-api',
      parentSpanId: request.spanId,
    });
    expect(new Set(spans.map((span) => span.service))).toEqual(new Set(['investigation-api', 'authz-grpc']));
    expect(await linesOf('investigation-api', 'trace-2')).toContainEqual(
      expect.objectContaining({ trace_id: traceId, msg: 'request' }),
    );
  });

  it('a request without a trace begins one, which its log lines name', async () => {
    const answer = await fetch(`${platform.docstoreUrl}/v1/nope`, { headers: { 'x-request-id': 'trace-3' } });
    expect(answer.status).toBe(404);
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
      (context: Record<string, string>, traceparent: string) =>
        platform.authz.authorization.checkAuthorization(
          { context: requestContext(context) },
          { token: owner.token, metadata: { traceparent } },
        ),
    ],
    [
      'REST',
      '3af',
      (context: Record<string, string>, traceparent: string) =>
        fetch(`${platform.authzUrl}/v1/authz/check`, {
          method: 'POST',
          headers: { authorization: `Bearer ${owner.token}`, traceparent },
          body: JSON.stringify({ context }),
        }),
    ],
  ])('a check over %s has its strict audit write as a span', async (_transport, prefix, check) => {
    const object = `svc://${owner.rootDomainId}/thing`;
    const traceId = SENT_TRACE.replace('0af', prefix);
    await check({ subject: owner.userId, action: 'read', object }, `00-${traceId}-${SENT_SPAN}-01`);
    const spans = await spansOf(traceId, 2);
    const served = spans.find((span) => span.parentSpanId === SENT_SPAN);
    expect(served?.service).toBe('authz-grpc');
    expect(spans.find((span) => span.name === 'audit write')?.parentSpanId).toBe(served?.spanId);
  });
});
