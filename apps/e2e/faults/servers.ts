import { execFile, spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { rm } from 'node:fs/promises';
import { connect } from 'node:net';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { promisify } from 'node:util';
import { openDatabase } from '@platform/database';
import {
  findProgram,
  freePort,
  installedFolder,
  killOnExit,
  reachRedis,
  redisArguments,
  temporaryFolder,
  unprivileged,
  type Identity,
} from '@platform/testing';

const run = promisify(execFile);
const START_TRIES = 600;

/** A server of this run alone, which may be ended, started again over the same folder, and halted. */
export interface OwnServer {
  readonly url: string;
  /** Starts it and waits until it responds. */
  start(): Promise<void>;
  /** Ends it by a signal and waits until it is gone. */
  end(signal: NodeJS.Signals): Promise<void>;
  signal(signal: NodeJS.Signals): void;
  /** Ends it for good and removes its folder. */
  destroy(): Promise<void>;
}

interface ServerOptions {
  readonly url: string;
  readonly command: string;
  readonly args: readonly string[];
  readonly folder: string;
  readonly as?: Identity | undefined;
  /** Throws until it responds. */
  readonly probe: () => Promise<unknown>;
}

export function ownServer({ url, command, args, folder, as, probe }: ServerOptions): OwnServer {
  let child: ChildProcess;
  async function start() {
    child = spawn(command, args, { cwd: folder, stdio: 'ignore', ...as });
    killOnExit(child);
    for (let tries = 0; ; tries++) {
      try {
        return void (await probe());
      } catch (error) {
        if (tries === START_TRIES || child.exitCode !== null) throw error;
        await sleep(50);
      }
    }
  }
  async function end(signal: NodeJS.Signals) {
    const exited = once(child, 'exit');
    child.kill(signal);
    await exited;
  }
  return {
    url,
    start,
    end,
    signal: (signal) => void child.kill(signal),
    async destroy() {
      await end('SIGINT');
      await rm(folder, { recursive: true, force: true });
    },
  };
}

/** A Postgres whose commits reach the disk. Errors: no Postgres on this machine. */
export async function ownPostgres(): Promise<OwnServer> {
  const programs = installedFolder();
  if (programs === null) throw new Error('no Postgres on this machine: apt-get install postgresql');
  const as = unprivileged();
  const folder = await temporaryFolder('faults-postgres-', as);
  const data = join(folder, 'data');
  const initdb = ['-D', data, '-U', 'postgres', '-A', 'trust', '-E', 'UTF8', '--locale=C', '--no-sync'];
  await run(join(programs, 'initdb'), initdb, { cwd: folder, ...as });
  const port = await freePort();
  const url = `postgres://postgres@127.0.0.1:${port}/postgres`;
  const settings = ['listen_addresses=127.0.0.1', 'unix_socket_directories=', 'max_connections=200'];
  return ownServer({
    url,
    command: join(programs, 'postgres'),
    args: ['-D', data, '-p', String(port), ...settings.flatMap((setting) => ['-c', setting])],
    folder,
    as,
    probe: () => execute(url, 'SELECT 1'),
  });
}

/** A Redis of this run. */
export interface OwnRedis extends OwnServer {
  /** Sends one command and waits for its reply. Errors: an error reply. */
  send(command: string): Promise<void>;
}

/** A Redis that keeps nothing on disk. Errors: no Redis on this machine. */
export async function ownRedis(): Promise<OwnRedis> {
  const command = findProgram(['redis-server']);
  if (command === null) throw new Error('no Redis on this machine: apt-get install redis-server');
  const folder = await temporaryFolder('faults-redis-');
  const port = await freePort();
  const server = ownServer({
    url: `redis://127.0.0.1:${port}`,
    command,
    args: redisArguments(port, folder),
    folder,
    probe: () => reachRedis({ host: '127.0.0.1', port }),
  });
  return {
    ...server,
    async send(text) {
      const socket = connect(port, '127.0.0.1');
      socket.write(`${text}\r\n`);
      const [reply] = (await once(socket, 'data')) as [Buffer];
      socket.destroy();
      if (reply.toString().startsWith('-')) throw new Error(`Redis: ${reply.toString()}`);
    },
  };
}

/** Runs statements, one transaction each, by a connection of their own. */
export async function execute(url: string, ...statements: readonly string[]): Promise<void> {
  const database = await openDatabase(url, { embeddedFolder: '' });
  try {
    for (const statement of statements) await database.query(statement);
  } finally {
    await database.close();
  }
}
