import nx from '@nx/eslint-plugin';
import tseslint from 'typescript-eslint';
import { layerRules, OUTSIDE_THE_ENGINE } from './tools/lint/layers.mjs';

/** Tests and what they share, benchmarks included: they may reach further than the code they measure. */
const TEST_FILES = [
  '**/*.spec.ts',
  '**/*.contract.ts',
  '**/*.fixture.ts',
  '**/e2e/**/*.ts',
  '**/bench/**/*.ts',
];

/**
 * Who may import whom, on two axes of tags (docs/decisions/0001-layers-and-tags.md). A project must satisfy
 * every row that names one of its tags; a tag without a row would allow everything, so every tag in use has
 * one.
 */
const LIBRARIES = ['type:lib', 'type:http', 'type:data', 'type:engine', 'type:ui', 'type:interchange'];
const BOUNDARIES = [
  { sourceTag: 'type:app', onlyDependOnLibsWithTags: LIBRARIES },
  // Express is spoken in one library and databases in one other, so that replacing either touches one place.
  {
    sourceTag: 'type:lib',
    onlyDependOnLibsWithTags: ['type:lib'],
    bannedExternalImports: ['express', '@prisma/*', 'prisma', 'pg', 'redis', '@redis/*', '@electric-sql/*'],
  },
  {
    sourceTag: 'type:http',
    onlyDependOnLibsWithTags: ['type:lib'],
    bannedExternalImports: ['@prisma/*', 'prisma', 'pg', 'redis', '@redis/*', '@electric-sql/*'],
  },
  { sourceTag: 'type:data', onlyDependOnLibsWithTags: ['type:lib'], bannedExternalImports: ['express'] },
  // Pages draw what the engine says, in a browser and on a server alike: neither Express nor a database is at
  // hand.
  {
    sourceTag: 'type:ui',
    onlyDependOnLibsWithTags: ['type:lib', 'type:engine', 'type:ui'],
    bannedExternalImports: ['express', '@prisma/*', 'prisma', 'pg', 'redis', '@redis/*', '@electric-sql/*'],
  },
  // Files of other tools are read and written as the engine and the page see an investigation, without I/O.
  {
    sourceTag: 'type:interchange',
    onlyDependOnLibsWithTags: ['type:lib', 'type:engine', 'type:ui'],
    bannedExternalImports: ['express', '@prisma/*', 'prisma', 'pg', 'redis', '@redis/*', '@electric-sql/*'],
  },
  // The engine must run anywhere and give the same bytes everywhere; it depends on nothing that could change.
  { sourceTag: 'type:engine', onlyDependOnLibsWithTags: ['type:engine'], bannedExternalImports: ['*'] },
  { sourceTag: 'type:testing', onlyDependOnLibsWithTags: [...LIBRARIES, 'type:testing'] },
  { sourceTag: 'type:tool', onlyDependOnLibsWithTags: [...LIBRARIES, 'type:testing'] },
  { sourceTag: 'scope:investigation', onlyDependOnLibsWithTags: ['scope:investigation', 'scope:shared'] },
  { sourceTag: 'scope:authz', onlyDependOnLibsWithTags: ['scope:authz', 'scope:shared'] },
  { sourceTag: 'scope:docstore', onlyDependOnLibsWithTags: ['scope:docstore', 'scope:shared'] },
  { sourceTag: 'scope:shared', onlyDependOnLibsWithTags: ['scope:shared'] },
];

const boundaries = (depConstraints) => [
  'error',
  {
    allow: [],
    enforceBuildableLibDependency: false,
    depConstraints,
    // The launcher loads them late, once the build has generated their code; elsewhere that is there already.
    checkDynamicDependenciesExceptions: ['@platform/authz-client', '@platform/proto/.*'],
  },
];

/** For tests: the testing library is open to everybody, and packages are open to the engine's tests. */
const TEST_BOUNDARIES = BOUNDARIES.map(({ sourceTag, onlyDependOnLibsWithTags }) => ({
  sourceTag,
  onlyDependOnLibsWithTags: sourceTag.startsWith('type:')
    ? [...onlyDependOnLibsWithTags, ...LIBRARIES, 'type:testing']
    : onlyDependOnLibsWithTags,
}));

