import { spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { createInterface } from 'node:readline';
import { fileURLToPath } from 'node:url';
import { leash } from '@platform/testing';

/** Prefix of a service's settings by its name. */
const PREFIX = {
  'authz-grpc': 'AUTHZ',
  'docstore-api': 'DOCSTORE',
  'investigation-api': 'INVESTIGATION',
} as const;
export type ServiceName = keyof typeof PREFIX;

/** A built service in a process of its own. */
export interface ServiceProcess {
  readonly name: ServiceName;
  /** Where it answers HTTP; of authz-grpc its REST surface. */
  readonly url: string;
  readonly probeUrl: string;
  /** authz-grpc only: `host:port` of its gRPC. */
  readonly grpcAddress: string;
  readonly process: ChildProcess;
  /** What it wrote last to its standard error. */
  lastWords(): string;
  /** Ends it as an orchestrator does and gives its exit code; null when a signal ended it. */
  stop(): Promise<number | null>;
  /** Ends it like a crash. */
  kill(): Promise<void>;
}

interface Announcement {
  readonly msg?: string;
  readonly port?: number;
  readonly http_port?: number;
  readonly grpc_port?: number;
  readonly probe_port: number;
}

const mainOf = (name: ServiceName) =>
  fileURLToPath(new URL(`../../../dist/apps/${name}/main.js`, import.meta.url));
const HOST = '127.0.0.1';

/**
 * Only the variables that the caller names reach the service: settings of the machine must not change what is
 * tested.
 */
const environment = (env: Readonly<Record<string, string>>) => ({ PATH: process.env['PATH'], ...env });

/** Runs a command of the built service to its end. */
export async function runService(
  name: ServiceName,
  args: readonly string[],
  env: Readonly<Record<string, string>>,
): Promise<{ code: number | null; stdout: string; stderr: string }> {
  const child = spawn(process.execPath, [mainOf(name), ...args], { env: environment(env) });
  let [stdout, stderr] = ['', ''];
  child.stdout.on('data', (chunk: Buffer) => (stdout += chunk.toString()));
  child.stderr.on('data', (chunk: Buffer) => (stderr += chunk.toString()));
  const [code] = (await once(child, 'close')) as [number | null];
  return { code, stdout, stderr };
}

/**
 * Starts `serve`, on free ports unless told, and waits until it is ready; `onLine` is given each line of its
 * log until then. Errors: what it wrote last, when it ends early.
 */
export async function startService(
  name: ServiceName,
  env: Readonly<Record<string, string>>,
  onLine: (entry: Record<string, unknown>) => void = () => undefined,
): Promise<ServiceProcess> {
  const prefix = PREFIX[name];
  const ports = name === 'authz-grpc' ? ['GRPC_PORT', 'HTTP_PORT', 'PROBE_PORT'] : ['PORT', 'PROBE_PORT'];
  const child = spawn(process.execPath, [mainOf(name), 'serve'], {
    env: environment({ ...Object.fromEntries(ports.map((port) => [`${prefix}_${port}`, '0'])), ...env }),
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  // A run that fails half-way removes what it made.
  leash(child);
  const exited = once(child, 'exit') as Promise<[number | null]>;
  let tail = '';
  child.stderr.on('data', (chunk: Buffer) => (tail = (tail + chunk.toString()).slice(-2000)));
  const announced = await new Promise<Announcement>((resolve, reject) => {
    child.once('exit', (code) => reject(new Error(`${name} ended with ${code}: ${tail}`)));
    const lines = createInterface({ input: child.stdout });
    lines.on('line', (line) => {
      const entry = JSON.parse(line) as Announcement & Record<string, unknown>;
      onLine(entry);
      if (entry.msg !== 'listening') return;
      lines.close();
      child.stdout.resume();
      resolve(entry);
    });
  });
  const end = async (signal: NodeJS.Signals) => {
    child.kill(signal);
    return (await exited)[0];
  };
  return {
    name,
    url: `http://${HOST}:${announced.http_port ?? announced.port}`,
    probeUrl: `http://${HOST}:${announced.probe_port}`,
    grpcAddress: `${HOST}:${announced.grpc_port}`,
    process: child,
    lastWords: () => tail.trim(),
    stop: () => end('SIGTERM'),
    kill: async () => void (await end('SIGKILL')),
  };
}
