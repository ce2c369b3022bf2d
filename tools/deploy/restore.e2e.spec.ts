import { execFile } from 'node:child_process';
import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, utimesSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { promisify } from 'node:util';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { covers } from '@platform/testing/covers';
import { requestContext } from '@platform/authz-client';
import { runService } from '@platform/e2e';
import { findPostgresClient, startPostgres, type Postgres } from '@platform/testing';
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

let postgres: Postgres;
let owner: Owner;
const original = {} as Record<ServiceName, string>;
const restored = {} as Record<ServiceName, string>;
let platform: Platform;
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

/** What the CronJob of values-backup.yaml runs. */
function backupScript(): string {
  const { extraObjects } = parse(readFileSync(join(CHART, 'values-backup.yaml'), 'utf8')) as {
    extraObjects: KubernetesObject[];
  };
  const { spec } = extraObjects[0]!.spec.jobTemplate.spec.template;
  return spec.containers[0].args[0] as string;
}

beforeAll(async () => {
  postgres = await startPostgres();
  platform = await startPlatform((name, url) => {
    original[name] = url;
    return {};
  });
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
  await platform.stop();

  const { dump, restore } = await findPostgresClient();
  const env = {
    PATH: `${dirname(dump)}:${process.env['PATH']}`,
    FOLDER: folder,
    KEEP_DAYS: '30',
    DOCSTORE_URL: original['docstore-api'],
    INVESTIGATION_URL: original['investigation-api'],
    AUTHZ_URL: original['authz-grpc'],
  };
  // What a run that was cut off left, and a dump that is older than those kept.
  for (const name of ['20260101T021500Z', '20991231T021500Z.part']) mkdirSync(join(folder, name));
  utimesSync(join(folder, '20260101T021500Z'), 0, 0);
  await run('sh', ['-ec', backupScript()], { env });
  backups = readdirSync(folder);
  for (const name of ORDER) {
    const file = join(folder, backups[0]!, `${name.split('-')[0]}.dump`);
    restored[name] = await postgres.createDatabase();
    await run(restore, ['--no-owner', `--dbname=${restored[name]}`, file]);
  }
  platform = await startPlatform((name) => ({ DATABASE_URL: restored[name] }));
});
afterAll(async () => {
  await stopServices();
  await postgres.stop();
  rmSync(folder, { recursive: true });
});

describe('a restore as deploy/README.md describes it', () => {
  covers('PLAT-O.9');
  it('a nightly backup leaves whole dumps alone, and none older than those kept', () => {
    expect(backups).toEqual([expect.stringMatching(/^\d{8}T\d{6}Z$/)]);
  });

  it('a restore brings back users, who log in with the password they had', async () => {
    const { token } = await platform.authz.sessions.login({ username: owner.username, password: PASSWORD });
    expect(token).not.toBe('');
  });

  it('a restore keeps every link of the audit chain', async () => {
    const { code, stdout } = await runService('authz-grpc', ['audit-verify'], {
      DATABASE_URL: restored['authz-grpc'],
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
      DATABASE_URL: restored['docstore-api'],
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
      const { code } = await runService(name, ['migrate', '--status'], { DATABASE_URL: restored[name] });
      expect([name, code]).toEqual([name, 0]);
    }
  });
});
