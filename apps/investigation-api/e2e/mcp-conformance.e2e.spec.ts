import { execFile, spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { createServer, request, type Server } from 'node:http';
import { createRequire } from 'node:module';
import type { AddressInfo } from 'node:net';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { localhostHostValidation, localhostOriginValidation } from '@modelcontextprotocol/express';
import { toNodeHandler } from '@modelcontextprotocol/node';
import { createMcpHandler } from '@modelcontextprotocol/server';
import { listen } from '@platform/service-kit';
import { killOnExit } from '@platform/testing';
import express from 'express';
import { covers } from '@platform/testing/covers';
import { bundleWorker } from '../src/engine/bundle-worker.fixture.ts';
import { CONNECTION } from '../src/mcp/connected-client.fixture.ts';
import { buildServer } from '../src/mcp/server.ts';
import type { TestService } from '../src/test-service.fixture.ts';
import { startTestService } from '../src/test-service.fixture.ts';
import { createTenant, startAuthz, type Authz } from './authz.fixture.ts';
import { registerConformanceFixtures } from './mcp-conformance.fixture.ts';

const SUITE = join(
  dirname(createRequire(import.meta.url).resolve('@modelcontextprotocol/conformance/package.json')),
  'dist/index.js',
);
const here = (file: string) => fileURLToPath(new URL(file, import.meta.url));
const PLATFORM = here('../../../dist/apps/authz-cli/platform.js');
const output = mkdtempSync(join(tmpdir(), 'mcp-conformance-'));
const worker = bundleWorker(new URL('../src/engine/analysis-worker.ts', import.meta.url));
let service: TestService;
let server: Server;
let url: string;

/** Our factory with the suite's fixtures on it, and without credentials, which the suite does not send. */
beforeAll(async () => {
  service = await startTestService(worker.file);
  const serve = toNodeHandler(
    createMcpHandler(
      () => {
        const mcp = buildServer(service.deps, CONNECTION);
        registerConformanceFixtures(mcp);
        return mcp;
      },
      { maxSubscriptions: 0 },
    ),
  );
  const app = express();
  app.use(localhostHostValidation(), localhostOriginValidation());
  app.all('/mcp', (req, res) => serve(req, res));
  server = createServer(app);
  url = `http://127.0.0.1:${await listen(server, { host: '127.0.0.1', port: 0, setting: 'a test port' })}/mcp`;
});

afterAll(async () => {
  server?.closeAllConnections();
  server?.close();
  await service?.close();
  worker.remove();
  rmSync(output, { recursive: true, force: true });
});

describe('the official conformance suite', () => {
  it.each(['2025-11-25', '2026-07-28'])(
    'the official conformance suite passes what revision %s requires, except for what is listed with a reason',
    async (revision) => {
      covers('INV-T.4');
      await expectConformance(url, revision);
    },
  );
});

describe('the official conformance suite behind the guard', () => {
  let authz: Authz;
  let guard: ChildProcess;
  let front: Server;
  let guardedUrl: string;

  /** The guard before the same server, and before it a proxy that adds a credential: the suite sends none. */
  beforeAll(async () => {
    authz = await startAuthz('pglite:memory://');
    const { rootDomainId, owner } = await createTenant(authz);
    guard = spawn(
      process.execPath,
      [PLATFORM, 'mcp-guard', '--domain', rootDomainId, '--url', url, '--listen', '127.0.0.1:0'],
      {
        env: { PATH: process.env['PATH'], PLATFORM_ADDRESS: authz.target, PLATFORM_TOKEN: owner.token },
        stdio: ['ignore', 'pipe', 'inherit'],
      },
    );
    killOnExit(guard);
    const [said] = (await once(guard.stdout!, 'data')) as [Buffer];
    const guardUrl = new URL(/http:\S+/.exec(said.toString())?.[0] ?? '');
    front = createServer((req, res) => {
      const host = req.headers.host?.replace(String((front.address() as AddressInfo).port), guardUrl.port);
      const origin = req.headers.origin?.replace(
        String((front.address() as AddressInfo).port),
        guardUrl.port,
      );
      const headers = { ...req.headers, host, authorization: `Bearer ${owner.token}` };
      if (origin !== undefined) Object.assign(headers, { origin });
      const sent = request(guardUrl, { method: req.method, headers }, (response) => {
        res.writeHead(response.statusCode!, response.headers);
        response.pipe(res);
      });
      sent.on('error', () => res.destroy());
      res.on('close', () => sent.destroy());
      req.pipe(sent);
    });
    guardedUrl = `http://127.0.0.1:${await listen(front, { host: '127.0.0.1', port: 0, setting: 'a test port' })}/mcp`;
  });
  afterAll(async () => {
    front?.closeAllConnections();
    front?.close();
    guard?.kill();
    await authz?.kill();
  });

  it.each(['2025-11-25', '2026-07-28'])(
    'the official conformance suite passes through the guard as it does without it, for revision %s',
    async (revision) => {
      covers('AUTHZ-MCP.4');
      await expectConformance(guardedUrl, revision);
    },
  );
});

async function expectConformance(at: string, revision: string): Promise<void> {
  const args = ['--import', here('./fs-glob-sync.mjs'), SUITE, 'server', '--url', at];
  const expected = here(`./mcp-conformance-${revision}.yaml`);
  const options = ['--requirements', revision, '--expected-failures', expected, '--output-dir', output];
  const { code, text } = await run([...args, ...options]);
  expect(text).toMatch(/✓ tools-call-simple-text: 2 passed, 0 failed/);
  expect([code, code === 0 ? '' : text.slice(text.indexOf('=== SUMMARY'))]).toEqual([0, '']);
}

function run(args: string[]): Promise<{ code: number; text: string }> {
  return new Promise((resolve) => {
    const options = { maxBuffer: 64 * 1024 * 1024, cwd: output };
    execFile(process.execPath, args, options, (error, stdout, stderr) =>
      resolve({ code: error === null ? 0 : Number(error.code ?? 1), text: stdout + stderr }),
    );
  });
}
