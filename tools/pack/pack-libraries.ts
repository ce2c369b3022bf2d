import { execFileSync } from 'node:child_process';
import { cpSync, existsSync, mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { basename, join } from 'node:path';
import ts from 'typescript';
import {
  descriptionOf,
  packFolder,
  readManifest,
  ROOT,
  SCOPE,
  sharedFields,
  type Manifest,
} from './packages.ts';

/** What programs of others are written with; what these import of the workspace is packed along with them. */
export const LIBRARIES = ['docstore-client', 'authz-client', 'decide', 'opinion-fusion'];

const TSC = join(ROOT, 'node_modules/typescript-native/bin/tsc');
/** Exports for the workspace alone: test data, and what would bring OpenAPI along. */
const PRIVATE_EXPORTS = ['./fixtures', './reference', './zod-openapi'];

const folderOf = (library: string) => join(ROOT, library === 'proto' ? 'proto' : `libs/${library}`);

/** The files of a folder that are part of the package, by their paths in it. */
function filesIn(folder: string, ending: RegExp): string[] {
  return readdirSync(folder, { recursive: true })
    .map(String)
    .filter((file) => ending.test(file) && !/\.(spec|fixture|contract)\.[jt]s$/.test(file));
}

/** The packages that the code of a folder imports, types among them, without those of Node. */
function importsOf(folder: string, ending: RegExp): Set<string> {
  const code = filesIn(folder, ending).map((file) => readFileSync(join(folder, file), 'utf8'));
  const named = code.flatMap((text) => ts.preProcessFile(text).importedFiles.map(({ fileName }) => fileName));
  return new Set(
    named
      .filter((name) => !/^(\.|node:)/.test(name))
      .map((name) => name.split('/', name.startsWith('@') ? 2 : 1).join('/')),
  );
}

/** `exports` without those of the workspace alone, each by its source file. */
function exportsOf({ exports = './src/index.ts' }: Manifest): [string, string][] {
  const table = typeof exports === 'string' ? { '.': exports } : exports;
  return Object.entries(table).filter(([name]) => !PRIVATE_EXPORTS.includes(name));
}

/** The folder that all sources lie in: `src`, or `gen` where they are generated. */
const sourcesOf = (library: string) =>
  join(folderOf(library), exportsOf(readManifest(folderOf(library)))[0]![1].split('/')[1]!);

/** `libraries` and the libraries of the workspace that they import, each after those it imports. */
function inOrder(libraries: readonly string[]): string[] {
  const order: string[] = [];
  const visit = (library: string) => {
    if (order.includes(library)) return;
    for (const name of importsOf(sourcesOf(library), /(?<!zod-openapi)\.ts$/))
      if (name.startsWith(`${SCOPE}/`)) visit(name.slice(SCOPE.length + 1));
    order.push(library);
  };
  libraries.forEach(visit);
  return order;
}

/**
 * Packs libraries with those they import, into `out`: JavaScript and types as TypeScript writes them, file by
 * file, README, pages of docs and license. Returns the paths of the tarballs. Throws when a library does not
 * compile.
 */
export function packLibraries(
  libraries: readonly string[],
  { scope, out }: { readonly scope: string; readonly out: string },
): string[] {
  const order = inOrder(libraries);
  return order.map((library) => {
    const folder = join(out, library);
    mkdirSync(join(folder, 'dist'), { recursive: true });
    compile(library, { folder, before: order.slice(0, order.indexOf(library)), out });
    rescope(folder, scope);
    return packFolder(folder, manifestOf(library, { folder, scope }), out);
  });
}

/** Compiles against the types of those packed before, so that each package has files of its own alone. */
function compile(
  library: string,
  {
    folder,
    before,
    out,
  }: { readonly folder: string; readonly before: readonly string[]; readonly out: string },
): void {
  const sources = sourcesOf(library);
  const config = join(folder, 'tsconfig.json');
  const own = join(folderOf(library), 'tsconfig.json');
  const paths = Object.fromEntries(
    before.flatMap((name) =>
      exportsOf(readManifest(folderOf(name))).map(([entry, file]) => [
        `${SCOPE}/${name}${entry.slice(1)}`,
        [join(out, name, distOf(file).replace(/\.js$/, '.d.ts'))],
      ]),
    ),
  );
  const text = JSON.stringify({
    extends: existsSync(own) ? own : join(ROOT, 'tsconfig.base.json'),
    include: [],
    compilerOptions: {
      types: ['node'],
      typeRoots: [join(ROOT, 'node_modules/@types')],
      noEmit: false,
      declaration: true,
      rewriteRelativeImportExtensions: true,
      rootDir: sources,
      outDir: join(folder, 'dist'),
      paths,
    },
    files: filesIn(sources, /(?<!zod-openapi|\.d)\.ts$/).map((file) => join(sources, file)),
  });
  writeFileSync(config, text);
  execFileSync(process.execPath, [TSC, '-p', config], { cwd: ROOT, stdio: ['ignore', 'inherit', 'inherit'] });
  rmSync(config);
  for (const [, file] of exportsOf(readManifest(folderOf(library))))
    if (!file.endsWith('.ts')) cpSync(join(folderOf(library), file), join(folder, 'dist', basename(file)));
  for (const text of ['README.md', 'docs'])
    if (existsSync(join(folderOf(library), text)))
      cpSync(join(folderOf(library), text), join(folder, text), { recursive: true });
}

/** Where a source file of an export lies once it is compiled. */
const distOf = (file: string) => file.replace(/^\.\/(src|gen)\//, './dist/').replace(/\.ts$/, '.js');

/**
 * Own names and paths in what was written: the publisher's scope, and in types the endings of JavaScript,
 * which TypeScript leaves as the sources have them.
 */
function rescope(folder: string, scope: string): void {
  for (const file of [...filesIn(folder, /\.(js|md)$/), ...filesIn(folder, /\.d\.ts$/)]) {
    const path = join(folder, file);
    const scoped = readFileSync(path, 'utf8').replaceAll(`${SCOPE}/`, `${scope}/`);
    // What a README of the workspace links to beside it is not in the package.
    const text = file.endsWith('.md') ? scoped.replaceAll(/\[([^\]]+)\]\(\.\.?\/[^)]*\)/g, '$1') : scoped;
    const typed = file.endsWith('.d.ts')
      ? text.replaceAll(/(['"]\.{1,2}\/[^'"]*)\.ts(['"])/g, '$1.js$2')
      : text;
    writeFileSync(path, typed);
  }
}

