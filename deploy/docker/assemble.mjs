/**
 * node deploy/docker/assemble.mjs <app> <folder>: what the image of an app holds, into an empty folder: its
 * bundle and the packages that the bundle imports as it runs, at the versions of the lock file. The app is
 * built before.
 */
import { execFileSync } from 'node:child_process';
import { cpSync, mkdirSync, readFileSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { IMPORTED } from '../../tools/build/bundle.mjs';

const ROOT = join(import.meta.dirname, '../..');
const [app, folder] = process.argv.slice(2);
if (folder === undefined) {
  console.error('usage: node deploy/docker/assemble.mjs <app> <folder>');
  process.exit(2);
}

const bundle = join(ROOT, 'dist/apps', app);
const code = readdirSync(bundle)
  .filter((file) => /\.m?js$/.test(file))
  .map((file) => readFileSync(join(bundle, file), 'utf8'))
  .join('\n');
const { version, license, dependencies } = JSON.parse(readFileSync(join(ROOT, 'package.json'), 'utf8'));
const isNamed = (name) => new RegExp(`["']${name}(/[^"']*)?["']`).test(code);
const used = Object.fromEntries(IMPORTED.filter(isNamed).map((name) => [name, dependencies[name]]));

mkdirSync(folder, { recursive: true });
cpSync(bundle, folder, { recursive: true, filter: (file) => !file.endsWith('.map') });
const manifest = { name: app, version, license, private: true, type: 'module', dependencies: used };
writeFileSync(join(folder, 'package.json'), `${JSON.stringify(manifest, null, 2)}\n`);
// npm keeps the versions of a lock file that knows more than it needs, and drops the rest.
cpSync(join(ROOT, 'package-lock.json'), join(folder, 'package-lock.json'));
const flags = [
  '--omit=dev',
  '--omit=peer',
  '--ignore-scripts',
  '--no-audit',
  '--no-fund',
  '--install-links=false',
];
execFileSync('npm', ['install', ...flags], { cwd: folder, stdio: 'inherit' });

// What packages carry for those who build on them; licenses and notices stay.
const modules = join(folder, 'node_modules');
const isForBuilders = (file) =>
  /\.(map|[cm]?ts|tsx|flow|tsbuildinfo)$|(^|\/)(README|CHANGELOG)[^/]*\.md$/i.test(file);
for (const file of readdirSync(modules, { recursive: true })) {
  if (isForBuilders(file)) rmSync(join(modules, file), { recursive: true });
}
