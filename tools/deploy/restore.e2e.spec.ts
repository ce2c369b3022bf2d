import { execFile } from 'node:child_process';
import { randomUUID } from 'node:crypto';
import {
  cpSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  truncateSync,
  utimesSync,
  writeFileSync,
} from 'node:fs';
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
import {
  createOwner,
  startPlatform,
  stopServices,
  type Owner,
  type Platform,
  type ServiceName,
} from '../observability/platform.fixture.ts';
import { CHART, renderChart } from './render-chart.ts';

const run = promisify(execFile);
const ORDER: readonly ServiceName[] = ['docstore-api', 'investigation-api', 'authz-grpc'];
const PASSWORD = 'a user password for tests 2846';
const folder = mkdtempSync(join(tmpdir(), 'restore-'));
const tools = mkdtempSync(join(tmpdir(), 'tools-'));

let authority: CertificateAuthority;
let postgres: Postgres;
/** As which the databases are made: no superuser. */
let administrator: string;
let owner: Owner;
const urls = {} as Record<ServiceName, string>;
let platform: Platform;
let refused: string;
let cutOff: { stderr: string; pending: (number | null)[] };
let otherVersion: { restore: string; backup: string; pending: (number | null)[] };
let unfinished: string;
let missing: { stderr: string; pending: (number | null)[] };
let halfWay: { stdout: string; stderr: string };
let emptyDump: string;
let reached: string;
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

/** Runs what a CronJob of values-backup.yaml runs, as Helm renders it, with URLs as Secrets have them. */
async function runCronJob(name: 'backup' | 'restore', further: Record<string, string> = {}): Promise<string> {
  const { objects } = await renderChart(
    ['values-production.yaml', 'values-backup.yaml'].map((file) => join(CHART, file)),
  );
  const { spec } = objects.find(
    ({ kind, metadata }) => kind === 'CronJob' && metadata.name === `demo-${name}`,
  )!.spec.jobTemplate.spec.template;
  const { dump } = await findPostgresClient();
  const given = (spec.containers[0].env as { name: string; value?: string }[]).filter(({ value }) => value);
  const env = {
    ...Object.fromEntries(given.map((one) => [one.name, one.value])),
    PATH: `${dirname(dump)}:${process.env['PATH']}`,
    PGSSLROOTCERT: authority.ca,
    FOLDER: folder,
    DOCSTORE_URL: secretUrl(urls['docstore-api']),
    INVESTIGATION_URL: secretUrl(urls['investigation-api']),
    AUTHZ_URL: secretUrl(urls['authz-grpc']),
    ...further,
  };
  return (await run('sh', ['-ec', spec.containers[0].args[0] as string], { env })).stdout;
}
async function runSql(url: string, ...sql: string[]): Promise<void> {
  const { dump } = await findPostgresClient();
  const env = { PATH: dirname(dump), PGSSLROOTCERT: authority.ca };
  await run(join(dirname(dump), 'psql'), [url, ...sql.flatMap((one) => ['-c', one])], { env });
}
/** A PATH on which the tools of Postgres say that they are of another version. */
async function toolsOfVersion(version: number): Promise<string> {
  const { dump } = await findPostgresClient();
  for (const tool of ['pg_dump', 'pg_restore']) {
    const real = join(dirname(dump), tool);
    const script = `#!/bin/sh\n[ "$1" = --version ] && echo "${tool} (PostgreSQL) ${version}.1" || exec ${real} "$@"\n`;
    writeFileSync(join(tools, tool), script, { mode: 0o755 });
  }
  return `${tools}:${dirname(dump)}:${process.env['PATH']}`;
}
/** What a Job that must fail says about it. */
async function failureOf(job: Promise<string>): Promise<string> {
  return job.then(
    () => 'did not fail',
    (error: { stderr: string }) => error.stderr,
  );
}
const secretUrl = (url: string) => `${url.split('?')[0]}?sslmode=verify-full`;

/**
 * A role and a database that it owns, by the statements of deploy/README.md and an administrator who may no
 * more than the page says; returns the URL, over TLS.
 */
async function createOwnDatabase(name: ServiceName): Promise<string> {
  const app = `${name.split('-')[0]}_${randomUUID().slice(0, 8)}`;
  await createDatabaseOf(app);
  const url = new URL(postgres.url);
  [url.username, url.password, url.pathname] = [app, 'a', `/${app}`];
  return `${url.href.split('?')[0]}?sslmode=verify-full&sslrootcert=${encodeURIComponent(authority.ca)}`;
}
async function createDatabaseOf(app: string): Promise<void> {
  const page = readFileSync(join(CHART, '../../README.md'), 'utf8');
  const [, loop] = /psql "\$ADMIN_URL"([^]*?)\n\s*done/.exec(page)!;
  const sql = [...loop!.matchAll(/-c "([^"]*)"/g)].map(([, one]) =>
    one!.replaceAll('$app', app).replace("'…'", "'a'"),
  );
  await runSql(secretUrl(administrator), ...sql);
}

const NIGHT = expect.stringMatching(/^\d{8}T\d{6}Z$/) as unknown;
const DUMPS = ['authz.dump', 'docstore.dump', 'investigation.dump'];

/** Exit code of `migrate --status`: 0 where the database has all that the service needs. */
async function statusOf(name: ServiceName): Promise<number | null> {
  return (await runService(name, ['migrate', '--status'], { DATABASE_URL: urls[name] })).code;
}

