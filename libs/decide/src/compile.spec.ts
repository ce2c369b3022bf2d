import { describe, expect, it } from '@jest/globals';
import { covers } from '@platform/testing/covers';
import { compilePolicySet as compileWithout } from './compile.ts';
import { combineDomains, compileDomain, compilePolicySet } from './with-regexes.fixture.ts';
import type { DomainPolicies, Engine, Policy, PolicyStatement, RequestContext } from './types.ts';

type Given = Partial<Omit<Policy, 'statements'>> & {
  rules?: Record<string, string>;
  statements?: Policy['statements'];
};

function policy({ rules, ...given }: Given): Policy {
  const statements = [{ rules: rules ?? { subject: 'alice' } }];
  return { name: 'p', description: '', invert: false, deny: false, engine: 'fixed', statements, ...given };
}

function domain(...policies: Given[]): DomainPolicies {
  return {
    domainId: 'own',
    version: 3,
    policies: policies.map((each, i) => policy({ name: `p${i}`, ...each })),
  };
}

function context(more: Record<string, string | string[]> = {}): RequestContext {
  return new Map(Object.entries({ subject: 'alice', action: 'read', object: 'svc://d/doc', ...more }));
}

function allowed(policies: Given[], more: Record<string, string | string[]> = {}): boolean {
  return compilePolicySet([domain(...policies)]).evaluate(context(more)).allowed;
}

const everyone: Given = { engine: 'prefix', rules: { subject: '' } };

describe('a check', () => {
  it('a policy matches when any statement matches, and a statement when all its rules match', () => {
    covers('AUTHZ-C3.1', 'AUTHZ-C3.2');
    const statements: PolicyStatement[] = [
      { rules: { subject: 'bob' } },
      { rules: { subject: 'alice', action: 'read' } },
    ];
    expect(allowed([{ statements }])).toBe(true);
    expect(allowed([{ statements }], { action: 'write' })).toBe(false);
  });

  it('a check ignores attributes that no rule names, and requires those that a rule names', () => {
    covers('AUTHZ-C3.3');
    expect(allowed([{}], { colour: 'red' })).toBe(true);
    expect(allowed([{ rules: { subject: 'alice', colour: 'red' } }])).toBe(false);
  });

  it('a multi-valued attribute matches by any of its values', () => {
    covers('AUTHZ-C2.1');
    expect(allowed([{ rules: { group: 'blue' } }], { group: ['red', 'blue'] })).toBe(true);
    expect(allowed([{ rules: { group: 'blue' } }], { group: ['red'] })).toBe(false);
    expect(allowed([{ rules: { group: 'blue' }, invert: true }], { group: ['red', 'blue'] })).toBe(false);
  });

  it('a check is false when nothing matches', () => {
    covers('AUTHZ-C5.1');
    expect(compilePolicySet([]).evaluate(context())).toEqual({ allowed: false, matched: null, problems: [] });
    expect(allowed([{ rules: { subject: 'bob' } }])).toBe(false);
  });

  it('a deny overrides every allow, wherever it stands', () => {
    covers('AUTHZ-C4.2');
    const deny: Given = { deny: true, rules: { action: 'read' } };
    expect(allowed([everyone, deny])).toBe(false);
    expect(allowed([deny, everyone])).toBe(false);
    expect(allowed([deny, everyone], { action: 'write' })).toBe(true);
  });

  it.each([
    [false, false, 'alice', true],
    [false, false, 'bob', false],
    [true, false, 'alice', false],
    [true, false, 'bob', true],
  ])('a check with invert %s and deny %s decides %s as %s', (invert, deny, subject, expected) => {
    covers('AUTHZ-C4.1');
    expect(allowed([{ invert, deny }], { subject })).toBe(expected);
  });

  it('a check denies by an inverted deny whose statements do not match', () => {
    covers('AUTHZ-D.10');
    const onlyAlice: Given = { deny: true, invert: true };
    expect(allowed([everyone, onlyAlice])).toBe(true);
    expect(allowed([everyone, onlyAlice], { subject: 'bob' })).toBe(false);
  });

  it('a check names the first deny, else the first allow, in the order of the set', () => {
    const set = compilePolicySet([domain(everyone, everyone, { deny: true, rules: { action: 'write' } })]);
    expect(set.evaluate(context()).matched).toEqual({ domainId: 'own', domainVersion: 3, policy: 'p0' });
    expect(set.evaluate(context({ action: 'write' })).matched?.policy).toBe('p2');
  });

  it('FIXED compares exactly, including letter case', () => {
    covers('AUTHZ-M.1');
    expect(allowed([{ rules: { subject: 'alic' } }])).toBe(false);
    expect(allowed([{ rules: { subject: 'Alice' } }])).toBe(false);
  });

  it('PREFIX matches a request value that starts with the policy value', () => {
    covers('AUTHZ-M.2');
    const prefix: Given = { engine: 'prefix', rules: { object: 'svc://d/' } };
    expect(allowed([prefix])).toBe(true);
    expect(allowed([prefix], { object: 'svc://d/' })).toBe(true);
    expect(allowed([prefix], { object: 'svc://d' })).toBe(false);
  });

  it('attribute keys named like properties of Object are ordinary keys', () => {
    const rules = JSON.parse('{"__proto__": "x"}') as Record<string, string>;
    expect(allowed([{ rules }])).toBe(false);
    expect(compilePolicySet([domain({ rules })]).evaluate(new Map([['__proto__', 'x']])).allowed).toBe(true);
    expect(allowed([{ rules: { constructor: 'Object', toString: 'x' } }])).toBe(false);
  });
});

