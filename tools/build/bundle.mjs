import { cpSync, readFileSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { basename, join, relative, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';
import { build } from 'esbuild';

const ROOT = fileURLToPath(new URL('../../', import.meta.url));

/**
 * Packages that open files of their own as they run, at places that a bundle does not have, and what they
 * share with it.
 */
export const IMPORTED = [
  '@electric-sql/pglite',
  '@grpc/grpc-js',
  '@grpc/proto-loader',
  '@grpc/reflection',
  '@node-rs/argon2',
  'grpc-health-check',
  'rregex',
];

const GUIDE_FILES = [
  'libs/service-kit/src/guide/guide.css',
  'libs/service-kit/src/guide/guide.mjs',
  'libs/viewer/src/styles/tokens.css',
];

/**
 * Bundles an app with the packages it uses, all but IMPORTED, so that a process reads a few files to start
 * and not some thousand (ADR 0015). What was in the folder before is removed. Beside the code come
 * `packages.cdx.json`, which names the bundled packages to scanners (CycloneDX 1.6), and `licenses.txt`,
 * their notices.
 *
 * `from` is the URL of the app's folder, to which `entryPoints` are relative; `outdir` is a path.
 */
export async function bundle(from, entryPoints, outdir) {
  const folder = fileURLToPath(from);
  rmSync(outdir, { recursive: true, force: true });
  const { metafile } = await build({
    absWorkingDir: folder,
    entryPoints,
    outdir,
    bundle: true,
    // What is imported late has files of its own, and threads share files with the process that starts them.
    splitting: true,
    platform: 'node',
    format: 'esm',
    target: 'node20',
    sourcemap: true,
    metafile: true,
    // `debug` colours its lines when a package for it happens to be installed, as it is where tests run; the
    // engine of the audit archive is installed by those who keep one.
    external: [...IMPORTED.flatMap((name) => [name, `${name}/*`]), 'supports-color', '@duckdb/node-api'],
    // CommonJS packages get the modules of Node by `require`.
    banner: {
      js: "import { createRequire as createRequireOfBundle } from 'node:module'; const require = createRequireOfBundle(import.meta.url);",
    },
    logLevel: 'warning',
  });
  // What the guide of an API is drawn with, where the bundle has the guide.
  if (Object.keys(metafile.inputs).some((file) => file.endsWith('service-kit/src/guide/docs-page.ts')))
    for (const file of GUIDE_FILES) cpSync(join(ROOT, file), join(outdir, 'guide', basename(file)));
  const packages = bundledPackages(metafile, folder);
  writeFileSync(join(outdir, 'packages.cdx.json'), `${JSON.stringify(billOfMaterials(packages), null, 2)}\n`);
  writeFileSync(join(outdir, 'licenses.txt'), packages.map(notice).join('\n'));
}

/** The npm packages whose code is in the outputs, by name: folder, name, version and license of each. */
function bundledPackages(metafile, folder) {
  const inputs = Object.values(metafile.outputs).flatMap((output) =>
    Object.entries(output.inputs).filter(([, { bytesInOutput }]) => bytesInOutput > 0),
  );
  const places = inputs.flatMap(([file]) => {
    const found = /^.*node_modules\/(?:@[^/]+\/)?[^/]+/.exec(relative(ROOT, resolve(folder, file)));
    return found === null ? [] : [found[0]];
  });
  return [...new Set(places)]
    .map((place) => {
      const { name, version, license } = JSON.parse(readFileSync(join(ROOT, place, 'package.json'), 'utf8'));
      return { folder: join(ROOT, place), name, version, license };
    })
    .sort((a, b) => (`${a.name} ${a.version}` < `${b.name} ${b.version}` ? -1 : 1));
}

function billOfMaterials(packages) {
  const components = packages.map(({ name, version, license }) => ({
    type: 'library',
    name,
    version,
    purl: `pkg:npm/${name.replace('@', '%40')}@${version}`,
    // Some packages state it in its own words alone, which licenses.txt has.
    licenses: license === undefined ? [] : [{ expression: license }],
  }));
  return { bomFormat: 'CycloneDX', specVersion: '1.6', version: 1, components };
}

function notice({ folder, name, version, license }) {
  const texts = readdirSync(folder)
    .filter((file) => /^(licen[cs]e|notice|copying)/i.test(file))
    .map((file) => readFileSync(join(folder, file), 'utf8').trim());
  return [`${name} ${version} (${license ?? 'as follows'})`, ...texts].join('\n\n') + '\n';
}
