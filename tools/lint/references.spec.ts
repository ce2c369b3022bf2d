import { existsSync, readFileSync } from 'node:fs';
import { dirname, join, relative } from 'node:path';
import { describe, expect, it } from '@jest/globals';
import { globSync } from 'tinyglobby';

const ROOT = join(import.meta.dirname, '../..');
const files = globSync(['**/*.{md,ts,tsx,js,mjs,yaml,yml,json,jsonc,proto,css}', '.ci/*'], {
  cwd: ROOT,
  ignore: ['**/node_modules/**', '**/dist/**', '**/generated/**', '**/gen/**', '.nx/**', '.data/**'],
});
const read = (file: string) => readFileSync(join(ROOT, file), 'utf8');
/** A path with a slash: of a file as the repository has them, or below one of its top folders. */
const PATH_IN_BACKTICKS =
  /`((?:\.\.?\/)*[\w.@*<>-]+(?:\/[\w.@*<>-]+)+\.(?:tsx?|mjs|sql|md|ya?ml|json|css|proto|sh)|(?:apps|libs|tools|deploy|docs|examples|prisma|proto)\/[\w.@*<>/-]+)(?::\d+)?`/g;

/** The text of a document, or the comments of code. */
function proseOf(file: string): string {
  if (file.endsWith('.md')) return read(file);
  return read(file)
    .split('\n')
    .filter((line) => /^\s*(?:\*|\/\/|\/\*|#)/.test(line))
    .join('\n');
}

/** Whether a path lies in a library that the project imports. */
function isOfDependency(project: string, path: string): boolean {
  const [, library] = /^libs\/([\w-]+)\//.exec(`${path}/`) ?? [];
  return files
    .filter((file) => file.startsWith(`${project}/`) && /\.tsx?$/.test(file))
    .some((file) => new RegExp(`from '@platform/${library}['/]`).test(read(file)));
}

describe('references', () => {
  it('references of documents lead to existing files', () => {
    const dead = files
      .filter((file) => file.endsWith('.md'))
      .flatMap((file) =>
        [...read(file).matchAll(/\]\((?!https?:|mailto:|#)([^)#\s]+)/g)]
          .filter(([, target]) => !existsSync(join(ROOT, dirname(file), decodeURI(target!))))
          .map(([, target]) => `${file}: ${target}`),
      );
    expect(dead).toEqual([]);
  });

  it('references in backticks name an existing file or folder', () => {
    // Files that only a user's machine or a build has, names to be filled in, and a method of MCP.
    const others = /^(?:\.data|\.vscode|proto\/gen)\/?|\/(?:NNNN-title|x\.[\w.]+)\.\w+$|^tools\/list$/;
    const paths = globSync(['**/*', '.ci/*', '.github/**'], {
      cwd: ROOT,
      dot: true,
      ignore: ['**/node_modules/**', '**/dist/**', '.nx/**', '.data/**', '.git/**'],
    });
    // A path may be written from any folder above it: `http/routes.ts` is one of each app.
    const known = new Set(
      paths.flatMap((path) => path.split('/').map((_, at, parts) => parts.slice(at).join('/'))),
    );
    const exists = (file: string, target: string) =>
      known.has(target) ||
      existsSync(join(ROOT, target)) ||
      existsSync(join(ROOT, dirname(file), target)) ||
      (/[*<]/.test(target) &&
        globSync([target.replace(/<\w+>/g, '*'), `**/${target.replace(/<\w+>/g, '*')}`], {
          cwd: ROOT,
          onlyFiles: false,
          ignore: ['**/node_modules/**', '**/dist/**'],
        }).length > 0);
    const named = files
      // It names files of the repositories that its data are from.
      .filter((file) => file !== 'tools/eval/data/README.md')
      .flatMap((file) =>
        [...proseOf(file).matchAll(PATH_IN_BACKTICKS)].map(([, target]) => ({ file, target: target! })),
      )
      .filter(({ target }) => !others.test(target));
    expect(named.length).toBeGreaterThan(100);
    expect(
      named
        .filter(({ file, target }) => !exists(file, target))
        .map(({ file, target }) => `${file}: ${target}`),
    ).toEqual([]);
  });

  it('references to decisions name an existing decision', () => {
    const dead = files.flatMap((file) =>
      [...read(file).matchAll(/docs\/decisions\/\d{4}[\w-]*\.md/g)]
        .filter(([target]) => !existsSync(join(ROOT, target)))
        .map(([target]) => `${file}: ${target}`),
    );
    expect(dead).toEqual([]);
  });

  it('references of code stay within the repository, so that a clone needs nothing outside it', () => {
    // The suites of third parties lie outside on purpose; the imports in the other file are texts to lint.
    const exceptions = ['libs/testing/src/conformance.ts', 'tools/lint/boundaries.spec.ts'];
    const outside = files
      .filter((file) => /\.(ts|tsx|mjs)$/.test(file) && !exceptions.includes(file))
      .flatMap((file) =>
        [...read(file).matchAll(/(?:from |new URL\(|import\(|import\.meta\.dirname, )['"`]([^'"`]*)['"`]/g)]
          .filter(([, target]) => relative(ROOT, join(ROOT, dirname(file), target!)).startsWith('..'))
          .map(([, target]) => `${file}: ${target}`),
      );
    expect(outside).toEqual([]);
  });

  it('references of tests stay within the inputs of their cached result', () => {
    // `tests` of nx.json, built bundles and the interface definitions that every app depends on; a project
    // names further inputs itself.
    const shared = /^(dist|examples|prisma|proto)(\/|$)|^$|^docs\/how-it-judges\.md$/;
    const outside = files
      .filter((file) => /^(apps|libs)\/.*\.(spec|contract|fixture)\.ts$/.test(file))
      .flatMap((file) => {
        const project = file.split('/').slice(0, 2).join('/');
        const own = read(`${project}/project.json`);
        return (
          [
            ...read(file).matchAll(
              /['"`]([^'"`]*)['"`], import\.meta\.url|import\.meta\.dirname, ['"`]([^'"`]*)['"`]/g,
            ),
          ]
            .map(([, url, path]) => relative(ROOT, join(ROOT, dirname(file), (url ?? path)!)))
            .filter((target) => !`${target}/`.startsWith(`${project}/`) && !shared.test(target))
            .filter((target) => !own.includes(`"{workspaceRoot}/${target}"`))
            // `^default` has the sources of libraries that the project imports.
            .filter((target) => !own.includes('"^default"') || !isOfDependency(project, target))
            .map((target) => `${file}: ${target}`)
        );
      });
    expect(outside).toEqual([]);
  });
});
