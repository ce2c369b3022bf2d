import { existsSync, readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { build } from 'esbuild';

/** Bundles our own code; packages from npm stay imports, so that what runs is what the lock file names. */
const root = new URL('../../', import.meta.url);
const { dependencies } = JSON.parse(readFileSync(new URL('package.json', root), 'utf8'));
const entryPoints = {
  main: 'src/main.ts',
  worker: 'src/engine/analysis-worker.ts',
  mcp: 'src/mcp/stdio.ts',
};

await build({
  absWorkingDir: fileURLToPath(new URL('.', import.meta.url)),
  entryPoints: Object.fromEntries(
    Object.entries(entryPoints).filter(([, file]) => existsSync(new URL(file, import.meta.url))),
  ),
  outdir: fileURLToPath(new URL('dist/apps/investigation-api', root)),
  bundle: true,
  platform: 'node',
  format: 'esm',
  target: 'node20',
  sourcemap: true,
  external: Object.keys(dependencies).flatMap((name) => [name, `${name}/*`]),
  logLevel: 'warning',
});
