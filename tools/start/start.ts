/**
 * `npm start [-- --fresh]`: builds and starts the platform on embedded defaults, judges the demo and prints
 * how to use it. Everything it keeps lies in `.data` (or PLATFORM_DATA_DIR); `--fresh` forgets it. Ctrl-C
 * stops all services.
 *
 * Where they listen: INVESTIGATION_PORT (8080), AUTHZ_HTTP_PORT (8081), DOCSTORE_PORT (8082) and
 * AUTHZ_GRPC_PORT (50051); their probes and metrics: INVESTIGATION_PROBE_PORT (9080), AUTHZ_PROBE_PORT (9081)
 * and DOCSTORE_PROBE_PORT (9082). The README of each service names its other settings.
 */
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { rmSync } from 'node:fs';
import { createServer } from 'node:http';
import { join, resolve } from 'node:path';
import type { AuthzClients } from '@platform/authz-client';
import { listen } from '@platform/service-kit';
import { readOptions } from '../command-line.ts';
import { takeBuildTurn } from './build-turn.ts';
import { ensureDocstoreKey, ensureWatchKey, openDeskSession } from './credentials.ts';
import { LOGS, openDataFolder, shellPath } from './data-folder.ts';
import { DemoUserLocked, ensureDemoUser, newPassword } from './demo-user.ts';
import { demoFile, deskLink, publishDemo, verdictOf } from './demo.ts';
import type { Demo, PlatformFile } from './platform-file.ts';
import { readPlatformFile, writeAuthorization, writePlatformFile } from './platform-file.ts';
import { openRootSession, resetRoot } from './root-user.ts';
import { AUTHZ, authzTarget, DOCSTORE, environmentOf, INVESTIGATION, SERVICES, urlOf } from './services.ts';
import type { Provided, Service } from './services.ts';
import type { Supervised } from './supervise.ts';
import { supervise } from './supervise.ts';

process.chdir(resolve(import.meta.dirname, '../..'));
const data = resolve(process.env.PLATFORM_DATA_DIR || '.data');
const logs = join(data, LOGS);
const platformFile = join(data, 'platform.json');
/** After so long a service that is not ready is mentioned. Milliseconds. */
const SLOW_START_MS = 20_000;
const authorizationFile = join(data, 'authorization');
/** Else the databases are those of DATABASE_URL, which others may use too. */
const isEmbedded = !process.env.DATABASE_URL;
const running: Supervised[] = [];
let stopping: Promise<void> | undefined;

/** Give back to other starts what this one holds. */
const releases: (() => Promise<void>)[] = [];

function stop(exitCode: number): Promise<void> {
  stopping ??= Promise.all(running.map((service) => service.stop()))
    .then(() => Promise.all(releases.map((release) => release())))
    .then(() => process.exit(exitCode));
  return stopping;
}

/** Removes the files that a start keeps, and nothing else in the folder. */
function forget(): void {
  for (const kept of [
    ...SERVICES.map(({ folder }) => join(data, folder)),
    logs,
    platformFile,
    authorizationFile,
  ])
    rmSync(kept, { recursive: true, force: true });
}

/**
 * A taken port is told before anything is built or started. Errors: the port, and the setting that chooses
 * another.
 */
async function checkPorts(): Promise<void> {
  for (const service of SERVICES)
    for (const which of ['port', 'probePort'] as const) {
      const { hostname: host, port } = new URL(urlOf(service, which));
      const probe = createServer();
      await listen(probe, { host, port: Number(port || 80), setting: service[which][0] }).catch(
        (error: Error) => {
          throw new Error(`${service.name} did not start: ${error.message}`);
        },
      );
      await new Promise((resolve) => probe.close(resolve));
    }
}

/** Exit code of a shell command that SIGINT ended. */
const INTERRUPTED = 130;

