import { spawnSync } from 'node:child_process';
import { existsSync, readdirSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { beforeAll, describe, expect, it } from '@jest/globals';
import { LAYERS, PACKAGES } from './layers.mjs';

const ROOT = join(import.meta.dirname, '../..');

interface Row {
  readonly app: string;
  readonly folder: string;
  /** A file of the folder that exists, as production code does. */
  readonly file: string;
  readonly may: readonly string[];
  readonly packages: readonly string[];
  readonly isEntry: boolean;
}

const foldersOf = (app: string) =>
  readdirSync(join(ROOT, 'apps', app, 'src'), { withFileTypes: true })
    .filter((entry) => entry.isDirectory() && entry.name !== 'generated')
    .map(({ name }) => name);

function fileIn(app: string, folder: string): string {
  const path = join('apps', app, 'src', folder);
  const files = readdirSync(join(ROOT, path)).filter(
    (name) => name.endsWith('.ts') && !/\.(spec|fixture|contract)\.ts$/.test(name),
  );
  const [file] = files.filter((name) => statSync(join(ROOT, path, name)).isFile());
  return join(path, file!);
}

const rows: Row[] = Object.entries(LAYERS).flatMap(([app, folders]) =>
  Object.entries(folders).map(([folder, { may, packages, entry = false }]) => ({
    app,
    folder,
    file: fileIn(app, folder),
    may,
    packages,
    isEntry: entry,
  })),
);

const SPECIFIERS: Record<keyof typeof PACKAGES, string> = {
  express: 'express',
  grpc: '@grpc/grpc-js',
  mcp: '@modelcontextprotocol/server',
  kit: '@platform/service-kit',
  data: '@platform/database',
  redis: 'redis',
};

/** Imports that the row forbids, and one that it allows. */
function importsOf({ app, folder, may, packages, isEntry }: Row) {
  const others = Object.keys(LAYERS[app]!).filter((name) => name !== folder);
  const closed = others.filter((name) => !may.includes(name));
  const families = (Object.keys(PACKAGES) as (keyof typeof PACKAGES)[]).filter(
    (family) => !packages.includes(family),
  );
  return {
    forbidden: [
      ...closed.map((name) => `../${name}/x.ts`),
      ...(isEntry ? [] : ['../deps.ts', '../service.ts']),
      ...families.map((family) => SPECIFIERS[family]),
    ],
    allowed: may.map((name) => `../${name}/x.ts`),
  };
}

describe('layers', () => {
  it.each(Object.keys(LAYERS))('every folder of %s has a row, and every row a folder', (app) => {
    expect(Object.keys(LAYERS[app]!).sort()).toEqual(foldersOf(app).sort());
  });

  it('every app has rows', () => {
    const apps = readdirSync(join(ROOT, 'apps')).filter((app) =>
      existsSync(join(ROOT, 'apps', app, 'src/deps.ts')),
    );
    expect(Object.keys(LAYERS).sort()).toEqual(apps.sort());
  });

  describe('on a file that exists', () => {
    const cases = rows.flatMap((row) => {
      const { forbidden, allowed } = importsOf(row);
      const at = (specifier: string, isForbidden: boolean) => ({ row, specifier, isForbidden });
      return [
        ...forbidden.map((specifier) => at(specifier, true)),
        ...allowed.map((specifier) => at(specifier, false)),
      ];
    });
    let objections: string[][];
    beforeAll(() => {
      const texts = cases.map(({ row, specifier }) => ({
        file: row.file,
        text: `import { x } from '${specifier}'; export const y = x;`,
      }));
      const { stdout, stderr, status } = spawnSync(
        process.execPath,
        ['--import', 'tsx', 'tools/lint/lint-texts.ts', 'no-restricted-imports'],
        { input: JSON.stringify(texts), encoding: 'utf8', maxBuffer: 2 ** 24, cwd: ROOT },
      );
      if (status !== 0) throw new Error(stderr);
      objections = JSON.parse(stdout) as string[][];
    });

    it.each(rows)('$app/$folder is held to its row', ({ app, folder }) => {
      const wrong = cases.filter(
        ({ row, isForbidden }, index) =>
          row.app === app && row.folder === folder && objections[index]!.length > 0 !== isForbidden,
      );
      expect(wrong.map(({ specifier, isForbidden }) => ({ specifier, isForbidden }))).toEqual([]);
    });
  });
});
