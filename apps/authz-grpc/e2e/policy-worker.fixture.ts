import { mkdirSync } from 'node:fs';
import { fileURLToPath, pathToFileURL } from 'node:url';
import { buildSync } from 'esbuild';

/**
 * The policy worker made runnable as the build does it, since Node reads no TypeScript in worker threads.
 * Written inside the workspace, where its packages are found.
 */
export function bundlePolicyWorker(): URL {
  const folder = new URL('../../../dist/e2e/authz-grpc/', import.meta.url);
  mkdirSync(folder, { recursive: true });
  const outfile = fileURLToPath(new URL(`policy-worker-${process.pid}.mjs`, folder));
  buildSync({
    entryPoints: [fileURLToPath(new URL('../src/worker/policy-worker.ts', import.meta.url))],
    outfile,
    bundle: true,
    platform: 'node',
    format: 'esm',
    target: 'node20',
    external: ['rregex'],
  });
  return pathToFileURL(outfile);
}
