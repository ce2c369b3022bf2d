import { execFile } from 'node:child_process';
import { join } from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';
import { promisify } from 'node:util';
import { cachedFolder } from '@platform/testing';

const run = promisify(execFile);
const REPOSITORY = fileURLToPath(new URL('../../../', import.meta.url));

/** The services as another commit has them. */
export interface OtherBuild {
  /** Abbreviated id of the commit. */
  readonly commit: string;
  /** Folder of the built services. */
  readonly built: URL;
}

/**
 * Builds the three services as the commit `ref` has them, in a clone that is made once on a machine. Its
 * packages are those of this working copy where the lock files agree, else installed anew. Errors: those of
 * git for a commit that is not there, of npm and of the build, with what they wrote.
 */
export async function buildAt(ref: string): Promise<OtherBuild> {
  const here = async (...args: readonly string[]) =>
    (await run('git', args, { cwd: REPOSITORY })).stdout.trim();
  const commit = await here('rev-parse', '--verify', `${ref}^{commit}`);
  const folder = await cachedFolder(`services-at-${commit}`, async (clone) => {
    await here('clone', '--quiet', '--shared', '--no-checkout', REPOSITORY, clone);
    await run('git', ['checkout', '--quiet', '--detach', commit], { cwd: clone });
    const packages = join(clone, 'node_modules');
    // Hard links, so that the links to the workspace's own packages lead into the clone.
    if ((await here('diff', '--name-only', commit, '--', 'package-lock.json')) === '')
      await run('cp', ['-al', join(REPOSITORY, 'node_modules'), packages]);
    else await run('npm', ['ci', '--prefer-offline', '--no-audit', '--no-fund'], { cwd: clone });
    const projects = ['authz-grpc', 'docstore-api', 'investigation-api'].join(',');
    await run('npx', ['nx', 'run-many', '-t', 'build', '-p', projects], {
      cwd: clone,
      env: { ...process.env, NX_DAEMON: 'false' },
      maxBuffer: 1 << 26,
    });
  });
  return { commit: commit.slice(0, 8), built: pathToFileURL(`${join(folder, 'dist/apps')}/`) };
}