/** Builds the apps to start. Throws with the build's output. */
async function build(): Promise<void> {
  const projects = [...SERVICES.map(({ name }) => name), 'authz-cli'].join(',');
  const nx = join('node_modules', 'nx', 'dist', 'bin', 'nx.js');
  const builder = spawn(process.execPath, [nx, 'run-many', '-t', 'build', '-p', projects], {
    // A daemon would outlive us.
    env: { ...process.env, NX_DAEMON: 'false', NX_TUI: 'false' },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  let said = '';
  for (const stream of [builder.stdout, builder.stderr])
    stream.on('data', (chunk) => (said += String(chunk)));
  const ended = once(builder, 'close') as Promise<[number | null, NodeJS.Signals | null]>;
  const stopBuilding = async () => {
    builder.kill();
    await ended;
  };
  running.push({ ready: Promise.resolve(), stop: stopBuilding });
  const [code, signal] = await ended;
  // Ctrl-C reaches the build as well, and may end it before this process hears of it.
  if (signal !== null || code === INTERRUPTED) await stop(0);
  // What is being stopped goes no further; the process ends.
  if (stopping) await stopping;
  running.pop();
  if (code !== 0) throw new Error(`the build failed\n${said}`);
}

async function run(service: Service, provided: Provided): Promise<Supervised> {
  const supervised = supervise(service, environmentOf(service, provided), logs);
  running.push(supervised);
  // A service waits for its database, and says so in its log.
  const notice = setTimeout(
    () => console.error(`${service.name} is not ready yet, see ${join(logs, `${service.name}.log`)}`),
    SLOW_START_MS,
  );
  await supervised.ready.finally(() => clearTimeout(notice));
  console.log(`${service.name} is ready: ${urlOf(service, 'port')}`);
  return supervised;
}

/**
 * Runs authz-grpc and opens a session of its root; `known` is the root of an earlier start. A password that
 * was lost is replaced in an embedded database, which is this start's own. A root that cannot log in is told,
 * and stays as it is known.
 */
async function runAuthz(
  known: PlatformFile['root'] | undefined,
): Promise<{ root: PlatformFile['root'] | undefined; rootToken: string | null }> {
  const root = known ?? {
    username: process.env.AUTHZ_ROOT_USERNAME || 'root',
    password: process.env.AUTHZ_ROOT_PASSWORD || newPassword(),
  };
  const provided = { data, rootPassword: root.password };
  const authz = await run(AUTHZ, provided);
  const logIn = () => withAuthz((clients) => openRootSession(clients, root));
  let rootToken = await logIn();
  const isLost = rootToken === null && known === undefined;
  if (isLost && isEmbedded) {
    await authz.stop();
    await resetRoot(provided);
    console.log(
      `\`${root.username}\` has a new password, because nothing states the one of an earlier start.`,
    );
    await run(AUTHZ, provided);
    rootToken = await logIn();
  }
  if (rootToken === null) {
    const ways = isEmbedded
      ? 'take `root` out of the file, and the next start replaces the password'
      : 'set the password by the command `reset-root` of authz-grpc (docs/runbooks.md)';
    console.log(
      `${platformFile} does not state the name and password that \`root\` has. Write them there, as \`root.username\` and \`root.password\`; or ${ways}.`,
    );
  }
  return { root: isLost && !isEmbedded ? undefined : root, rootToken };
}

/** Does the work with a connection to authz-grpc. Its code is generated by the build. */
async function withAuthz<T>(work: (authz: AuthzClients) => Promise<T>): Promise<T> {
  const { openAuthzClients } = await import('@platform/authz-client');
  const authz = openAuthzClients(authzTarget());
  return work(authz).finally(() => authz.close());
}

/** Following is left out where its account is not active or may not read; the services run without it. */
function withoutWatchKey(error: unknown): undefined {
  console.error(
    `investigation-api will not follow documents and policies, because the account \`svc:watch\` has no key: ${error instanceof Error ? error.message : String(error)}. Activate or delete the account, and start again.`,
  );
}

async function main(): Promise<void> {
  const { fresh } = readOptions(import.meta.filename, { fresh: { type: 'boolean', default: false } });
  const folders = SERVICES.map(({ folder }) => folder);
  releases.push(await openDataFolder(data, folders));
  await checkPorts();
  if (fresh) forget();
  const known = readPlatformFile(platformFile) ?? {};
  const giveTurnBack = await takeBuildTurn('dist', console.log);
  releases.push(giveTurnBack);
  console.log('Building …');
  await build();

  console.log(`Databases: ${isEmbedded ? `embedded, in ${data}` : 'those of DATABASE_URL'}`);
  const { root, rootToken } = await runAuthz(known.root);
  const platform = {
    investigation_url: urlOf(INVESTIGATION, 'port'),
    authz_url: urlOf(AUTHZ, 'port'),
    authz_grpc: authzTarget(),
    docstore_url: urlOf(DOCSTORE, 'port'),
    ...(root && { root }),
  };
  const keep = (demo: Partial<Demo> | undefined) =>
    writePlatformFile(platformFile, { ...platform, ...(demo && { demo: demo as Demo }) });
  keep(known.demo);

  const user = await withAuthz(async (authz) => {
    const options = { known: known.demo ?? {}, rootToken, keep, tell: console.log };
    const demo = await ensureDemoUser(authz, options);
    const watching = { ...demo, watch_key: await ensureWatchKey(authz, demo).catch(withoutWatchKey) };
    keep(watching);
    return { demo: watching, deskToken: await openDeskSession(authz, watching) };
  }).catch((error: unknown) => {
    if (error instanceof DemoUserLocked) return error;
    throw error;
  });
  const watchKey = user instanceof DemoUserLocked ? known.demo?.watch_key : user.demo.watch_key;
  const whole = { data, ...(watchKey !== undefined && { watchKey }) };
  await Promise.all([run(INVESTIGATION, whole), run(DOCSTORE, whole)]);
  await giveTurnBack();
  if (user instanceof DemoUserLocked) {
    const { message, remedy } = user;
    const anew = isEmbedded ? ` npm start -- --fresh instead forgets all users, sessions and documents.` : '';
    console.log(`
No links and tokens are made, by the password in ${platformFile}: ${message}.
To have them at the next start, ${remedy}.${anew} Ctrl-C stops the services.

Open your desk: ${platform.investigation_url}/app`);
    return;
  }
  const { demo, deskToken } = user;
  const docstoreKey = await ensureDocstoreKey(platform.docstore_url, demo);
  const { sessionId, shareUrl } = await publishDemo(platform.investigation_url, demo.token);
  console.log('The demo is judged and published.');
  keep({ ...demo, docstore_key: docstoreKey, session_id: sessionId, share_url: shareUrl });

  writeAuthorization(authorizationFile, demo.token);
  const verdict = await verdictOf(platform.investigation_url, shareUrl);
  const json = `-H 'Content-Type: application/json'`;
  const object = `svc://${demo.domain_id}/reports/1`;
  const desk = await deskLink(platform.investigation_url, deskToken);
  console.log(`
${verdict}

Documentation: ${platform.investigation_url}/docs, ${platform.authz_url}/docs, ${platform.docstore_url}/docs. MCP: ${platform.investigation_url}/mcp. Logs: ${logs}

Bearer token (one day):
${demo.token}

API key (one year):
${demo.api_key}

The whole verdict, by API key:
curl -s ${platform.investigation_url}/api/v1/investigations/analyze -H 'X-API-Key: ${demo.api_key}' ${json} -d @${demoFile()}

May the demo user read a report of their tenant?
curl -s ${platform.authz_url}/v1/authz/check -H 'Authorization: Bearer ${demo.token}' ${json} -d '{"context":{"subject":"${demo.user_id}","action":"read","object":"${object}"}}'

Keep a document:
curl -s ${platform.docstore_url}/v1/file -H 'Authorization: Bearer ${docstoreKey}' ${json} -d '{"filename":"notes/first.txt","contents":"Hello."}'

Ctrl-C stops it. Addresses, tokens, keys and passwords stand in ${platformFile}; the user is \`${demo.username}\`.
The link to your desk signs in once, within ten minutes.

Read a page:    ${shareUrl}
Open your desk: ${desk}
Try the API:    curl -s ${platform.investigation_url}/api/v1/sessions -H @${shellPath(authorizationFile)}`);
}

// The services are in process groups of their own, which the end of a terminal does not reach either.
for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) process.on(signal, () => void stop(0));
// npm passes SIGTERM to its shell alone, which ends and leaves this process to init.
const parent = process.ppid;
if (process.env['npm_lifecycle_event'] !== undefined)
  setInterval(() => process.ppid !== parent && void stop(0), 500).unref();
main().catch((error: unknown) => {
  if (stopping) return;
  console.error(error instanceof Error ? error.message : error);
  void stop(1);
});