/** What the libraries of the engine may import, by a pattern of what they may not. */
function engineImports(libraries, regex, message) {
  return {
    files: libraries.map((library) => `libs/${library}/src/**/*.ts`),
    ignores: TEST_FILES,
    rules: { 'no-restricted-imports': ['error', { patterns: [{ regex, message }] }] },
  };
}

/** A test that fails on a slow machine says nothing of the code; jest.config.mjs ends what hangs. */
const TIME_LIMITS = [
  'CallExpression[callee.name=/^(it|beforeAll|beforeEach|afterAll|afterEach)$/] > Literal:last-child[raw=/^\\d/]',
  "CallExpression[callee.callee.object.name='it'] > Literal:last-child[raw=/^\\d/]",
  "CallExpression[callee.object.name='jest'][callee.property.name='setTimeout']",
].map((selector) => ({ selector, message: 'no time limits in tests' }));

/** What a browser shows changes after an action; `eventually` of @platform/testing/eventually waits for it. */
const READS =
  'inputValue|innerText|innerHTML|textContent|allInnerTexts|allTextContents|getAttribute|boundingBox|ariaSnapshot|' +
  'isVisible|isHidden|isChecked|isDisabled|isEnabled|isEditable|count|title|url|evaluate|evaluateAll';
const ONE_LOOK = [
  {
    selector: `CallExpression[callee.name='expect'] CallExpression[callee.property.name=/^(${READS})$/]`,
    message: 'a browser is read until it shows what is expected: await eventually(() => …).toBe(…)',
  },
];

/**
 * Verbs that open a sentence without its subject; an imperative that is also a noun is left to the reader.
 */
const VERBS =
  'is|are|was|has|have|may|can|must|refuses|takes|gives|names|keeps|says|counts|finds|answers|shows|lets|holds|' +
  'reads|leaves|ends|tells|does|makes|warns|removes|decides|joins|draws|prints|allows|goes|accepts|asks|starts|loses|' +
  'gets|judges|runs|begins|opens|agrees|serves|reports|looks|revokes|adds|merges|puts|deletes|stops|' +
  'sets|waits|uses|offers|weighs|covers|forgets|knows|ignores|explains|compiles|compares|cannot|replaces|follows|' +
  'stays|comes|applies|throws|sends|states|brings|returns|rejects|publishes|grants|denies|includes|undoes|erases|replays|narrows|logs|travels|leads|describes|breaks|loads|commits|derives|speaks|lifts|masks|reserves|saves|carries|outlives|installs|never|that|by|of|without|and|' +
  // The same in the plural, for describes such as `keys`; verbs that are also nouns are left to the reader.
  'survive|finish|fail|accept|belong|come|agree|gain|decide|conclude|put|still|give|know|expand|bind';

/** A title is read alone, in a report of failures. */
const TITLES = [
  'CallExpression[callee.name=/^(it|test)$/] >',
  'CallExpression[callee.callee.object.name=/^(it|test)$/] >',
]
  .flatMap((call) => [
    `${call} Literal.arguments:first-child[value=/^(${VERBS}) /]`,
    `${call} TemplateLiteral.arguments:first-child > TemplateElement:first-child[value.raw=/^(${VERBS}) /]`,
  ])
  .map((selector) => ({ selector, message: 'a test title reads alone: subject, verb, outcome' }));

