import { execFile, spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { createInterface } from 'node:readline';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { leash } from '@platform/testing';

const run = promisify(execFile);
const MAIN = fileURLToPath(new URL('../../../dist/apps/authz-grpc/main.js', import.meta.url));
export const ROOT_PASSWORD = 'a root password for tests 7391';

/** The built authz-grpc, as a process of its own. */
export interface AuthzProcess {
  readonly probeUrl: string;
  /** SIGSTOP makes it hang, SIGCONT go on. */
  signal(signal: NodeJS.Signals): void;
  /** Ends it like a crash. */
  kill(): Promise<void>;
}

/** Brings a database of it up to date. Errors: what the command wrote. */
export async function migrateAuthz(databaseUrl: string): Promise<void> {
  await run(process.execPath, [MAIN, 'migrate'], { env: { ...process.env, DATABASE_URL: databaseUrl } });
}

/**
 * Starts it over a migrated database and waits until it takes calls on `grpcPort`. Errors: what it wrote
 * last.
 */
export async function startAuthz(
  databaseUrl: string,
  grpcPort: number,
  env: Record<string, string> = {},
): Promise<AuthzProcess> {
  const child: ChildProcess = spawn(process.execPath, [MAIN, 'serve'], {
    env: {
      ...process.env,
      DATABASE_URL: databaseUrl,
      AUTHZ_ROOT_PASSWORD: ROOT_PASSWORD,
      AUTHZ_GRPC_PORT: String(grpcPort),
      AUTHZ_HTTP_PORT: '0',
      AUTHZ_PROBE_PORT: '0',
      ...env,
    },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  leash(child);
  let tail = '';
  child.stderr!.on('data', (chunk: Buffer) => (tail = (tail + chunk.toString()).slice(-2000)));
  const probePort = await new Promise<number>((resolve, reject) => {
    child.once('exit', (code) => reject(new Error(`authz-grpc ended with ${code}: ${tail}`)));
    const lines = createInterface({ input: child.stdout! });
    lines.on('line', (line) => {
      const entry = JSON.parse(line) as { msg?: string; probe_port: number };
      if (entry.msg !== 'listening') return;
      lines.close();
      child.stdout!.resume();
      resolve(entry.probe_port);
    });
  });
  return {
    probeUrl: `http://127.0.0.1:${probePort}`,
    signal: (signal) => void child.kill(signal),
    async kill() {
      if (child.exitCode !== null || child.signalCode !== null) return;
      const gone = once(child, 'exit');
      child.kill('SIGKILL');
      await gone;
    },
  };
}
