import { cpSync } from 'node:fs';
import { rm } from 'node:fs/promises';
import { fileURLToPath } from 'node:url';
import { build } from 'esbuild';

const folder = new URL('.', import.meta.url);

/**
 * Writes styles and scripts of pages to `outdir`, minified, each named after its content; what was there
 * before is removed. `entryPoints` are relative to the URL `from`.
 */
export async function buildAssets(from, entryPoints, outdir) {
  await rm(outdir, { recursive: true, force: true });
  await build({
    absWorkingDir: fileURLToPath(from),
    entryPoints,
    entryNames: '[name]-[hash]',
    outdir,
    bundle: true,
    minify: true,
    format: 'iife',
    target: ['es2022', 'chrome111', 'firefox115', 'safari16.4'],
    logLevel: 'warning',
  });
}

/** The share page's styles and scripts, and the text of its guide; `loadShareAssets(outdir)` reads them. */
export async function buildShareAssets(outdir) {
  const entryPoints = {
    early: 'src/browser/early.ts',
    main: 'src/browser/main.ts',
    styles: 'src/styles/index.css',
  };
  await buildAssets(folder, entryPoints, outdir);
  cpSync(new URL('../../docs/how-it-judges.md', folder), `${outdir}/how-it-judges.md`);
}

// As a command: `node libs/viewer/build.mjs [outdir]`, dist/libs/viewer unless told otherwise.
if (process.argv[1] === fileURLToPath(import.meta.url))
  await buildShareAssets(process.argv[2] ?? fileURLToPath(new URL('../../dist/libs/viewer', folder)));
