import { fileURLToPath } from 'node:url';
import { buildAssets } from '@platform/viewer/build';
import { bundle } from '../../tools/build/bundle.mjs';

const from = new URL('.', import.meta.url);
const outdir = fileURLToPath(new URL('../../dist/apps/authz-cli', import.meta.url));

await bundle(from, { platform: 'src/platform.ts' }, outdir);
const console = { app: 'src/console/browser/app.tsx', styles: 'src/console/styles.css' };
await buildAssets(from, console, `${outdir}/console`);
