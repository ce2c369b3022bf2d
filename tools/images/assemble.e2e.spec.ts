import { execFileSync, spawn } from 'node:child_process';
import { chmodSync, existsSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, describe, expect, it } from '@jest/globals';
import { freePort } from '@platform/testing';
import { covers } from '@platform/testing/covers';
import { isAllowed, productionPackages } from '../licenses/licenses.ts';
import { findBuildah, makeNodeImage } from './buildah.fixture.ts';

const ROOT = join(import.meta.dirname, '../..');
const NOBODY = 65_534;
const folder = mkdtempSync(join(tmpdir(), 'image-'));
const image = join(folder, 'image');
const readJson = <T>(file: string) => JSON.parse(readFileSync(file, 'utf8')) as T;
const LOCKED = readJson<{ packages: Record<string, { version: string }> }>(
  join(ROOT, 'package-lock.json'),
).packages;
afterAll(() => rmSync(folder, { recursive: true }));

interface Component {
  readonly name: string;
  readonly version: string;
  readonly purl: string;
  readonly licenses: readonly { readonly expression: string }[];
}

async function isReady(port: number): Promise<boolean> {
  try {
    return (await fetch(`http://127.0.0.1:${port}/readyz`)).status === 200;
  } catch {
    return false;
  }
}

