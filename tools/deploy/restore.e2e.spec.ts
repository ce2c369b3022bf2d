import { execFile } from 'node:child_process';
import { randomUUID } from 'node:crypto';
import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, utimesSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { promisify } from 'node:util';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { covers } from '@platform/testing/covers';
import { requestContext } from '@platform/authz-client';
import { runService } from '@platform/e2e';
import {
  createCertificateAuthority,
  findPostgresClient,
  startPostgres,
  type CertificateAuthority,
  type Postgres,
} from '@platform/testing';
import { parse } from 'yaml';
import {
  createOwner,
  startPlatform,
  stopServices,
  type Owner,
  type Platform,
  type ServiceName,
} from '../observability/platform.fixture.ts';
import { CHART, type KubernetesObject } from './render-chart.ts';

const run = promisify(execFile);
const ORDER: readonly ServiceName[] = ['docstore-api', 'investigation-api', 'authz-grpc'];
const PASSWORD = 'a user password for tests 2846';
const folder = mkdtempSync(join(tmpdir(), 'restore-'));

let authority: CertificateAuthority;
let postgres: Postgres;
let owner: Owner;
const urls = {} as Record<ServiceName, string>;
let platform: Platform;
let refused: string;
let backups: string[];
let documentId: string;
let contents: string;

const authorization = (token: string) => ({
  authorization: `Bearer ${token}`,
  'content-type': 'application/json',
});
async function post(url: string, body: unknown, method = 'POST'): Promise<Record<string, unknown>> {
  const response = await fetch(url, {
    method,
    headers: authorization(owner.token),
    body: JSON.stringify(body),
  });
  expect([url, response.status < 300]).toEqual([url, true]);
  return (await response.json()) as Record<string, unknown>;
}

/** Runs what a CronJob of values-backup.yaml runs, with URLs as Secrets have them. */
async function runCronJob(name: 'backup' | 'restore'): Promise<string> {
  const { extraObjects } = parse(readFileSync(join(CHART, 'values-backup.yaml'), 'utf8'), {
    merge: true,
  }) as { extraObjects: KubernetesObject[] };
  const { spec } = extraObjects.find(({ metadata }) => metadata.name.endsWith(`-${name}`))!.spec.jobTemplate
    .spec.template;
  const { dump } = await findPostgresClient();
  const env = {
    PATH: `${dirname(dump)}:${process.env['PATH']}`,
    PGSSLROOTCERT: authority.ca,
    FOLDER: folder,
    NIGHT: '',
    KEEP_DAYS: '30',
    DOCSTORE_URL: secretUrl(urls['docstore-api']),
    INVESTIGATION_URL: secretUrl(urls['investigation-api']),
    AUTHZ_URL: secretUrl(urls['authz-grpc']),
  };
  return (await run('sh', ['-ec', spec.containers[0].args[0] as string], { env })).stdout;
}
const secretUrl = (url: string) => `${url.split('?')[0]}?sslmode=verify-full`;

/** A role and a database that it owns, as deploy/README.md makes them; returns the URL, over TLS. */
async function createOwnDatabase(name: ServiceName): Promise<string> {
  const app = `${name.split('-')[0]}_${randomUUID().slice(0, 8)}`;
  const { dump } = await findPostgresClient();
  const env = { PATH: dirname(dump), PGSSLROOTCERT: authority.ca };
  const sql = [`CREATE ROLE ${app} LOGIN PASSWORD 'a'`, `CREATE DATABASE ${app} OWNER ${app}`];
  await run(join(dirname(dump), 'psql'), [secretUrl(postgres.url), ...sql.flatMap((one) => ['-c', one])], {
    env,
  });
  const url = new URL(postgres.url);
  [url.username, url.password, url.pathname] = [app, 'a', `/${app}`];
  return `${url.href.split('?')[0]}?sslmode=verify-full&sslrootcert=${encodeURIComponent(authority.ca)}`;
}

