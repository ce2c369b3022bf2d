/**
 * Which part of an app, of the engine or of the viewer may import which: one row per folder of `src`, and one per file
 * beside the folders.
 * ESLint enforces the rows. `layers.spec.ts` fails when a part has no row or a row no part, when a row allows
 * what nothing uses, when the rows form a circle, types included, and when a row does not bite on a file that
 * exists.
 *
 * `may`: folders and files beside it. `packages`: families of packages it may speak, of those in PACKAGES;
 * all others are open. `entry`: it starts things, so it may import the composition root. `why` is what ESLint
 * says. A row for a file or a folder in a folder (`mcp/stdio.ts`) stands in place of the outer folder's.
 * `browser`: it runs in a page and imports nothing but its own files and PAGE_PACKAGES.
 */
const TRANSPORT = 'a transport translates: it calls operations and never a store implementation';
const OPERATION = 'an operation decides: it knows neither transports nor how stores are made';
const STORE = 'a store persists: it knows neither operations nor transports';
const PURE = 'rules are pure and import neither transports, operations nor stores';
const COMMAND = 'a command starts what it needs through the composition root';

const DATA = 'the model is types and pure functions of them, which every folder may import';
const HELPER = 'a helper beside the folders knows no layer above those it serves';
const SETTINGS = 'settings are read before anything else is there';
const PORTS = 'ports state what operations are given, and import types alone';

/** What the engine may not import. */
export const OUTSIDE_THE_ENGINE = '^(?!\\.|@platform/(argumentation|subjective-logic)$)';
const STAGE = 'a stage of the engine knows the stages before it alone';
/** What the viewer may not import. */
const OUTSIDE_THE_VIEWER = '^@platform/(?!opinion-fusion$)';
const PART = 'a part knows neither the pages it stands on nor what runs in the browser';

