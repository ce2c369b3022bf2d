import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { covers } from '@platform/testing/covers';
import type { AnalysisPool } from '../src/engine/analysis-pool.ts';
import { createAnalysisPool } from '../src/engine/analysis-pool.ts';
import { bundleWorker } from '../src/engine/bundle-worker.fixture.ts';
import { startTestService } from '../src/test-service.fixture.ts';
import type { TestService } from '../src/test-service.fixture.ts';
import { connectOverHttp, DEFAULT_TOOLS, DEMO, ERAS, largeInvestigation, textOf } from './mcp-clients.ts';

const worker = bundleWorker(new URL('../src/engine/analysis-worker.ts', import.meta.url));
let service: TestService;
/** Signals of the analyses begun, the latest last. */
const signals: AbortSignal[] = [];

beforeAll(async () => {
  const pool = createAnalysisPool({ threads: 1, queueMax: 8, memoryMiBMax: 1024, file: worker.file });
  service = await startTestService(worker.file, {}, { analysis: observed(pool) });
});

afterAll(async () => {
  await service.close();
  worker.remove();
});

/** The real pool, its calls noted. */
function observed(pool: AnalysisPool): AnalysisPool {
  return {
    ...pool,
    analyze(body, options) {
      signals.push(options.signal);
      return pool.analyze(body, options);
    },
  };
}

describe.each(ERAS)('MCP over HTTP, protocol %s', (version, era) => {
  it('MCP over HTTP lists the tools and speaks the version asked for', async () => {
    covers('INV-T.4');
    const client = await connectOverHttp(service, { era });
    expect((await client.listTools()).tools.map((tool) => tool.name)).toEqual(DEFAULT_TOOLS);
    expect(client.getNegotiatedProtocolVersion()).toBe(version);
    await client.close();
  });

  it('MCP over HTTP judges the demo, with structured output by its schema and a summary for people', async () => {
    covers('INV-T.1');
    const client = await connectOverHttp(service, { era });
    await client.listTools();
    const result = await client.callTool({ name: 'submit_investigation', arguments: DEMO });
    expect(result.isError).toBeFalsy();
    expect(result.structuredContent).toMatchObject({ research_question: DEMO['research_question'] });
    expect(textOf(result)).toMatch(
      /achieved_by = Wilbur and Orville Wright: True, chance that it is true \d+ %/,
    );
    await client.close();
  });

  it('MCP over HTTP returns the compact output in summary_mode', async () => {
    const client = await connectOverHttp(service, { era });
    await client.listTools();
    const result = await client.callTool({
      name: 'submit_investigation',
      arguments: { ...DEMO, summary_mode: true },
    });
    expect(result.structuredContent).toMatchObject({ summary_mode: true });
    expect(result.structuredContent).not.toHaveProperty('claim_analyses');
    expect(textOf(result)).toMatch(/^\d+ further verdicts are not listed here\.$/m);
    expect(textOf(result)).toMatch(/^On \d+ of \d+ questions there is evidence both for and against\.$/m);
    await client.close();
  });

  it('MCP over HTTP names every problem of an invalid input with its path', async () => {
    const client = await connectOverHttp(service, { era });
    const claims = [
      { id: 'c', actor_id: 'nobody', subject_id: 's', predicate: 'p', value: 'v', content: '' },
    ];
    const result = await client.callTool({
      name: 'submit_investigation',
      arguments: { research_question: 'q', actors: [], subjects: [], claims },
    });
    expect(result.isError).toBe(true);
    expect(textOf(result)).toMatch(/^unprocessable \(422\): .*claims\[0\]\.actor_id/);
    expect(textOf(result)).toContain('claims[0].subject_id');
    await client.close();
  });

  it('MCP over HTTP reports progress that never decreases', async () => {
    const client = await connectOverHttp(service, { era });
    const seen: { progress: number; total?: number | undefined; message?: string | undefined }[] = [];
    await client.callTool(
      { name: 'submit_investigation', arguments: { ...largeInvestigation(5000), summary_mode: true } },
      { onprogress: (progress) => seen.push(progress) },
    );
    expect(seen.length).toBeGreaterThan(0);
    expect(seen.map(({ progress }) => progress)).toEqual(
      seen.map(({ progress }) => progress).toSorted((a, b) => a - b),
    );
    expect(seen.every(({ message }) => Boolean(message))).toBe(true);
    await client.close();
  });

  it('MCP over HTTP stops the work when the client disconnects', async () => {
    const client = await connectOverHttp(service, { era });
    const before = signals.length;
    const call = client.callTool({ name: 'submit_investigation', arguments: largeInvestigation(20_000) });
    const outcome = call.then(
      () => 'answered',
      () => 'gone',
    );
    while (signals.length === before) await new Promise((resolve) => setTimeout(resolve, 1));
    await client.close();
    expect(await outcome).toBe('gone');
    while (!signals.at(-1)!.aborted) await new Promise((resolve) => setTimeout(resolve, 1));
  });

  it('MCP over HTTP refuses a result too large for a tool, and says how to narrow it', async () => {
    covers('INV-T.21');
    const client = await connectOverHttp(service, { era });
    const result = await client.callTool({
      name: 'submit_investigation',
      arguments: { ...largeInvestigation(8000), detail: 'full' },
    });
    expect(result.isError).toBe(true);
    expect(textOf(result)).toMatch(
      /^payload_too_large \(413\): .*\nRemedy: leave out detail for the summary; .* create_investigation_session /,
    );
    await client.close();
  });

  it('MCP over HTTP narrows the tools by query', async () => {
    const client = await connectOverHttp(service, { era, path: '/mcp?toolsets=docs&read_only=true' });
    expect((await client.listTools()).tools.map((tool) => tool.name)).toEqual(['get_docs']);
    await client.close();
  });
});

