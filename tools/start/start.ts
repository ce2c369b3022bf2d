/**
 * `npm start`: builds and starts the platform on embedded defaults, judges the demo and prints how to use it. Everything it
 * keeps lies in `.data` (or PLATFORM_DATA_DIR); `-- --fresh` forgets it. Ctrl-C stops all services.
 */
import { spawnSync } from 'node:child_process';
import { mkdirSync, rmSync, writeFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { openAuthzClients } from '@platform/authz-client';
import { ensureDemoUser, fetchPublicKeys, mintDocstoreKey, newPassword } from './credentials.ts';
import { demoFile, judgeDemo } from './demo.ts';
import { readPlatformFile, writePlatformFile } from './platform-file.ts';
import { AUTHZ, authzTarget, DOCSTORE, INVESTIGATION, SERVICES, urlOf } from './services.ts';
import type { Provided, Service } from './services.ts';
import type { Supervised } from './supervise.ts';
import { supervise } from './supervise.ts';

process.chdir(resolve(import.meta.dirname, '../..'));
const data = resolve(process.env.PLATFORM_DATA_DIR || '.data');
const logs = join(data, 'logs');
const platformFile = join(data, 'platform.json');
const running: Supervised[] = [];
let stopping: Promise<void> | undefined;

function stop(exitCode: number): Promise<void> {
  stopping ??= Promise.all(running.map((service) => service.stop())).then(() => process.exit(exitCode));
  return stopping;
}

function build(): void {
  const projects = [...SERVICES.map(({ name }) => name), 'authz-cli'].join(',');
  const nx = join('node_modules', 'nx', 'dist', 'bin', 'nx.js');
  const result = spawnSync(process.execPath, [nx, 'run-many', '-t', 'build', '-p', projects], {
    encoding: 'utf8',
    // A daemon would outlive us.
    env: { ...process.env, NX_DAEMON: 'false', NX_TUI: 'false' },
  });
  if (result.status !== 0) throw new Error(`the build failed\n${result.stdout}${result.stderr}`);
}

async function run(service: Service, provided: Provided): Promise<void> {
  const supervised = supervise(service, { ...service.settings(provided), ...process.env }, logs);
  running.push(supervised);
  await supervised.ready;
}

async function main(): Promise<void> {
  if (process.argv.includes('--fresh')) rmSync(data, { recursive: true, force: true });
  mkdirSync(data, { recursive: true, mode: 0o700 });
  console.log('Building …');
  build();

  const known = readPlatformFile(platformFile) ?? {};
  const platform = {
    investigation_url: urlOf(INVESTIGATION, 'port'),
    authz_url: urlOf(AUTHZ, 'port'),
    authz_grpc: authzTarget(),
    docstore_url: urlOf(DOCSTORE, 'port'),
    root: known.root ?? {
      username: process.env.AUTHZ_ROOT_USERNAME || 'root',
      password: process.env.AUTHZ_ROOT_PASSWORD || newPassword(),
    },
    demo: known.demo,
  };
  writePlatformFile(platformFile, platform);

  const publicKeys = join(data, 'public.jwks.json');
  const provided = { data, publicKeys, rootPassword: platform.root.password };
  await run(AUTHZ, provided);
  writeFileSync(publicKeys, await fetchPublicKeys(platform.authz_url));
  await Promise.all([run(INVESTIGATION, provided), run(DOCSTORE, provided)]);

  const authz = openAuthzClients(authzTarget());
  const demo = await ensureDemoUser(authz, known.demo ?? {}, (progress) =>
    writePlatformFile(platformFile, { ...platform, demo: progress as typeof known.demo }),
  ).finally(() => authz.close());
  const docstoreKey = demo.docstore_key ?? (await mintDocstoreKey(platform.docstore_url, demo.token));
  writePlatformFile(platformFile, { ...platform, demo: { ...demo, docstore_key: docstoreKey } });

  const verdict = await judgeDemo(platform.investigation_url, demo.token);
  const json = `-H 'Content-Type: application/json'`;
  const object = `svc://${demo.domain_id}/reports/1`;
  console.log(`
${verdict}

The platform is up. Documentation: ${platform.investigation_url}/docs, ${platform.docstore_url}/docs. MCP: ${platform.investigation_url}/mcp.
Logs: ${logs}

Bearer token (one day):
${demo.token}

API key (one year):
${demo.api_key}

The whole verdict, by API key:
curl -s ${platform.investigation_url}/api/v1/investigations/analyze -H 'X-API-Key: ${demo.api_key}' ${json} -d @${demoFile()}

May the demo user read a report of his tenant?
curl -s ${platform.authz_url}/v1/authz/check -H 'Authorization: Bearer ${demo.token}' ${json} -d '{"context":{"subject":"${demo.user_id}","action":"read","object":"${object}"}}'

Keep a document:
curl -s ${platform.docstore_url}/v1/file -H 'Authorization: Bearer ${docstoreKey}' ${json} -d '{"filename":"notes/first.txt","contents":"Hello."}'

Ctrl-C stops it. All of the above stands in ${platformFile}.`);
}

process.on('SIGINT', () => void stop(0));
process.on('SIGTERM', () => void stop(0));
main().catch((error: unknown) => {
  if (stopping) return;
  console.error(error instanceof Error ? error.message : error);
  void stop(1);
});
