import { describe, expect, it } from '@jest/globals';
import { covers } from '@platform/testing/covers';
import { compareSets } from './compare-sets.ts';
import type { Engine, Policy } from './types.ts';

const DOMAIN = '11111111-1111-4111-8111-111111111111';
const ABOVE = '22222222-2222-4222-8222-222222222222';
const DOCS = `svc://${DOMAIN}/docs/`;

function rule(engine: Engine, rules: Record<string, string>, more: Partial<Policy> = {}): Policy {
  const statements = [{ rules }];
  return { name: 'p', description: '', invert: false, deny: false, engine, statements, ...more };
}

const DENY = { name: 'd', deny: true };

const toSet = (policies: Policy[]) => ({ domainId: DOMAIN, version: 1, policies });

function compare(before: Policy[], after: Policy[], above: Policy[] = []) {
  const others = new Map([[ABOVE, { domainId: ABOVE, version: 1, policies: above }]]);
  const change = { before: toSet(before), after: toSet(after), others, scopes: [[DOMAIN, ABOVE]] };
  return compareSets(change).map(({ kind, policy, outcome, witness, reason }) => ({
    kind,
    policy,
    outcome,
    reason,
    context: witness === null ? null : Object.fromEntries(witness.context),
  }));
}

const docs = rule('prefix', { object: DOCS });
const readers = rule('prefix', { object: DOCS, action: 'read' });