export const LAYERS = {
  'authz-grpc': {
    commands: {
      may: ['audit', 'identity', 'store', 'config.ts', 'ids.ts'],
      packages: ['kit', 'data'],
      entry: true,
      why: COMMAND,
    },
    grpc: {
      may: [
        'operations',
        'authorization',
        'audit',
        'identity',
        'model',
        'policy',
        'store',
        'client-address.ts',
        'config.ts',
        'ids.ts',
        'ports.ts',
        'time-slices.ts',
      ],
      packages: ['grpc', 'kit'],
      why: TRANSPORT,
    },
    http: {
      may: [
        'operations',
        'authorization',
        'audit',
        'identity',
        'policy',
        'client-address.ts',
        'config.ts',
        'pages.ts',
        'ports.ts',
        'time-slices.ts',
      ],
      packages: ['express', 'kit'],
      why: TRANSPORT,
    },
    operations: {
      may: [
        'authorization',
        'audit',
        'identity',
        'model',
        'policy',
        'search',
        'store',
        'default-quotas.ts',
        'fields.ts',
        'ids.ts',
        'not-found.ts',
        'pages.ts',
        'ports.ts',
        'time-slices.ts',
      ],
      packages: [],
      why: OPERATION,
    },
    search: {
      may: ['model', 'policy', 'store', 'ids.ts', 'pages.ts', 'time-slices.ts'],
      packages: [],
      why: 'a search walks over what stores hold, and knows neither callers nor what they pay',
    },
    identity: {
      may: [
        'authorization',
        'limits',
        'model',
        'state',
        'store',
        'config.ts',
        'default-quotas.ts',
        'text.ts',
      ],
      packages: ['kit', 'data'],
      why: 'credentials and keys are decided without transports and operations',
    },
    authorization: {
      may: ['limits', 'model', 'policy', 'state', 'store'],
      packages: [],
      why: 'what every call passes knows neither transports nor single operations',
    },
    state: {
      may: ['limits', 'model', 'policy', 'store', 'time-slices.ts'],
      packages: [],
      why: 'the cache knows what it caches and where it is stored, nothing above',
    },
    audit: {
      may: ['authorization', 'model', 'policy', 'store', 'ids.ts', 'time-slices.ts'],
      packages: [],
      why: 'the audit knows rows, their chain and who calls, and no transport and no operation',
    },
    limits: {
      may: ['model', 'store'],
      packages: ['kit', 'redis'],
      why: 'limits know nothing of policies and operations',
    },
    store: {
      may: ['model', 'policy', 'pages.ts', 'text.ts', 'time-slices.ts'],
      packages: ['data'],
      stores: true,
      why: STORE,
    },
    worker: { may: ['audit', 'model', 'policy'], packages: [], why: 'a worker thread runs pure code' },
    policy: { may: ['text.ts'], packages: [], why: PURE },
    model: { may: [], packages: [], why: DATA },
    'ports.ts': {
      may: ['authorization', 'audit', 'limits', 'identity', 'state', 'store', 'worker', 'config.ts'],
      packages: ['kit'],
      why: PORTS,
    },
    'metrics.ts': { may: ['audit', 'model', 'state'], packages: [], why: HELPER },
    'default-quotas.ts': { may: ['model', 'store', 'config.ts'], packages: [], why: HELPER },
    'config.ts': { may: ['client-address.ts'], packages: ['kit', 'data'], why: SETTINGS },
    'client-address.ts': { may: [], packages: [], why: HELPER },
    'fields.ts': { may: ['text.ts'], packages: [], why: HELPER },
    'ids.ts': { may: [], packages: [], why: HELPER },
    'not-found.ts': { may: [], packages: [], why: HELPER },
    'pages.ts': { may: ['ids.ts', 'text.ts'], packages: [], why: HELPER },
    'time-slices.ts': { may: [], packages: [], why: HELPER },
    'text.ts': { may: [], packages: [], why: HELPER },
  },
  'docstore-api': {
    commands: {
      may: ['operations', 'rules', 'config.ts'],
      packages: ['kit', 'data'],
      entry: true,
      why: COMMAND,
    },
    http: {
      may: ['operations', 'auth', 'limits', 'rules', 'store', 'wire', 'config.ts', 'ports.ts'],
      packages: ['express', 'kit'],
      why: TRANSPORT,
    },
    operations: {
      may: ['auth', 'rules', 'search', 'store', 'wire', 'ports.ts'],
      packages: [],
      why: OPERATION,
    },
    auth: {
      may: ['rules', 'store'],
      packages: [],
      why: 'who calls is decided without transports and operations',
    },
    wire: { may: ['rules', 'store'], packages: [], why: 'schemas of the contract name values, not work' },
    store: { may: ['rules', 'search'], packages: ['data'], stores: true, why: STORE },
    limits: { may: [], packages: ['kit', 'redis'], why: 'limits know nothing of documents' },
    search: { may: ['rules'], packages: [], why: 'searching and merging are pure work on texts' },
    rules: { may: [], packages: [], why: PURE },
    'ports.ts': { may: ['limits', 'search', 'store'], packages: [], why: PORTS },
    'metrics.ts': { may: ['http', 'limits', 'search'], packages: [], why: HELPER },
    'config.ts': { may: [], packages: ['kit', 'data'], why: SETTINGS },
  },
  'investigation-api': {
    http: {
      may: ['operations', 'access', 'page', 'wire', 'config.ts', 'ports.ts', 'session-api.ts'],
      packages: ['express', 'kit'],
      why: TRANSPORT,
    },
    mcp: {
      may: ['operations', 'access', 'engine', 'http', 'model', 'wire', 'ports.ts', 'session-api.ts'],
      packages: ['express', 'mcp', 'kit'],
      why: TRANSPORT,
    },
    'mcp/stdio.ts': {
      may: ['access', 'engine', 'http', 'interchange', 'quotes', 'config.ts'],
      packages: ['mcp', 'kit'],
      entry: true,
      why: COMMAND,
    },
    operations: {
      may: ['access', 'engine', 'model', 'quotes', 'store', 'wire', 'ports.ts'],
      packages: [],
      why: OPERATION,
    },
    quotes: {
      may: ['model', 'wire'],
      packages: [],
      why: 'documents are read and quotes looked up without requests, operations and stores',
    },
    interchange: {
      may: ['model', 'wire'],
      packages: [],
      why: 'files are read and written in threads, without requests, operations and stores',
    },
    watch: {
      may: ['engine', 'model', 'store', 'ports.ts'],
      packages: [],
      why: 'rules run and events are delivered without requests and operations',
    },
    jobs: {
      may: ['engine', 'model', 'quotes', 'store', 'wire'],
      packages: ['kit', 'redis'],
      why: 'jobs run and are handed out without requests and operations',
    },
    page: {
      may: ['model', 'operations'],
      packages: [],
      why: 'pages are drawn from what an operation reads, without a request',
    },
    access: {
      may: ['model', 'store'],
      packages: [],
      why: 'who may do what is decided without transports and operations',
    },
    engine: { may: ['model', 'wire'], packages: [], why: 'the workers know values, not requests' },
    wire: { may: ['model', 'store'], packages: [], why: 'schemas of the contract name values, not work' },
    store: { may: ['model'], packages: ['data'], stores: true, why: STORE },
    model: { may: [], packages: [], why: DATA },
    'session-api.ts': {
      may: ['operations', 'wire', 'ports.ts'],
      packages: [],
      why: 'the table of operations names them and what they take',
    },
    'ports.ts': {
      may: ['access', 'engine', 'interchange', 'quotes', 'store', 'wire'],
      packages: [],
      why: PORTS,
    },
    'config.ts': { may: ['watch'], packages: ['kit', 'data'], why: SETTINGS },
  },
  'authz-cli': {
    commands: {
      may: [
        'console',
        'guard',
        'arguments.ts',
        'audit-subject.ts',
        'connection.ts',
        'contexts.ts',
        'exit-codes.ts',
        'filter-words.ts',
        'loopback.ts',
        'names.ts',
        'output.ts',
        'pages.ts',
        'passwords.ts',
        'policy-changes.ts',
        'policy-diff.ts',
        'policy-file.ts',
        'policy-findings.ts',
        'rest.ts',
        'set-write.ts',
        'shell.ts',
        'verdict.ts',
      ],
      packages: [],
      why: 'a command does not know the program that it is part of',
    },
    console: {
      may: [
        'arguments.ts',
        'audit-subject.ts',
        'exit-codes.ts',
        'leaving-policies.ts',
        'loopback.ts',
        'names.ts',
        'output.ts',
        'pages.ts',
        'policy-changes.ts',
        'policy-diff.ts',
        'policy-file.ts',
        'policy-findings.ts',
        'shell.ts',
        'verdict.ts',
      ],
      packages: [],
      why: 'the console serves its page with a session, and knows no command and nothing of the guard',
    },
    'console/browser': {
      may: [],
      packages: [],
      browser: true,
      why: 'the page runs in a browser: it asks the console by requests, and nothing of Node is at hand',
    },
    guard: {
      may: ['loopback.ts'],
      packages: [],
      why: 'the guard is given whom to ask, and knows no command, no session and nothing of the console',
    },
    'names.ts': { may: ['exit-codes.ts', 'output.ts', 'pages.ts', 'shell.ts'], packages: [], why: HELPER },
    'audit-subject.ts': {
      may: ['exit-codes.ts', 'names.ts', 'output.ts', 'shell.ts'],
      packages: [],
      why: HELPER,
    },
    'passwords.ts': { may: ['exit-codes.ts', 'shell.ts'], packages: [], why: HELPER },
    'questions.ts': { may: ['exit-codes.ts'], packages: [], why: HELPER },
    'shell.ts': {
      may: ['connection.ts', 'contexts.ts', 'exit-codes.ts', 'output.ts'],
      packages: [],
      why: 'the shell is what every command works with, and knows none of them',
    },
    'connection.ts': { may: ['contexts.ts', 'exit-codes.ts'], packages: [], why: SETTINGS },
    'contexts.ts': { may: ['exit-codes.ts'], packages: [], why: SETTINGS },
    'policy-changes.ts': {
      may: ['names.ts', 'output.ts', 'policy-file.ts', 'shell.ts'],
      packages: [],
      why: HELPER,
    },
    'leaving-policies.ts': {
      may: ['exit-codes.ts', 'output.ts', 'policy-diff.ts', 'shell.ts'],
      packages: [],
      why: HELPER,
    },
    'filter-words.ts': { may: ['output.ts'], packages: [], why: HELPER },
    'rest.ts': { may: ['exit-codes.ts', 'output.ts'], packages: [], why: HELPER },
    'set-write.ts': {
      may: [
        'arguments.ts',
        'exit-codes.ts',
        'leaving-policies.ts',
        'names.ts',
        'policy-diff.ts',
        'policy-findings.ts',
        'shell.ts',
      ],
      packages: [],
      why: HELPER,
    },
    'policy-diff.ts': { may: ['output.ts', 'policy-file.ts'], packages: [], why: HELPER },
    'policy-file.ts': { may: ['exit-codes.ts', 'output.ts'], packages: [], why: HELPER },
    'policy-findings.ts': {
      may: ['exit-codes.ts', 'names.ts', 'output.ts', 'policy-file.ts', 'shell.ts'],
      packages: [],
      why: HELPER,
    },
    'arguments.ts': { may: ['exit-codes.ts'], packages: [], why: HELPER },
    'loopback.ts': { may: ['exit-codes.ts'], packages: [], why: HELPER },
    'verdict.ts': { may: ['output.ts'], packages: [], why: HELPER },
    'completion.ts': { may: [], packages: [], why: HELPER },
    'exit-codes.ts': { may: [], packages: [], why: HELPER },
    'output.ts': { may: ['exit-codes.ts'], packages: [], why: HELPER },
    'pages.ts': { may: [], packages: [], why: HELPER },
  },
  'opinion-fusion': {
    explain: {
      may: ['analyze.ts', 'contract', 'dependence', 'model', 'report', 'verdict', 'weighing'],
      packages: [],
      why: STAGE,
    },
    outcomes: { may: ['analyze.ts', 'compare', 'contract', 'model', 'report'], packages: [], why: STAGE },
    compare: { may: ['analyze.ts', 'contract', 'model', 'report'], packages: [], why: STAGE },
    'analyze.ts': {
      may: ['again', 'contract', 'interpretations', 'model', 'report', 'verdict', 'weighing'],
      packages: [],
      why: STAGE,
    },
    again: {
      may: ['contract', 'dependence', 'interpretations', 'model', 'verdict', 'weighing'],
      packages: [],
      why: STAGE,
    },
    report: {
      may: ['contract', 'interpretations', 'model', 'verdict', 'weighing'],
      packages: [],
      why: STAGE,
    },
    interpretations: {
      may: ['contract', 'dependence', 'model', 'verdict', 'weighing'],
      packages: [],
      why: STAGE,
    },
    verdict: { may: ['contract', 'dependence', 'model', 'weighing'], packages: [], why: STAGE },
    weighing: { may: ['contract', 'dependence', 'model'], packages: [], why: STAGE },
    dependence: { may: ['contract', 'model'], packages: [], why: STAGE },
    model: { may: ['contract'], packages: [], why: STAGE },
    contract: { may: [], packages: [], why: STAGE },
  },
  viewer: {
    browser: {
      may: ['components', 'format', 'page', 'panes', 'model.ts', 'snapshot.ts'],
      packages: [],
      why: "what runs in the reader's browser wakes up the parts of a page, and no part knows it",
    },
    report: {
      may: ['components', 'format', 'page', 'panes', 'model.ts', 'snapshot.ts'],
      packages: [],
      why: 'the report prints what the panes show, and no page knows it',
    },
    page: {
      may: ['card', 'changes', 'components', 'format', 'panes', 'quotes', 'model.ts', 'snapshot.ts'],
      packages: [],
      why: 'a page is put together from the parts, and no part knows the page it stands on',
    },
    card: { may: ['format', 'panes', 'model.ts', 'snapshot.ts'], packages: [], why: PART },
    panes: { may: ['components', 'format', 'quotes', 'model.ts', 'snapshot.ts'], packages: [], why: PART },
    changes: { may: ['components', 'format', 'snapshot.ts'], packages: [], why: PART },
    components: { may: ['format', 'quotes', 'model.ts', 'snapshot.ts'], packages: [], why: PART },
    'model.ts': { may: ['quotes', 'snapshot.ts'], packages: [], why: 'the model is read from a snapshot' },
    quotes: { may: ['format', 'snapshot.ts'], packages: [], why: PART },
    format: {
      may: ['snapshot.ts'],
      packages: [],
      why: 'numbers, times and words are written without markup',
    },
    'snapshot.ts': { may: [], packages: [], why: DATA },
  },
};

