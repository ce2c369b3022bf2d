import { execFileSync } from 'node:child_process';
import { cpSync, existsSync, mkdirSync, readdirSync, realpathSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { findProgram } from '@platform/testing';

/** What the service stage of the Dockerfile and a stopping pod run, besides Node. */
const PROGRAMS = ['/bin/sh', '/usr/bin/install', '/bin/rm', '/bin/sleep'];

/** `buildah` with storage of its own below a folder; it needs no daemon and no registry. */
export interface Buildah {
  run(...args: string[]): string;
}

/** Buildah, where this machine has it and tests run as root, which its `RUN` needs; else why not. */
export function findBuildah(folder: string): Buildah | string {
  if (process.getuid?.() !== 0) return 'buildah: not tried, it takes root';
  const program = findProgram(['buildah']);
  if (program === null) return 'buildah: not on this machine';
  const storage = ['--root', join(folder, 'storage'), '--runroot', join(folder, 'run')];
  // vfs and chroot ask nothing of the kernel that a container would withhold.
  const env = { ...process.env, STORAGE_DRIVER: 'vfs', BUILDAH_ISOLATION: 'chroot' };
  return {
    run: (...args) =>
      execFileSync(program, [...storage, ...args], {
        env,
        encoding: 'utf8',
        stdio: ['ignore', 'pipe', 'pipe'],
      }),
  };
}

/**
 * An image to build on where no registry is reachable: the Node that runs here, a shell and the few programs
 * that the Dockerfile runs in the service stage. Returns its name by digest.
 */
export function makeNodeImage({ run }: Buildah, folder: string): string {
  const root = join(folder, 'base');
  const put = (file: string, to: string) => {
    if (existsSync(join(root, to))) return;
    mkdirSync(dirname(join(root, to)), { recursive: true });
    cpSync(realpathSync(file), join(root, to));
  };
  const programs = [[process.execPath, '/usr/local/bin/node'], ...PROGRAMS.map((file) => [file, file])];
  for (const [file, to] of programs as [string, string][]) put(file, to);
  for (const file of [...programs.map(([program]) => program!), ...nativeModules()]) {
    const libraries = execFileSync('ldd', [realpathSync(file)], { encoding: 'utf8' }).match(/\/[^\s():]+/g);
    for (const library of libraries ?? []) put(library, library);
  }
  for (const name of ['tmp', 'etc']) mkdirSync(join(root, name), { recursive: true });
  writeFileSync(join(root, 'etc/passwd'), 'root:x:0:0::/:/bin/sh\nnode:x:1000:1000::/:/bin/sh\n');
  writeFileSync(join(root, 'etc/group'), 'root:x:0:\nnode:x:1000:\n');
  writeFileSync(join(folder, 'Base'), 'FROM scratch\nCOPY base /\nENV PATH=/usr/local/bin:/usr/bin:/bin\n');
  run('build', '--file', join(folder, 'Base'), '--tag', 'localhost/node', folder);
  return `localhost/node@${run('images', '--format', '{{.Digest}}', 'localhost/node').trim()}`;
}

/** Modules of the app in machine code: every Node image has the libraries that they need. */
function nativeModules(): string[] {
  const scope = new URL('../../node_modules/@node-rs/', import.meta.url);
  return readdirSync(scope, { recursive: true, encoding: 'utf8' })
    .filter((file) => file.endsWith('.node'))
    .map((file) => fileURLToPath(new URL(file, scope)));
}