describe('the comparison of two sets by meaning', () => {
  it('a change of a set is told in words, with a request that shows it', () => {
    covers('AUTHZ-C.3');
    const [fact] = compareSets({
      before: { domainId: DOMAIN, version: 1, policies: [readers] },
      after: { domainId: DOMAIN, version: 2, policies: [] },
      others: new Map(),
      scopes: [[DOMAIN]],
    });
    expect(fact).toMatchObject({
      kind: 'removed',
      policy: 'p',
      words: `allows requests whose \`object\` begins with \`${DOCS}\` and \`action\` begins with \`read\``,
      outcome: 'witnessed',
      witness: { before: { allowed: true, matched: { policy: 'p' } }, after: { allowed: false } },
    });
  });

  it('the words of a statement tell a value from the rules that it looks like', () => {
    covers('AUTHZ-CLI.76');
    const wordsOf = (rules: Record<string, string>) =>
      compareSets({
        before: toSet([]),
        after: toSet([rule('fixed', rules)]),
        others: new Map(),
        scopes: [[DOMAIN]],
      })[0]?.words;
    expect(wordsOf({ subject: 'bob', action: 'read' })).toBe(
      'allows requests whose `subject` is `bob` and `action` is `read`',
    );
    expect(wordsOf({ subject: 'bob` and `action` is `read' })).toBe(
      'allows requests whose `subject` is `"bob\\u0060 and \\u0060action\\u0060 is \\u0060read"`',
    );
  });

  it.each<Engine>(['fixed', 'prefix', 'glob', 'regex'])(
    'no witness has an id as its subject in a spelling that checks of accounts refuse, with %s',
    (engine) => {
      covers('AUTHZ-C.14');
      const spelled = 'E6340843-ECFF-4111-8111-111111111111';
      const everyone = rule('prefix', { action: '' }, { name: 'all' });
      for (const more of [{}, DENY]) {
        const changed = rule(engine, { subject: engine === 'regex' ? `^${spelled}$` : spelled }, more);
        const told = [
          compare([everyone], [everyone, changed]),
          compare([changed], []),
          compare([changed, everyone], [changed]),
        ].flat();
        expect(told.map(({ context }) => context?.['subject'])).not.toContain(spelled);
      }
      const [fact] = compare([], [rule('fixed', { subject: spelled })]);
      expect(fact).toMatchObject({
        outcome: 'not_decided',
        reason: expect.stringContaining('lower case'),
      });
    },
  );

  it.each<Engine>(['fixed', 'prefix'])(
    'a gain is not hidden behind losses, nor the reverse, with %s',
    (engine) => {
      covers('AUTHZ-C.11');
      const notList = rule(engine, { action: 'list' }, { name: 'not list', invert: true });
      const ann = rule(engine, { subject: 'ann' }, { name: 'ann' });
      const onlyList = rule(engine, { action: 'list' }, { name: 'only list', deny: true, invert: true });
      const told = (facts: ReturnType<typeof compareSets>) =>
        facts.map(({ kind, policy, witness }) => [
          kind,
          policy,
          witness?.before.allowed,
          String(witness?.context.get('action')).startsWith('list'),
        ]);
      const [one, other] = [toSet([notList]), toSet([ann, onlyList])];
      const both = { others: new Map(), scopes: [[DOMAIN]] };
      expect(told(compareSets({ before: one, after: other, ...both }))).toEqual([
        ['removed', 'not list', true, false],
        ['added', 'ann', false, true],
        ['added', 'only list', true, false],
      ]);
      expect(told(compareSets({ before: other, after: one, ...both }))).toEqual([
        ['removed', 'ann', true, true],
        ['removed', 'only list', false, false],
        ['added', 'not list', false, false],
      ]);
    },
  );

  it('a statement that another one says already has no effect', () => {
    covers('AUTHZ-C.3');
    const none = [{ kind: 'added', policy: 'p', outcome: 'no_effect', reason: '', context: null }];
    expect(compare([docs], [docs, readers])).toEqual(none);
    expect(compare([], [readers], [docs])).toEqual(none);
    expect(compare([], [readers], [{ ...docs, ...DENY }])).toEqual(none);
    expect(compare([], [readers], [readers])).toEqual(none);
  });

  it('a denial shows where something is allowed, with several values where one does not show it', () => {
    covers('AUTHZ-C.3');
    const red = rule('fixed', { group: 'red' });
    const blue = rule('fixed', { group: 'blue' }, DENY);
    const [fact] = compare([red], [red, blue]);
    expect(fact).toMatchObject({
      outcome: 'witnessed',
      context: { group: expect.arrayContaining(['red', 'blue']) },
    });
    expect(compare([], [blue])).toMatchObject([{ outcome: 'no_effect' }]);
  });

  it('wildcards that overlap show in a text of both', () => {
    covers('AUTHZ-C.3');
    const start = rule('glob', { action: 'export-*' });
    const end = rule('glob', { action: '*-all' }, DENY);
    expect(compare([start], [start, end])).toMatchObject([
      { outcome: 'witnessed', context: { action: 'export-all' } },
    ]);
  });

  it('a regular expression against another one is not decided where no request was found', () => {
    covers('AUTHZ-C.3');
    const one = rule('regex', { action: '^(a|b)+$' });
    const same = rule('regex', { action: '^[ab]+$' });
    expect(compare([one], [one, same])).toEqual([
      {
        kind: 'added',
        policy: 'p',
        outcome: 'not_decided',
        reason: 'regular expressions take part, and the texts tried for them decide the same',
        context: null,
      },
    ]);
  });

  it.each<[string, Engine, string, string, RegExp]>([
    ['a glob', 'glob', `${DOCS}*.pdf`, '(secret|private)', /secret.*\.pdf$/],
    ['a prefix', 'prefix', DOCS, 'secret-[0-9]+', /secret-\d/],
    ['another regex', 'regex', 'reports/', 'secret', /reports\/.*secret|secret.*reports\//],
    ['a regex tied at its end', 'regex', '\\.pdf$', 'secret', /secret.*\.pdf$/],
  ])(
    'a denial by an unanchored regex shows in a text of it and of %s',
    (_, engine, allowed, denied, text) => {
      covers('AUTHZ-C.12');
      const allow = rule(engine, { object: allowed });
      const facts = compare([allow], [allow, rule('regex', { object: denied }, DENY)]);
      expect(facts).toMatchObject([
        { outcome: 'witnessed', context: { object: expect.stringMatching(text) } },
      ]);
    },
  );

  it.each<[string, Policy, Policy]>([
    [
      'an unanchored regex around it',
      rule('regex', { action: 'draft-old' }),
      rule('regex', { action: 'draft' }),
    ],
    [
      'the same regex',
      rule('regex', { action: '(a|b)+', subject: 'x' }),
      rule('regex', { action: '(a|b)+' }),
    ],
    [
      'a regex that holds its text',
      rule('prefix', { action: 'my-draft-' }),
      rule('regex', { action: 'draft' }),
    ],
    ['a denial', rule('regex', { action: 'draft$' }), rule('regex', { action: 'draft' }, DENY)],
    ['a prefix of it', rule('regex', { object: `^${DOCS}(a|b)` }), docs],
    [
      'a regex that matches it',
      rule('fixed', { action: 'draft-7' }),
      rule('regex', { action: '[a-z]+-[0-9]' }),
    ],
  ])('a statement has no effect besides %s', (_, narrow, wide) => {
    covers('AUTHZ-C.12');
    expect(compare([wide], [wide, narrow])).toMatchObject([{ outcome: 'no_effect' }]);
  });

  it.each(['$current_user()', '$resource_owner()'])(
    'a change is found beside a denial of values that hold %s anywhere',
    (macro) => {
      covers('AUTHZ-C.3');
      const holding = rule('regex', { action: macro }, { name: 'holding', deny: true });
      const planted = rule('prefix', { action: 'a-qh1', object: `${DOCS}q` }, DENY);
      expect(compare([docs, holding], [docs, holding, planted])).toMatchObject([
        { policy: 'd', outcome: 'witnessed' },
      ]);
    },
  );

  it('owners and users of macros are found', () => {
    covers('AUTHZ-C.3');
    const own = rule('fixed', { subject: '$current_user()', owner: '$resource_owner()' });
    const [fact] = compare([], [own]);
    expect(fact?.outcome).toBe('witnessed');
    expect(fact?.context?.['owner']).toBe(fact?.context?.['subject']);
  });

  const own = { subject: '$current_user()', owner: '$resource_owner()' };
  const home = `svc://${DOMAIN}/home/`;
  it.each<[string, Policy, Policy]>([
    ['an owner, by own documents', rule('fixed', own), rule('fixed', { owner: 'eve' }, DENY)],
    [
      'the beginning of an owner, by own documents',
      rule('fixed', own),
      rule('prefix', { owner: 'ev' }, DENY),
    ],
    [
      'an owner and an action, by own documents',
      rule('fixed', own),
      rule('fixed', { owner: 'eve', action: 'delete' }, DENY),
    ],
    [
      'an owner, by the folders of owners',
      rule('prefix', { object: `${home}$resource_owner()/`, subject: '$current_user()' }),
      rule('fixed', { owner: 'eve' }, DENY),
    ],
    [
      'an object, by the one of each user',
      rule('fixed', { object: `${home}$current_user()` }),
      rule('fixed', { object: `${home}eve` }, DENY),
    ],
    [
      'objects, by the folder of each user',
      rule('prefix', { object: `${home}$current_user()/` }),
      rule('prefix', { object: `${home}bob/secret/` }, DENY),
    ],
    [
      'objects, by the own folder of each user',
      rule('prefix', { object: `${home}$current_user()/own/` }),
      rule('prefix', { object: `${home}bob/own/secret/` }, DENY),
    ],
    [
      'objects, by the folder of each user with GLOB',
      rule('glob', { object: `${home}$current_user()/**` }),
      rule('fixed', { object: `${home}bob/secret` }, DENY),
    ],
  ])('a denial of %s, is witnessed when it comes and when it goes', (_, allowing, denying) => {
    covers('AUTHZ-C.23');
    for (const facts of [compare([allowing], [allowing, denying]), compare([allowing, denying], [allowing])])
      expect(facts).toMatchObject([{ policy: 'd', outcome: 'witnessed' }]);
  });

  it.each<[string, Record<string, string>, Record<string, string>]>([
    ['another action', own, { ...own, action: 'a0' }],
    ['the user alone', { subject: '$current_user()' }, own],
    [
      'a folder of the user',
      { object: `${home}$current_user()/` },
      { ...own, object: `${home}$current_user()/` },
    ],
  ])('a statement with a macro has no effect beside one that plainly covers it: %s', (_, wide, narrow) => {
    covers('AUTHZ-C.24');
    for (const engine of ['fixed', 'prefix', 'glob'] as const)
      for (const more of [{}, DENY])
        expect([
          engine,
          ...compare(
            [docs, rule(engine, wide, more)],
            [docs, rule(engine, wide, more), rule(engine, narrow, { ...more, name: 'narrow' })],
          ),
        ]).toMatchObject([engine, { outcome: 'no_effect' }]);
  });

  it('an inverted policy shows in a request that none of its statements matches', () => {
    covers('AUTHZ-C.3');
    const staff = rule('fixed', { group: 'staff' }, { ...DENY, invert: true });
    const [fact] = compare([docs], [docs, staff]);
    expect(fact).toMatchObject({ kind: 'added', policy: 'd', outcome: 'witnessed' });
    expect(fact?.context?.['group']).toBeUndefined();
  });

  it('a removed denial shows in a domain below where the changed one allows nothing itself', () => {
    covers('AUTHZ-C.3');
    const below = '33333333-3333-4333-8333-333333333333';
    const denial = rule('fixed', { action: 'delete' }, DENY);
    const [fact] = compareSets({
      before: { domainId: DOMAIN, version: 1, policies: [denial] },
      after: { domainId: DOMAIN, version: 2, policies: [] },
      others: new Map([
        [below, { domainId: below, version: 1, policies: [rule('fixed', { subject: 'bob' })] }],
      ]),
      scopes: [[DOMAIN], [below, DOMAIN]],
    });
    expect(fact?.outcome).toBe('witnessed');
    expect(fact?.witness?.context.get('object')).toMatch(new RegExp(`^svc://${below}/`));
    expect(fact?.witness?.context.get('subject')).toBe('bob');
  });

  it('a comparison whose budget is used up calls the rest not decided', () => {
    covers('AUTHZ-C.3');
    const many = Array.from({ length: 50 }, (_, i) => rule('fixed', { subject: `user-${i}` }));
    const facts = compareSets(
      {
        before: { domainId: DOMAIN, version: 1, policies: [] },
        after: { domainId: DOMAIN, version: 2, policies: many },
        others: new Map(),
        scopes: [[DOMAIN]],
      },
      { left: 400 },
    );
    expect(facts).toHaveLength(50);
    expect(new Set(facts.map(({ outcome }) => outcome))).toEqual(new Set(['witnessed', 'not_decided']));
    const reasons = facts.filter(({ outcome }) => outcome === 'not_decided').map(({ reason }) => reason);
    expect(new Set(reasons)).toEqual(new Set([expect.stringContaining('fewer edits at once')]));
  });

  it('a comparison that is out of time calls what it has not looked at not decided', () => {
    covers('AUTHZ-C.16');
    const change = { before: toSet([docs]), after: toSet([docs, readers]), others: new Map() };
    const [fact] = compareSets({ ...change, scopes: [[DOMAIN]] }, { left: 1_000, endsAt: 0 });
    expect(fact).toMatchObject({ outcome: 'not_decided', reason: expect.stringContaining('combinations') });
  });

  it('where the bound left out a domain below, the reason is the bound', () => {
    covers('AUTHZ-C.18');
    const below = '33333333-3333-4333-8333-333333333333';
    const [one, same] = [rule('regex', { action: '^(a|b)+$' }), rule('regex', { action: '^[ab]+$' })];
    const crowd = Array.from({ length: 200 }, (_, n) => rule('glob', { action: `*${n}*`, object: `*${n}` }));
    const change = {
      before: toSet([one]),
      after: toSet([one, same]),
      others: new Map([[below, { domainId: below, version: 1, policies: crowd }]]),
      scopes: [[DOMAIN], [below, DOMAIN]],
    };
    const [fact] = compareSets(change, { left: 20_000 });
    expect(fact).toMatchObject({ outcome: 'not_decided', reason: expect.stringContaining('combinations') });
  });

  it.each([100, 600, 1_600])(
    'a change about a domain below by its id is shown there where the domain has %s policies about other paths',
    (count) => {
      covers('AUTHZ-C.19');
      const [one, below] = ['33333333-3333-4333-8333-333333333333', '44444444-4444-4444-8444-444444444444'];
      const crowd = Array.from({ length: count }, (_, n) => {
        const path = `svc://${below}/team-${n}/`;
        return [
          rule('fixed', { object: `${path}a`, action: 'read' }),
          rule('prefix', { object: path, action: 'read' }),
          rule('glob', { object: `${path}*`, action: 'r*' }),
          rule('regex', { object: `^${path}[^/]+$`, action: '^read$' }),
        ][n % 4]!;
      });
      const ofIds = (ids: string) => rule('regex', { action: '^read$', object: `^svc://(${ids})/k/` });
      const starter = rule('prefix', { subject: 'alice', action: '' });
      const closed = rule('glob', { object: `svc://${below}/m/**` }, DENY);
      const change = (before: Policy[], after: Policy[]) => ({
        before: toSet(before),
        after: toSet(after),
        others: new Map([
          [one, { domainId: one, version: 1, policies: crowd }],
          [below, { domainId: below, version: 1, policies: crowd }],
        ]),
        scopes: [[DOMAIN], [one, DOMAIN], [below, DOMAIN]],
      });
      const opened = compareSets(change([ofIds(one)], [ofIds(`${one}|${below}`)]));
      expect(opened.find(({ kind }) => kind === 'added')).toMatchObject({ outcome: 'witnessed' });
      expect(compareSets(change([starter], [starter, closed]))).toMatchObject([{ outcome: 'witnessed' }]);
    },
  );

  it('looking for texts outside many wildcards and inverted denials is charged to the budget', () => {
    covers('AUTHZ-C.16');
    const words = Array.from({ length: 60 }, (_, n) => `${'abcdefghij'[n % 10]}${n}-longer-than-most`);
    const crowd = words.flatMap((word) => [
      rule('glob', { object: `${DOCS}*${word}*` }),
      rule('prefix', { object: `${DOCS}${word}`, action: word }),
    ]);
    const closed = ['a', 'b'].map((group) => rule('fixed', { group }, { deny: true, invert: true }));
    // What is allowed already, in other words, has no witness.
    const there = [...crowd, ...closed, rule('regex', { action: 'secre[t]' }, { invert: true })];
    const change = {
      before: toSet(there),
      after: toSet([...there, rule('regex', { action: 'secret' }, { invert: true })]),
      others: new Map(),
    };
    const budget = { left: 200_000 };
    compareSets({ ...change, scopes: [[DOMAIN]] }, budget);
    // The search stops at its share, a fifth, though one key may take more.
    expect(budget.left).toBeLessThan(160_000);
    expect(budget.left).toBeGreaterThan(0);
  });

  it.each<[Engine, string]>([
    ['fixed', ''],
    ['prefix', '/'],
    ['glob', '/**'],
  ])(
    'every change between two sets of 1,500 %s policies that have none in common is decided',
    (engine, end) => {
      covers('AUTHZ-C.7');
      const set = (action: string) =>
        Array.from({ length: 1_500 }, (_, n) =>
          rule(engine, { subject: `user-${n % 100}/`, action, object: `${DOCS}${n}${end}` }),
        );
      const outcomes = compare(set('read'), set('write')).map(({ outcome }) => outcome);
      expect(outcomes.filter((outcome) => outcome === 'witnessed')).toHaveLength(3_000);
    },
  );

  it('statements that meet all others leave the tests to those that meet few', () => {
    covers('AUTHZ-C.7');
    const wide = Array.from({ length: 50 }, (_, n) => rule('regex', { subject: `[${n}x]` }));
    const narrow = Array.from({ length: 300 }, (_, n) =>
      rule('fixed', { subject: `user-${n}`, action: 'read', object: `${DOCS}${n}` }),
    );
    const change = { before: toSet([]), after: toSet([...wide, ...narrow]), others: new Map() };
    const facts = compareSets({ ...change, scopes: [[DOMAIN]] }, { left: 800_000 });
    const ofNarrow = facts.slice(-narrow.length);
    expect(ofNarrow.filter(({ outcome }) => outcome === 'witnessed')).toHaveLength(narrow.length);
  });

  /** A root with allowances and denials of every engine. */
  const root = [
    rule('fixed', { subject: 'starter' }),
    rule('fixed', { 'user.role': 'lead' }),
    rule('glob', { action: 'read', object: 'svc://*/docs/**' }),
    rule('regex', { action: '^(restart|read)$', object: '^svc://[^/]+/services/[a-z-]+/(pods|jobs)/' }),
    rule('glob', { object: 'svc://*/secrets/**' }, DENY),
    rule(
      'fixed',
      {},
      {
        ...DENY,
        invert: true,
        statements: [
          { rules: { 'user.mfa': 'yes' } },
          { rules: { action: 'read' } },
          { rules: { action: 'deploy' } },
          { rules: { action: 'restart' } },
        ],
      },
    ),
    rule('regex', { 'user.kind': '^contractor$', object: '^svc://[^/]+/(prod|billing)/' }, DENY),
    rule('glob', { object: 'svc://*/home/$current_user()/**' }),
    rule('regex', {
      'user.role': '^audit',
      action: '^(read|list)$',
      object: `^svc://${DOMAIN}/(ledger|logs)/`,
    }),
    rule('prefix', { 'user.role': 'sre-', object: DOCS }),
  ];
  const bothWays = (one: Policy[], other: Policy[]) =>
    [
      [one, other],
      [other, one],
    ] as const;
  type Edit = readonly [from: string | RegExp, to: string];
  /** Policies of so many services, of which the first have this text in place of another one. */
  const services = (count: number, edits = 0, texts: readonly Edit[] = []) =>
    Array.from({ length: count }, (_, n) => {
      const squad = { 'user.squad': `squad-${n % 25}` };
      const [from, to] = (n < edits ? texts[n % texts.length] : undefined) ?? ['', ''];
      const edited = (text: string) => text.replace(from, to);
      return [
        rule('fixed', { ...squad, action: 'deploy', 'resource.service': `svc-${n}` }),
        rule('prefix', { ...squad, object: `svc://${DOMAIN}/svc-${n}/dev/` }),
        rule('glob', { ...squad, action: edited('*'), object: edited(`svc://*/svc-${n}/stage/**`) }),
        rule('regex', {
          'user.role': '^(oncall|sre)$',
          action: '^(read|restart)$',
          object: edited(`^svc://[^/]+/svc-${n}/prod/(pods|jobs)/[a-z0-9-]+$`),
        }),
      ];
    }).flat();
  const ACTION: Edit = [/^\*$/, 'read'];
  const SHORTER: Edit = ['stage/**', 'stage/*'];
  const ALTERNATIVE: Edit = ['(pods|jobs)', '(pods|cron)'];

  it.each(
    [
      { engines: 'globs', texts: [ACTION] },
      { engines: 'globs and regexes', texts: [ACTION, SHORTER, ALTERNATIVE] },
    ].flatMap((kind) =>
      [
        { policies: 60, edits: 12 },
        { policies: 100, edits: 24 },
        { policies: 300, edits: 33 },
      ].flatMap((size) => [[], root].map((above) => ({ ...kind, ...size, above }))),
    ),
  )(
    '$edits edits of $engines among $policies policies below $above.length others are each shown',
    ({ policies, edits, texts, above }) => {
      covers('AUTHZ-C.20');
      const sets = [services(policies / 4), services(policies / 4, edits, texts)] as const;
      for (const [before, after] of bothWays(...sets)) {
        const shown = compare(before, after, above).filter(({ outcome }) => outcome === 'witnessed');
        expect(shown.length).toBeGreaterThanOrEqual(edits);
      }
    },
  );

  it('33 denials of globs among 300 policies are each shown where few of these allow what they deny', () => {
    covers('AUTHZ-C.20');
    const before = services(75);
    const denials = before.slice(-4 * 33).flatMap(({ statements }) => {
      const object = statements[0]?.rules['object'] ?? '';
      return object.endsWith('/stage/**')
        ? [rule('glob', { object: `${object.slice(0, -2)}pii/**` }, DENY)]
        : [];
    });
    expect(denials).toHaveLength(33);
    for (const [one, other] of bothWays(before, [...before, ...denials]))
      expect(new Set(compare(one, other).map(({ outcome }) => outcome))).toEqual(new Set(['witnessed']));
  });

  it.each<[string, Policy]>([
    ['a fixed text', rule('fixed', { 'user.role': 'sre' })],
    ['a glob', rule('glob', { 'user.squad': 'squad-7', action: '*', object: 'svc://*/svc-7/*/**' })],
    ['a regex', rule('regex', { action: '^read$', object: '^svc://[^/]+/wiki/' })],
    ['a denial of globs', rule('glob', { object: 'svc://*/svc-77/stage/pii/**' }, DENY)],
    ['a denial of a regex', rule('regex', { object: '^svc://[^/]+/svc-200/prod/pods/[a-m]' }, DENY)],
  ])('one edit of a set of 1,000 policies of every engine below a root is shown: %s', (_, policy) => {
    covers('AUTHZ-C.21');
    const all = services(250);
    for (const [before, after] of bothWays(all, [...all, policy]))
      expect(compare(before, after, root)).toMatchObject([{ outcome: 'witnessed' }]);
  });

  it.each<[string, Record<string, string>, Record<string, string>, string[]]>([
    [
      'a name and all names below',
      { object: `${DOCS}*` },
      { object: `${DOCS}**` },
      ['no_effect', 'witnessed'],
    ],
    ['all names below and one', { object: `${DOCS}**` }, { object: `${DOCS}*` }, ['witnessed', 'no_effect']],
    [
      'one spelling and another',
      { object: `${DOCS}**/*` },
      { object: `${DOCS}**` },
      ['no_effect', 'no_effect'],
    ],
    [
      'a set and a larger one',
      { object: `${DOCS}[ab]*` },
      { object: `${DOCS}[abc]*` },
      ['no_effect', 'witnessed'],
    ],
    [
      'what is outside two sets',
      { object: `${DOCS}[!a]` },
      { object: `${DOCS}[!b]` },
      ['witnessed', 'witnessed'],
    ],
    ['ranges', { action: 'v[0-3]' }, { action: 'v[0-9]' }, ['no_effect', 'witnessed']],
    ['one character and any', { object: `${DOCS}a?c` }, { object: `${DOCS}a*c` }, ['no_effect', 'witnessed']],
    [
      'every action and any name of one',
      { object: `${DOCS}*` },
      { object: `${DOCS}*`, action: '*' },
      ['witnessed', 'no_effect'],
    ],
    [
      'any name of an action and every one',
      { object: `${DOCS}*`, action: '*' },
      { object: `${DOCS}*`, action: '**' },
      ['no_effect', 'witnessed'],
    ],
  ])('the comparison of globs decides %s', (_, was, is, outcomes) => {
    covers('AUTHZ-C.13');
    const compared = compare([rule('glob', was)], [rule('glob', is)]);
    expect(compared.map(({ outcome }) => outcome)).toEqual(outcomes);
  });

  it('what is allowed in other words is not called without effect where a denial of it leaves too', () => {
    covers('AUTHZ-C.13');
    const denial = rule('prefix', { object: `${DOCS}x` }, DENY);
    const compared = compare([rule('glob', { object: `${DOCS}**` }), denial], [docs]);
    expect(compared.map(({ kind, policy, outcome }) => `${kind} ${policy} ${outcome}`)).toEqual([
      'removed p no_effect',
      'removed d witnessed',
      'added p witnessed',
    ]);
  });
});
