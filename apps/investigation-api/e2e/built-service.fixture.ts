import type { ChildProcess } from 'node:child_process';
import { spawn } from 'node:child_process';
import { createInterface } from 'node:readline';
import { fileURLToPath } from 'node:url';
import { generateSigningKey, publicJwks, signToken, verificationKeyOf } from '@platform/jwt';
import { leash } from '@platform/testing';

const MAIN = fileURLToPath(new URL('../../../dist/apps/investigation-api/main.js', import.meta.url));

export interface BuiltService {
  readonly url: string;
  readonly probeUrl: string;
  readonly token: string;
  readonly process: ChildProcess;
  /** Every log line so far. */
  readonly log: Record<string, unknown>[];
  /** Ends it as an orchestrator would and gives its exit code. */
  stop(): Promise<number | null>;
}

/** Runs the built program to its end. */
export function runBuilt(
  env: NodeJS.ProcessEnv,
  args: string[] = [],
): Promise<{ code: number | null; out: string; err: string }> {
  const child = spawn(process.execPath, [MAIN, ...args], { env: { PATH: process.env.PATH, ...env } });
  let out = '';
  let err = '';
  child.stdout.on('data', (data) => (out += String(data)));
  child.stderr.on('data', (data) => (err += String(data)));
  return new Promise((resolve) => child.once('close', (code) => resolve({ code, out, err })));
}

/** Starts the built service on free ports with a key of its own. */
export async function startBuilt(settings: Record<string, string> = {}): Promise<BuiltService> {
  const key = await generateSigningKey();
  const child = spawn(process.execPath, [MAIN], {
    stdio: ['ignore', 'pipe', 'inherit'],
    env: {
      PATH: process.env.PATH,
      INVESTIGATION_PORT: '0',
      INVESTIGATION_PROBE_PORT: '0',
      DATABASE_URL: 'pglite:memory://',
      INVESTIGATION_JWT_PUBLIC_KEY: JSON.stringify(publicJwks([verificationKeyOf(key)])),
      ...settings,
    },
  });
  // A suite that fails half-way leaves nothing running.
  leash(child);
  const exited = new Promise<number | null>((resolve) => child.once('close', resolve));
  const log: Record<string, unknown>[] = [];
  const listening = new Promise<{ port: number; probe_port: number }>((resolve, reject) => {
    createInterface(child.stdout).on('line', (line) => {
      const entry = JSON.parse(line) as Record<string, unknown>;
      log.push(entry);
      if (entry.msg === 'listening') resolve(entry as { port: number; probe_port: number });
    });
    child.once('close', () => reject(new Error('the service ended before it listened; is it built?')));
  });
  const { port, probe_port } = await listening;
  const seconds = Math.floor(Date.now() / 1000);
  return {
    url: `http://127.0.0.1:${port}`,
    probeUrl: `http://127.0.0.1:${probe_port}`,
    token: await signToken(
      {
        iss: 'authz-grpc',
        aud: 'platform',
        sub: 'analyst',
        tenant_id: '018f0000-0000-7000-8000-000000000001',
        iat: seconds,
        nbf: seconds,
        exp: seconds + 3600,
        jti: 'e2e',
      },
      { type: 'at+jwt', key },
    ),
    process: child,
    log,
    stop() {
      child.kill('SIGTERM');
      return exited;
    },
  };
}

/** Posts a body to the analysis. */
export function analyze(
  service: BuiltService,
  body: string | Uint8Array,
  headers: Record<string, string> = {},
) {
  return fetch(`${service.url}/api/v1/investigations/analyze`, {
    method: 'POST',
    headers: { authorization: `Bearer ${service.token}`, 'content-type': 'application/json', ...headers },
    body: body as string,
  });
}

/** What a path below `/api/v1` answers to the service's own token, parsed. Errors: any status beside 2xx. */
export async function callApi<Answer>(
  service: BuiltService,
  method: string,
  path: string,
  body?: object,
): Promise<Answer> {
  const response = await fetch(`${service.url}/api/v1${path}`, {
    method,
    headers: { authorization: `Bearer ${service.token}`, 'content-type': 'application/json' },
    body: body && JSON.stringify(body),
  });
  if (!response.ok) throw new Error(`${response.status} ${await response.text()}`);
  return (await response.json()) as Answer;
}
