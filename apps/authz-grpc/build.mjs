import { cpSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { build } from 'esbuild';

/** Bundles our own code; packages from npm stay imports, so that what runs is what the lock file names. */
const root = new URL('../../', import.meta.url);
const outdir = new URL('dist/apps/authz-grpc/', root);

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
  entryPoints: { main: 'src/main.ts', 'policy-worker': 'src/worker/policy-worker.ts' },
  outdir: fileURLToPath(outdir),
  bundle: true,
  platform: 'node',
  format: 'esm',
  target: 'node20',
  sourcemap: true,
  plugins: [externalPackages],
  logLevel: 'warning',
});
cpSync(new URL('proto/gen/authz.binpb', root), new URL('authz.binpb', outdir));
cpSync(
  new URL('libs/database/src/generated/empty-cluster.tar.gz', root),
  new URL('empty-cluster.tar.gz', outdir),
);
cpSync(new URL('prisma/authz/migrations', root), new URL('migrations', outdir), { recursive: true });
