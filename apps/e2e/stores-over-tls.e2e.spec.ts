import { readFileSync } from 'node:fs';
import { connect, type AddressInfo } from 'node:net';
import { createServer, type Server } from 'node:tls';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import {
  createCertificateAuthority,
  runBuiltService,
  startBuiltService,
  startPostgres,
  startRedis,
  type BuiltProcess,
  type CertificateAuthority,
  type Postgres,
  type Redis,
} from '@platform/testing';
import type { AuthzClients } from '@platform/authz-client';
import { covers } from '@platform/testing/covers';
import { createTenant, openAuthzClients, startService, type ServiceProcess } from './platform/index.ts';

const SERVICES = ['authz-grpc', 'docstore-api', 'investigation-api'] as const;
const FREE_PORTS: Readonly<Record<(typeof SERVICES)[number], Readonly<Record<string, string>>>> = {
  'authz-grpc': { AUTHZ_GRPC_PORT: '0', AUTHZ_HTTP_PORT: '0', AUTHZ_PROBE_PORT: '0' },
  'docstore-api': { DOCSTORE_PORT: '0', DOCSTORE_PROBE_PORT: '0' },
  'investigation-api': { INVESTIGATION_PORT: '0', INVESTIGATION_PROBE_PORT: '0' },
};
/** What a service does not start without; nobody listens at that port. */
const NEEDED: Readonly<Record<(typeof SERVICES)[number], Readonly<Record<string, string>>>> = {
  'authz-grpc': { AUTHZ_ROOT_PASSWORD: 'a root password for tests 9043' },
  'docstore-api': {},
  'investigation-api': { INVESTIGATION_AUTHZ_URL: '127.0.0.1:1' },
};

let ours: CertificateAuthority;
let foreign: CertificateAuthority;
let postgres: Postgres;
let redis: Redis;

beforeAll(async () => {
  ours = await createCertificateAuthority('private authority');
  foreign = await createCertificateAuthority('another authority');
  postgres = await startPostgres({}, { tls: ours.issue('postgres') });
  redis = await startRedis({}, ours.issue('redis'));
});
afterAll(async () => {
  await postgres.stop();
  await redis.stop();
  for (const authority of [ours, foreign]) authority.remove();
});

/** A database of its own, by the URL that deploy/README.md gives. */
async function databaseUrl(query = 'sslmode=verify-full'): Promise<string> {
  return `${(await postgres.createDatabase()).split('?')[0]}?${query}`;
}

/** Waits until a dependency responds, as the service's own metric says. */
async function untilUp({ ports }: BuiltProcess, name: string): Promise<void> {
  for (;;) {
    const text = await (await fetch(`http://127.0.0.1:${ports['probe_port']}/metrics`)).text();
    if (new RegExp(`^dependency_up\\{.*"${name}".*\\} 1$`, 'm').test(text)) return;
    await new Promise((resolve) => setTimeout(resolve, 50));
  }
}

describe.each(SERVICES)('%s with stores over TLS', (name) => {
  covers('PLAT-O.21');

  it.each([
    ['in the trust of Node', () => 'sslmode=verify-full', true],
    ['in the URL', () => `sslmode=verify-full&sslrootcert=${encodeURIComponent(ours.ca)}`, false],
  ])(
    'the service migrates and serves on Postgres whose private authority is %s',
    async (_, query, isTrusted) => {
      const trust: Record<string, string> = isTrusted ? { NODE_EXTRA_CA_CERTS: ours.ca } : {};
      const env = { DATABASE_URL: await databaseUrl(query()), ...trust };
      expect(await runBuiltService(name, ['migrate'], env)).toMatchObject({ code: 0 });
      const withRedis: Record<string, string> =
        isTrusted && name !== 'investigation-api' ? { REDIS_URL: redis.url } : {};
      const service = await startBuiltService(name, { ...env, ...withRedis, ...NEEDED[name] });
      const ready = await fetch(`http://127.0.0.1:${service.ports['probe_port']}/readyz`);
      expect(ready.status).toBe(200);
      await untilUp(service, 'database');
      if ('REDIS_URL' in withRedis) await untilUp(service, 'redis');
      expect(await service.stop()).toBe(0);
    },
  );

  it('a certificate of another authority ends the start, with the setting that names the database', async () => {
    const env = { DATABASE_URL: await databaseUrl(), NODE_EXTRA_CA_CERTS: foreign.ca };
    const migrated = await runBuiltService(name, ['migrate'], env);
    expect(migrated.code).not.toBe(0);
    expect(migrated.stdout + migrated.stderr).toMatch(/DATABASE_URL/);
    const served = await runBuiltService(name, ['serve'], { ...env, ...FREE_PORTS[name], ...NEEDED[name] });
    expect(served.code).toBe(1);
    const line = JSON.parse(
      (served.stdout + served.stderr).split('\n').find((text) => text.includes('DATABASE_URL'))!,
    );
    expect(line).toMatchObject({ dependency: 'postgres', setting: 'DATABASE_URL' });
    expect(JSON.stringify(line)).toMatch(/certificate/);
  });
});

