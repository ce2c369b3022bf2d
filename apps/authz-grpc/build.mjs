import { cpSync, readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { build } from 'esbuild';

/** Bundles our own code; packages from npm stay imports, so that what runs is what the lock file names. */
const root = new URL('../../', import.meta.url);
const outdir = new URL('dist/apps/authz-grpc/', root);
const { dependencies } = JSON.parse(readFileSync(new URL('package.json', root), 'utf8'));

await build({
  absWorkingDir: fileURLToPath(new URL('.', import.meta.url)),
  entryPoints: { main: 'src/main.ts', 'policy-worker': 'src/worker/policy-worker.ts' },
  outdir: fileURLToPath(outdir),
  bundle: true,
  platform: 'node',
  format: 'esm',
  target: 'node20',
  sourcemap: true,
  external: Object.keys(dependencies).flatMap((name) => [name, `${name}/*`]),
  logLevel: 'warning',
});
cpSync(new URL('proto/gen/authz.binpb', root), new URL('authz.binpb', outdir));
cpSync(new URL('prisma/authz/migrations', root), new URL('migrations', outdir), { recursive: true });
