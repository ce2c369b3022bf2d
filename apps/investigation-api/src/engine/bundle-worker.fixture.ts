import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';
import { buildSync } from 'esbuild';

/**
 * A worker's source made runnable, as the build does it: Node reads no TypeScript in worker threads. `remove`
 * deletes it.
 */
export function bundleWorker(source: URL): { file: URL; remove(): void } {
  const folder = mkdtempSync(join(tmpdir(), 'worker-'));
  const outfile = join(folder, 'worker.mjs');
  buildSync({
    entryPoints: [fileURLToPath(source)],
    outfile,
    bundle: true,
    platform: 'node',
    format: 'esm',
    target: 'node20',
  });
  return { file: pathToFileURL(outfile), remove: () => rmSync(folder, { recursive: true, force: true }) };
}
