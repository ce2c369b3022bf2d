import { cpSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { bundle } from '../../tools/build/bundle.mjs';

const root = new URL('../../', import.meta.url);
const outdir = fileURLToPath(new URL('dist/apps/docstore-api', root));

await bundle(new URL('.', import.meta.url), { main: 'src/main.ts' }, outdir);
// The worker runs as it stands; migrations and the empty database are data.
cpSync(new URL('src/search/heavy-worker.mjs', import.meta.url), `${outdir}/heavy-worker.mjs`);
cpSync(new URL('libs/database/src/generated/empty-cluster.tar.gz', root), `${outdir}/empty-cluster.tar.gz`);
cpSync(new URL('prisma/docstore/migrations', root), `${outdir}/migrations`, { recursive: true });
