import { spawn, type ChildProcess } from 'node:child_process';
import { randomUUID } from 'node:crypto';
import { once } from 'node:events';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { fileURLToPath } from 'node:url';
import { afterAll, afterEach, beforeAll, describe, expect, it } from '@jest/globals';
import { requestContext } from '@platform/authz-client';
import { openDatabase, type Database } from '@platform/database';
import {
  ROOT_PASSWORD,
  freePort,
  startPostgres,
  startRedis,
  type Postgres,
  type Redis,
} from '@platform/testing';
import { covers } from '@platform/testing/covers';
import { eventually } from '@platform/testing/eventually';
import { SYSTEM_CHAIN } from '../src/model/audit-event.ts';
import { openClients } from './clients.fixture.ts';
import { createTenancy, type Tenancy } from './service.fixture.ts';

const PROGRAM = fileURLToPath(new URL('../../../dist/apps/authz-grpc/main.js', import.meta.url));

interface Ended {
  readonly code: number | null;
  readonly out: string;
  readonly err: string;
}

/** The program as it is built, run as an operator runs it. */
describe('the commands', () => {
  const folder = mkdtempSync(join(tmpdir(), 'commands-'));
  let postgres: Postgres;
  let redis: Redis;
  let database: Database;
  let env: Record<string, string>;
  const running: ChildProcess[] = [];
  beforeAll(async () => {
    [postgres, redis] = await Promise.all([startPostgres(), startRedis()]);
    const url = await postgres.createDatabase();
    database = await openDatabase(url, { embeddedFolder: '' });
    const [grpc, http, probe] = await Promise.all([freePort(), freePort(), freePort()]);
    env = {
      PATH: process.env['PATH'] ?? '',
      DATABASE_URL: url,
      REDIS_URL: redis.url,
      AUTHZ_ROOT_PASSWORD: ROOT_PASSWORD,
      AUTHZ_GRPC_PORT: String(grpc),
      AUTHZ_HTTP_PORT: String(http),
      AUTHZ_PROBE_PORT: String(probe),
    };
  });
  afterEach(() => running.splice(0).forEach((child) => child.kill('SIGKILL')));
  afterAll(async () => {
    rmSync(folder, { recursive: true });
    await database.close();
    await Promise.all([postgres.stop(), redis.stop()]);
  });

  function start(args: readonly string[], more: Record<string, string> = {}): ChildProcess {
    const child = spawn(process.execPath, [PROGRAM, ...args], { env: { ...env, ...more } });
    running.push(child);
    return child;
  }

  async function run(args: readonly string[], more: Record<string, string> = {}): Promise<Ended> {
    const child = start(args, more);
    let [out, err] = ['', ''];
    child.stdout?.on('data', (chunk: Buffer) => (out += chunk.toString()));
    child.stderr?.on('data', (chunk: Buffer) => (err += chunk.toString()));
    const [code] = (await once(child, 'close')) as [number | null];
    return { code, out, err };
  }

  const untilListening = (service: ChildProcess) =>
    new Promise<void>((resolve, reject) => {
      createInterface({ input: service.stdout as NodeJS.ReadableStream }).on('line', (line) => {
        if ((JSON.parse(line) as { msg: string }).msg === 'listening') resolve();
      });
      service.once('exit', (code) => reject(new Error(`the service ended with ${code}`)));
    });

  it('`version` and `--print-config` ask nothing of the database, and no secret is printed', async () => {
    const { version } = JSON.parse(readFileSync(new URL('../package.json', import.meta.url), 'utf8')) as {
      version: string;
    };
    expect(await run(['version'], { AUTHZ_REPLICAS: '0' })).toEqual({
      code: 0,
      out: `${version}\n`,
      err: '',
    });
    const url = 'postgres://someone:hunter22@127.0.0.1:1/none';
    const printed = await run(['migrate', '--print-config'], { DATABASE_URL: url });
    expect(printed).toMatchObject({ code: 0, err: '' });
    expect(printed.out).toContain(`AUTHZ_GRPC_PORT=${env['AUTHZ_GRPC_PORT']}`);
    expect(printed.out).toMatch(/^DATABASE_URL=/m);
    expect(printed.out).not.toContain('hunter22');
    expect(printed.out).not.toContain(ROOT_PASSWORD);
  });

  it('what is wrong ends with 2 for settings and usage, 1 for the world outside', async () => {
    const settings = await run(['serve'], { AUTHZ_HTTP_PORT: 'x', AUTHZ_REPLICAS: '0' });
    expect(settings).toEqual({
      code: 2,
      out: '',
      err: 'AUTHZ_HTTP_PORT: must be a whole number\nAUTHZ_REPLICAS: must be at least 1\n',
    });
    const contradiction = await run(['serve'], { AUTHZ_REPLICAS: '2', REDIS_URL: '' });
    expect(contradiction).toMatchObject({
      code: 2,
      err: 'REDIS_URL: must be set when AUTHZ_REPLICAS is more than 1\n',
    });
    for (const args of [['nonsense'], ['--port=1'], ['serve', '--nonsense'], ['migrate', 'now']]) {
      const unknown = await run(args);
      expect([args, unknown.code, unknown.out, unknown.err.split('\n')[1]]).toEqual([
        args,
        2,
        '',
        'usage: authz-grpc [command] [--print-config]',
      ]);
    }
    const away = await run(['migrate'], { DATABASE_URL: 'postgres://someone:hunter22@127.0.0.1:1/none' });
    expect(away).toMatchObject({ code: 1, out: '' });
    expect(away.err).toContain('ECONNREFUSED');
    expect(away.err).not.toContain('hunter22');
    expect(await run(['healthcheck'])).toMatchObject({ code: 1, out: '' });
  });

  it('`migrate` brings the database up to date once, however many do it at a time', async () => {
    const runs = await Promise.all([run(['migrate']), run(['migrate'])]);
    expect(runs.map(({ code, err }) => [code, err])).toEqual([
      [0, ''],
      [0, ''],
    ]);
    const told = runs.map(({ out }) => out).sort();
    expect(told).toEqual([expect.stringMatching(/^applied \d{14}_/), 'up to date\n']);
    expect(await run(['migrate'])).toEqual({ code: 0, out: 'up to date\n', err: '' });
  });

  it('`healthcheck`, `rotate-keys`, `audit-verify`, `reseal-keys`, `reset-root` and `retire-key` act on the service that `serve` runs', async () => {
    const service = start(['serve']);
    await untilListening(service);
    expect(await run(['healthcheck'])).toEqual({ code: 0, out: '', err: '' });

    const clients = openClients(env['AUTHZ_GRPC_PORT'] as string);
    const tenancy: Tenancy = await createTenancy(clients);
    const object = `svc://${tenancy.rootDomainId}/x`;
    const context = requestContext({ subject: 'a', action: 'b', object });
    for (let i = 0; i < 3; i += 1) {
      await clients.authorization.checkAuthorization({ context }, { token: tenancy.token });
    }
    const rotated = await run(['rotate-keys']);
    expect(rotated).toMatchObject({ code: 0, err: '' });
    const kid = /^published signing key (\S+)\n$/.exec(rotated.out)?.[1];
    const { rows } = await database.query('SELECT 1 FROM signing_keys WHERE kid = $1', [kid]);
    expect(rows).toHaveLength(1);

    expect(await run(['audit-verify'])).toEqual({
      code: 0,
      out: `${SYSTEM_CHAIN}: 3 rows hold\n${tenancy.tenantId}: 5 rows hold\n`,
      err: '',
    });
    const heads = join(folder, 'heads');
    const held = await run(['audit-verify', '--heads', heads]);
    expect([held.code, held.out]).toEqual([
      0,
      expect.stringMatching(new RegExp(`\n${tenancy.tenantId}: 5 rows hold, head 5 [\\da-f]{64}\n$`)),
    ]);
    const noted = readFileSync(heads, 'utf8');
    expect(noted.split('\n')).toHaveLength(3);
    expect(await run(['audit-verify', '--heads', heads])).toEqual(held);
    // A tenant whose rows are all gone, with its head.
    const absent = `${randomUUID()} 7 ${'ab'.repeat(32)}\n`;
    writeFileSync(heads, noted + absent);
    const gone = await run(['audit-verify', '--heads', heads]);
    expect([gone.code, gone.out]).toEqual([1, expect.stringContaining('0 rows hold, then head gone at 7')]);
    expect(readFileSync(heads, 'utf8')).toBe(noted + absent);
    writeFileSync(heads, 'nonsense\n');
    expect(await run(['audit-verify', '--heads', heads])).toMatchObject({
      code: 2,
      err: expect.stringContaining('line 1: must be `<tenant id> <sequence> <hash>`'),
    });
    await database.query(
      'UPDATE audit_events SET decision = NOT decision WHERE tenant_id = $1 AND sequence = 2',
      [tenancy.tenantId],
    );
    const broken = await run(['audit-verify']);
    expect([broken.code, broken.out]).toEqual([
      1,
      expect.stringMatching(new RegExp(`\n${tenancy.tenantId}: 1 row hold, then .+ at 2\n$`)),
    ]);

    const newSecret = { AUTHZ_KEY_SECRET: 'a key secret of 27 characters' };
    expect(await run(['reseal-keys'], newSecret)).toEqual({
      code: 0,
      out: 'sealed 2 signing keys anew\n',
      err: '',
    });
    expect((await run(['reseal-keys'])).code).toBe(2);
    const back = {
      AUTHZ_KEY_SECRET: 'another key secret, as long',
      AUTHZ_KEY_SECRET_PREVIOUS: newSecret.AUTHZ_KEY_SECRET,
    };
    expect((await run(['reseal-keys'], back)).out).toBe('sealed 2 signing keys anew\n');

    const login = (password: string) => clients.sessions.login({ username: 'root', password });
    const { token: lost } = await login(env['AUTHZ_ROOT_PASSWORD'] as string);
    const reset = await run(['reset-root'], { ...back, AUTHZ_ROOT_PASSWORD: 'a password that replaces it' });
    expect(reset).toEqual({ code: 0, out: 'the password of `root` is now AUTHZ_ROOT_PASSWORD\n', err: '' });
    expect((await clients.sessions.introspectCredential({ credential: lost })).live).toBe(false);
    const { token } = await login('a password that replaces it');
    const retired = await run(['retire-key', kid as string], back);
    expect([retired.code, retired.out]).toEqual([
      0,
      `retired signing key ${kid}; services that run follow within 5 seconds\n`,
    ]);
    expect((await clients.sessions.introspectCredential({ credential: token })).live).toBe(true);
    clients.close();

    service.kill('SIGTERM');
    expect(await once(service, 'exit')).toEqual([0, null]);
    expect((await run(['healthcheck'])).code).toBe(1);
  });

  it('a service without Redis follows `reset-root` and `retire-key` within 5 seconds, for sessions in use, too', async () => {
    covers('AUTHZ-C.32');
    const alone = { REDIS_URL: '', DATABASE_URL: await postgres.createDatabase() };
    expect((await run(['migrate'], alone)).code).toBe(0);
    const service = start(['serve'], alone);
    await untilListening(service);
    const clients = openClients(env['AUTHZ_GRPC_PORT'] as string);
    const logIn = async (password: string) =>
      (await clients.sessions.login({ username: 'root', password })).token;
    const isLive = async (token: string) =>
      (await clients.sessions.introspectCredential({ credential: token })).live;
    const reset = { ...alone, AUTHZ_ROOT_PASSWORD: 'a password that replaces it' };

    const lost = await logIn(ROOT_PASSWORD);
    expect(await isLive(lost)).toBe(true);
    expect((await run(['reset-root'], reset)).code).toBe(0);
    await eventually(() => isLive(lost), { limitMs: 5_000 }).toBe(false);

    const token = await logIn(reset.AUTHZ_ROOT_PASSWORD);
    expect(await isLive(token)).toBe(true);
    const { kid } = JSON.parse(Buffer.from(token.split('.', 1)[0]!, 'base64url').toString()) as {
      kid: string;
    };
    expect((await run(['retire-key', kid], alone)).code).toBe(0);
    const published = async () =>
      (await fetch(`http://127.0.0.1:${env['AUTHZ_HTTP_PORT']}/.well-known/jwks.json`)).text();
    await eventually(published, { limitMs: 5_000 }).not.toContain(kid);
    expect(await isLive(token)).toBe(false);
    expect(await isLive(await logIn(reset.AUTHZ_ROOT_PASSWORD))).toBe(true);
    clients.close();
    service.kill('SIGTERM');
    await once(service, 'exit');
  });
});