describe('what an image holds', () => {
  it('an image holds enough to serve, for a user who may write nowhere but in the data folder', async () => {
    execFileSync(process.execPath, [join(ROOT, 'deploy/docker/assemble.mjs'), 'authz-grpc', image], {
      stdio: 'ignore',
    });
    const data = join(folder, 'data');
    mkdirSync(data);
    chmodSync(data, 0o777);
    chmodSync(folder, 0o755);
    const [grpc, http, probe] = await Promise.all([freePort(), freePort(), freePort()]);
    const isRoot = process.getuid?.() === 0;
    const child = spawn(process.execPath, ['main.js', 'serve'], {
      cwd: image,
      stdio: ['ignore', 'ignore', 'pipe'],
      ...(isRoot ? { uid: NOBODY, gid: NOBODY } : {}),
      env: {
        NODE_ENV: 'production',
        AUTHZ_DATA_DIR: join(data, 'authz'),
        AUTHZ_GRPC_PORT: String(grpc),
        AUTHZ_HTTP_PORT: String(http),
        AUTHZ_PROBE_PORT: String(probe),
        AUTHZ_LOG_LEVEL: 'error',
      },
    });
    let told = '';
    child.stderr.on('data', (chunk: Buffer) => (told += chunk.toString()));
    const ended = new Promise<number | null>((resolve) => child.once('exit', resolve));
    while (child.exitCode === null && !(await isReady(probe))) await new Promise((r) => setTimeout(r, 50));
    expect(child.exitCode === null ? '' : told).toBe('');
    expect((await fetch(`http://127.0.0.1:${http}/.well-known/jwks.json`)).status).toBe(200);
    child.kill('SIGTERM');
    expect(await ended).toBe(0);
  });

  it('an image holds the bundle and the packages it imports at run time: no tools, no sources, no source maps', () => {
    const { dependencies } = readJson<{ dependencies: Record<string, string> }>(join(image, 'package.json'));
    expect(Object.keys(dependencies)).toContain('@node-rs/argon2');
    for (const name of ['express', 'prisma', 'typescript', 'nx', 'esbuild', 'preact'])
      expect(existsSync(join(image, 'node_modules', name))).toBe(false);
    const files = readdirSync(image, { recursive: true }).map(String);
    expect(files.filter((file) => /\.(map|d\.[cm]?ts|tsx?)$|CHANGELOG\.md$/.test(file))).toEqual([]);
    expect(files.filter((file) => /LICENSE/i.test(file)).length).toBeGreaterThan(5);
    for (const name of Object.keys(dependencies)) {
      const { version } = readJson<{ version: string }>(join(image, 'node_modules', name, 'package.json'));
      expect([name, version]).toEqual([name, LOCKED[`node_modules/${name}`]!.version]);
    }
  });

  it('an image names every package in the bundle to scanners, with its notice', () => {
    const { components } = readJson<{ components: Component[] }>(join(image, 'packages.cdx.json'));
    const named = components.map(({ name, version }) => `${name} ${version}`);
    expect(named).toEqual(expect.arrayContaining([expect.stringMatching(/^express \d/)]));
    const known = new Set(productionPackages(ROOT).map(({ name, version }) => `${name} ${version}`));
    expect(named.filter((one) => !known.has(one))).toEqual([]);
    const code = readdirSync(image)
      .filter((file) => file.endsWith('.js'))
      .map((file) => readFileSync(join(image, file), 'utf8'))
      .join('');
    // esbuild heads each module of the bundle with its path.
    const modules = code.matchAll(
      /^(?: {2})*(?:\/\/ |")[./]*node_modules\/(?:.*node_modules\/)?((?:@[^/]+\/)?[^/]+)\//gm,
    );
    const bundled = [...new Set([...modules].map(([, name]) => name!))].sort();
    expect([...new Set(components.map(({ name }) => name))].sort()).toEqual(bundled);
    expect(components.find(({ name }) => name === '@redis/client')!.purl).toMatch(
      /^pkg:npm\/%40redis\/client@\d/,
    );
    expect(
      components
        .flatMap(({ licenses }) => licenses.map(({ expression }) => expression))
        .filter((one) => !isAllowed(one)),
    ).toEqual([]);
    const notices = readFileSync(join(image, 'licenses.txt'), 'utf8');
    expect(named.filter((one) => !notices.includes(`${one} (`))).toEqual([]);
    expect(notices).toContain('Permission is hereby granted');
  });

  it('an image is built by the Dockerfile on a base that is named by its digest, and runs without root', () => {
    covers('PLAT-O.6', 'PLAT-O.19');
    const buildah = findBuildah(folder);
    if (typeof buildah === 'string') {
      process.stderr.write(`${buildah}; the Dockerfile is not built here\n`);
      return;
    }
    const base = makeNodeImage(buildah, folder);
    expect(base).toMatch(/@sha256:[\da-f]{64}$/);
    // What the stages before it, which need npm's registry, give to the service's own.
    const files = ['--build-context', `authz-grpc-files=${folder}`];
    const values = ['--build-arg', `NODE_IMAGE=${base}`, '--build-arg', 'REVISION=1a2b3c'];
    const stage = ['--file', join(ROOT, 'deploy/docker/Dockerfile'), '--target', 'authz-grpc'];
    const tag = ['--tag', 'localhost/authz-grpc', join(ROOT, 'deploy/docker')];
    buildah.run('build', '--pull=never', ...stage, ...files, ...values, ...tag);
    const release = (...args: string[]) =>
      buildah.run(
        'build',
        '--pull=never',
        ...stage,
        ...files,
        '--build-arg',
        'RELEASE=true',
        ...args.flatMap((arg) => ['--build-arg', arg]),
        join(ROOT, 'deploy/docker'),
      );
    const from = ['REVISION=1a2b3c', 'SOURCE=https://git.example.org/platform'];
    expect(() => release('NODE_IMAGE=localhost/node', ...from)).toThrow(
      'NODE_IMAGE must name the base by its digest',
    );
    expect(() => release(`NODE_IMAGE=${base}`)).toThrow('REVISION and SOURCE must be set');
    release(`NODE_IMAGE=${base}`, ...from);
    const { config } = (
      JSON.parse(buildah.run('inspect', '--type', 'image', 'localhost/authz-grpc')) as {
        OCIv1: { config: Record<string, unknown> };
      }
    ).OCIv1;
    expect(config).toMatchObject({
      User: '1000:1000',
      WorkingDir: '/app',
      Entrypoint: ['node', 'main.js'],
      Cmd: ['serve'],
      Volumes: { '/data': {} },
      Env: expect.arrayContaining(['AUTHZ_DATA_DIR=/data', 'SERVICE_REVISION=1a2b3c']),
      Labels: expect.objectContaining({
        'org.opencontainers.image.title': 'authz-grpc',
        'org.opencontainers.image.revision': '1a2b3c',
        'org.opencontainers.image.licenses': 'Apache-2.0',
        'org.opencontainers.image.base.name': base,
      }),
    });
    const container = buildah.run('from', '--pull-never', 'localhost/authz-grpc').trim();
    const ran = (script: string) => buildah.run('run', container, '--', 'sh', '-c', script).trim();
    expect(ran('node main.js version')).toBe(
      readJson<{ version: string }>(join(ROOT, 'package.json')).version,
    );
    // Its own user may write to the volume and to nothing of the program.
    expect(ran('for to in /data /app; do if test -w $to; then echo $to; fi; done')).toBe('/data');
  });
});
