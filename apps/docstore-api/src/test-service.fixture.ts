import { randomUUID } from 'node:crypto';
import { mkdirSync } from 'node:fs';
import type { Server } from 'node:http';
import { fileURLToPath, pathToFileURL } from 'node:url';
import { buildSync } from 'esbuild';
import { listen, type Metrics } from '@platform/service-kit';
import { migrate, openDatabase } from '@platform/database';
import { migratedCopy, startPostgres } from '@platform/testing';
import { pino } from 'pino';
import { CONFIG } from './config.ts';
import { createDeps, type DepsOverrides, type ServiceDeps } from './deps.ts';
import { createApiServer } from './server.ts';
import { mintKey } from './operations/keys.ts';
import { ACTIONS } from './rules/scopes.ts';
import { requireDescribed } from './http/described.fixture.ts';

const MIGRATIONS_URL = new URL('../../../prisma/docstore/migrations/', import.meta.url);
export const MIGRATIONS = fileURLToPath(MIGRATIONS_URL);

/** Parameters of one request: `json` or `body`, headers, and the key it is sent with. */
export interface Send {
  readonly json?: unknown;
  readonly body?: string | Buffer<ArrayBuffer>;
  readonly headers?: Record<string, string>;
  /** Default: a key that may do everything for an owner of the test's own; null = none. */
  readonly key?: string | null;
  readonly ifMatch?: string;
}

export interface Answered {
  readonly status: number;
  readonly headers: Headers;
  readonly text: string;
  /** The body as JSON; a test that reads it knows its shape. */
  // oxlint-disable-next-line no-explicit-any
  readonly json: any;
}

export interface TestService {
  readonly base: string;
  readonly deps: ServiceDeps;
  readonly metrics: Metrics;
  readonly server: Server;
  /** Lines of the log, as they were written. */
  readonly log: Record<string, unknown>[];
  /** A key for `owner`, by the operator's right. */
  keyFor(owner: string, scopes?: string, expiresInDays?: number): Promise<string>;
  close(): Promise<void>;
}

/**
 * The whole service over a real port; without a database URL it has a migrated Postgres database of its own.
 * Rates do not limit it unless `env` says so; `overrides` replace parts.
 */
export async function startTestService(
  givenUrl: string | null,
  env: Record<string, string> = {},
  overrides: DepsOverrides = {},
): Promise<TestService> {
  const postgres = givenUrl === null ? await startPostgres() : null;
  const databaseUrl =
    postgres === null ? givenUrl! : await migratedCopy(postgres, 'docstore-api', MIGRATIONS_URL, migrateUrl);
  const config = await CONFIG.load({
    DATABASE_URL: databaseUrl,
    DOCSTORE_REQUESTS_PER_MINUTE: '1000000',
    ...env,
  });
  const log: Record<string, unknown>[] = [];
  const logger = pino(
    { level: 'info' },
    { write: (line: string) => void log.push(JSON.parse(line) as Record<string, unknown>) },
  );
  if (givenUrl?.startsWith('postgres')) await migrateUrl(givenUrl);
  const made = await createDeps(config, { logger, ...overrides });
  // One object for the server and for tests, which replace parts of it.
  const deps = { ...made, bodyWorkerFile: bundleBodyWorker() };
  const server = createApiServer(deps);
  // Client and server share a thread: a turn that takes long must not look like a connection nobody uses.
  server.keepAliveTimeout = 600_000;
  const port = await listen(server, { host: '127.0.0.1', port: 0, setting: 'none' });
  return {
    base: `http://127.0.0.1:${port}`,
    deps,
    metrics: deps.metrics,
    server,
    log,
    async keyFor(owner, scopes = ACTIONS.join(' '), expiresInDays) {
      const operator = {
        owner,
        subject: 'operator',
        scopes: ACTIONS.map((action) => ({ action, prefix: null })),
        expiresAt: null,
        leases: [],
      };
      const expiry = expiresInDays === undefined ? {} : { expires_in_days: expiresInDays };
      return (await mintKey(deps, operator, { name: 'test', scopes, ...expiry })).key!;
    },
    async close() {
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
      await deps.close();
      await postgres?.stop();
    },
  };
}

async function migrateUrl(url: string): Promise<void> {
  const database = await openDatabase(url, { embeddedFolder: 'unused' });
  await migrate(database, MIGRATIONS);
  await database.close();
}

/**
 * Sends requests as one owner, whom nobody else in the test is; each response must be one that the OpenAPI
 * document tells about.
 */
export async function clientOf(service: TestService, owner = randomUUID(), scopes?: string) {
  const key = await service.keyFor(owner, scopes);
  async function send(method: string, path: string, options: Send = {}): Promise<Answered> {
    const { json, body, headers = {}, ifMatch } = options;
    const sentKey = options.key === undefined ? key : options.key;
    const response = await fetch(service.base + path, {
      method,
      headers: {
        ...(sentKey === null ? {} : { Authorization: `Bearer ${sentKey}` }),
        ...(json === undefined ? {} : { 'Content-Type': 'application/json' }),
        ...(ifMatch === undefined ? {} : { 'If-Match': ifMatch }),
        ...headers,
      },
      ...(json === undefined ? (body === undefined ? {} : { body }) : { body: JSON.stringify(json) }),
      redirect: 'manual',
    });
    const text = await response.text();
    const isJson = response.headers.get('Content-Type')?.startsWith('application/json') && text !== '';
    const answer: Answered = {
      status: response.status,
      headers: response.headers,
      text,
      json: isJson ? JSON.parse(text) : undefined,
    };
    requireDescribed(method, path, answer);
    return answer;
  }
  const create = async (filename: string, contents = 'text', metadata?: Record<string, string>) => {
    const response = await send('POST', '/v1/file', {
      json: { filename, contents, ...(metadata ? { metadata } : {}) },
    });
    if (response.status !== 201) throw new Error(`create returned ${response.status} ${response.text}`);
    return response.json as { id: string; etag: string };
  };
  return { owner, key, send, create };
}
export type Client = Awaited<ReturnType<typeof clientOf>>;

/**
 * The thread that parses large bodies, made runnable as the build does it: Node reads no TypeScript in worker
 * threads.
 */
function bundleBodyWorker(): URL {
  const folder = new URL('../../../dist/unit/docstore-api/', import.meta.url);
  mkdirSync(folder, { recursive: true });
  const outfile = fileURLToPath(new URL(`body-worker-${process.pid}.mjs`, folder));
  buildSync({
    entryPoints: [fileURLToPath(new URL('./http/body-worker.ts', import.meta.url))],
    outfile,
    bundle: true,
    platform: 'node',
    format: 'esm',
    target: 'node20',
  });
  return pathToFileURL(outfile);
}
