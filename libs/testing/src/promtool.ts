import { execFile } from 'node:child_process';
import { readdir, rm } from 'node:fs/promises';
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { cachedFolder } from './fetched-tool.ts';
import { findProgram } from './program.ts';
import { takeFirst } from './tier.ts';

const run = promisify(execFile);

/**
 * Path of promtool, Prometheus' checker of rules: `PROMTOOL_PATH`; a program on the machine; the one of
 * Debian's package `prometheus`, unpacked without installing it, so that no server is started and no root is
 * needed. Errors: PartUnavailable, saying how to get one.
 */
export function findPromtool(env: Record<string, string | undefined> = process.env): Promise<string> {
  return takeFirst<string>(
    'promtool',
    [
      { name: 'PROMTOOL_PATH', get: async () => env['PROMTOOL_PATH'] || null },
      { name: 'program on this machine', get: async () => findProgram(['promtool']) },
      { name: 'Debian package prometheus', get: fromDebian },
    ],
    'set PROMTOOL_PATH, or install it: apt-get install prometheus',
  );
}

async function fromDebian(): Promise<string | null> {
  if (!existsSync('/etc/debian_version')) return null;
  const folder = await cachedFolder('promtool', async (draft) => {
    const download = () => run('apt-get', ['download', 'prometheus'], { cwd: draft });
    // A fresh machine has no list of packages yet.
    await download().catch(() => run('apt-get', ['update', '-qq']).then(download));
    const [archive] = (await readdir(draft)).filter((file) => file.endsWith('.deb'));
    await run('dpkg-deb', ['-x', join(draft, archive as string), draft]);
    await rm(join(draft, archive as string));
  });
  return join(folder, 'usr/bin/promtool');
}
