import { fileURLToPath } from 'node:url';
import { build } from 'esbuild';

const root = new URL('../../', import.meta.url);

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
  entryPoints: { platform: 'src/platform.ts' },
  outdir: fileURLToPath(new URL('dist/apps/authz-cli/', root)),
  bundle: true,
  platform: 'node',
  format: 'esm',
  target: 'node20',
  banner: { js: '#!/usr/bin/env node' },
  plugins: [externalPackages],
  logLevel: 'warning',
});
