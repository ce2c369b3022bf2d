import { describe, expect, it } from '@jest/globals';
import { covers } from '@platform/testing/covers';
import { SEED } from '@platform/testing/seed';
import { soak } from '@platform/testing/soak';
import fc from 'fast-check';
import { compareSets } from './compare-sets.ts';
import type { Engine, Policy } from './types.ts';

fc.configureGlobal({ seed: SEED });

const DOMAIN = '11111111-1111-4111-8111-111111111111';
const BELOW = '3b9ac0de-3333-4333-8333-3f0e5d7c9a1b';

function rule(engine: Engine, rules: Record<string, string>, more: Partial<Policy> = {}): Policy {
  const statements = [{ rules }];
  return { name: 'p', description: '', invert: false, deny: false, engine, statements, ...more };
}

/** What adding or removing the policy to or from the others shows, in the domain and one below it. */
function planted(policy: Policy, others: Policy[], isAdded: boolean) {
  const sets = [others, [...others, policy]];
  const [before, after] = (isAdded ? sets : sets.toReversed()).map((policies) => ({
    domainId: DOMAIN,
    version: 1,
    policies,
  })) as [{ domainId: string; version: number; policies: Policy[] }, never];
  const below = new Map([[BELOW, { domainId: BELOW, version: 1, policies: [] }]]);
  const [fact] = compareSets({ before, after, others: below, scopes: [[DOMAIN], [BELOW, DOMAIN]] });
  return fact;
}

/** Every way to plant the policy: added and removed, as an allowance alone and as a denial. */
function expectWitnesses(rules: Record<string, string>): void {
  const open = rule('prefix', { action: '' }, { name: 'open' });
  for (const isAdded of [true, false]) {
    expect([rules, planted(rule('regex', rules), [], isAdded)]).toEqual([
      rules,
      expect.objectContaining({ outcome: 'witnessed' }),
    ]);
    expect([rules, planted(rule('regex', rules, { deny: true }), [open], isAdded)]).toEqual([
      rules,
      expect.objectContaining({ outcome: 'witnessed' }),
    ]);
  }
}

const UUID = '[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}';

/** Places of a domain: as it is written, and as patterns leave room for it. */
const domains = fc.constantFrom(
  DOMAIN,
  BELOW,
  `(${DOMAIN}|${BELOW})`,
  '[^/]+',
  '[^/]*',
  '[^/]{1,64}',
  '[^/]{36}',
  '(?:[^/]+)',
  '.*',
  '.+',
  '.*?',
  '.{36}',
  '\\S+',
  '[\\w-]+',
  '[0-9a-f-]+',
  '[0-9a-f-]{36}',
  '[a-f\\d\\-]{32,36}',
  '[[:xdigit:]-]+',
  '([0-9a-f]+-){4}[0-9a-f]+',
  UUID,
  '(?i:[0-9A-F-]{36})',
  '(?P<domain>[^/]+)',
  '[^/\\s]+',
  '[\\x2d0-9a-f]+',
  '[[a-f][0-9]-]+',
  '[\\p{L}\\p{Nd}-]+',
  '[^[:space:]/]+',
  '[!-~&&[^/]]+',
);
const segments = fc.constantFrom(
  'docs',
  'docs/[^/]+',
  'docs/.*',
  'teams/(red|blue|green)',
  'teams/[a-z-]+/\\d{4}',
  '(?:docs|files)',

  'reports/.*\\.pdf',
  'reports/20[0-9]{2}-(0[1-9]|1[0-2])',
  '[^/]+/[^/]+',
  '(a/)?b',
  '\\w+',
  'v\\d+\\.\\d+',

  '(docs/)+x',
  '[^.]+\\.(?:png|jpe?g)',
  'a{2,3}',
  '[[:alpha:]]+/é',
  '\\x61',
  '.',
  '[^a-y/]',
  '$current_user()',
);
const objects = fc
  .tuple(
    fc.constantFrom('', '(?i)', '(?s)', '(?i-s)'),
    fc.constantFrom('^', '', '\\A', '^(?:', '(?m)^'),
    fc.oneof(domains, domains, fc.constant(null)),
    fc.array(segments, { minLength: 1, maxLength: 3 }),
    fc.constantFrom('', '$', '/', '/.*$', '(/|$)', '(/.*)?$', '\\z', '\\b', '/?$'),
  )
  .map(([flags, start, domain, path, end]) => {
    const isOpen = start === '^(?:';
    const scheme = domain === null ? '' : `svc://${domain}`;
    return `${flags}${domain === null && !isOpen ? '' : start}${scheme}/${path.join('/')}${isOpen ? ')' : ''}${end}`;
  })
  .filter((pattern) => !(pattern.startsWith('^(?:/') || pattern.includes(')^(?:/')));