/** What all rows of a library are held to, besides their own. */
const OF_A_LIBRARY = { 'opinion-fusion': OUTSIDE_THE_ENGINE, viewer: OUTSIDE_THE_VIEWER };

/** The folder of the sources of an app, or of a library that has rows. */
export const sourceOf = (project) => `${project in OF_A_LIBRARY ? 'libs' : 'apps'}/${project}/src`;

/** Families of packages that only some folders speak. */
export const PACKAGES = {
  express: '^(express|helmet|compression)$',
  grpc: '^@grpc/',
  mcp: '^@modelcontextprotocol/',
  kit: '^@platform/service-kit',
  data: '^(@duckdb/|@prisma/|pg$|@electric-sql/|@platform/database)',
  redis: '^(redis$|@redis/)',
};

/** Packages that a page in a browser is made of. */
const PAGE_PACKAGES = 'preact(/|$)';

/**
 * Files beside the folders that start and stop the service, make up the command line, or are the face of a
 * library: they import anything, and nothing below them imports them.
 */
export const ENTRY_FILES = [
  'main.ts',
  'service.ts',
  'server.ts',
  'deps.ts',
  'maintenance.ts',
  'platform.ts',
  'program.ts',
  'index.ts',
  'browser.ts',
];
/**
 * Implementations of what operations know as interfaces; only the folder they lie in and entry files import
 * them.
 */