describe('macros', () => {
  const mine: Given = { rules: { subject: '$current_user()', owner: '$resource_owner()' } };

  it('two macros match when both resolve to equal values', () => {
    covers('AUTHZ-C6.2', 'AUTHZ-D.9');
    expect(allowed([mine], { owner: 'alice' })).toBe(true);
    expect(allowed([mine], { owner: 'bob' })).toBe(false);
  });

  it.each(['fixed', 'prefix', 'regex', 'glob'] as const)('macros expand as a literal under %s', (engine) => {
    covers('AUTHZ-D.8');
    const rules = { object: 'svc:..d.$current_user()' };
    const literal = { object: 'svc://d/$current_user()' };
    expect(allowed([{ engine, rules: literal }], { object: 'svc://d/a*b', subject: 'a*b' })).toBe(true);
    expect(allowed([{ engine, rules: literal }], { object: 'svc://d/aab', subject: 'a*b' })).toBe(false);
    expect(allowed([{ engine, rules }], { object: 'svc://d/x', subject: '.' })).toBe(false);
  });

  it('macros are repeated whole under REGEX', () => {
    const rules = { object: '^$current_user(){2}$' };
    expect(allowed([{ engine: 'regex', rules }], { subject: 'ab', object: 'abab' })).toBe(true);
    expect(allowed([{ engine: 'regex', rules }], { subject: 'ab', object: 'abb' })).toBe(false);
  });

  it.each([
    ['absent', {}],
    ['multi-valued', { owner: ['alice'] }],
  ])('unresolved because %s never allow, and deny', (_, more) => {
    covers('AUTHZ-D.5', 'AUTHZ-D.6');
    for (const invert of [false, true]) {
      expect(allowed([{ ...mine, invert }], more)).toBe(false);
      expect(allowed([everyone, { ...mine, deny: true, invert }], more)).toBe(false);
    }
  });

  it('unresolved leave a statement alone whose other rules fail', () => {
    const deny: Given = { deny: true, rules: { action: 'delete', owner: '$resource_owner()' } };
    expect(allowed([everyone, deny])).toBe(true);
    expect(allowed([everyone, deny], { action: 'delete' })).toBe(false);
  });
});

describe('what cannot be evaluated', () => {
  it.each<[string, Given]>([
    ['unknown_engine', { engine: 'first_order_logic' as 'fixed' }],
    ['no_statements', { statements: [] }],
    ['no_rules', { statements: [{ rules: {} }] }],
    ['bad_pattern', { engine: 'regex', rules: { subject: '(' } }],
    ['bad_pattern', { engine: 'glob', rules: { subject: '[' } }],
    ['bad_pattern', { rules: { subject: '$nobody()' } }],
  ])('a set that cannot be evaluated denies every check with problem %s', (code, broken) => {
    covers('AUTHZ-D.7');
    for (const flags of [{}, { invert: true }, { deny: true }, { deny: true, invert: true }]) {
      const decision = compilePolicySet([domain(everyone, { ...broken, ...flags })]).evaluate(context());
      expect(decision).toMatchObject({
        allowed: false,
        matched: null,
        problems: [{ code, policy: 'p1', domainId: 'own' }],
      });
    }
  });

  it('problems of evaluation include a REGEX whose macro stands for more than 1,024 bytes', () => {
    const set = compilePolicySet([domain({ engine: 'regex', rules: { object: '^(x|$current_user())$' } })]);
    expect(set.evaluate(context({ subject: 'é'.repeat(512) })).problems).toEqual([]);
    expect(set.evaluate(context({ subject: 'é'.repeat(513) }))).toMatchObject({
      allowed: false,
      problems: [{ code: 'macro_oversized', policy: 'p0' }],
    });
  });

  it('a set with a REGEX denies every check where regexes are not loaded, and one without needs none', () => {
    const regex = domain(everyone, { engine: 'regex', rules: { subject: '^bob$' } });
    expect(compileWithout([regex]).evaluate(context())).toMatchObject({
      allowed: false,
      problems: [{ code: 'regex_not_loaded', policy: 'p1' }],
    });
    expect(compileWithout([domain(everyone)]).evaluate(context()).allowed).toBe(true);
  });

  it('problems of evaluation include a set that was freed', () => {
    const set = compilePolicySet([domain(everyone)]);
    expect(set.evaluate(context()).allowed).toBe(true);
    set.free();
    set.free();
    expect(set.evaluate(context())).toMatchObject({ allowed: false, problems: [{ code: 'set_freed' }] });
    expect(set.explain(context()).policies).toEqual([]);
  });
});

