import { spawnSync } from 'node:child_process';
import { readdirSync } from 'node:fs';
import { beforeAll, describe, expect, it } from '@jest/globals';
import { covers } from '@platform/testing/covers';
import { LAYERS, sourceOf } from './layers.mjs';

const BOUNDARY = '@nx/enforce-module-boundaries';
const IMPORTS = 'no-restricted-imports';
const SYNTAX = 'no-restricted-syntax';

/** What stands in a file, and the rule that objects to it; null when it must stay allowed. */
type Case = readonly [story: string, file: string, text: string, rule: string | null];

const using = (specifier: string) => `import { x } from '${specifier}'; export const y = x;`;
const limited = (statement: string) => `import { it, jest } from '@jest/globals'; ${statement};`;
const titled = (call: string) => `import { it } from '@jest/globals'; ${call}, () => {});`;
const looking = (statement: string) =>
  `declare const page: any, eventually: any, expect: any; export const test = async () => { ${statement}; };`;
const SELECT = "export const x = 'SELECT tenant_id FROM audit_chains ORDER BY tenant_id';";
const CREATE = 'export const x = (day: string) => `CREATE TABLE "${day}" PARTITION OF audit_events`;';
const CLOCK = 'export const x = Date.now();';
const RETRY = 'export const x = { retryAfterSeconds: 1 };';
const SETTING = `export const x = process.env['PORT'];`;

const BROWSER_SUITE = 'libs/viewer/e2e/share-page.e2e.spec.ts';
const VERDICT = 'libs/opinion-fusion/src/verdict/verdict.ts';

/** Every row of ARCHITECTURE.md's table, broken once, and what must stay allowed. */
const PROJECTS: readonly Case[] = [
  ['the engine may not import a package', VERDICT, using('zod'), BOUNDARY],
  ['the engine may not import a node module', VERDICT, using('node:fs'), IMPORTS],
  ['the engine may import subjective logic', VERDICT, using('@platform/subjective-logic'), null],
  [
    'argumentation may not import subjective logic',
    'libs/argumentation/src/grounded.ts',
    using('@platform/subjective-logic'),
    IMPORTS,
  ],
  [
    'subjective logic may not import a package',
    'libs/subjective-logic/src/opinion.ts',
    using('zod'),
    BOUNDARY,
  ],
  [
    'a test of the engine may import a package',
    'libs/opinion-fusion/src/verdict/verdict.spec.ts',
    using('fast-check'),
    null,
  ],
  ['a library may not import Express', 'libs/jwt/src/keys.ts', using('express'), BOUNDARY],
  [
    'a library may not import the engine',
    'libs/jwt/src/keys.ts',
    using('@platform/opinion-fusion'),
    BOUNDARY,
  ],
  ['service-kit may import Express', 'libs/service-kit/src/errors.ts', using('express'), null],
  ['service-kit may not import a database', 'libs/service-kit/src/errors.ts', using('pg'), BOUNDARY],
  ['the database library may not import Express', 'libs/database/src/sql.ts', using('express'), BOUNDARY],
  ['the database library may import a driver', 'libs/database/src/sql.ts', using('pg'), null],
  ['the viewer may not import Express', 'libs/viewer/src/snapshot.ts', using('express'), BOUNDARY],
  ['the workbench may not import a database', 'libs/workbench/src/api/api.ts', using('pg'), BOUNDARY],
  ['interchange may not import a database', 'libs/interchange/src/files.ts', using('pg'), BOUNDARY],
  [
    'a tool may not import an app',
    'tools/start/services.ts',
    using('../../apps/authz-grpc/src/config.ts'),
    BOUNDARY,
  ],
  ['a library reads a setting in config.ts alone', 'libs/jwt/src/keys.ts', SETTING, SYNTAX],
  [
    'the command over stdio reads no setting by name',
    'apps/investigation-api/src/mcp/stdio.ts',
    SETTING,
    SYNTAX,
  ],
  [
    'a test may not set a time limit for its file',
    'libs/jwt/src/keys.spec.ts',
    limited('jest.setTimeout(1)'),
    SYNTAX,
  ],
  [
    'a test may not have a time limit',
    'libs/jwt/src/keys.spec.ts',
    limited("it('a key is read', () => {}, 1_000)"),
    SYNTAX,
  ],
  [
    'a test over cases may not have a time limit',
    BROWSER_SUITE,
    limited("it.each([1])('a key is read', () => {}, 1_000)"),
    SYNTAX,
  ],
  [
    'an end-to-end test may not look at a browser once',
    BROWSER_SUITE,
    looking("expect(await page.getByLabel('Filter').inputValue()).toBe('x')"),
    SYNTAX,
  ],
  [
    'an end-to-end test may not look at the address of a page once',
    BROWSER_SUITE,
    looking("expect(new URL(page.url()).hash).toBe('#x')"),
    SYNTAX,
  ],
  [
    'an end-to-end test may look at a browser until it shows what is expected',
    BROWSER_SUITE,
    looking("await eventually(() => page.getByLabel('Filter').inputValue()).toBe('x')"),
    null,
  ],
];

