import { spawnSync } from 'node:child_process';
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { beforeAll, describe, expect, it } from '@jest/globals';
import { ENTRY_FILES, IMPLEMENTATIONS, LAYERS, PACKAGES, sourceOf } from './layers.mjs';

const ROOT = join(import.meta.dirname, '../..');
const APPS = Object.keys(LAYERS);
const LIBRARIES = readdirSync(join(ROOT, 'libs')).filter((name) =>
  existsSync(join(ROOT, 'libs', name, 'src')),
);

interface Row {
  readonly app: string;
  readonly part: string;
  /** A file of the part that exists, as production code does. */
  readonly file: string;
  readonly may: readonly string[];
  readonly packages: readonly string[];
  readonly isEntry: boolean;
  readonly isBrowser: boolean;
}

const isProduction = (name: string) =>
  /\.tsx?$/.test(name) && !/\.(spec|fixture|contract)\.tsx?$/.test(name) && !name.startsWith('generated/');

const productionFiles = (source: string) =>
  readdirSync(join(ROOT, source), { recursive: true, encoding: 'utf8' }).filter(isProduction);

/** The production files of an app by their path below `src`. */
const filesOf = (app: string) => productionFiles(sourceOf(app));

/** The part of its app that a file belongs to: its folder, or itself beside the folders. */
const partOf = (file: string) => file.split('/')[0]!;

/** The row that a file is held to: its own or that of a folder in a folder, else its part's. */
const rowOf = (app: string, file: string) =>
  Object.keys(LAYERS[app]!).find(
    (row) => row.includes('/') && (file === row || file.startsWith(`${row}/`)),
  ) ?? partOf(file);

/** What a file below a folder of sources imports from there, by path below it; types included. */
function importsIn(source: string, file: string): string[] {
  const text = readFileSync(join(ROOT, source, file), 'utf8');
  const specifiers = [...text.matchAll(/(?:from|import\()\s*'(\.[^']*)'/g)].map(
    ([, specifier]) => specifier!,
  );
  return specifiers.map((specifier) => join(dirname(file), specifier));
}

const rows: Row[] = APPS.flatMap((app) =>
  Object.entries(LAYERS[app]!).map(([part, { may, packages, entry = false, browser = false }]) => ({
    app,
    part,
    file: join(
      sourceOf(app),
      filesOf(app).find((file) => rowOf(app, file) === part)!,
    ),
    may,
    packages,
    isEntry: entry,
    isBrowser: browser,
  })),
);

/** Parts that lead from one of them back to it, as `a -> b -> a`; undefined when there are none. */
function circleIn(arrows: ReadonlyMap<string, Iterable<string>>): string | undefined {
  const done = new Set<string>();
  function walk(part: string, path: readonly string[]): string | undefined {
    if (path.includes(part)) return [...path.slice(path.indexOf(part)), part].join(' -> ');
    if (done.has(part)) return undefined;
    for (const next of arrows.get(part) ?? []) {
      const circle = walk(next, [...path, part]);
      if (circle !== undefined) return circle;
    }
    done.add(part);
    return undefined;
  }
  return [...arrows.keys()].map((part) => walk(part, [])).find((circle) => circle !== undefined);
}

const SPECIFIERS: Record<keyof typeof PACKAGES, string> = {
  express: 'express',
  grpc: '@grpc/grpc-js',
  mcp: '@modelcontextprotocol/server',
  kit: '@platform/service-kit',
  data: '@platform/database',
  redis: 'redis',
};

/** Imports that the row forbids, and those that it allows. */
function importsOf({ app, part, may, packages, isEntry, isBrowser }: Row) {
  const prefix = part.endsWith('.ts') && !part.includes('/') ? './' : '../';
  const specifier = (name: string) => (name.endsWith('.ts') ? `${prefix}${name}` : `${prefix}${name}/x.ts`);
  const others = Object.keys(LAYERS[app]!).filter((name) => name !== partOf(part) && !name.includes('/'));
  const closed = others.filter((name) => name !== part && !may.includes(name));
  const families = (Object.keys(PACKAGES) as (keyof typeof PACKAGES)[]).filter(
    (family) => !packages.includes(family),
  );
  return {
    forbidden: [
      ...closed.map(specifier),
      ...(isEntry ? [] : ENTRY_FILES.map(specifier)),
      ...families.map((family) => SPECIFIERS[family]),
      ...(isBrowser ? ['../server.ts', '../../names.ts', 'node:fs', 'zod', '@platform/authz-client'] : []),
    ],
    allowed: [...may.map(specifier), ...(isBrowser ? ['./api.ts', 'preact', 'preact/hooks'] : [])],
  };
}

