import { rm } from 'node:fs/promises';
import { fileURLToPath } from 'node:url';
import { build } from 'esbuild';

const folder = new URL('.', import.meta.url);

/**
 * Writes the workbench's styles and scripts to `outdir`, minified, each named after its content; what was there before is
 * removed. `loadWorkbenchAssets(outdir)` reads them.
 */
export async function buildWorkbenchAssets(outdir) {
  await rm(outdir, { recursive: true, force: true });
  await build({
    absWorkingDir: fileURLToPath(folder),
    entryPoints: {
      app: 'src/browser/app.tsx',
      reasoning: 'src/browser/reasoning-worker.ts',
      styles: 'src/styles/index.css',
    },
    entryNames: '[name]-[hash]',
    outdir,
    bundle: true,
    minify: true,
    format: 'iife',
    target: ['es2022', 'chrome111', 'firefox115', 'safari16.4'],
    logLevel: 'warning',
  });
}

// As a command: `node libs/workbench/build.mjs [outdir]`, dist/libs/workbench unless told otherwise.
if (process.argv[1] === fileURLToPath(import.meta.url))
  await buildWorkbenchAssets(process.argv[2] ?? fileURLToPath(new URL('../../dist/libs/workbench', folder)));
