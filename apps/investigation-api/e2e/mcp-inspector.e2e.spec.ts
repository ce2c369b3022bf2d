import type { Server } from 'node:http';
import { createServer, request } from 'node:http';
import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { listen } from '@platform/service-kit';
import { bundleWorker } from '../src/engine/bundle-worker.fixture.ts';
import { startTestService } from '../src/test-service.fixture.ts';
import { COMMAND, run, SMALL } from './mcp-clients.ts';

const INSPECTOR = join(
  dirname(createRequire(import.meta.url).resolve('@modelcontextprotocol/inspector-cli/package.json')),
  'build/cli.js',
);

describe("the official inspector's command line", () => {
  const call = [
    '--method',
    'tools/call',
    '--tool-name',
    'submit_investigation',
    '--tool-arg',
    ...Object.entries(SMALL).map(
      ([name, value]) => `${name}=${typeof value === 'string' ? value : JSON.stringify(value)}`,
    ),
  ];
  const worker = bundleWorker(new URL('../src/engine/analysis-worker.ts', import.meta.url));
  let service: Awaited<ReturnType<typeof startTestService>>;
  let proxy: Server;
  let url: string;

  beforeAll(async () => {
    service = await startTestService(worker.file);
    // This command line sends no headers of ours, so the credential is put on by the way.
    proxy = createServer((req, res) => {
      const headers = { ...req.headers, authorization: `Bearer ${service.token}` };
      req.pipe(
        request(service.url + req.url, { method: req.method, headers }, (response) => {
          res.writeHead(response.statusCode ?? 500, response.headers);
          response.pipe(res);
        }),
      );
    });
    url = `http://127.0.0.1:${await listen(proxy, { host: '127.0.0.1', port: 0, setting: 'a test port' })}/mcp`;
  });

  afterAll(async () => {
    proxy.closeAllConnections();
    proxy.close();
    await service.close();
    worker.remove();
  });

  const inspect = async (target: string[], args: string[]) => {
    const { code, stdout, stderr } = await run(INSPECTOR, ['--cli', ...target, ...args]);
    expect([code, stderr]).toEqual([0, '']);
    return JSON.parse(stdout) as Record<string, unknown>;
  };

  it.each([
    ['stdio', () => [process.execPath, COMMAND]],
    ['HTTP', () => [url]],
  ])("the official inspector's command line lists and calls the tool over %s", async (_transport, target) => {
    const { tools } = await inspect(target(), ['--method', 'tools/list']);
    expect((tools as { name: string }[]).map((tool) => tool.name)).toContain('submit_investigation');
    const result = await inspect(target(), call);
    expect(result).toMatchObject({ structuredContent: { research_question: 'q' } });
  });
});
