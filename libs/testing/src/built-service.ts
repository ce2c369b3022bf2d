import { spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { existsSync } from 'node:fs';
import { createInterface } from 'node:readline';
import { fileURLToPath } from 'node:url';
import { killOnExit } from './kill-on-exit.ts';
import { migratedCopy } from './migrated.ts';
import { startPostgres, type Postgres } from './postgres.ts';

export type ServiceName = 'authz-grpc' | 'docstore-api' | 'investigation-api';
type Env = Readonly<Record<string, string>>;

/** The settings of ports by service, which are free ones unless they are given. */
const PORTS = {
  'authz-grpc': ['AUTHZ_GRPC_PORT', 'AUTHZ_HTTP_PORT', 'AUTHZ_PROBE_PORT'],
  'docstore-api': ['DOCSTORE_PORT', 'DOCSTORE_PROBE_PORT'],
  'investigation-api': ['INVESTIGATION_PORT', 'INVESTIGATION_PROBE_PORT'],
} as const;

/** The settings by which a caller chooses the database of a service. */
const NAMES_DATABASE = /^DATABASE_URL$|_DATA_DIR$/;

/** A built service in a process of its own. */
export interface BuiltProcess {
  /** Where it listens, by the names in its log: `port`, `http_port`, `grpc_port`, `probe_port`. */
  readonly ports: Readonly<Record<string, number>>;
  readonly process: ChildProcess;
  /** The end of what it wrote to its standard error. */
  lastWords(): string;
  /** Ends it as an orchestrator does and returns its exit code; null when a signal ended it. */
  stop(): Promise<number | null>;
  /** Ends it like a crash. */
  kill(): Promise<void>;
}

/** The built services of this working copy. */
const BUILT = new URL('../../../dist/apps/', import.meta.url);
const folderOf = (name: ServiceName, built = BUILT) => new URL(`${name}/`, built);

/**
 * Only the variables that the caller names reach the service: settings of the machine must not change what is
 * tested.
 */
function spawnBuilt(name: ServiceName, args: readonly string[], env: Env, built?: URL): ChildProcess {
  const main = fileURLToPath(new URL('main.js', folderOf(name, built)));
  const child = spawn(process.execPath, [main, ...args], {
    env: { PATH: process.env['PATH'], ...env },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  // A suite that fails half-way leaves nothing running.
  killOnExit(child);
  return child;
}

/**
 * Runs a command of the built service to its end. `built` is the folder of services of another build.
 * `TEST_DISTRIBUTED` has `migrate` lay the tables on several nodes.
 */
export async function runBuiltService(
  name: ServiceName,
  args: readonly string[],
  env: Env,
  built?: URL,
): Promise<{ code: number | null; stdout: string; stderr: string }> {
  const isMigration = args.length === 1 && args[0] === 'migrate';
  const isDistributed = isMigration && process.env['TEST_DISTRIBUTED'] !== undefined;
  const child = spawnBuilt(name, isDistributed ? ['migrate', '--distributed'] : args, env, built);
  let [stdout, stderr] = ['', ''];
  child.stdout!.on('data', (chunk: Buffer) => (stdout += chunk.toString()));
  child.stderr!.on('data', (chunk: Buffer) => (stderr += chunk.toString()));
  const [code] = (await once(child, 'close')) as [number | null];
  return { code, stdout, stderr };
}

/**
 * The URL of a database of its own that `migrate` of the built service has brought up to date. Errors: what
 * the command wrote.
 */
export function migratedDatabase(postgres: Postgres, name: ServiceName): Promise<string> {
  return migratedCopy(postgres, name, new URL('migrations/', folderOf(name)), async (url) => {
    const { code, stderr } = await runBuiltService(name, ['migrate'], { DATABASE_URL: url });
    if (code !== 0) throw new Error(`migrate of ${name} ended with ${code}: ${stderr}`);
  });
}

/**
 * Starts `serve` of the built service and waits until it listens. Without a DATABASE_URL or the folder of an
 * embedded database it has a migrated Postgres database of its own, which is quicker to start over than the
 * embedded one. `onLine` gets every line of its log, for as long as it runs. `built` is the folder of
 * services of another build, whose database must be given. Errors: a service that is not built, with the
 * command that builds it; what it wrote last, when it ends before it listens.
 */
export async function startBuiltService(
  name: ServiceName,
  env: Env,
  onLine: (entry: Record<string, unknown>) => void = () => undefined,
  built?: URL,
): Promise<BuiltProcess> {
  if (!existsSync(new URL('main.js', folderOf(name, built))))
    throw new Error(`${name} is not built: run NX_DAEMON=false npx nx run ${name}:build`);
  if (Object.keys(env).some((setting) => NAMES_DATABASE.test(setting)))
    return startOver(name, env, onLine, built);
  const postgres = await startPostgres();
  try {
    const own = { DATABASE_URL: await migratedDatabase(postgres, name) };
    const service = await startOver(name, { ...env, ...own }, onLine);
    return {
      ...service,
      async stop() {
        const code = await service.stop();
        await postgres.stop();
        return code;
      },
      async kill() {
        await service.kill();
        await postgres.stop();
      },
    };
  } catch (error) {
    await postgres.stop();
    throw error;
  }
}

async function startOver(
  name: ServiceName,
  env: Env,
  onLine: (entry: Record<string, unknown>) => void,
  built?: URL,
): Promise<BuiltProcess> {
  const free = Object.fromEntries(PORTS[name].map((setting) => [setting, '0']));
  const child = spawnBuilt(name, ['serve'], { ...free, ...env }, built);
  const closed = once(child, 'close') as Promise<[number | null]>;
  let tail = '';
  child.stderr!.on('data', (chunk: Buffer) => (tail = (tail + chunk.toString()).slice(-2_000)));
  const ports = await new Promise<Record<string, number>>((resolve, reject) => {
    createInterface({ input: child.stdout! }).on('line', (line) => {
      const entry = JSON.parse(line) as Record<string, unknown>;
      onLine(entry);
      if (entry['msg'] === 'listening') resolve(entry as Record<string, number>);
    });
    void closed.then(([code]) =>
      reject(new Error(`${name} ended with ${code} before it listened; is it built?\n${tail}`)),
    );
  });
  const end = async (signal: NodeJS.Signals) => {
    child.kill(signal);
    return (await closed)[0];
  };
  return {
    ports,
    process: child,
    lastWords: () => tail.trim(),
    stop: () => end('SIGTERM'),
    kill: async () => void (await end('SIGKILL')),
  };
}
