/**
 * Which folder of an app may import which, one row per folder. ESLint enforces the rows, and `layers.spec.ts` fails when a
 * folder has no row, when a row has no folder, and when a row does not bite on a file that exists.
 *
 * `may`: folders beside it. `packages`: families of packages it may speak, of those in PACKAGES; all others are open.
 * `entry`: it starts things, so it may import the composition root. `why` is what ESLint says.
 */
const TRANSPORT = 'a transport translates: it calls operations and never a store implementation';
const OPERATION = 'an operation decides: it knows neither transports nor how stores are made';
const STORE = 'a store persists: it knows neither operations nor transports';
const PURE = 'rules are pure and import neither transports, operations nor stores';
const COMMAND = 'a command starts what it needs through the composition root';

export const LAYERS = {
  'authz-grpc': {
    commands: { may: ['audit', 'identity', 'store'], packages: ['kit', 'data'], entry: true, why: COMMAND },
    grpc: {
      may: ['operations', 'admission', 'identity', 'policy', 'state', 'store'],
      packages: ['grpc', 'kit'],
      why: TRANSPORT,
    },
    http: {
      may: ['operations', 'admission', 'identity', 'policy'],
      packages: ['express', 'kit'],
      why: TRANSPORT,
    },
    operations: {
      may: ['admission', 'audit', 'gate', 'identity', 'policy', 'state', 'store'],
      packages: [],
      why: OPERATION,
    },
    identity: {
      may: ['admission', 'gate', 'state', 'store'],
      packages: ['kit', 'data'],
      why: 'credentials and keys are decided without transports and operations',
    },
    admission: {
      may: ['gate', 'policy', 'state', 'store'],
      packages: [],
      why: 'what every call passes knows neither transports nor single operations',
    },
    state: {
      may: ['gate', 'policy', 'store'],
      packages: [],
      why: 'the cache knows what it caches and where it is stored, nothing above',
    },
    audit: {
      may: [],
      packages: ['data'],
      why: 'the audit knows rows and their chain, and nothing of policies',
    },
    gate: {
      may: ['store'],
      packages: ['kit', 'redis'],
      why: 'limits know nothing of policies and operations',
    },
    store: { may: ['gate', 'policy', 'state'], packages: ['data'], stores: true, why: STORE },
    worker: { may: ['policy'], packages: [], why: 'a worker thread runs pure code' },
    policy: { may: [], packages: [], why: PURE },
  },
  'docstore-api': {
    commands: { may: ['operations', 'rules'], packages: ['kit', 'data'], entry: true, why: COMMAND },
    http: {
      may: ['operations', 'auth', 'limits', 'rules', 'store', 'wire'],
      packages: ['express', 'kit'],
      why: TRANSPORT,
    },
    operations: { may: ['auth', 'rules', 'search', 'store', 'wire'], packages: [], why: OPERATION },
    auth: {
      may: ['rules', 'store'],
      packages: [],
      why: 'who calls is decided without transports and operations',
    },
    wire: { may: ['rules', 'store'], packages: [], why: 'schemas of the contract name values, not work' },
    store: { may: ['rules', 'search'], packages: ['data'], stores: true, why: STORE },
    limits: { may: [], packages: ['kit', 'redis'], why: 'limits know nothing of documents' },
    search: { may: ['limits', 'rules'], packages: [], why: 'searching and merging are pure work on texts' },
    rules: { may: [], packages: [], why: PURE },
  },
  'investigation-api': {
    http: {
      may: ['operations', 'access', 'page', 'wire'],
      packages: ['express', 'kit'],
      why: TRANSPORT,
    },
    mcp: {
      may: ['operations', 'access', 'engine', 'http', 'wire'],
      packages: ['express', 'mcp', 'kit'],
      entry: true,
      why: TRANSPORT,
    },
    operations: { may: ['access', 'engine', 'store', 'wire'], packages: [], why: OPERATION },
    page: {
      may: ['engine', 'operations'],
      packages: [],
      why: 'pages are drawn from what an operation reads, without a request',
    },
    access: {
      may: ['store'],
      packages: [],
      why: 'who may do what is decided without transports and operations',
    },
    engine: { may: ['store', 'wire'], packages: [], why: 'the workers know values, not requests' },
    wire: { may: ['store'], packages: [], why: 'schemas of the contract name values, not work' },
    store: { may: [], packages: ['data'], stores: true, why: STORE },
  },
};

/** Families of packages that only some folders speak. */
export const PACKAGES = {
  express: '^(express|helmet|compression)$',
  grpc: '^@grpc/',
  mcp: '^@modelcontextprotocol/',
  kit: '^@platform/service-kit',
  data: '^(@prisma/|pg$|@electric-sql/|@platform/database)',
  redis: '^(redis$|@redis/)',
};

/** Files beside the folders that start the service: nothing below them imports them. */
const ENTRY_FILES = 'main|service|server|deps';
const IMPLEMENTATIONS = '^\\.\\.?/(.*/)?(store/(prisma|sql|memory|redis)-|generated/)';

/** One ESLint block per row; `ignores` are the files that may reach further. */
export function layerRules(ignores) {
  return Object.entries(LAYERS).flatMap(([app, folders]) =>
    Object.entries(folders).map(([folder, { may, packages, entry, stores, why }]) => {
      const known = Object.keys(folders).filter((name) => name !== folder);
      const closed = known.filter((name) => !may.includes(name));
      const forbidden = [
        ...(closed.length === 0 ? [] : [`^(\\.\\./)+(${closed.join('|')})/`]),
        ...(entry ? [] : [`^(\\.\\./)+(${ENTRY_FILES})\\.ts$`]),
        ...(stores || entry ? [] : [IMPLEMENTATIONS]),
        ...Object.entries(PACKAGES)
          .filter(([family]) => !packages.includes(family))
          .map(([, regex]) => regex),
      ];
      return {
        files: [`apps/${app}/src/${folder}/**/*.ts`],
        ignores,
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
