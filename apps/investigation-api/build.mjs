import { cpSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { buildShareAssets } from '@platform/viewer/build';
import { buildWorkbenchAssets } from '@platform/workbench/build';
import { bundle } from '../../tools/build/bundle.mjs';

const root = new URL('../../', import.meta.url);
const outdir = fileURLToPath(new URL('dist/apps/investigation-api', root));
const entryPoints = {
  main: 'src/main.ts',
  worker: 'src/engine/analysis-worker.ts',
  'input-worker': 'src/engine/input-worker.ts',
  'quote-worker': 'src/quotes/quote-worker.ts',
  'interchange-worker': 'src/interchange/interchange-worker.ts',
  'page-worker': 'src/page/page-worker.ts',
  mcp: 'src/mcp/stdio.ts',
  'pglite-thread': '../../libs/database/src/pglite-thread.ts',
};

await bundle(new URL('.', import.meta.url), entryPoints, outdir);
// Migrations and the empty database are data.
cpSync(new URL('libs/database/src/generated/empty-cluster.tar.gz', root), `${outdir}/empty-cluster.tar.gz`);
cpSync(new URL('prisma/investigation/migrations', root), `${outdir}/migrations`, { recursive: true });
await buildShareAssets(`${outdir}/viewer`);
await buildWorkbenchAssets(`${outdir}/workbench`);
