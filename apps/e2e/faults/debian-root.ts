import { execFile } from 'node:child_process';
import { promisify } from 'node:util';
import { cachedFolder, findProgram } from '@platform/testing';

const run = promisify(execFile);

const PACKAGES = [
  'etcd-server',
  'postgresql-17',
  'patroni',
  'haproxy',
  'python3-etcd',
  'python3-psycopg2',
  'valkey-server',
];
const MIRROR = 'http://deb.debian.org/debian';

/**
 * Path of a Debian 13 whose servers run by `chroot`, made once on a machine: what the host's own Debian has
 * too old or not at all. Errors: not run as root, no `debootstrap` on this machine.
 */
export function debianRoot(): Promise<string> {
  if (process.getuid?.() !== 0) throw new Error('servers of a Debian root need chroot: run as root on Linux');
  if (findProgram(['debootstrap']) === null)
    throw new Error('no `debootstrap` on this machine: apt-get install debootstrap');
  return cachedFolder('debian-trixie-ha-2', async (folder) => {
    const include = `--include=${PACKAGES.join(',')}`;
    await run('debootstrap', ['--variant=minbase', include, 'trixie', folder, MIRROR], {
      maxBuffer: 1 << 26,
    });
  });
}