it.each(['authz-grpc', 'docstore-api'] as const)(
  'a certificate of another authority keeps %s from Redis, and its log names the setting',
  async (name) => {
    covers('PLAT-O.21');
    const lines: Record<string, unknown>[] = [];
    const env = { DATABASE_URL: 'pglite:memory://', NODE_EXTRA_CA_CERTS: foreign.ca, ...NEEDED[name] };
    const service = await startBuiltService(name, { ...env, REDIS_URL: redis.url }, (line) =>
      lines.push(line),
    );
    const told = () => lines.find(({ setting }) => setting === 'REDIS_URL');
    while (told() === undefined) await new Promise((resolve) => setTimeout(resolve, 50));
    expect(told()).toMatchObject({ dependency: 'redis' });
    expect(JSON.stringify(told())).toMatch(/certificate/i);
    expect(await service.stop()).toBe(0);
  },
);

describe('investigation-api with a docstore-api behind TLS', () => {
  let authz: ServiceProcess;
  let docstore: ServiceProcess;
  let front: Server;
  let clients: AuthzClients;
  let token: string;
  beforeAll(async () => {
    authz = await startService('authz-grpc', { DATABASE_URL: 'pglite:memory://', ...NEEDED['authz-grpc'] });
    docstore = await startService('docstore-api', {
      DATABASE_URL: 'pglite:memory://',
      DOCSTORE_AUTHZ_URL: authz.grpcAddress,
    });
    clients = openAuthzClients(authz.grpcAddress);
    ({ token } = await createTenant(clients));
    const { cert, key } = ours.issue('docstore');
    // What an Ingress does: it ends TLS and hands the bytes on.
    front = createServer({ cert: readFileSync(cert), key: readFileSync(key) }, (socket) => {
      const behind = connect(Number(new URL(docstore.url).port), '127.0.0.1');
      socket.pipe(behind).pipe(socket);
      for (const end of [socket, behind])
        end.on('error', () => [socket, behind].forEach((one) => one.destroy()));
    });
    await new Promise<void>((resolve) => front.listen(0, '127.0.0.1', resolve));
  });
  afterAll(async () => {
    clients?.close();
    await Promise.all([docstore, authz].map((service) => service?.kill()));
    front?.close();
  });

  it.each([
    ['reaches it by the authority that is trusted', () => ours.ca, 201],
    ['refuses the certificate of another authority, and stores nothing', () => foreign.ca, 503],
  ])('investigation-api %s', async (_, trusted, status) => {
    covers('PLAT-O.23');
    const { port } = front.address() as AddressInfo;
    const service = await startService('investigation-api', {
      DATABASE_URL: 'pglite:memory://',
      INVESTIGATION_AUTHZ_URL: authz.grpcAddress,
      INVESTIGATION_DOCSTORE_URL: `https://localhost:${port}`,
      NODE_EXTRA_CA_CERTS: trusted(),
    });
    const count = async () => {
      const listed = await fetch(`${docstore.url}/v1/file`, {
        headers: { authorization: `Bearer ${token}` },
      });
      return ((await listed.json()) as { files: unknown[] }).files.length;
    };
    const before = await count();
    const added = await fetch(`${service.url}/api/v1/documents`, {
      method: 'POST',
      headers: { authorization: `Bearer ${token}`, 'content-type': 'application/json' },
      body: JSON.stringify({ filename: 'minutes.txt', contents: 'The bridge is open.' }),
    });
    expect([added.status, (await count()) - before]).toEqual([status, status === 201 ? 1 : 0]);
    await service.kill();
  });
});
