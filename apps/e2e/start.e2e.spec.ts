import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { closeSync, openSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { setTimeout as sleep } from 'node:timers/promises';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import {
  ROOT_PASSWORD,
  freePort,
  openTcpProxy,
  startPostgres,
  migratedDatabase,
  type Postgres,
} from '@platform/testing';
import { covers } from '@platform/testing/covers';
import {
  createTenant,
  openAuthzClients,
  startService,
  type ServiceName,
  type ServiceProcess,
} from './platform/index.ts';

const PREFIXES = {
  'authz-grpc': 'AUTHZ',
  'docstore-api': 'DOCSTORE',
  'investigation-api': 'INVESTIGATION',
} as const;
const NAMES = Object.keys(PREFIXES) as ServiceName[];
/** The least that the services ask for. */
const NOBODY = '127.0.0.1:1';
const SETTINGS = {
  AUTHZ_ROOT_PASSWORD: ROOT_PASSWORD,
  DOCSTORE_AUTHZ_URL: NOBODY,
  INVESTIGATION_AUTHZ_URL: NOBODY,
};

const mainOf = (name: ServiceName) =>
  fileURLToPath(new URL(`../../dist/apps/${name}/main.js`, import.meta.url));

let postgres: Postgres;
beforeAll(async () => {
  postgres = await startPostgres();
});
afterAll(() => postgres.stop());

const statusOf = (url: string) =>
  fetch(url).then(
    ({ status }) => status,
    () => 0,
  );
async function until(url: string, status: number): Promise<void> {
  while ((await statusOf(url)) !== status) await sleep(20);
}

describe('a service whose database is unavailable at the start', () => {
  it.each(NAMES)('%s lives and is not ready without Postgres, and starts once it responds', async (name) => {
    covers('PLAT-W.4');
    const url = new URL(await migratedDatabase(postgres, name));
    const way = await openTcpProxy({ host: url.hostname, port: Number(url.port || 5432) });
    url.hostname = '127.0.0.1';
    url.port = String(way.port);
    const probePort = String(await freePort());
    const probeUrl = `http://127.0.0.1:${probePort}`;
    const env = {
      ...SETTINGS,
      DATABASE_URL: url.href,
      [`${PREFIXES[name]}_PROBE_PORT`]: probePort,
    };
    const lines: Record<string, unknown>[] = [];
    await way.cut();
    const starting = startService(name, env, (line) => void lines.push(line));
    await until(`${probeUrl}/livez`, 200);
    while (!lines.some(({ msg }) => String(msg).startsWith('the database is unavailable'))) await sleep(20);
    expect(lines.at(-1)).toMatchObject({ err: { code: 'ECONNREFUSED' } });
    expect(await statusOf(`${probeUrl}/readyz`)).toBe(503);
    await way.mend();
    const service = await starting;
    expect(await statusOf(`${service.probeUrl}/readyz`)).toBe(200);
    expect(await service.stop()).toBe(0);
    await way.cut();
  });
});

describe('services whose authz-grpc and Redis are unavailable at the start', () => {
  const running: ServiceProcess[] = [];
  afterAll(async () => {
    for (const service of running) await service.kill();
  });
  const start = async (name: ServiceName, env: Record<string, string>) => {
    const settings = { ...SETTINGS, REDIS_URL: `redis://${NOBODY}` };
    const database = await migratedDatabase(postgres, name);
    const service = await startService(name, { ...settings, DATABASE_URL: database, ...env });
    running.push(service);
    return service;
  };

  it('services that start before authz-grpc are ready, refuse as unavailable, and serve once it responds', async () => {
    covers('PLAT-W.5', 'PLAT-O.10');
    const target = `127.0.0.1:${await freePort()}`;
    const docstore = await start('docstore-api', { DOCSTORE_AUTHZ_URL: target });
    const investigation = await start('investigation-api', { INVESTIGATION_AUTHZ_URL: target });
    const ask = async (token: string) =>
      Promise.all(
        [`${docstore.url}/v1/file`, `${investigation.url}/api/v1/sessions`].map(async (url) => {
          const response = await fetch(url, { headers: { authorization: `Bearer ${token}` } });
          return [response.status, response.headers.get('retry-after')];
        }),
      );
    for (const { probeUrl } of [docstore, investigation])
      expect(await statusOf(`${probeUrl}/readyz`)).toBe(200);
    const head = Buffer.from(JSON.stringify({ alg: 'EdDSA', kid: 'unknown', typ: 'at+jwt' }));
    const unknown = `${head.toString('base64url')}.e30.${Buffer.alloc(64).toString('base64url')}`;
    expect(await ask(unknown)).toEqual([
      [503, '1'],
      [503, '1'],
    ]);
    const authz = await start('authz-grpc', { AUTHZ_GRPC_PORT: target.split(':')[1]! });
    const clients = openAuthzClients(authz.grpcAddress);
    const { token } = await createTenant(clients);
    clients.close();
    const served = async () => (await ask(token)).every(([status]) => status === 200);
    while (!(await served())) await sleep(100);
  });
});

describe('a service whose launcher dies', () => {
  it.each(NAMES)('%s ends when its launcher is gone, before it is ready and after', async (name) => {
    covers('PLAT-D.9');
    const url = await migratedDatabase(postgres, name);
    const kinds = name === 'authz-grpc' ? ['GRPC_PORT', 'HTTP_PORT', 'PROBE_PORT'] : ['PORT', 'PROBE_PORT'];
    const ports = Object.fromEntries(kinds.map((port) => [`${PREFIXES[name]}_${port}`, '0']));
    for (const [database, said] of [
      ['postgres://127.0.0.1:1/none', 'the database is unavailable'],
      [url, 'listening'],
    ] as const) {
      const child = spawn(process.execPath, [mainOf(name), 'serve'], {
        env: { ...SETTINGS, ...ports, DATABASE_URL: database },
        stdio: ['ignore', 'pipe', 'inherit', 'ipc'],
      });
      const ended = once(child, 'exit');
      await new Promise<void>((resolve) => {
        child.stdout!.on('data', (chunk: Buffer) => String(chunk).includes(said) && resolve());
      });
      // What the death of the process at the other end does.
      child.disconnect();
      expect([said, await ended]).toEqual([said, [said === 'listening' ? 0 : 1, null]]);
    }
  });
});

describe('a service whose log is on a full disk', () => {
  let full: number;
  beforeAll(() => void (full = openSync('/dev/full', 'w')));
  afterAll(() => closeSync(full));

  it.each(NAMES)('%s serves on a full disk of its log, and ends when it is told to', async (name) => {
    covers('PLAT-D.10');
    const ports = { port: String(await freePort()), probe: String(await freePort()), grpc: '0' };
    const prefix = PREFIXES[name];
    // authz-grpc prints the password of root, which is not given, to stderr.
    const { AUTHZ_ROOT_PASSWORD: _, ...settings } = SETTINGS;
    const env = {
      ...settings,
      DATABASE_URL: await migratedDatabase(postgres, name),
      [name === 'authz-grpc' ? 'AUTHZ_HTTP_PORT' : `${prefix}_PORT`]: ports.port,
      AUTHZ_GRPC_PORT: ports.grpc,
      [`${prefix}_PROBE_PORT`]: ports.probe,
    };
    const child = spawn(process.execPath, [mainOf(name), 'serve'], { env, stdio: ['ignore', full, full] });
    const ended = once(child, 'exit');
    const hasEnded = () => child.exitCode !== null;
    while (!hasEnded() && (await statusOf(`http://127.0.0.1:${ports.probe}/readyz`)) !== 200) await sleep(20);
    // Each leaves a line, and some come after the first lines were refused.
    for (let request = 0; request < 10; request++) {
      expect(await statusOf(`http://127.0.0.1:${ports.port}/openapi.json`)).toBe(200);
      await sleep(30);
    }
    child.kill('SIGTERM');
    expect(await ended).toEqual([0, null]);
  });

  it.each([
    ['migrate whose stderr is full succeeds', 'migrate', 'stderr', 0, ''],
    ['migrate whose stdout is full fails and says why', 'migrate', 'stdout', 1, 'the output could not be'],
    ['a usage error keeps its exit code when stderr is full', 'unknown', 'stderr', 2, ''],
  ] as const)('%s', async (_, command, stream, code, said) => {
    covers('PLAT-D.10');
    const env = { ...SETTINGS, DATABASE_URL: await migratedDatabase(postgres, 'docstore-api') };
    const [out, err] = stream === 'stdout' ? ([full, 'pipe'] as const) : (['pipe', full] as const);
    const child = spawn(process.execPath, [mainOf('docstore-api'), command], {
      env,
      stdio: ['ignore', out, err],
    });
    let text = '';
    child.stderr?.on('data', (chunk: Buffer) => (text += String(chunk)));
    expect(await once(child, 'close')).toEqual([code, null]);
    expect(text).toContain(said);
  });
});