describe('witnesses of regular expressions', () => {
  it('each regex on objects that has room for a domain has a witness when it is added or removed', () => {
    covers('AUTHZ-C.15');
    fc.assert(
      fc.property(objects, (object) => expectWitnesses({ object })),
      { numRuns: soak(400) },
    );
  });

  it.each([
    '^[a-z]+@example\\.com$',
    '^[\\w.+-]+@(?:[\\w-]+\\.)+[a-z]{2,}$',
    '(?i)^[a-z0-9._%+-]+@[a-z0-9.-]+\\.[a-z]{2,}$',
    '^[^@\\s]+@[^@\\s]+\\.[^@\\s]+$',
    '@example\\.(com|org)$',
    '(?i)^ADMIN',
    '(?i)read|write',
    '^\\d{4}$',
    '^\\d{4}-\\d{2}-\\d{2}T',
    '^(?:19|20)\\d\\d$',
    '^[A-Z]{2,3}-\\d{1,6}$',
    '^(get|list|watch)(-all)?$',
    '^(?:read|write|delete)$',
    '^[^:]+:[^:]+$',
    '^svc:[a-z][a-z0-9-]{0,62}$',
    '^[a-z][a-z0-9_-]{2,127}$',
    '\\bdraft\\b',
    '^10\\.\\d{1,3}\\.\\d{1,3}\\.\\d{1,3}$',
    '^(?:(?:25[0-5]|2[0-4]\\d|1?\\d?\\d)\\.){3}(?:25[0-5]|2[0-4]\\d|1?\\d?\\d)$',
    '^(eu|us)-[a-z]+-\\d$',
    '^[[:upper:]][[:lower:]]+$',
    '^[[:alnum:]_]+$',
    '^\\p{Lu}\\p{Ll}+$',
    '^\\p{Greek}+$',
    '^[а-яё]+$',
    '^[^a-z]',
    '^.{3,}$',
    '^(?:[a-z]{1,8}){1,8}$',
    '^[a-z]{65}$',
    '^[0-9a-f]{128}$',
    '^a.{0,255}z$',
    '(?x) ^ team - (red | blue) $ # teams',
    '^[\\w--\\d]+$',
    '^[a-z&&[^aeiou]]+$',
    '^\\x{e9}\\u00e8$',
    '^a\\.b\\*c\\?$',
    '^\\S+ \\S+$',
    '^\\W+$',
    '^(?P<year>\\d{4})/(?<week>\\d{2})$',
    '^read$|^list',
    '^(a|b|c)(d|e|f)(g|h|i)(j|k|l)(m|n|o)x?$',
    '^[]a]+$',
    '^[a\\]-]+$',
    '^$current_user()$',
    '^team-$current_user()(-|$)',
    '(?m)^x$',
    '(?-u)^[a-z]\\w+$',
    '^\\t\\x41',
  ])('the regex %s has a witness on subject, action and an attribute', (pattern) => {
    covers('AUTHZ-C.15');
    // No subject holds itself and more.
    const keys = pattern.startsWith('^team-') ? ['action'] : ['subject', 'action', 'user.mail'];
    for (const key of keys) expectWitnesses({ [key]: pattern });
  });

  it('a change by a regex is found where another one denies or allows most of what it matches', () => {
    covers('AUTHZ-C.15');
    const files = (suffix: string) => `^svc://[^/]+/files/${suffix}`;
    for (const [own, denied] of [
      [files('.*'), files('[a-z]+$')],
      [files('[a-z]+$'), files('[a-m]+$')],
      [files('(red|blue|green)/'), files('(red|blue)/')],
      [files('\\d{4}/[^/]+$'), files('\\d{4}/[a-z]+\\.pdf$')],
      ['^svc://[0-9a-f-]{36}/', '/[a-z]+$'],
    ] as const) {
      const denial = rule('regex', { object: denied }, { name: 'd', deny: true });
      for (const isAdded of [true, false])
        expect([own, planted(rule('regex', { object: own }), [denial], isAdded)?.outcome]).toEqual([
          own,
          'witnessed',
        ]);
    }
  });

  it.each([
    ['^svc://[^/]+/files/', '\\.pdf$'],
    ['^svc://[^/]+/files/[^/]+$', '^svc://[0-9a-f-]{36}/[a-z]+/[a-z]+\\.txt$'],
    ['(?i)/DRAFTS/', '^svc://[^/]+/drafts/\\d{4}'],
    ['/teams/(red|blue)/', '^svc://[^/]+/teams/[a-c]'],
    ['^svc://.*/(a|b|c)/[0-9]{8}$', '/c/7'],
  ])('a denial by a regex shows in a text that it shares with another: %s and %s', (allowed, denied) => {
    covers('AUTHZ-C.15');
    const allow = rule('regex', { object: allowed }, { name: 'a' });
    for (const isAdded of [true, false])
      expect(planted(rule('regex', { object: denied }, { deny: true }), [allow], isAdded)?.outcome).toBe(
        'witnessed',
      );
  });

  it.each([
    ['\\d+$', '\\d{1,6}$'],
    ['[a-z]+$', '[a-z]{1,20}$'],
    ['.*$', '.{1,64}$'],
    ['[^/]+$', '[^/]{1,40}$'],
    ['\\d*$', '\\d{0,4}$'],
    ['(ab)+$', '(ab){1,3}$'],
    ['\\w{2,}$', '\\w{2,9}$'],
    ['[a-z]+$', '[a-m]+$'],
    ['\\w+$', '[a-z0-9]+$'],
    ['[a-z]+(-[a-z]+)*$', '[a-z]+(-[a-z]+)?$'],
    ['(red|blue|green)/.*$', '(red|blue)/.*$'],
  ])(
    'a text that one of two regexes matches and the other does not shows the change: %s and %s',
    (wide, narrow) => {
      covers('AUTHZ-C.22');
      for (const start of ['^svc://[^/]+/t/PAY-', `^svc://${DOMAIN}/`, `^svc://[0-9a-f-]{36}/(a|b)/`]) {
        const rules = (end: string) => ({ object: `${start}${end}` });
        const others = [rule('regex', rules(narrow), { name: 'narrow' })];
        for (const isAdded of [true, false])
          expect([start, planted(rule('regex', rules(wide)), others, isAdded)?.outcome]).toEqual([
            start,
            'witnessed',
          ]);
      }
      for (const key of ['subject', 'action', 'team']) {
        const others = [rule('regex', { [key]: `^x-${narrow}` }, { name: 'narrow' })];
        for (const isAdded of [true, false])
          expect([key, planted(rule('regex', { [key]: `^x-${wide}` }), others, isAdded)?.outcome]).toEqual([
            key,
            'witnessed',
          ]);
      }
    },
  );

  it.each([
    ['counts of nothing', '^read\\b{4000000000}$', 'witnessed'],
    ['many Unicode classes', `^(?:read${'|\\pL\\d'.repeat(100)})$`, 'witnessed'],
  ])('a regex of %s is read in few steps', (_, action, outcome) => {
    covers('AUTHZ-C.16');
    expect(planted(rule('regex', { action }), [], true)?.outcome).toBe(outcome);
  });
});
