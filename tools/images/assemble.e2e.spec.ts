import { execFileSync, spawn } from 'node:child_process';
import { chmodSync, existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, describe, expect, it } from '@jest/globals';
import { freePort } from '@platform/testing';

const ROOT = join(import.meta.dirname, '../..');
const NOBODY = 65_534;
const folder = mkdtempSync(join(tmpdir(), 'image-'));
const image = join(folder, 'image');
afterAll(() => rmSync(folder, { recursive: true }));

async function isReady(port: number): Promise<boolean> {
  try {
    return (await fetch(`http://127.0.0.1:${port}/readyz`)).status === 200;
  } catch {
    return false;
  }
}

describe('what an image holds', () => {
  it('is enough to serve, for a user who may write nowhere but in the data folder', async () => {
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

  it('is the bundle and the packages it imports: no tools, no sources, no source maps', () => {
    const { dependencies } = JSON.parse(readFileSync(join(image, 'package.json'), 'utf8')) as {
      dependencies: Record<string, string>;
    };
    expect(Object.keys(dependencies)).toContain('@grpc/grpc-js');
    for (const name of ['prisma', 'typescript', 'nx', 'esbuild', 'preact'])
      expect(existsSync(join(image, 'node_modules', name))).toBe(false);
    expect(existsSync(join(image, 'main.js.map'))).toBe(false);
    const locked = JSON.parse(readFileSync(join(ROOT, 'package-lock.json'), 'utf8')) as {
      packages: Record<string, { version: string }>;
    };
    for (const name of Object.keys(dependencies)) {
      const { version } = JSON.parse(
        readFileSync(join(image, 'node_modules', name, 'package.json'), 'utf8'),
      ) as { version: string };
      expect([name, version]).toEqual([name, locked.packages[`node_modules/${name}`]!.version]);
    }
  });
});