beforeAll(async () => {
  authority = await createCertificateAuthority('private authority');
  postgres = await startPostgres({}, { tls: authority.issue('postgres') });
  const admin = `administrator_${randomUUID().slice(0, 8)}`;
  await runSql(secretUrl(postgres.url), `CREATE ROLE ${admin} LOGIN CREATEROLE CREATEDB PASSWORD 'a'`);
  administrator = Object.assign(new URL(postgres.url), { username: admin, password: 'a' }).href;
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
  // The nightly one, and one that somebody starts meanwhile.
  await Promise.all([runCronJob('backup'), runCronJob('backup')]);
  backups = readdirSync(folder).filter((name) => name !== '.lock');
  await post(`${platform.docstoreUrl}/v1/file`, { filename: 'notes/later.md', contents: 'after the dump' });
  refused = await runCronJob('restore').catch(({ stderr }: { stderr: string }) => stderr);
  await platform.stop();
  // A dump whose copy was cut off, newer than the whole one.
  cpSync(join(folder, backups[0]!), join(folder, '20990101T021500Z'), { recursive: true });
  truncateSync(join(folder, '20990101T021500Z', 'investigation.dump'), 20_000);
  const stderr = await runCronJob('restore').catch((error: { stderr: string }) => error.stderr);
  cutOff = { stderr, pending: await Promise.all(ORDER.map(statusOf)) };
  const other = new URL(urls['authz-grpc']);
  other.pathname = new URL(urls['docstore-api']).pathname;
  reached = await runSql(secretUrl(other.href), 'SELECT 1').then(
    () => 'connected',
    (error: { stderr: string }) => error.stderr,
  );
  mkdirSync(join(folder, '20991231T021500Z.part'));
  missing = {
    stderr: await failureOf(runCronJob('restore', { NIGHT: '20200101T021500Z' })),
    pending: await Promise.all(ORDER.map(statusOf)),
  };
  unfinished = await failureOf(runCronJob('restore', { NIGHT: '20991231T021500Z.part' }));
  const newer = await toolsOfVersion(99);
  otherVersion = {
    restore: await failureOf(runCronJob('restore', { NIGHT: backups[0]!, PATH: newer })),
    backup: await failureOf(runCronJob('backup', { PATH: newer })),
    pending: await Promise.all(ORDER.map(statusOf)),
  };
  // The role may not create its extensions, so that the first database is emptied and cannot be filled.
  const docstore = decodeURIComponent(new URL(urls['docstore-api']).pathname.slice(1));
  await runSql(secretUrl(postgres.url), `REVOKE CREATE ON DATABASE ${docstore} FROM ${docstore}`);
  halfWay = await runCronJob('restore', { NIGHT: backups[0]! }).then(
    (stdout) => ({ stdout, stderr: '' }),
    (error: { stdout: string; stderr: string }) => error,
  );
  emptyDump = await failureOf(runCronJob('backup'));
  // Lost, and made anew for the role that is still there.
  await runSql(secretUrl(administrator), `DROP DATABASE ${docstore}`);
  await createDatabaseOf(docstore);
  await runCronJob('restore', { NIGHT: backups[0]! });
  platform = await startPlatform((name) => ({ DATABASE_URL: urls[name] }));
});
afterAll(async () => {
  await stopServices();
  await postgres.stop();
  authority.remove();
  rmSync(folder, { recursive: true });
  rmSync(tools, { recursive: true });
});

describe('a restore as deploy/README.md describes it', () => {
  covers('PLAT-O.9');
  it('two backups at once each leave whole dumps alone, and none older than those kept', () => {
    expect(backups).toEqual([NIGHT, NIGHT]);
    for (const night of backups) expect(readdirSync(join(folder, night)).toSorted()).toEqual(DUMPS);
  });

  it('a restore touches nothing while a service is connected', () => {
    expect(refused).toMatch(/stop the services first: \d+ connections to docstore/);
  });

  it('a dump that was cut off is found before any of the three databases is emptied', () => {
    covers('PLAT-O.28');
    expect(cutOff).toEqual({ stderr: expect.stringMatching(/end of file/), pending: [0, 0, 0] });
  });

  it('a night of which there is no dump changes nothing, and the log lists those that there are', () => {
    covers('PLAT-O.28');
    expect(missing).toEqual({
      stderr: expect.stringMatching(new RegExp(`no dump .*20200101T021500Z[^]*${backups[0]}`)),
      pending: [0, 0, 0],
    });
  });

  it('a backup that was cut off is no night to restore, and stands in no list of them', () => {
    covers('PLAT-O.28');
    expect(missing.stderr).not.toContain('.part');
    expect(unfinished).toContain('no dump');
  });

  it('tools of another version than the server dump nothing and empty nothing', () => {
    covers('PLAT-O.28');
    const said = expect.stringMatching(
      /docstore is on Postgres \d+ and backup\.image has Postgres 99; set/,
    ) as unknown;
    expect(otherVersion).toEqual({ restore: said, backup: said, pending: [0, 0, 0] });
  });

  it('the log of a restore that could not fill the first database says that it was emptied', () => {
    expect(halfWay.stdout).toMatch(/^emptying docstore$/m);
    expect(halfWay.stdout).not.toMatch(/^(?:filled|restored) /m);
    expect(halfWay.stderr).toContain('permission denied');
  });

  it('a database without tables does not become the newest dump', () => {
    covers('PLAT-O.28');
    expect(emptyDump).toContain('not dumped: docstore has no tables');
  });

  it('a database that was dropped is made anew by an administrator who is no superuser, and filled', async () => {
    covers('PLAT-O.5', 'PLAT-O.28');
    expect(await statusOf('docstore-api')).toBe(0);
  });

  it('the role of one service cannot connect to the database of another', () => {
    covers('PLAT-O.5');
    expect(reached).toContain('permission denied for database');
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
    expect(await Promise.all(ORDER.map(statusOf))).toEqual([0, 0, 0]);
  });
});
