import { cpSync, existsSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { buildShareAssets } from '@platform/viewer/build';
import { buildWorkbenchAssets } from '@platform/workbench/build';
import { build } from 'esbuild';

/** Bundles our own code; packages from npm stay imports, so that what runs is what the lock file names. */
const root = new URL('../../', import.meta.url);
const outdir = fileURLToPath(new URL('dist/apps/investigation-api', root));
const entryPoints = {
  main: 'src/main.ts',
  worker: 'src/engine/analysis-worker.ts',
  'input-worker': 'src/engine/input-worker.ts',
  'page-worker': 'src/page/page-worker.ts',
  mcp: 'src/mcp/stdio.ts',
};

/** Every package that is not the workspace's own stays an import. */
const externalPackages = {
  name: 'external packages',
  setup: (bundler) =>
    bundler.onResolve({ filter: /^[^./]/ }, ({ path, kind }) =>
      kind === 'entry-point' || path.startsWith('@platform/') ? undefined : { path, external: true },
    ),
};

await build({
  absWorkingDir: fileURLToPath(new URL('.', import.meta.url)),
  entryPoints: Object.fromEntries(
    Object.entries(entryPoints).filter(([, file]) => existsSync(new URL(file, import.meta.url))),
  ),
  outdir,
  bundle: true,
  platform: 'node',
  format: 'esm',
  target: 'node20',
  sourcemap: true,
  plugins: [externalPackages],
  logLevel: 'warning',
});
// Migrations are data.
cpSync(new URL('libs/database/src/generated/empty-cluster.tar.gz', root), `${outdir}/empty-cluster.tar.gz`);
cpSync(new URL('prisma/investigation/migrations', root), `${outdir}/migrations`, { recursive: true });
await buildShareAssets(`${outdir}/viewer`);
await buildWorkbenchAssets(`${outdir}/workbench`);
