import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync } from 'node:fs';
import { Agent, request, type IncomingHttpHeaders } from 'node:http';
import { fileURLToPath } from 'node:url';
import { startPostgres } from '@platform/testing';
import { MAIN, runCommand, startReplica } from '../e2e/replica.fixture.ts';

/** The built service in a process of its own over a real Postgres, out of reach of its rate limit. */
export async function startBenchService(env: Record<string, string> = {}) {
  if (!existsSync(MAIN)) throw new Error('build docstore-api first: npx nx run docstore-api:build');
  const postgres = await startPostgres();
  const settings = {
    DATABASE_URL: await postgres.createDatabase(),
    DOCSTORE_REQUESTS_PER_MINUTE: '1000000000',
    DOCSTORE_DOCUMENTS_MAX: '1000000',
    DOCSTORE_BYTES_MAX: '1000000000000',
    ...env,
  };
  const migrated = await runCommand(['migrate'], settings);
  if (migrated.code !== 0) throw new Error(migrated.stderr);
  const key = (await runCommand(['key', '--owner', 'bench'], settings)).stdout.trim();
  const replica = await startReplica(settings);
  return {
    url: replica.url,
    databaseUrl: settings.DATABASE_URL,
    /** Another database of the same server. */
    createDatabase: () => postgres.createDatabase(),
    key,
    pid: replica.process.pid!,
    async stop() {
      await replica.kill();
      await postgres.stop();
    },
  };
}

/** The yardstick over the same database, in a process of its own as well. */
export async function startBareServer(databaseUrl: string, contentsFile: string) {
  const file = fileURLToPath(new URL('bare-server.ts', import.meta.url));
  const child = spawn(process.execPath, ['--import', 'tsx', file, databaseUrl, contentsFile], {
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  const [line] = (await once(child.stdout, 'data')) as [Buffer];
  return { url: `http://127.0.0.1:${Number(line.toString())}`, stop: () => child.kill('SIGKILL') };
}

export interface Sent {
  readonly status: number;
  readonly headers: IncomingHttpHeaders;
  readonly body: string;
}

const agent = new Agent({ keepAlive: true, maxSockets: 256 });

/** One request over kept connections. */
export function send(
  url: string,
  method: string,
  headers: Record<string, string>,
  body?: string | Buffer,
): Promise<Sent> {
  return new Promise((resolve, reject) => {
    const length = body === undefined ? {} : { 'Content-Length': Buffer.byteLength(body) };
    const sent = request(url, { method, agent, headers: { ...headers, ...length } }, (response) => {
      const chunks: Buffer[] = [];
      response.on('data', (chunk: Buffer) => chunks.push(chunk));
      response.on('end', () =>
        resolve({
          status: response.statusCode!,
          headers: response.headers,
          body: Buffer.concat(chunks).toString(),
        }),
      );
    });
    // A kept connection may be closed by the server at the moment it is used again; such a request never
    // arrived.
    sent.on('error', (error) => {
      if (sent.reusedSocket) void send(url, method, headers, body).then(resolve, reject);
      else reject(error);
    });
    sent.end(body);
  });
}

/** Rounds of `work` done per second by `parallel` loops at once, over `seconds`. */
export async function perSecond(
  parallel: number,
  seconds: number,
  work: (loop: number) => Promise<void>,
): Promise<number> {
  let done = 0;
  const start = performance.now();
  const end = start + seconds * 1000;
  await Promise.all(
    Array.from({ length: parallel }, async (_, loop) => {
      while (performance.now() < end) {
        await work(loop);
        done++;
      }
    }),
  );
  return done / ((performance.now() - start) / 1000);
}