/** Files of an app by what they are for; the command line has names of its own for them. */
const filesOf = (app: string) =>
  app === 'authz-cli'
    ? { entry: 'platform.ts', inner: 'program.ts', settings: 'contexts.ts', tests: 'program.spec.ts' }
    : { entry: 'main.ts', inner: 'service.ts', settings: 'config.ts', tests: 'config.spec.ts' };

/** What holds in every app, on files that each has. */
const OF_AN_APP = (
  app: string,
  other: string,
  { entry, inner, settings, tests } = filesOf(app),
): readonly Case[] => [
  [
    `${app} may not import ${other}`,
    `apps/${app}/src/${entry}`,
    using(`../../${other}/src/${filesOf(other).settings}`),
    BOUNDARY,
  ],
  [
    `a library may not import ${app}`,
    'libs/jwt/src/keys.ts',
    using(`../../../apps/${app}/src/${settings}`),
    BOUNDARY,
  ],
  [
    `production code of ${app} may not import the testing library`,
    `apps/${app}/src/${entry}`,
    using('@platform/testing'),
    BOUNDARY,
  ],
  [
    `a test of ${app} may import the testing library`,
    `apps/${app}/src/${tests}`,
    using('@platform/testing'),
    null,
  ],
  [
    `a file beside the settings of ${app} reads no setting by name`,
    `apps/${app}/src/${inner}`,
    SETTING,
    SYNTAX,
  ],
  [`the entry point of ${app} reads no setting by name`, `apps/${app}/src/${entry}`, SETTING, SYNTAX],
  [
    `the entry point of ${app} may hand the environment over`,
    `apps/${app}/src/${entry}`,
    `import { load } from './${settings}'; await load(process.env);`,
    null,
  ],
  [`SQL may not stand outside the store of ${app}`, `apps/${app}/src/${inner}`, SELECT, SYNTAX],
  [`SQL in a template may not stand outside the store of ${app}`, `apps/${app}/src/${inner}`, CREATE, SYNTAX],
  [
    `a test title of ${app} may not begin with its verb`,
    `apps/${app}/src/${tests}`,
    titled(`it('is refused, too'`),
    SYNTAX,
  ],
  [
    `a test title of ${app} may not begin with its verb in the plural`,
    `apps/${app}/src/${tests}`,
    titled(`it('survive a restart'`),
    SYNTAX,
  ],
  [
    `the title of a test over cases of ${app} may not begin with its verb`,
    `apps/${app}/src/${tests}`,
    titled('it.each([1])(`is refused for %s ${1}`'),
    SYNTAX,
  ],
  [
    `a test title of ${app} may name a subject, a verb and an outcome`,
    `apps/${app}/src/${tests}`,
    titled(`it('a private key is refused'`),
    null,
  ],
  [
    `a comment of ${app} may not be wider than the code`,
    `apps/${app}/src/${settings}`,
    `// ${'word '.repeat(30)}\nexport const x = 1;`,
    'max-len',
  ],
];

/** What holds in an app with a store, on files that each has. */
const OF_A_SERVICE = (app: string): readonly Case[] => {
  const src = `apps/${app}/src`;
  const store = `${src}/store/${readdirSync(`${src}/store`).find((name) => name.endsWith('-store.ts'))}`;
  return [
    [`the store of ${app} may hold SQL`, store, SELECT, null],
    [`deps.ts of ${app} may make the clock`, `${src}/deps.ts`, CLOCK, null],
    ...[CLOCK, 'export const x = new Date();', 'export const x = crypto.randomUUID();', RETRY].flatMap(
      (code): Case[] => [
        [`the store of ${app} may not have: ${code}`, store, code, SYNTAX],
        [`a file beside deps.ts of ${app} may not have: ${code}`, `${src}/service.ts`, code, SYNTAX],
      ],
    ),
  ];
};

const APPS = Object.keys(LAYERS).filter((name) => sourceOf(name).startsWith('apps/'));
const CASES = [
  ...PROJECTS,
  ...APPS.flatMap((app, index) => OF_AN_APP(app, APPS[(index + 1) % APPS.length]!)),
  ...APPS.filter((app) => 'store' in LAYERS[app]!).flatMap(OF_A_SERVICE),
];

function run(args: string[], input: string): string {
  const child = spawnSync(process.execPath, args, { input, encoding: 'utf8', maxBuffer: 2 ** 24 });
  if (child.status !== 0) throw new Error(child.stderr);
  return child.stdout;
}

describe('import rules', () => {
  covers('RM-0.1');
  let objections: (string | null)[][];
  beforeAll(() => {
    // The boundary rule reads the graph that nx wrote last, and allows everything when there is none.
    run(['node_modules/nx/dist/bin/nx.js', 'graph', '--file=.nx/graph.json'], '');
    const cases = CASES.map(([, file, text]) => ({ file, text }));
    objections = JSON.parse(run(['--import', 'tsx', 'tools/lint/lint-texts.ts'], JSON.stringify(cases)));
  });

  it.each(CASES.map(([story, , , rule], index) => ({ story, rule, index })))('$story', ({ rule, index }) => {
    if (rule === null) expect(objections[index]).toEqual([]);
    else expect(objections[index]).toContain(rule);
  });
});