describe('MCP over HTTP, cancellation', () => {
  it('MCP over HTTP stops the work of a cancelled call (2026-07-28)', async () => {
    const client = await connectOverHttp(service, { era: { pin: '2026-07-28' } });
    const before = signals.length;
    const cancel = new AbortController();
    const call = client.callTool(
      { name: 'submit_investigation', arguments: largeInvestigation(20_000) },
      { signal: cancel.signal },
    );
    const outcome = call.then(
      () => 'answered',
      () => 'cancelled',
    );
    while (signals.length === before) await new Promise((resolve) => setTimeout(resolve, 1));
    cancel.abort();
    expect(await outcome).toBe('cancelled');
    while (!signals.at(-1)!.aborted) await new Promise((resolve) => setTimeout(resolve, 1));
    await client.close();
  });
});

describe('MCP over HTTP, the door', () => {
  const list = { jsonrpc: '2.0', id: 1, method: 'tools/list', params: {} };
  const post = (headers: Record<string, string>, body: string = JSON.stringify(list), path = '/mcp') =>
    fetch(service.url + path, {
      method: 'POST',
      body,
      headers: {
        'content-type': 'application/json',
        accept: 'application/json, text/event-stream',
        ...headers,
      },
    });
  const bearer = () => ({ authorization: `Bearer ${service.token}` });

  it('MCP over HTTP refuses a call without a credential, with a challenge', async () => {
    covers('INV-E.401');
    const response = await post({});
    expect(response.status).toBe(401);
    expect(response.headers.get('www-authenticate')).toMatch(/^Bearer /);
    expect(await response.json()).toEqual({ error: expect.any(String) });
  });

  it('MCP over HTTP refuses a bad credential', async () => {
    const response = await post({ authorization: 'Bearer x.y.z' });
    expect(response.status).toBe(401);
    expect(response.headers.get('www-authenticate')).toContain('error="invalid_token"');
  });

  it('MCP over HTTP accepts the credentials of REST, a token or an API key', async () => {
    expect((await post(bearer())).status).toBe(200);
    expect((await post({ 'x-api-key': service.apiKey })).status).toBe(200);
    expect((await post({ 'x-api-key': service.token })).status).toBe(401);
  });

  it.each(['https://evil.example', 'null'])('MCP over HTTP refuses a page of origin %s', async (origin) => {
    expect((await post({ ...bearer(), origin })).status).toBe(403);
  });

  it('MCP over HTTP accepts a page of this machine', async () => {
    expect((await post({ ...bearer(), origin: 'http://localhost:6274' })).status).toBe(200);
  });

  it('MCP over HTTP refuses an unknown toolset and lists the known ones', async () => {
    const response = await post(bearer(), undefined, '/mcp?toolsets=nope');
    expect(response.status).toBe(422);
    expect(((await response.json()) as { error: string }).error).toContain(
      'analysis, sessions, shares, colleagues, outcomes, watch, entities, documents, files, docs',
    );
  });

  it('MCP over HTTP holds no session: GET and DELETE are not allowed', async () => {
    for (const method of ['GET', 'DELETE']) {
      const response = await fetch(`${service.url}/mcp`, { method, headers: bearer() });
      expect(response.status).toBe(405);
    }
  });

  const call = (args: string) =>
    `{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"submit_investigation","arguments":${args}}}`;

  it.each([
    ['no JSON', '{"jsonrpc":', 400],
    ['an empty body', '', 400],
    ['another media', '[]', 400],
    ['null for arguments', call('null'), 200],
    ['a list for arguments', call('[1,2]'), 200],
    ['__proto__ in arguments', call('{"__proto__":{"polluted":true},"research_question":"q"}'), 200],
    ['deep nesting', call(`{"claims":${'['.repeat(20_000)}${']'.repeat(20_000)}}`), 200],
    ['an unknown tool', '{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"x"}}', 200],
    ['an unknown method', '{"jsonrpc":"2.0","id":1,"method":"nope"}', 200],
    ['no method', '{"jsonrpc":"2.0","id":1}', 400],
    ['a long string', call(`{"research_question":"${'x'.repeat(1_000_000)}"}`), 200],
  ])('MCP over HTTP responds to %s', async (_what, body, status) => {
    const response = await post(bearer(), body);
    const text = await response.text();
    expect([status, text]).toEqual([response.status, text]);
    expect(text).toMatch(/"error"|"isError":true/);
    expect(text).not.toMatch(/"code":-32603|\bat .*\.ts:/);
    expect(({} as { polluted?: boolean }).polluted).toBeUndefined();
  });

  it('MCP over HTTP refuses a body over the limit', async () => {
    covers('INV-E.413');
    const small = await startTestService(worker.file, {
      INVESTIGATION_BODY_BYTES_MAX: '2048',
      INVESTIGATION_BODY_BYTES_IN_FLIGHT_MAX: '4096',
    });
    const response = await fetch(`${small.url}/mcp`, {
      method: 'POST',
      body: call(`{"research_question":"${'x'.repeat(4096)}"}`),
      headers: {
        'content-type': 'application/json',
        accept: 'application/json, text/event-stream',
        authorization: `Bearer ${small.token}`,
      },
    });
    expect(response.status).toBe(413);
    await small.close();
  });
});
