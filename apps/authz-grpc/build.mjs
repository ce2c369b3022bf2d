import { cpSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { bundle } from '../../tools/build/bundle.mjs';

const root = new URL('../../', import.meta.url);
const outdir = fileURLToPath(new URL('dist/apps/authz-grpc', root));

await bundle(
  new URL('.', import.meta.url),
  {
    main: 'src/main.ts',
    'policy-worker': 'src/worker/policy-worker.ts',
    'pglite-thread': '../../libs/database/src/pglite-thread.ts',
  },
  outdir,
);
// Descriptors, migrations and the empty database are data.
cpSync(new URL('proto/gen/authz.binpb', root), `${outdir}/authz.binpb`);
cpSync(new URL('libs/database/src/generated/empty-cluster.tar.gz', root), `${outdir}/empty-cluster.tar.gz`);
cpSync(new URL('prisma/authz/migrations', root), `${outdir}/migrations`, { recursive: true });