/** Statements as they are written: SQL belongs to the store, behind its interface. */
const STATEMENT =
  /^\s*(SELECT\s.+\sFROM|INSERT\s+INTO|UPDATE\s.+\sSET|DELETE\s+FROM|WITH\s+\w+\s+AS\s*\(|(CREATE|DROP|ALTER|LOCK)\s+(TEMPORARY\s+)?TABLE|SELECT\s+1)\b/s;
const NO_SQL = ['Literal[value=', 'TemplateElement[value.raw='].map((node) => ({
  selector: `${node}${STATEMENT}]`,
  message: 'SQL belongs under store/, behind an interface with a contract suite',
}));

/** Where the clock and the source of ids are made; everything else of a service is given them. */
const ROOTS = ['apps/*/src/{config,deps,main}.ts', 'apps/*/src/commands/**', 'apps/*/src/mcp/stdio.ts'];
const SERVICES = ['authz-grpc', 'docstore-api', 'investigation-api'];
const NO_CLOCK = [
  "CallExpression[callee.object.name='Date'][callee.property.name='now']",
  "NewExpression[callee.name='Date'][arguments.length=0]",
  "CallExpression[callee.name='randomUUID']",
  "CallExpression[callee.property.name='randomUUID']",
].map((selector) => ({ selector, message: 'the clock and the source of ids come in as parameters' }));
const NO_RETRY_NUMBER = {
  selector: "Property[key.name='retryAfterSeconds'] > Literal.value",
  message:
    'seconds stand in RETRY_AFTER_SECONDS of @platform/error-contracts, named by what stands in the way',
};

const processEnv = "MemberExpression[object.name='process'][property.name='env']";

export default tseslint.config(
  {
    ignores: ['**/dist/**', '**/generated/**', '**/node_modules/**', '.data/**', 'proto/gen/**'],
  },
  {
    files: ['**/*.ts', '**/*.tsx'],
    linterOptions: { reportUnusedDisableDirectives: 'error' },
    languageOptions: { parser: tseslint.parser },
    plugins: { '@nx': nx },
    rules: {
      // oxlint looks after the rest, types included; this one needs the project graph.
      '@nx/enforce-module-boundaries': boundaries(BOUNDARIES),
      // Prettier wraps the code and leaves comments as they are.
      'max-len': ['error', { code: 1_000, comments: 110, ignoreUrls: true, ignorePattern: 'oxlint-disable' }],
    },
  },
  {
    files: TEST_FILES,
    rules: {
      '@nx/enforce-module-boundaries': boundaries(TEST_BOUNDARIES),
      'no-restricted-syntax': ['error', ...TIME_LIMITS, ...TITLES],
    },
  },
  {
    files: ['**/e2e/**/*.ts'],
    rules: { 'no-restricted-syntax': ['error', ...TIME_LIMITS, ...TITLES, ...ONE_LOOK] },
  },
  // The boundary rule sees npm packages; Node's own modules are banned here. The engine does no I/O.
  engineImports(
    ['argumentation', 'subjective-logic'],
    '^[^.]',
    'argumentation and subjective logic import nothing outside themselves',
  ),
  engineImports(
    ['opinion-fusion'],
    OUTSIDE_THE_ENGINE,
    'the engine imports nothing but argumentation and subjective logic',
  ),
  ...layerRules(TEST_FILES),
  {
    // A setting that is read in one place can be documented, checked and printed. Entry points hand the whole
    // environment to that place.
    files: ['apps/*/src/**/*.ts', 'libs/*/src/**/*.ts'],
    ignores: [
      ...TEST_FILES,
      '**/config.ts',
      'apps/*/src/{main,platform}.ts',
      'apps/*/src/mcp/stdio.ts',
      'libs/testing/**',
    ],
    rules: {
      'no-restricted-syntax': ['error', { selector: processEnv, message: 'settings are read in config.ts' }],
    },
  },
  {
    files: ['apps/*/src/**/*.ts'],
    ignores: [
      ...TEST_FILES,
      '**/config.ts',
      'apps/*/src/store/**',
      'apps/*/src/{main,platform}.ts',
      'apps/*/src/mcp/stdio.ts',
    ],
    rules: {
      'no-restricted-syntax': [
        'error',
        { selector: processEnv, message: 'settings are read in config.ts' },
        ...NO_SQL,
      ],
    },
  },
  ...[
    { folders: '', ignores: ['apps/*/src/store/**'], more: NO_SQL },
    { folders: 'store/', ignores: [], more: [] },
  ].map(({ folders, ignores, more }) => ({
    files: SERVICES.map((service) => `apps/${service}/src/${folders}**/*.ts`),
    ignores: [...TEST_FILES, ...ROOTS, ...ignores],
    rules: {
      'no-restricted-syntax': [
        'error',
        { selector: processEnv, message: 'settings are read in config.ts' },
        ...more,
        ...NO_CLOCK,
        NO_RETRY_NUMBER,
      ],
    },
  })),
  {
    files: ['apps/*/src/{main,platform}.ts', 'apps/*/src/mcp/stdio.ts'],
    rules: {
      'no-restricted-syntax': [
        'error',
        {
          selector: `MemberExpression[object.type='MemberExpression'] > ${processEnv}`,
          message: 'settings are read in config.ts',
        },
      ],
    },
  },
);