describe('superior domains', () => {
  const own = { ...domain(everyone), domainId: 'own' };
  const superior = {
    ...domain({ deny: true, rules: { action: 'write' } }, { rules: { subject: 'root' } }),
    domainId: 'above',
  };

  it('superior domains are decided together with their subordinate: any deny, else any allow', () => {
    covers('AUTHZ-D.1');
    const set = combineDomains([own, superior].map((each) => compileDomain(each)));
    expect(set.evaluate(context()).matched).toMatchObject({ domainId: 'own' });
    expect(set.evaluate(context({ action: 'write' }))).toMatchObject({
      allowed: false,
      matched: { domainId: 'above' },
    });
    expect(combineDomains([compileDomain(superior)]).evaluate(context({ subject: 'root' })).allowed).toBe(
      true,
    );
  });

  it('combining refuses a set that was not compiled here', () => {
    expect(() => combineDomains([{} as ReturnType<typeof compileDomain>])).toThrow(TypeError);
  });
});

describe('an explanation', () => {
  it('an explanation states for every policy what matched, what failed and where it comes from', () => {
    const { decision, policies } = compilePolicySet([
      domain(
        { rules: { subject: 'alice', action: 'write', group: 'blue' } },
        { statements: [{ rules: { subject: 'bob' } }, { rules: { action: 'read' } }] },
        { deny: true, invert: true, engine: 'glob', rules: { object: 'svc://*/doc' } },
        { rules: { subject: '$current_user()', owner: '$resource_owner()' } },
      ),
    ]).explain(context());
    expect(decision).toMatchObject({ allowed: true, matched: { policy: 'p1' } });
    expect(policies).toMatchObject([
      {
        policy: 'p0',
        matched: false,
        statement: null,
        failedRule: { statement: 0, key: 'action' },
        domainVersion: 3,
      },
      { policy: 'p1', matched: true, statement: 1, failedRule: null },
      { policy: 'p2', matched: false, inverted: true, deny: true, statement: 0, engine: 'glob' },
      { policy: 'p3', matched: false, failedRule: { statement: 0, key: 'owner' } },
    ]);
    expect(policies[0]?.statements[0]?.rules.map(({ result }) => result)).toEqual([
      'matched',
      'not_matched',
      'key_absent',
    ]);
    expect(policies[3]?.statements[0]?.rules.map(({ result }) => result)).toEqual(['matched', 'unresolved']);
  });

  it('an explanation states that two macros differ', () => {
    const set = compilePolicySet([
      domain({ rules: { subject: '$current_user()', owner: '$resource_owner()' } }),
    ]);
    const [explained] = set.explain(context({ owner: 'bob' })).policies;
    expect(explained?.statements[0]?.rules.map(({ result }) => result)).toEqual(['matched', 'macros_differ']);
    expect(explained?.failedRule).toEqual({ statement: 0, key: 'owner' });
  });
});

/** A context that counts how often a value of it is looked at. */
class CountedContext extends Map<string, string> {
  looks = 0;
  override get(key: string): string | undefined {
    this.looks += 1;
    return super.get(key);
  }
}

describe('the work of a check', () => {
  covers('AUTHZ-D.16');
  /** Looks at the context that a check of `count` policies takes, of which the seventh alone allows. */
  function countLooks(count: number, engine: Engine, object: (i: number) => string, asked: string): number {
    const policies = Array.from({ length: count }, (_, i) => ({
      engine,
      rules: { subject: `user-${i}`, object: object(i) },
    }));
    const set = compilePolicySet([domain(...policies)]);
    const counted = new CountedContext(Object.entries({ subject: 'user-7', action: 'a', object: asked }));
    expect(set.evaluate(counted).matched?.policy).toBe('p7');
    set.free();
    return counted.looks;
  }

  it.each<[Engine, (i: number) => string, string]>([
    ['fixed', () => 'svc://d/x', 'svc://d/x'],
    ['prefix', (i) => `svc://d/${i}/`, 'svc://d/7/x'],
    ['glob', (i) => `svc://d/${i}/*`, 'svc://d/7/x'],
  ])(
    'a check takes the same work for 100 and for 10,000 %s policies of which one could match',
    (engine, object, asked) => {
      expect(countLooks(10_000, engine, object, asked)).toBe(countLooks(100, engine, object, asked));
    },
  );

  it('the work of a check grows with those that could match', () => {
    const denyAll = (count: number) => {
      const rules = { subject: '?*', object: '**/never' };
      const set = compilePolicySet([
        domain(...Array.from({ length: count }, () => ({ engine: 'glob' as const, rules }))),
      ]);
      const counted = new CountedContext(Object.entries({ subject: 'a', action: 'a', object: 'svc://d/x' }));
      expect(set.evaluate(counted).allowed).toBe(false);
      return counted.looks;
    };
    expect(denyAll(1_000)).toBeGreaterThan(5 * denyAll(100));
  });
});
