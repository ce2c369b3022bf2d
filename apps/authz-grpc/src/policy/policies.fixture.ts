import fc from 'fast-check';
import type { DomainPolicies, Engine, Policy, RequestContext } from './types.ts';

/*
 * Random policies of every kind for searches and plans: over few enough names that much is allowed, denied
 * and left open.
 */

const BASE = 'svc://d/';
const SUBJECTS = ['alice', 'bob', 'carol', 'ann', 'é', 'svc:robot', '\u{10000}x'];
/** `ann` and the names among other values: what a rule of any key says about the owner can hold. */
const ACTIONS = ['read', 'write', 'delete', 'ann'];
const PATHS = [
  'a',
  'a/b',
  'a/b/c',
  'a/x',
  'ab',
  'b',
  'b/alice/x',
  'b/bob/x',
  'b/bob',
  'b/ann/y/x',
  'c/é',
  'c/\u{fb00}',
  'c/😀/x',
  'c/😀',
  'alice',
  'd-12',
];
const TEAMS = ['red', 'blue'];
const STATES = ['open', 'archived'];
const MACROS = ['$current_user()', '$resource_owner()'];

const OBJECT: Readonly<Record<Engine, readonly string[]>> = {
  fixed: [
    ...PATHS.map((path) => BASE + path),
    `${BASE}b/$current_user()/x`,
    `${BASE}b/$resource_owner()/x`,
    'svc://e/a',
  ],
  prefix: [
    '',
    'svc://',
    BASE,
    `${BASE}a`,
    `${BASE}a/`,
    `${BASE}a/b`,
    `${BASE}b/$current_user()/`,
    `${BASE}c/😀`,
    'svc://e/',
    `${BASE}b/$resource_owner()`,
  ],
  regex: [
    '^svc://d/a',
    'x$',
    '^svc://d/(a|b)/',
    '^svc://d/b/$current_user()/.*$',
    '$resource_owner()',
    '^svc://d/a/b$',
    '(?i)ALICE',
    '[0-9]+$',
    '^svc://d/c/.$',
    'é',
  ],
  glob: [
    `${BASE}*`,
    `${BASE}**`,
    `${BASE}a/*`,
    `${BASE}*/x`,
    `${BASE}b/$current_user()/*`,
    `${BASE}b/$resource_owner()/*`,
    '**',
    `${BASE}c/?`,
    `${BASE}[ab]*`,
    `${BASE}[!a]`,
  ],
};
/** Whole characters: policies with half of one are refused at write. */
const start = (name: string, length: number) => Array.from(name).slice(0, length).join('');

const NAMES: Readonly<Record<Engine, (names: readonly string[]) => readonly string[]>> = {
  fixed: (names) => names,
  prefix: (names) => ['', ...names, ...names.map((name) => start(name, 1))],
  regex: (names) => [
    ...names.map((name) => `^${name}$`),
    ...names.map((name) => start(name, 2)),
    '^[a-c]',
    '.*',
  ],
  glob: (names) => ['*', ...names, ...names.map((name) => `${start(name, 1)}*`), '?*'],
};

/** Patterns around the macros, for values of every key. */
function withMacros(engine: Engine): readonly string[] {
  const around: Readonly<Record<Engine, (macro: string) => readonly string[]>> = {
    fixed: (macro) => [macro, `${macro}x`, macro + macro],
    prefix: (macro) => [macro, `x${macro}`],
    regex: (macro) => [`^${macro}$`, macro, `(?i)^${macro}|^x`, `^x${macro}`, `${macro}$`, `^${macro}.*$`],
    glob: (macro) => [macro, `*${macro}`, `${macro}?*`, `[!a]${macro}`],
  };
  return MACROS.flatMap(around[engine]);
}

function valuesOf(engine: Engine, key: string): readonly string[] {
  const names = NAMES[engine];
  switch (key) {
    case 'object':
      return OBJECT[engine];
    case 'subject':
    case 'owner':
      return [...names(SUBJECTS), ...withMacros(engine)];
    case 'action':
      return [...names(ACTIONS), ...withMacros(engine)];
    case 'resource.status':
      return [...names(STATES), ...withMacros(engine)];
    default:
      return [...names(TEAMS), ...withMacros(engine)];
  }
}

const KEYS = ['subject', 'action', 'object', 'object', 'owner', 'resource.status', 'user.team', 'group'];

const statement = (engine: Engine) =>
  fc
    .uniqueArray(fc.constantFrom(...KEYS), { minLength: 1, maxLength: 4 })
    .chain((keys) =>
      fc.tuple(...keys.map((key) => fc.tuple(fc.constant(key), fc.constantFrom(...valuesOf(engine, key))))),
    )
    .map((rules) => ({ rules: Object.fromEntries(rules) as Record<string, string> }));

const policy: fc.Arbitrary<Policy> = fc
  .tuple(fc.nat(4), fc.nat(5), fc.constantFrom<Engine>('fixed', 'prefix', 'regex', 'glob'))
  .chain(([deny, invert, engine]) =>
    fc.array(statement(engine), { minLength: 1, maxLength: 3 }).map((statements) => ({
      name: '',
      description: '',
      deny: deny === 0,
      invert: invert === 0,
      engine,
      statements,
    })),
  );

/** One to three domains whose policies decide together. */
export const policyDomains: fc.Arbitrary<DomainPolicies[]> = fc
  .array(fc.array(policy, { maxLength: 7 }), { minLength: 1, maxLength: 3 })
  .map((lists) =>
    lists.map((policies, domain) => ({
      domainId: `domain-${domain}`,
      version: 1,
      policies: policies.map((each, index) => ({ ...each, name: `policy-${index}` })),
    })),
  );

const attributes = fc
  .record(
    {
      group: fc.oneof(fc.constantFrom(...TEAMS), fc.constantFrom(TEAMS, ['red', 'bob'], ['xalice', 'ann'])),
      owner: fc.constantFrom(...SUBJECTS),
      'user.team': fc.constantFrom(...TEAMS, 'alice', 'BOB', 'xbob', 'bobx', 'annann'),
      'resource.status': fc.constantFrom(...STATES),
    },
    { requiredKeys: [] },
  )
  .map((record) => Object.entries(record) as [string, string | readonly string[]][]);

/** Lists of contexts of checks. */
export const searchContexts: fc.Arbitrary<RequestContext[]> = fc.array(
  fc
    .tuple(fc.constantFrom(...SUBJECTS), fc.constantFrom(...ACTIONS), fc.constantFrom(...PATHS), attributes)
    .map(
      ([subject, action, path, more]) =>
        new Map<string, string | readonly string[]>([
          ['subject', subject],
          ['action', action],
          ['object', BASE + path],
          ...more,
        ]),
    ),
  { minLength: 4, maxLength: 4 },
);

/** Resources of every path: with no attributes, with owners, with a status or two, with two owners. */
export const objects: readonly RequestContext[] = PATHS.flatMap((path) => {
  const object: [string, string] = ['object', BASE + path];
  return [
    new Map([object]),
    ...[...SUBJECTS.slice(0, 3), 'ann', 'a', '*'].map((owner) => new Map([object, ['owner', owner]])),
    new Map([object, ['resource.status', 'bob'], ['owner', 'bob']]),
    ...STATES.map((status) => new Map([object, ['resource.status', status], ['owner', 'bob']])),
    new Map<string, string | readonly string[]>([object, ['owner', ['alice', 'bob']]]),
    new Map<string, string | readonly string[]>([
      object,
      ['resource.status', ['ann', 'open']],
      ['owner', 'ann'],
    ]),
  ];
});
