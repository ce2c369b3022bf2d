import { fileURLToPath } from 'node:url';
import { bundle } from '../../tools/build/bundle.mjs';

const outdir = fileURLToPath(new URL('../../dist/apps/authz-cli', import.meta.url));

await bundle(new URL('.', import.meta.url), { platform: 'src/platform.ts' }, outdir);
