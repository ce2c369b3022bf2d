import { cpSync, readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { build } from 'esbuild';

/** Bundles our own code; packages from npm stay imports, so that what runs is what the lock file names. */
const root = new URL('../../', import.meta.url);
const outdir = fileURLToPath(new URL('dist/apps/docstore-api', root));
const { dependencies } = JSON.parse(readFileSync(new URL('package.json', root), 'utf8'));

await build({
  absWorkingDir: fileURLToPath(new URL('.', import.meta.url)),
  entryPoints: { main: 'src/main.ts' },
  outdir,
  bundle: true,
  platform: 'node',
  format: 'esm',
  target: 'node20',
  sourcemap: true,
  external: Object.keys(dependencies).flatMap((name) => [name, `${name}/*`]),
  // The generated code of ts-proto imports a CommonJS package of the same list; the banner gives it its `require`.
  banner: {
    js: "import { createRequire as createRequireOfBundle } from 'node:module'; const require = createRequireOfBundle(import.meta.url);",
  },
  logLevel: 'warning',
});
// The worker runs as it stands; migrations and the empty database are data.
cpSync(new URL('src/search/heavy-worker.mjs', import.meta.url), `${outdir}/heavy-worker.mjs`);
cpSync(new URL('libs/database/src/generated/empty-cluster.tar.gz', root), `${outdir}/empty-cluster.tar.gz`);
cpSync(new URL('prisma/docstore/migrations', root), `${outdir}/migrations`, { recursive: true });
