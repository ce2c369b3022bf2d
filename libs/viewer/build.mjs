import { createHash } from 'node:crypto';
import { cpSync } from 'node:fs';
import { createRequire } from 'node:module';
import { mkdir, rm, writeFile } from 'node:fs/promises';
import { parse } from 'node:path';
import { fileURLToPath } from 'node:url';
import { minify } from '@swc/core';
import { build } from 'esbuild';

const folder = new URL('.', import.meta.url);

/**
 * Writes styles and scripts of pages to `outdir`, minified, each named after its content; what was there
 * before is removed. `entryPoints` are relative to the URL `from`.
 */
export async function buildAssets(from, entryPoints, outdir) {
  const { outputFiles } = await build({
    absWorkingDir: fileURLToPath(from),
    entryPoints,
    outdir,
    write: false,
    bundle: true,
    minify: true,
    format: 'iife',
    target: ['es2022', 'chrome111', 'firefox115', 'safari16.4'],
    logLevel: 'warning',
  });
  await rm(outdir, { recursive: true, force: true });
  await mkdir(outdir, { recursive: true });
  for (const { path, text } of outputFiles) {
    const { name, ext } = parse(path);
    // SWC makes scripts four in a hundred smaller than esbuild alone, compressed.
    const contents = ext === '.js' ? (await minify(text, MINIFIED)).code : text;
    const hash = createHash('sha256').update(contents).digest('hex').slice(0, 8).toUpperCase();
    await writeFile(`${outdir}/${name}-${hash}${ext}`, contents);
  }
}

const MINIFIED = { compress: { passes: 3 }, mangle: true, ecma: 2022, module: false };

const { resolve } = createRequire(import.meta.url);
const FONT = '@expo-google-fonts/source-serif-4';
/** What preview images are painted with, by its name below `image/`. */
const IMAGE_FILES = {
  'resvg.wasm': '@resvg/resvg-wasm/index_bg.wasm',
  'regular.ttf': `${FONT}/400Regular/SourceSerif4_400Regular.ttf`,
  'semibold.ttf': `${FONT}/600SemiBold/SourceSerif4_600SemiBold.ttf`,
  'font-license.txt': `${FONT}/LICENSE_FONT`,
};

/**
 * The share page's styles and scripts, the text of its guide, and what its images are painted with;
 * `loadShareAssets(outdir)` and `createImagePainter(outdir)` read them.
 */
export async function buildShareAssets(outdir) {
  const entryPoints = {
    early: 'src/browser/early.ts',
    main: 'src/browser/main.ts',
    styles: 'src/styles/index.css',
    embed: 'src/styles/embed.css',
  };
  await buildAssets(folder, entryPoints, outdir);
  cpSync(new URL('../../docs/how-it-judges.md', folder), `${outdir}/how-it-judges.md`);
  for (const [name, file] of Object.entries(IMAGE_FILES)) cpSync(resolve(file), `${outdir}/image/${name}`);
}

// As a command: `node libs/viewer/build.mjs [outdir]`, dist/libs/viewer unless told otherwise.
if (process.argv[1] === fileURLToPath(import.meta.url))
  await buildShareAssets(process.argv[2] ?? fileURLToPath(new URL('../../dist/libs/viewer', folder)));
