import type { ChildProcess } from 'node:child_process';
import { execFileSync, spawn } from 'node:child_process';
import {
  cpSync,
  existsSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterAll, afterEach, describe, expect, it } from '@jest/globals';
import { openAuthzClients } from '@platform/authz-client';
import { freePort } from '@platform/testing';
import { covers } from '@platform/testing/covers';
import { eventually } from '@platform/testing/eventually';
import { makeCheckout } from './checkout.fixture.ts';
import type { PlatformFile } from './platform-file.ts';

// `npm start` builds, and what it builds anew is gone for a moment: other suites run what is built here.
const root = makeCheckout(fileURLToPath(new URL('../../', import.meta.url)));
const data = mkdtempSync(join(tmpdir(), 'start-'));
const started: ChildProcess[] = [];
const copies: string[] = [];
afterAll(() => {
  for (const folder of [data, root, ...copies]) rmSync(folder, { recursive: true, force: true });
});
afterEach(() => {
  for (const child of started.splice(0)) child.kill('SIGTERM');
});

const PORTS = [
  'INVESTIGATION',
  'INVESTIGATION_PROBE',
  'AUTHZ_GRPC',
  'AUTHZ_HTTP',
  'AUTHZ_PROBE',
  'DOCSTORE',
  'DOCSTORE_PROBE',
];

async function freePorts(): Promise<Record<string, string>> {
  const ports = await Promise.all(PORTS.map(() => freePort()));
  return Object.fromEntries(PORTS.map((name, i) => [`${name}_PORT`, String(ports[i])]));
}

interface Launcher {
  readonly process: ChildProcess;
  readonly output: () => string;
  readonly exitCode: Promise<number | null>;
  /** Resolves once the output holds the text. */
  says(text: string): Promise<void>;
}

const START = [process.execPath, '--import', 'tsx', 'tools/start/start.ts'];

async function start(
  env: Record<string, string> = {},
  args: string[] = [],
  [command, ...before]: string[] = START,
): Promise<Launcher> {
  const child = spawn(command!, [...before, ...args], {
    cwd: root,
    // A process group of its own, as a terminal gives it one.
    detached: true,
    env: {
      ...process.env,
      NODE_OPTIONS: '',
      PLATFORM_DATA_DIR: data,
      ...(await freePorts()),
      ...env,
    },
  });
  started.push(child);
  let output = '';
  const exitCode = new Promise<number | null>((resolve) => child.once('close', resolve));
  let isOver = false;
  void exitCode.then(() => (isOver = true));
  for (const stream of [child.stdout, child.stderr]) stream.on('data', (chunk) => (output += String(chunk)));
  return {
    process: child,
    output: () => output,
    exitCode,
    async says(text) {
      while (!output.includes(text)) {
        if (isOver) throw new Error(`it ended without saying \`${text}\`:\n${output}`);
        await new Promise((resolve) => setTimeout(resolve, 20));
      }
    },
  };
}

const platform = (folder = data) =>
  JSON.parse(readFileSync(join(folder, 'platform.json'), 'utf8')) as PlatformFile;

async function filenames({ docstore_url, demo }: PlatformFile): Promise<string[]> {
  const response = await fetch(`${docstore_url}/v1/file`, {
    headers: { authorization: `Bearer ${demo.docstore_key}` },
  });
  return ((await response.json()) as { files: { filename: string }[] }).files.map(({ filename }) => filename);
}

