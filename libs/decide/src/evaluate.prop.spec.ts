import { afterAll, describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { SEED } from '@platform/testing/seed';
import { covers } from '@platform/testing/covers';
import { soak } from '@platform/testing/soak';
import { combineDomains, compileDomain, compilePolicySet } from './with-regexes.fixture.ts';
import { decideByReference, type ReferenceDecision } from './reference.ts';
import type { Decision, DomainPolicies, Engine, Policy, PolicyStatement, RequestContext } from './types.ts';

fc.configureGlobal({ seed: SEED });

const SETS = soak(840, 200);
const CONTEXTS = 120;

const KEYS = ['subject', 'action', 'object', 'owner', 'group', 'user.team', '__proto__'];
const VALUES = [
  'alice',
  'bob',
  'carol',
  'admin',
  '',
  'a',
  'aa',
  'A',
  'é',
  '😀',
  'a\nb',
  'a*b',
  '(',
  'x.y',
  'doc-12',
  'read',
  'write',
  'delete',
  'svc://d/',
  'svc://d/a',
  'svc://d/b/c',
  'svc://d/alice/x',
  'svc://e/a',
  'alice/x',
];
const PATTERNS: Record<Engine, readonly string[]> = {
  fixed: [...VALUES, '$current_user()', '$resource_owner()', 'svc://d/$current_user()/x'],
  prefix: [
    '',
    'a',
    'al',
    'alice',
    'svc://',
    'svc://d',
    'svc://d/a',
    're',
    'x',
    'é',
    '$current_user()',
    '$resource_owner()',
  ],
  regex: [
    '^alice$',
    'ali',
    '^svc://d/',
    'c$',
    '^svc://.*/x$',
    '^svc://d/.*$',
    '^(alice|bob)$',
    '(?i)ALICE',
    '',
    '.*',
    '^.*$',
    '[a-z]+-[0-9]+',
    '^[^/]+$',
    '^a.+$',
    'a{2}',
    '(?x) ^ a # comment',
    '^re|te$',
    '\\.',
    '^\\(',
    '(?s)^a.b$',
    'a*?c',
    '\\bx\\b',
    '^$current_user()$',
    '$resource_owner()',
    '^svc://d/$current_user()/.*$',
    '^(?:$resource_owner()|admin)$',
    '$current_user()+$',
  ],
  glob: [
    '*',
    '**',
    'svc://d/*',
    'svc://d/**',
    'svc://*/a',
    'svc://**/x',
    'a?',
    '?',
    '[a-c]*',
    '[!a]*',
    '*/x',
    '**/x',
    'alice',
    'a*b',
    'svc://d/$current_user()/*',
    '$resource_owner()',
    '*$current_user()*',
    '*e*d',
  ],
};
const BROKEN: Record<Engine, readonly string[]> = {
  fixed: ['$nobody()'],
  prefix: ['x$root()'],
  regex: ['(', 'a)(b', '[z-a]', '\\', 'a{1000}{1000}', '^$subject()$'],
  glob: ['[a', 'a**', '[z-a]', '$owner()'],
};

const engine = fc.constantFrom<Engine>('fixed', 'prefix', 'regex', 'glob');

function statement(of: Engine): fc.Arbitrary<PolicyStatement> {
  const pattern = fc.oneof(
    { weight: 400, arbitrary: fc.constantFrom(...PATTERNS[of]) },
    { weight: 1, arbitrary: fc.constantFrom(...BROKEN[of]) },
  );
  const entries = fc.uniqueArray(fc.tuple(fc.constantFrom(...KEYS), pattern), {
    minLength: 1,
    maxLength: 4,
    selector: ([key]) => key,
  });
  return entries.map((rules) => ({ rules: fromEntries(rules) }));
}

/** Own properties whatever the key is called, as JSON.parse makes them. */
function fromEntries(entries: readonly (readonly [string, string])[]): Record<string, string> {
  const rules: Record<string, string> = {};
  for (const [key, value] of entries) {
    Object.defineProperty(rules, key, { value, enumerable: true, configurable: true, writable: true });
  }
  return rules;
}

const policy = fc
  .record({
    deny: fc.nat(3).map((n) => n === 0),
    invert: fc.nat(3).map((n) => n === 0),
    engine,
    broken: fc.nat(400),
  })
  .chain(({ deny, invert, engine, broken }) =>
    fc.array(statement(engine), { minLength: 1, maxLength: 3 }).map((statements): Policy => ({
      name: '',
      description: '',
      deny,
      invert,
      engine: broken === 0 ? ('first_order_logic' as Engine) : engine,
      statements: broken === 1 ? [] : broken === 2 ? [{ rules: {} }] : statements,
    })),
  );

const few = fc.array(policy, { maxLength: 4 });
const many = fc.array(policy, { minLength: 5, maxLength: 20 });
const domains = fc
  .array(fc.oneof({ weight: 4, arbitrary: few }, { weight: 1, arbitrary: many }), {
    minLength: 1,
    maxLength: 3,
  })
  .map((lists) =>
    lists.map((list, domain): DomainPolicies => ({
      domainId: `domain-${domain}`,
      version: 7 + domain,
      policies: list.map((each, index) => ({ ...each, name: `policy-${index}` })),
    })),
  );

const single = fc.constantFrom(...VALUES);
const value = fc.oneof(
  { weight: 4, arbitrary: single },
  { weight: 1, arbitrary: fc.array(single, { minLength: 1, maxLength: 3 }) },
);
const context: fc.Arbitrary<RequestContext> = fc
  .tuple(
    single,
    single,
    single,
    fc.array(fc.tuple(fc.constantFrom('owner', 'group', 'user.team', '__proto__', 'other'), value), {
      maxLength: 4,
    }),
    fc.nat(3),
  )
  .map(([subject, action, object, others, own]) => {
    const attributes = new Map<string, string | readonly string[]>([
      ['subject', subject],
      ['action', action],
      ['object', object],
      ...others,
    ]);
    if (own === 0) attributes.set('owner', subject);
    return attributes;
  });

describe('the indexed evaluator', () => {
  const seen = {
    pairs: 0,
    allowed: 0,
    denied: 0,
    unmatched: 0,
    broken: 0,
    invertedMatch: 0,
    unresolvedDenied: 0,
    multiple: 0,
    superior: 0,
  };

  afterAll(() => {
    console.log(JSON.stringify(seen));
  });

  it('the indexed evaluator decides as the reference does for every policy set and context', () => {
    covers('AUTHZ-D.1');
    fc.assert(
      fc.property(
        domains,
        fc.array(context, { minLength: CONTEXTS, maxLength: CONTEXTS }),
        (sets, contexts) => {
          const compiled = sets.map((domain) => compileDomain(domain));
          const whole = combineDomains(compiled);
          try {
            for (const attributes of contexts) {
              const expected = decideByReference(sets, attributes);
              const decision = summarise(whole.evaluate(attributes));
              // Comparing text first: deep comparisons of every decision would take longer than the checks.
              if (JSON.stringify(decision) !== JSON.stringify(expected)) expect(decision).toEqual(expected);
              count(sets, attributes, expected);
            }
          } finally {
            for (const domain of compiled) domain.free();
          }
        },
      ),
      { numRuns: SETS, endOnFailure: true },
    );
    expect(seen.pairs).toBeGreaterThanOrEqual(SETS * CONTEXTS);
  });

  it('the random cases reach every kind of decision often enough to prove something', () => {
    const share = (n: number) => n / seen.pairs;
    expect(share(seen.allowed)).toBeGreaterThan(0.1);
    expect(share(seen.denied)).toBeGreaterThan(0.1);
    expect(share(seen.unmatched)).toBeGreaterThan(0.05);
    expect(share(seen.broken)).toBeGreaterThan(0.02);
    expect(share(seen.broken)).toBeLessThan(0.4);
    expect(share(seen.invertedMatch)).toBeGreaterThan(0.1);
    expect(share(seen.unresolvedDenied)).toBeGreaterThan(0.005);
    expect(share(seen.multiple)).toBeGreaterThan(0.2);
    expect(share(seen.superior)).toBeGreaterThan(0.05);
  });

  it('the indexed evaluator decides as the reference does for hundreds of policies that share their rules', () => {
    covers('AUTHZ-C4.2');
    const name = (of: string, count: number) => fc.nat(count - 1).map((n) => `${of}${n}`);
    const rule = fc.oneof(
      fc.tuple(fc.constant('subject'), name('u', 12)),
      fc.tuple(fc.constant('action'), name('a', 3)),
      fc.tuple(
        fc.constant('object'),
        fc.tuple(name('svc://', 3), name('/', 12), name('/', 2)).map((parts) => parts.join('')),
      ),
      fc.tuple(fc.constant('group'), name('g', 5)),
    );
    const rules = fc
      .uniqueArray(rule, { minLength: 2, maxLength: 4, selector: ([key]) => key })
      .map(fromEntries);
    const shared: fc.Arbitrary<Policy> = fc.record({
      name: fc.constant(''),
      description: fc.constant(''),
      deny: fc.nat(19).map((n) => n === 0),
      invert: fc.constant(false),
      engine: fc.constantFrom<Engine>('fixed', 'prefix'),
      statements: fc.array(fc.record({ rules }), { minLength: 1, maxLength: 2 }),
    });
    const asked = fc
      .tuple(
        name('u', 12),
        name('a', 3),
        name('svc://', 3),
        name('/', 12),
        name('/', 2),
        fc.array(name('g', 5), { minLength: 1, maxLength: 3 }),
      )
      .map(
        ([subject, action, ...[a, b, c, group]]) =>
          new Map<string, string | string[]>([
            ['subject', subject],
            ['action', action],
            ['object', a + b + c],
            ['group', group],
          ]),
      );
    fc.assert(
      fc.property(
        fc.array(shared, { minLength: 150, maxLength: 300 }),
        fc.array(asked, { minLength: 100, maxLength: 100 }),
        (list, contexts) => {
          const policies = list.map((each, index) => ({ ...each, name: `policy-${index}` }));
          const domain = { domainId: 'domain-0', version: 1, policies };
          const compiled = compileDomain(domain);
          for (const attributes of contexts) {
            expect(summarise(compiled.evaluate(attributes))).toEqual(decideByReference([domain], attributes));
          }
        },
      ),
      { numRuns: soak(20, 4), endOnFailure: true },
    );
  });

  it('the indexed evaluator explains what it decided, policy by policy', () => {
    covers('AUTHZ-D.19');
    fc.assert(
      fc.property(domains, context, (sets, attributes) => {
        const set = compilePolicySet(sets);
        try {
          const { decision, policies } = set.explain(attributes);
          expect(decision).toEqual(set.evaluate(attributes));
          expect(policies.map(({ policy }) => policy)).toEqual(
            sets.flatMap((domain) => domain.policies.map(({ name }) => name)),
          );
          const deciding =
            policies.find(({ deny, matched }) => deny && matched) ?? policies.find(({ matched }) => matched);
          if (decision.problems.length > 0) {
            expect(policies.flatMap(({ problem }) => problem ?? [])).toEqual(decision.problems);
          } else {
            expect(decision.matched?.policy).toBe(deciding?.policy);
            expect(decision.matched?.domainVersion).toBe(deciding?.domainVersion);
          }
          for (const { matched, inverted, statement, failedRule, problem } of policies) {
            if (problem !== null) continue;
            expect(matched).toBe(inverted ? statement === null : statement !== null);
            expect(failedRule === null).toBe(statement !== null);
          }
        } finally {
          set.free();
        }
      }),
      { numRuns: soak(120, 40), endOnFailure: true },
    );
  });

  /** The decision in the reference's words; problems that hang on the context do not occur here. */
  function summarise({ allowed, matched, problems }: Decision): ReferenceDecision {
    const broken = problems.map(({ domainId, domainVersion, policy }) => ({
      domainId,
      domainVersion,
      policy,
    }));
    return { allowed, matched, broken };
  }

  function count(sets: readonly DomainPolicies[], attributes: RequestContext, decision: ReferenceDecision) {
    seen.pairs += 1;
    if (decision.broken.length > 0) seen.broken += 1;
    else if (decision.allowed) seen.allowed += 1;
    else if (decision.matched !== null) seen.denied += 1;
    else seen.unmatched += 1;
    const by = decision.matched;
    const matched = sets
      .find(({ domainId }) => domainId === by?.domainId)
      ?.policies.find(({ name }) => name === by?.policy);
    if (matched?.invert) seen.invertedMatch += 1;
    const text = JSON.stringify(matched?.statements ?? '');
    if (matched?.deny && text.includes('$resource_owner()') && typeof attributes.get('owner') !== 'string')
      seen.unresolvedDenied += 1;
    if ([...attributes.values()].some((each) => typeof each !== 'string')) seen.multiple += 1;
    if (by !== null && by.domainId !== 'domain-0') seen.superior += 1;
  }
});