function manifestOf(
  library: string,
  { folder, scope }: { readonly folder: string; readonly scope: string },
): object {
  const { sideEffects, ...given } = readManifest(folderOf(library));
  const { version, ...shared } = sharedFields();
  const { dependencies } = readManifest(ROOT);
  const used = [...importsOf(join(folder, 'dist'), /\.(js|d\.ts)$/)];
  const rangeOf = (name: string) => {
    if (name.startsWith(`${scope}/`)) return version;
    if (dependencies[name] === undefined)
      throw new Error(`${library} imports ${name}, which is not a dependency`);
    return `^${dependencies[name]}`;
  };
  return {
    name: `${scope}/${library}`,
    version,
    description: descriptionOf(readFileSync(join(folder, 'README.md'), 'utf8')),
    ...shared,
    ...(sideEffects === undefined ? {} : { sideEffects }),
    exports: Object.fromEntries(
      exportsOf(given).map(([entry, file]) => {
        const target = distOf(file);
        if (!target.endsWith('.js')) return [entry, target.replace(/^\.\/gen\//, './dist/')];
        return [entry, { types: target.replace(/\.js$/, '.d.ts'), default: target }];
      }),
    ),
    files: ['dist', 'docs'],
    dependencies: Object.fromEntries(used.toSorted().map((name) => [name, rangeOf(name)])),
  };
}