describe('layers', () => {
  it.each(APPS)('every folder and file of %s has a row, and every row a file', (app) => {
    const parts = new Set(filesOf(app).map((file) => rowOf(app, file)));
    expect(Object.keys(LAYERS[app]!).sort()).toEqual(
      [...parts].filter((part) => !ENTRY_FILES.includes(part)).sort(),
    );
  });

  it('every app with a src folder has rows', () => {
    const apps = readdirSync(join(ROOT, 'apps')).filter((app) => existsSync(join(ROOT, 'apps', app, 'src')));
    expect(APPS.filter((app) => sourceOf(app).startsWith('apps/')).sort()).toEqual(apps.sort());
  });

  it.each(APPS)('the rows of %s form no circle, types included', (app) => {
    expect(
      circleIn(new Map(Object.entries(LAYERS[app]!).map(([part, { may }]) => [part, may]))),
    ).toBeUndefined();
  });

  it.each(LIBRARIES)('the folders of %s form no circle, types included', (library) => {
    const source = join('libs', library, 'src');
    const arrows = new Map<string, Set<string>>();
    for (const file of productionFiles(source)) {
      const next = arrows.get(partOf(file)) ?? new Set();
      for (const other of importsIn(source, file))
        if (partOf(other) !== partOf(file)) next.add(partOf(other));
      arrows.set(partOf(file), next);
    }
    expect(circleIn(arrows)).toBeUndefined();
  });

  it('a circle of rows is found and named', () => {
    const arrows = new Map([
      ['http', ['store']],
      ['state', ['store']],
      ['store', ['state']],
    ]);
    expect(circleIn(arrows)).toBe('store -> state -> store');
  });

  it.each(APPS)('every row of %s allows only what one of its files imports', (app) => {
    const unused = Object.entries(LAYERS[app]!).flatMap(([part, { may }]) => {
      const files = filesOf(app).filter((file) => rowOf(app, file) === part);
      const used = new Set(files.flatMap((file) => importsIn(sourceOf(app), file)).map(partOf));
      return may.filter((name) => !used.has(name)).map((name) => `${part} -> ${name}`);
    });
    expect(unused).toEqual([]);
  });

  it.each(APPS)('every file of %s that speaks to a store is named as an implementation', (app) => {
    const isImplementation = (file: string) => new RegExp(IMPLEMENTATIONS).test(`../${file}`);
    const speaking = new RegExp(
      `from '(${PACKAGES.data}|${PACKAGES.redis}|.*/generated/)`.replaceAll('^', ''),
    );
    const files = filesOf(app).filter((file) => /^(store|limits)\//.test(file));
    const unnamed = files.filter((file) => {
      const text = readFileSync(join(ROOT, sourceOf(app), file), 'utf8');
      // A store made of implementations is one itself; gates and limiters choose among theirs.
      const composes = file.startsWith('store/') && importsIn(sourceOf(app), file).some(isImplementation);
      return (speaking.test(text) || composes) && !isImplementation(file);
    });
    expect(unnamed).toEqual([]);
  });

  it('the command over stdio alone may start things in the MCP transport', () => {
    expect(
      rows.filter(({ isEntry, part }) => isEntry && part !== 'commands').map(({ part }) => part),
    ).toEqual(['mcp/stdio.ts']);
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

    it.each(rows)('$app/$part is held to its row', ({ app, part }) => {
      const wrong = cases.filter(
        ({ row, isForbidden }, index) =>
          row.app === app && row.part === part && objections[index]!.length > 0 !== isForbidden,
      );
      expect(wrong.map(({ specifier, isForbidden }) => ({ specifier, isForbidden }))).toEqual([]);
    });
  });
});
