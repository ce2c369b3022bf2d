import { fileURLToPath } from 'node:url';
import { buildAssets } from '@platform/viewer/build';

const folder = new URL('.', import.meta.url);

/** Writes the workbench's styles and scripts to `outdir`; `loadWorkbenchAssets(outdir)` reads them. */
export function buildWorkbenchAssets(outdir) {
  const entryPoints = {
    app: 'src/app.tsx',
    reasoning: 'src/browser/reasoning-worker.ts',
    styles: 'src/styles/index.css',
  };
  return buildAssets(folder, entryPoints, outdir);
}

// As a command: `node libs/workbench/build.mjs [outdir]`, dist/libs/workbench unless told otherwise.
if (process.argv[1] === fileURLToPath(import.meta.url))
  await buildWorkbenchAssets(process.argv[2] ?? fileURLToPath(new URL('../../dist/libs/workbench', folder)));