beforeAll(async () => {
  authority = await createCertificateAuthority('private authority');
  postgres = await startPostgres({}, { tls: authority.issue('postgres') });
  for (const name of ORDER) urls[name] = await createOwnDatabase(name);
  platform = await startPlatform((name) => ({ DATABASE_URL: urls[name] }));
  owner = await createOwner(platform.authz, PASSWORD);
  const created = await post(`${platform.docstoreUrl}/v1/file`, {
    filename: 'notes/a.md',
    contents: 'first\n',
  });
  documentId = created['id'] as string;
  contents = 'kept through a restore\n';
  await post(`${platform.docstoreUrl}/v1/file`, { filename: 'notes/b.md', contents });
  const example = JSON.parse(
    readFileSync(join(import.meta.dirname, '../../examples/first-flight.json'), 'utf8'),
  );
  const sessions = `${platform.investigationUrl}/api/v1/sessions`;
  await post(sessions, { name: 'flight', session_id: 'flight', payload: example });
  await post(`${sessions}/flight/judge`, {});
  const context = requestContext({
    subject: 'alice',
    action: 'read',
    object: `svc://${owner.rootDomainId}/x`,
  });
  for (let i = 0; i < 5; i += 1)
    await platform.authz.authorization.checkAuthorization({ context }, { token: owner.token });
  // What a run that was cut off left, and a dump that is older than those kept.
  for (const name of ['20260101T021500Z', '20991231T021500Z.part']) mkdirSync(join(folder, name));
  utimesSync(join(folder, '20260101T021500Z'), 0, 0);
  await runCronJob('backup');
  backups = readdirSync(folder);
  await post(`${platform.docstoreUrl}/v1/file`, { filename: 'notes/later.md', contents: 'after the dump' });
  refused = await runCronJob('restore').catch(({ stderr }: { stderr: string }) => stderr);
  await platform.stop();
  await runCronJob('restore');
  platform = await startPlatform((name) => ({ DATABASE_URL: urls[name] }));
});
afterAll(async () => {
  await stopServices();
  await postgres.stop();
  authority.remove();
  rmSync(folder, { recursive: true });
});

describe('a restore as deploy/README.md describes it', () => {
  covers('PLAT-O.9');
  it('a nightly backup leaves whole dumps alone, and none older than those kept', () => {
    expect(backups).toEqual([expect.stringMatching(/^\d{8}T\d{6}Z$/)]);
  });

  it('a restore touches nothing while a service is connected', () => {
    expect(refused).toMatch(/stop the services first: \d+ connections/);
  });

  it('a restore takes away what was written after the dump', async () => {
    const list = await fetch(`${platform.docstoreUrl}/v1/file`, { headers: authorization(owner.token) });
    const { files } = (await list.json()) as { files: { filename: string }[] };
    expect(files.map(({ filename }) => filename).sort()).toEqual(['notes/a.md', 'notes/b.md']);
  });

  it('a restore brings back users, who log in with the password they had', async () => {
    const { token } = await platform.authz.sessions.login({ username: owner.username, password: PASSWORD });
    expect(token).not.toBe('');
  });

  it('a restore keeps every link of the audit chain', async () => {
    const { code, stdout } = await runService('authz-grpc', ['audit-verify'], {
      DATABASE_URL: urls['authz-grpc'],
    });
    // The chain of the system, and that of the tenant.
    expect([code, stdout]).toEqual([0, expect.stringMatching(/^(?:[\da-f-]{36}: [1-9]\d* rows hold\n){2}$/)]);
  });

  it('a restore brings back documents with their versions, and counters that agree with them', async () => {
    const headers = authorization(owner.token);
    const response = await fetch(`${platform.docstoreUrl}/v1/file/${documentId}`, { headers });
    expect([response.status, ((await response.json()) as { contents: string }).contents]).toEqual([
      200,
      'first\n',
    ]);
    const list = await fetch(`${platform.docstoreUrl}/v1/file?fields=contents`, { headers });
    expect(await list.text()).toContain(JSON.stringify(contents));
    const { code } = await runService('docstore-api', ['check-quota'], {
      DATABASE_URL: urls['docstore-api'],
    });
    expect(code).toBe(0);
  });

  it('a restore brings back judged investigations', async () => {
    const url = `${platform.investigationUrl}/api/v1/sessions/flight/judgements`;
    const response = await fetch(url, { headers: authorization(owner.token) });
    expect([response.status, ((await response.json()) as unknown[]).length]).toEqual([200, 1]);
  });

  it('a restore leaves nothing to migrate', async () => {
    for (const name of ORDER) {
      const { code } = await runService(name, ['migrate', '--status'], { DATABASE_URL: urls[name] });
      expect([name, code]).toEqual([name, 0]);
    }
  });
});