describe('npm start', () => {
  it('npm start judges the demo, prints lines that work as they stand, and stops cleanly', async () => {
    const launcher = await start();
    await launcher.says('Try the API:');
    const curls = launcher.output().match(/^curl .*$/gm) ?? [];
    const answers = curls.map(
      (line) => JSON.parse(execFileSync('sh', ['-c', line], { cwd: root, encoding: 'utf8' })) as object,
    );
    expect(answers).toEqual([
      expect.objectContaining({ subject_results: expect.any(Array) }),
      { allowed: true },
      expect.objectContaining({ filename: 'notes/first.txt', version: 1 }),
    ]);
    const [steps, ...rest] = launcher.output().split('\n\n');
    const at = platform();
    // On a slow machine it also says which service takes long.
    const shown = steps!.split('\n').filter((line) => !line.includes(' is not ready yet, '));
    expect(shown.sort()).toEqual(
      [
        'Building …',
        `Databases: embedded, in ${data}`,
        `authz-grpc is ready: ${at.authz_url}`,
        `docstore-api is ready: ${at.docstore_url}`,
        `investigation-api is ready: ${at.investigation_url}`,
        'The demo is judged and published.',
      ].sort(),
    );
    const [said] = rest.join('\n\n').split('Documentation:');
    expect(said).toContain('Almost certainly Wilbur and Orville Wright (chance');
    expect(said).toMatch(/^- .* flew under power: very likely \(\d+\u00a0%\)\.$/m);
    // No names of predicates, and no sentence that only the engine's authors would write.
    expect(said).not.toMatch(/\w_\w| being /);
    for (const secret of ['platform.json', 'authorization'])
      expect(statSync(join(data, secret)).mode & 0o777).toBe(0o600);
    const { investigation_url, demo } = platform();
    const [read, desk, api] = launcher.output().trimEnd().split('\n').slice(-3);
    expect(read).toBe(`Read a page:    ${demo.share_url}`);
    const [, command] = /^Try the API: {4}(curl .*)$/.exec(api!)!;
    const listed = JSON.parse(
      execFileSync('sh', ['-c', command!], { cwd: root, encoding: 'utf8' }),
    ) as object;
    expect([listed, command!.includes(demo.token)]).toEqual([
      [expect.objectContaining({ id: 'demo' })],
      false,
    ]);
    const [, code] = /^Open your desk: http:\/\/127\.0\.0\.1:\d+\/app#code=([\w-]{43})$/.exec(desk!)!;
    const openDesk = () =>
      fetch(`${investigation_url}/app/session`, {
        method: 'POST',
        headers: { 'content-type': 'application/json', 'sec-fetch-site': 'same-origin' },
        body: JSON.stringify({ code }),
      });
    const opened = await openDesk();
    expect([opened.status, (await openDesk()).status]).toEqual([201, 401]);
    // Signing out there leaves the token alone that was printed.
    const cookie = opened.headers.getSetCookie()[0]!.split(';')[0]!;
    const own = { cookie, 'sec-fetch-site': 'same-origin' };
    const left = await fetch(`${investigation_url}/app/session`, { method: 'DELETE', headers: own });
    expect([
      left.status,
      (await fetch(`${investigation_url}/api/v1/sessions`, { headers: own })).status,
    ]).toEqual([204, 401]);
    const byToken = { authorization: `Bearer ${demo.token}` };
    expect((await fetch(`${investigation_url}/api/v1/sessions`, { headers: byToken })).status).toBe(200);
    expect(launcher.output()).toContain(demo.token);
    expect(launcher.output()).toContain(demo.share_url);
    const page = await fetch(demo.share_url);
    expect([page.status, page.headers.get('content-type')]).toEqual([200, 'text/html; charset=utf-8']);

    // An assistant that is given the address alone finds where its user signs in.
    const refused = await fetch(`${investigation_url}/mcp`, { method: 'POST' });
    const [, metadata] = /resource_metadata="([^"]+)"/.exec(refused.headers.get('www-authenticate')!)!;
    const { resource, authorization_servers: servers } = (await (await fetch(metadata!)).json()) as {
      resource: string;
      authorization_servers: string[];
    };
    const server = await fetch(`${servers[0]}/.well-known/oauth-authorization-server`);
    expect([resource, await server.json()]).toEqual([
      `${investigation_url}/mcp`,
      expect.objectContaining({ issuer: servers[0], protected_resources: [resource] }),
    ]);

    const kept = readFileSync(join(data, 'platform.json'), 'utf8');
    for (const args of [[], ['--fresh']]) {
      const second = await start({}, args);
      expect([args, await second.exitCode]).toEqual([args, 1]);
      expect(second.output()).toBe(
        `the data folder ${data} cannot be used: in use by process ${launcher.process.pid}; end that process, or choose another with PLATFORM_DATA_DIR\n`,
      );
    }
    expect(readFileSync(join(data, 'platform.json'), 'utf8')).toBe(kept);
    expect(await filenames(platform())).toEqual(['notes/first.txt']);

    launcher.process.kill('SIGINT');
    expect(await launcher.exitCode).toBe(0);
    await expect(fetch(`${investigation_url}/openapi.json`)).rejects.toThrow();
  });

  it('npm start ends without an error when Ctrl-C interrupts the build', async () => {
    const folder = mkdtempSync(join(tmpdir(), 'start-'));
    const launcher = await start({ PLATFORM_DATA_DIR: folder });
    await launcher.says('Building');
    // A terminal sends it to the launcher and to what that has started.
    process.kill(-launcher.process.pid!, 'SIGINT');
    expect([await launcher.exitCode, launcher.output()]).toEqual([0, 'Building …\n']);
    expect(readdirSync(folder, { recursive: true })).toEqual(['logs']);
    rmSync(folder, { recursive: true, force: true });
  });

  it('npm start keeps its data over a second start, restarts a service that dies, and forgets with --fresh', async () => {
    const before = platform();
    const again = await start();
    await again.says('Try the API:');
    const { token: _token, share_url: shareUrl, ...kept } = before.demo;
    expect(platform()).toMatchObject({ root: before.root, demo: kept });
    // On other ports, the same share.
    expect(new URL(platform().demo.share_url).pathname).toBe(new URL(shareUrl).pathname);
    expect((await fetch(platform().demo.share_url)).status).toBe(200);
    expect(await filenames(platform())).toEqual(['notes/first.txt']);
    const { investigation_url } = platform();
    const analyze = () =>
      fetch(`${investigation_url}/api/v1/investigations/analyze`, {
        method: 'POST',
        headers: { 'x-api-key': before.demo.api_key, 'content-type': 'application/json' },
        body: '{"research_question":"","actors":[],"subjects":[],"claims":[]}',
      }).then(
        ({ status }) => status,
        () => 'away',
      );
    expect(await analyze()).toBe(200);

    const pid = execFileSync('pgrep', ['-P', String(again.process.pid), '-f', 'investigation-api/main.js'], {
      encoding: 'utf8',
    });
    process.kill(Number(pid), 'SIGKILL');
    await again.says('investigation-api died (ended by SIGKILL); next start in 1 s');
    await eventually(analyze).toBe(200);

    // The user changes their password, which ends their keys.
    covers('PLAT-D.12');
    const authz = openAuthzClients(platform().authz_grpc);
    const password = 'a better one, 4711';
    const current = { id: before.demo.user_id, currentPassword: before.demo.password };
    const { token } = platform().demo;
    const { serviceAccounts } = await authz.serviceAccounts.listServiceAccounts(
      { tenantId: before.demo.tenant_id },
      { token },
    );
    const watchId = serviceAccounts[0]!.id;
    await authz.serviceAccounts.updateServiceAccount({ id: watchId, active: false }, { token });
    await authz.users.updateUser({ ...current, password }, { token });
    authz.close();
    again.process.kill('SIGTERM');
    expect(await again.exitCode).toBe(0);
    const locked = await start();
    await locked.says('Open your desk:');
    expect(locked.output()).toContain('`demo` has another password than is there.');
    expect(await fetch(`${platform().docstore_url}/openapi.json`)).toMatchObject({ status: 200 });
    locked.process.kill('SIGTERM');
    expect(await locked.exitCode).toBe(0);
    const noted = { ...platform(), demo: { ...platform().demo, password } };
    writeFileSync(join(data, 'platform.json'), JSON.stringify(noted));
    const renewed = await start();
    await renewed.says('Try the API:');
    const [whole] = renewed.output().match(/^curl .*analyze.*$/m)!;
    expect(execFileSync('sh', ['-c', whole], { cwd: root, encoding: 'utf8' })).toContain('subject_results');
    expect(await filenames(platform())).toEqual(['notes/first.txt']);
    // An account that was deactivated stops nothing; one that was deleted is made anew.
    expect(renewed.output()).toContain('because the account `svc:watch` has no key: ');
    const renewing = openAuthzClients(platform().authz_grpc);
    await renewing.serviceAccounts.deleteServiceAccount({ id: watchId }, { token: platform().demo.token });
    renewing.close();
    renewed.process.kill('SIGTERM');
    expect(await renewed.exitCode).toBe(0);
    const remade = await start();
    await remade.says('Try the API:');
    expect(remade.output()).not.toContain('has no key');
    remade.process.kill('SIGTERM');
    expect(await remade.exitCode).toBe(0);

    writeFileSync(join(data, 'mine.txt'), 'not the platform’s');
    writeFileSync(join(data, 'platform.json'), '{"root":');
    const mended = await start();
    expect(await mended.exitCode).toBe(1);
    expect(mended.output()).toContain(
      `${join(data, 'platform.json')} is not as a start wrote it: Unexpected end of JSON input\nMend it; or remove it, and`,
    );
    const fresh = await start({}, ['--fresh']);
    await fresh.says('Try the API:');
    expect(existsSync(join(data, 'mine.txt'))).toBe(true);
    expect(platform().demo.user_id).not.toBe(before.demo.user_id);
    expect(await filenames(platform())).toEqual([]);
    // As a terminal does when its window is closed.
    fresh.process.stdout?.destroy();
    fresh.process.stderr?.destroy();
    fresh.process.kill('SIGHUP');
    expect(await fresh.exitCode).toBe(0);
    const { authz_url, docstore_url } = platform();
    for (const url of [investigation_url, authz_url, docstore_url])
      await expect(fetch(url)).rejects.toThrow();
  });

  /** A copy of what the starts before have left. */
  function copyOfData(): string {
    const folder = mkdtempSync(join(tmpdir(), 'start-'));
    cpSync(data, folder, { recursive: true });
    copies.push(folder);
    return folder;
  }

  const without = (name: string) => (folder: string) =>
    rmSync(join(folder, name), { recursive: true, force: true });
  const changed = (change: (file: PlatformFile) => object) => (folder: string) =>
    writeFileSync(join(folder, 'platform.json'), JSON.stringify(change(platform(folder))));
  const startIn = (folder: string) => start({ PLATFORM_DATA_DIR: folder });

  /** Whether everything opens that a start states. */
  async function opens(file: PlatformFile): Promise<boolean[]> {
    const { demo, root: system, investigation_url: investigation, docstore_url: docstore } = file;
    const authz = openAuthzClients(file.authz_grpc);
    const bearer = (token: string) => ({ headers: { authorization: `Bearer ${token}` } });
    const responses = await Promise.all([
      fetch(demo.share_url),
      fetch(`${investigation}/api/v1/sessions/demo`, bearer(demo.token)),
      fetch(`${investigation}/api/v1/sessions`, { headers: { 'x-api-key': demo.api_key } }),
      fetch(`${docstore}/v1/file`, bearer(demo.docstore_key)),
    ]);
    const { live } = await authz.sessions.introspectCredential(
      { credential: demo.watch_key! },
      { token: demo.token },
    );
    const login = async ({ username, password }: { username: string; password: string }) =>
      authz.sessions.login({ username, password }).then(
        () => true,
        () => false,
      );
    const logins = [await login(demo), await login(system)];
    authz.close();
    return [...responses.map(({ ok }) => ok), live, ...logins];
  }

  const [lostRoot, lostDemo] = ['root', 'demo'].map(
    (name) => `\`${name}\` has a new password, because nothing states the one of an earlier start.`,
  );

  it.each<[string, ((folder: string) => void)[], string[], 'same' | 'another']>([
    ['platform.json', [without('platform.json')], [lostRoot!, lostDemo!], 'same'],
    ['the demo in platform.json', [changed(({ root: system }) => ({ root: system }))], [lostDemo!], 'same'],
    ['the root in platform.json', [changed(({ demo }) => ({ demo }))], [lostRoot!], 'same'],
    ['sessions and documents', [without('investigation'), without('docstore')], [], 'same'],
    ['the database of authz-grpc', [without('authz')], ['The user `demo` is deleted; another'], 'another'],
    ['authz-grpc, platform.json too', [without('authz'), without('platform.json')], [], 'another'],
  ])('npm start starts whole from a data folder without %s', async (_, changes, told, user) => {
    covers('PLAT-D.13');
    const folder = copyOfData();
    for (const change of changes) change(folder);
    const launcher = await startIn(folder);
    await launcher.says('Try the API:');
    for (const sentence of [lostRoot!, lostDemo!, ...told])
      expect([sentence, launcher.output().includes(sentence)]).toEqual([sentence, told.includes(sentence)]);
    expect(await opens(platform(folder))).toEqual(Array(7).fill(true));
    expect(platform(folder).demo.user_id === platform().demo.user_id).toBe(user === 'same');
    launcher.process.kill('SIGTERM');
    expect(await launcher.exitCode).toBe(0);
  });

  it('npm start with passwords that are wrong says which, and starts whole when the root is taken out', async () => {
    covers('PLAT-D.13', 'PLAT-D.16');
    const folder = copyOfData();
    const [wrong, demo] = ['not the one it has', { username: 'demo', tenant_name: 'demo' }];
    changed(() => ({ root: { username: 'root', password: wrong }, demo: { ...demo, password: wrong } }))(
      folder,
    );
    const told = await startIn(folder);
    await told.says('Open your desk:');
    const file = join(folder, 'platform.json');
    expect(told.output()).toContain(`${file} does not state the name and password that \`root\` has. `);
    expect(told.output()).toContain('take `root` out of the file');
    expect(told.output()).toContain('there is a user `demo`, whose password is not in the file.');
    told.process.kill('SIGTERM');
    expect(await told.exitCode).toBe(0);
    changed(({ demo }) => ({ demo }))(folder);
    const mended = await startIn(folder);
    await mended.says('Try the API:');
    expect(await opens(platform(folder))).toEqual(Array(7).fill(true));
    expect(platform(folder).demo.user_id).toBe(platform().demo.user_id);
  });

  it('npm start ends, and frees its data folder, when npm alone is told to end', async () => {
    covers('PLAT-D.9');
    const folder = copyOfData();
    const npm = await start({ PLATFORM_DATA_DIR: folder }, [], ['npm', 'start']);
    await npm.says('Try the API:');
    npm.process.kill('SIGTERM');
    // The end of what the launcher writes, too.
    await npm.exitCode;
    const again = await startIn(folder);
    await again.says('Try the API:');
  });

  it('npm start waits while another start builds in the same clone, and both start whole', async () => {
    covers('PLAT-D.15');
    const folders = [copyOfData(), copyOfData()];
    const both = await Promise.all(folders.map(startIn));
    await Promise.all(both.map((launcher) => launcher.says('Try the API:')));
    const waited = both.filter((launcher) =>
      launcher.output().startsWith('Another start builds here (process '),
    );
    expect(waited).toHaveLength(1);
    for (const folder of folders) expect(await opens(platform(folder))).toEqual(Array(7).fill(true));
  });

  it.each([
    [
      'an option that there is not',
      {},
      ['--frsh'],
      "Unknown option '--frsh'; the options are --fresh, --help\n",
    ],
    [
      'a data folder that cannot be made',
      { PLATFORM_DATA_DIR: '/dev/null/data' },
      [],
      "the data folder /dev/null/data cannot be used: ENOTDIR: not a directory, mkdir '/dev/null/data/logs'; choose another with PLATFORM_DATA_DIR\n",
    ],
  ])('npm start refuses %s and says what to do', async (_, env, args, said) => {
    const launcher = await start(env, args);
    expect([await launcher.exitCode, launcher.output()]).toEqual([1, said]);
  });

  it.each([
    ['investigation-api', 'INVESTIGATION_PORT'],
    ['authz-grpc', 'AUTHZ_HTTP_PORT'],
    ['docstore-api', 'DOCSTORE_PORT'],
  ])('npm start names a taken port of %s and the setting that chooses another', async (service, setting) => {
    const squatter = createServer();
    await new Promise<void>((resolve) => squatter.listen(0, '127.0.0.1', resolve));
    const { port } = squatter.address() as AddressInfo;
    const launcher = await start({ [setting]: String(port) });
    expect(await launcher.exitCode).toBe(1);
    expect(launcher.output()).toContain(
      `${service} did not start: port ${port} on 127.0.0.1 is taken; choose another with ${setting}`,
    );
    squatter.close();
  });
});
