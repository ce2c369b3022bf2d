import { execFile, spawn, type ChildProcess } from 'node:child_process';
import { randomInt } from 'node:crypto';
import { accessSync, constants, existsSync, readFileSync } from 'node:fs';
import { chmod, chown, mkdtemp, rm } from 'node:fs/promises';
import { createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { delimiter, join } from 'node:path';
import { promisify } from 'node:util';
import { killOnExit } from './kill-on-exit.ts';

const run = promisify(execFile);

/**
 * The first of `names` that is executable in one of `folders`, the PATH after them; null when there is none.
 */
export function findProgram(names: readonly string[], folders: readonly string[] = []): string | null {
  for (const folder of [...folders, ...(process.env['PATH'] ?? '').split(delimiter)]) {
    for (const name of names) {
      const file = join(folder, name);
      try {
        accessSync(file, constants.X_OK);
        return file;
      } catch {
        continue;
      }
    }
  }
  return null;
}

function isRoot(): boolean {
  return process.getuid?.() === 0;
}

/**
 * Installs Debian packages; false when this is not Debian or the user is not root.
 * Errors: apt-get's own, when a package cannot be had.
 */
export async function aptInstall(...debianPackages: readonly string[]): Promise<boolean> {
  if (!isRoot() || !existsSync('/etc/debian_version')) return false;
  const env = { ...process.env, DEBIAN_FRONTEND: 'noninteractive' };
  await run('apt-get', ['update', '-qq'], { env });
  await run('apt-get', ['install', '-y', '-qq', '--no-install-recommends', ...debianPackages], { env });
  return true;
}

/** The user a server runs as. Postgres refuses to run as root, so root lends it another user. */
export interface Identity {
  readonly uid: number;
  readonly gid: number;
}

/** The user `postgres`, else `nobody`, when run as root; undefined (stay who you are) otherwise. */
export function unprivileged(): Identity | undefined {
  if (!isRoot()) return undefined;
  const users = readFileSync('/etc/passwd', 'utf8')
    .split('\n')
    .map((line) => line.split(':'));
  const user =
    users.find((fields) => fields[0] === 'postgres') ?? users.find((fields) => fields[0] === 'nobody');
  if (!user) throw new Error('run as root, and neither user `postgres` nor `nobody` exists');
  return { uid: Number(user[2]), gid: Number(user[3]) };
}

/** A fresh temporary folder that `owner` can write to. */
export async function temporaryFolder(prefix: string, owner?: Identity): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), prefix));
  await chmod(folder, 0o700);
  if (owner) await chown(folder, owner.uid, owner.gid);
  return folder;
}

/**
 * Ports that nobody is given unasked: below those the system takes for outgoing connections and for port 0
 * (32768 and up on Linux, 49152 and up elsewhere), so that a port stays free until the program it is meant
 * for listens. jest's workers draw from parts of their own.
 */
const PORT_MIN = 12_000;
const PORT_PARTS = 10;
const PORTS_OF_PART = 2_000;
const drawn = new Set<number>();

/** A TCP port of 127.0.0.1 on which nobody listens, and which nobody else of this run is given. */
export async function freePort(): Promise<number> {
  const first = PORT_MIN + (Number(process.env['JEST_WORKER_ID'] ?? 0) % PORT_PARTS) * PORTS_OF_PART;
  for (;;) {
    const port = randomInt(first, first + PORTS_OF_PART);
    if (drawn.has(port)) continue;
    drawn.add(port);
    if (await isFree(port)) return port;
  }
}

function isFree(port: number): Promise<boolean> {
  return new Promise((resolve, reject) => {
    const server = createServer();
    server.once('error', (error: NodeJS.ErrnoException) =>
      error.code === 'EADDRINUSE' ? resolve(false) : reject(error),
    );
    server.listen(port, '127.0.0.1', () => server.close(() => resolve(true)));
  });
}

/** A server program that this process started: it ends with `stop`, and at the latest with this process. */
export interface Started {
  readonly stop: () => Promise<void>;
}

export interface StartOptions {
  readonly command: string;
  readonly args: readonly string[];
  readonly folder: string;
  readonly as?: Identity | undefined;
  /** Signal of a quick and clean end. */
  readonly stopSignal: NodeJS.Signals;
  /** Throws until the server responds. */
  readonly probe: () => Promise<unknown>;
}

const START_TIMEOUT_MS = 30_000;
const STOP_TIMEOUT_MS = 10_000;
const PROBE_PAUSE_MS = 25;

/**
 * Starts a server, waits until it responds, and removes its folder when it ends.
 * Errors: what the server wrote last, when it ends early or does not respond within 30 s.
 */
export async function startProgram(options: StartOptions): Promise<Started> {
  const { command, args, folder, as, stopSignal, probe } = options;
  const child = spawn(command, args, { cwd: folder, stdio: ['ignore', 'pipe', 'pipe'], ...as });
  let tail = '';
  const collect = (chunk: Buffer) => (tail = (tail + chunk.toString()).slice(-4000));
  child.stdout.on('data', collect);
  child.stderr.on('data', collect);
  killOnExit(child);
  let spawnError: Error | undefined;
  child.once('error', (err) => (spawnError = err));

  const stop = async () => {
    await end(child, stopSignal);
    await rm(folder, { recursive: true, force: true });
  };
  const deadline = Date.now() + START_TIMEOUT_MS;
  for (;;) {
    if (spawnError || child.exitCode !== null || Date.now() > deadline) {
      await stop();
      throw new Error(`\`${command}\` did not start: ${spawnError?.message ?? tail.trim()}`);
    }
    try {
      await probe();
      return { stop };
    } catch {
      await new Promise((resolve) => setTimeout(resolve, PROBE_PAUSE_MS));
    }
  }
}

async function end(child: ChildProcess, signal: NodeJS.Signals): Promise<void> {
  if (child.pid === undefined || child.exitCode !== null || child.signalCode !== null) return;
  const gone = new Promise((resolve) => child.once('exit', resolve));
  child.kill(signal);
  const force = setTimeout(() => child.kill('SIGKILL'), STOP_TIMEOUT_MS);
  await gone;
  clearTimeout(force);
}