export const IMPLEMENTATIONS =
  '^\\.\\.?/(.*/)?((store|limits)/(prisma|sql|parquet|memory|redis)[-.]|generated/)';

const anyOf = (names) => names.map((name) => name.replaceAll('.', '\\.')).join('|');

/** One ESLint block per row; `ignores` are the files that may reach further. */
export function layerRules(ignores) {
  return Object.entries(LAYERS).flatMap(([app, rows]) =>
    Object.entries(rows).map(([part, { may, packages, entry, stores, browser, why }]) => {
      const isFile = part.endsWith('.ts');
      const closed = Object.keys(rows).filter((name) => name !== part && !may.includes(name));
      const folders = closed.filter((name) => !name.endsWith('.ts'));
      const files = [...closed.filter((name) => name.endsWith('.ts')), ...(entry ? [] : ENTRY_FILES)];
      // What lies beside a file of `src` is `./`, beside a folder or a file in one `../`.
      const outside = isFile && !part.includes('/') ? '\\./' : '(\\.\\./)+';
      const own = part.split('/')[0];
      const forbidden = [
        `^${outside}(${anyOf(folders.filter((name) => name !== own))})/`,
        `^${outside}(${anyOf(files)})$`,
        ...(stores || entry ? [] : [IMPLEMENTATIONS]),
        ...Object.entries(PACKAGES)
          .filter(([family]) => !packages.includes(family))
          .map(([, regex]) => regex),
        ...(browser ? [`^(?!\\./|${PAGE_PACKAGES})`] : []),
        ...(app in OF_A_LIBRARY ? [OF_A_LIBRARY[app]] : []),
      ];
      const exceptions = Object.keys(rows).filter((name) => name.startsWith(`${part}/`));
      const filesOf = (name) => `${sourceOf(app)}/${name.endsWith('.ts') ? name : `${name}/**/*.{ts,tsx}`}`;
      return {
        files: [filesOf(part)],
        ignores: [...ignores, ...exceptions.map(filesOf)],
        rules: {
          'no-restricted-imports': [
            'error',
            { patterns: forbidden.map((regex) => ({ regex, message: why })) },
          ],
        },
      };
    }),
  );
}
