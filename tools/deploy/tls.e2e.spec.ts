import { copyFileSync, mkdirSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { openAuthzClients } from '@platform/authz-client';
import {
  createCertificateAuthority,
  startBuiltService,
  type BuiltProcess,
  type CertificateAuthority,
  type ServiceName,
} from '@platform/testing';
import { covers } from '@platform/testing/covers';
import { containerOf, render } from './chart.fixture.ts';
import type { RenderedChart } from './render-chart.ts';

const ROOT_PASSWORD = 'a root password for tests 5172';
const MOUNTED = '/etc/platform-tls';
const MUTUAL = {
  'authz-grpc': { tls: { existingSecret: 'authz-tls', clientCa: 'ca.crt' } },
  'investigation-api': { authzTls: { existingSecret: 'client-tls', clientCertificate: true } },
  'docstore-api': { authzTls: { existingSecret: 'client-tls', clientCertificate: true } },
};

let folder: string;
let authority: CertificateAuthority;
let chart: RenderedChart;
let authz: BuiltProcess;
const started: BuiltProcess[] = [];

/** The folder that a Secret of certificates is mounted as. */
function mountSecret(name: string): string {
  const { cert, key } = authority.issue(name);
  const mounted = join(folder, name);
  mkdirSync(mounted);
  copyFileSync(cert, join(mounted, 'tls.crt'));
  copyFileSync(key, join(mounted, 'tls.key'));
  copyFileSync(authority.ca, join(mounted, 'ca.crt'));
  return mounted;
}

/** The built service with the environment that the chart gives to its container, on ports of this machine. */
async function startAsRendered(app: ServiceName, secret: string, more: Record<string, string>) {
  const env = containerOf(chart, app).env as { name: string; value: string }[];
  const rendered = env
    .filter(({ name }) => !/_(PORT|HOST)$/.test(name))
    .map(({ name, value }) => [name, value.replace(MOUNTED, secret)]);
  const own = { DATABASE_URL: 'pglite:memory://', ...more };
  const service = await startBuiltService(app, { ...Object.fromEntries(rendered), ...own });
  started.push(service);
  return service;
}

/** What the kubelet's probe of the rendered Deployment gets from a service. */
async function probed(app: ServiceName, { ports }: BuiltProcess): Promise<number> {
  const { path, port, scheme = 'HTTP' } = containerOf(chart, app).readinessProbe.httpGet;
  const number = ports[`${port}_port`];
  return (await fetch(`${scheme.toLowerCase()}://127.0.0.1:${number}${path}`)).status;
}

beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), 'chart-tls-'));
  authority = await createCertificateAuthority('authority of the platform');
  chart = await render(MUTUAL);
  authz = await startAsRendered('authz-grpc', mountSecret('demo-authz-grpc-headless'), {
    AUTHZ_ROOT_PASSWORD: ROOT_PASSWORD,
  });
});
afterAll(async () => {
  for (const service of started) await service.stop();
  authority.remove();
  rmSync(folder, { recursive: true });
});

describe('the services with the environment of the chart', () => {
  covers('PLAT-O.17');

  it.each([
    ['docstore-api', 'DOCSTORE', '/v1/key'],
    ['investigation-api', 'INVESTIGATION', '/api/v1/sessions'],
  ] as const)(
    '%s asks authz-grpc over mutual TLS, and both are ready for the kubelet',
    async (app, prefix, path) => {
      const target = `localhost:${authz.ports['grpc_port']}`;
      const secret = mountSecret(app);
      const tls = { ca: authority.ca, cert: join(secret, 'tls.crt'), key: join(secret, 'tls.key') };
      const clients = openAuthzClients(target, { tls });
      const { token: root } = await clients.sessions.login({ username: 'root', password: ROOT_PASSWORD });
      await clients.tenants.createTenant({ name: app, description: '' }, { token: root });
      const { token } = await clients.sessions.login({
        username: 'root',
        password: ROOT_PASSWORD,
        tenant: app,
      });
      clients.close();

      // A name of the cluster is looked up in the cluster alone.
      const service = await startAsRendered(app, secret, { [`${prefix}_AUTHZ_URL`]: target });
      const request = () =>
        fetch(`http://127.0.0.1:${service.ports['port']}${path}`, {
          headers: { authorization: `Bearer ${token}` },
        });
      let response = await request();
      // The first call opens the connection, which a busy machine may not do within the time of one call.
      for (let tries = 1; response.status === 503 && tries < 10; tries += 1) {
        await delay(1_000);
        response = await request();
      }
      expect(response.status).toBe(200);
      expect([await probed(app, service), await probed('authz-grpc', authz)]).toEqual([200, 200]);
    },
  );
});
