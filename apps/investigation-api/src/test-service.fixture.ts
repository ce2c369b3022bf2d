import type { Server } from 'node:http';
import { listen } from '@platform/service-kit';
import { migratedCopy, startPostgres } from '@platform/testing';
import type { TokenClaims, TokenType } from '@platform/jwt';
import { generateSigningKey, publicJwks, signToken, verificationKeyOf } from '@platform/jwt';
import { CONFIG } from './config.ts';
import { createDeps, migrationsOf, type DepsOverrides, type ServiceDeps } from './deps.ts';
import { createAnalysisPool } from './engine/analysis-pool.ts';
import { createApiServer } from './server.ts';

export interface TestService {
  readonly url: string;
  readonly deps: ServiceDeps;
  readonly server: Server;
  /** A session's token, valid from now. */
  readonly token: string;
  readonly apiKey: string;
  sign(claims: Partial<TokenClaims>, type: TokenType): Promise<string>;
  /** POST to the analysis with the token, unless told otherwise. */
  analyze(
    body: string | Uint8Array,
    headers?: Record<string, string>,
    signal?: AbortSignal,
  ): Promise<Response>;
  close(): Promise<void>;
}

const MIGRATIONS = new URL('../../../prisma/investigation/migrations/', import.meta.url);

/**
 * The service on a free port with a key of its own; `worker` is the bundled worker it analyzes with. It has a
 * migrated Postgres database of its own unless DATABASE_URL names another.
 */
export async function startTestService(
  worker: URL,
  settings: Record<string, string> = {},
  overrides: DepsOverrides = {},
): Promise<TestService> {
  const key = await generateSigningKey();
  const postgres = 'DATABASE_URL' in settings ? null : await startPostgres();
  const needed = {
    INVESTIGATION_JWT_PUBLIC_KEY: JSON.stringify(publicJwks([verificationKeyOf(key)])),
    INVESTIGATION_LOG_LEVEL: 'silent',
  };
  const migrate = async (url: string) =>
    void (await migrationsOf(await CONFIG.load({ ...needed, DATABASE_URL: url })).apply());
  const config = await CONFIG.load({
    ...needed,
    ...(postgres !== null && {
      DATABASE_URL: await migratedCopy(postgres, 'investigation-api', MIGRATIONS, migrate),
    }),
    ...settings,
  });
  const deps = await createDeps(config, {
    analysis: createAnalysisPool({
      threads: config.workers ?? 2,
      queueMax: config.queueMax,
      memoryMiBMax: config.workerMemoryMib,
      file: worker,
    }),
    // Pages are drawn by the built service, in its end-to-end specs.
    assets: {
      page: { styles: '', early: '', main: '', embed: '' },
      files: [],
      guide: '# How it judges\n\nBy weight.',
    },
    workbench: { page: { styles: '', app: '', reasoning: '' }, files: [] },
    pages: {
      render: () => Promise.reject(new Error('no page is drawn here')),
      withSnapshot: async (share, _signal, use) => use(await share.snapshot()),
      close: async () => {},
    },
    ...overrides,
  });
  const server = createApiServer(deps);
  // Client and server share a thread: a turn that takes long must not look like a connection nobody uses.
  server.keepAliveTimeout = 600_000;
  const url = `http://127.0.0.1:${await listen(server, { host: '127.0.0.1', port: 0, setting: 'a test port' })}`;
  const seconds = Math.floor(Date.now() / 1000);
  const sign = (claims: Partial<TokenClaims>, type: TokenType) =>
    signToken(
      {
        iss: config.jwtIssuer,
        aud: config.jwtAudience,
        sub: 'analyst',
        iat: seconds,
        nbf: seconds,
        exp: seconds + 3600,
        jti: 'test',
        ...claims,
      },
      { type, key },
    );
  const token = await sign({}, 'at+jwt');
  return {
    url,
    deps,
    server,
    token,
    apiKey: await sign({}, 'key+jwt'),
    sign,
    analyze: (body, headers = {}, signal) =>
      fetch(`${url}/api/v1/investigations/analyze`, {
        method: 'POST',
        headers: { authorization: `Bearer ${token}`, 'content-type': 'application/json', ...headers },
        body: body as string,
        signal,
      }),
    async close() {
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
      await deps.close();
      await postgres?.stop();
    },
  };
}
