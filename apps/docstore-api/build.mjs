import { cpSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { bundle } from '../../tools/build/bundle.mjs';

const root = new URL('../../', import.meta.url);
const outdir = fileURLToPath(new URL('dist/apps/docstore-api', root));

const entryPoints = {
  main: 'src/main.ts',
  'body-worker': 'src/http/body-worker.ts',
  'pglite-thread': '../../libs/database/src/pglite-thread.ts',
};
await bundle(new URL('.', import.meta.url), entryPoints, outdir);
// The worker of searches and merges runs as it stands; migrations and the empty database are data.
for (const module of ['compute-worker', 'three-way-merge', 'line-diff', 'snippets'])
  cpSync(new URL(`src/search/${module}.mjs`, import.meta.url), `${outdir}/${module}.mjs`);
cpSync(new URL('libs/database/src/generated/empty-cluster.tar.gz', root), `${outdir}/empty-cluster.tar.gz`);
cpSync(new URL('prisma/docstore/migrations', root), `${outdir}/migrations`, { recursive: true });
