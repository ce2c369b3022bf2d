/**
 * `npm run pack [-- --scope=@acme] [-- --namespace=io.github.acme] [-- --out=FOLDER]`: packs what can be
 * published into the folder, `dist/npm` unless named; what it holds is deleted first. That is the libraries,
 * each a tarball of JavaScript, types and README, and the MCP server over stdio with the `server.json` of its
 * entry in a registry. A scope of npm and a namespace of an MCP registry are somebody's own, so a publisher
 * names theirs. Run `npm run build` before.
 */
import { rmSync } from 'node:fs';
import { join } from 'node:path';
import { readOptions } from '../command-line.ts';
import { missingBuild, packAssistant } from './pack-assistant.ts';
import { LIBRARIES, packLibraries } from './pack-libraries.ts';
import { ROOT } from './packages.ts';

const values = readOptions(import.meta.filename, {
  scope: { type: 'string', default: '@platform' },
  namespace: { type: 'string', default: 'io.github.platform' },
  out: { type: 'string', default: join(ROOT, 'dist/npm') },
});
const { scope, namespace, out } = values;
const missing = missingBuild();
if (missing !== null) {
  console.error(missing);
  process.exit(1);
}
rmSync(out, { recursive: true, force: true });
for (const file of packLibraries(LIBRARIES, { scope, out })) console.log(file);
for (const file of packAssistant({ scope, namespace, out })) console.log(file);
