import { isDeepStrictEqual } from 'node:util';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { filterPredicate, filterSql, type Filter, type ResourceValues } from '@platform/authz-client';
import { openDatabase, type Database } from '@platform/database';
import { covers } from '@platform/testing/covers';
import { SEED } from '@platform/testing/seed';
import { soak } from '@platform/testing/soak';
import fc from 'fast-check';
import { RRegex } from 'rregex';
import { combineDomains, compileDomain } from './compile.ts';
import { objects, policyDomains, searchContexts } from './policies.fixture.ts';
import { toEnd } from './to-end.ts';
import type { DomainPolicies, Engine, Policy, RequestContext } from './types.ts';

fc.configureGlobal({ seed: SEED });

const regexes = new Map<string, RRegex>();
function matchesRegex(pattern: string, value: string): boolean {
  let regex = regexes.get(pattern);
  if (regex === undefined) regexes.set(pattern, (regex = new RRegex(pattern)));
  return regex.isMatch(value);
}

/** Calls `use` with each context's plan, and with what checks of each resource decide. */
function forEachPlan(
  domains: readonly DomainPolicies[],
  contexts: readonly RequestContext[],
  resources: readonly RequestContext[],
  use: (filter: Filter, allowed: readonly boolean[]) => void,
): void {
  const compiled = domains.map((domain) => compileDomain(domain));
  const set = combineDomains(compiled);
  for (const context of contexts) {
    const known = new Map([...context].filter(([key]) => !/^(?:object|owner|resource\.)/.test(key)));
    const { filter, problems } = toEnd(set.plan(known));
    expect(problems).toEqual([]);
    use(
      filter,
      resources.map((resource) => set.evaluate(new Map([...known, ...resource])).allowed),
    );
  }
  for (const domain of compiled) domain.free();
}

/** What `bob` of two groups is allowed on resources by one policy. */
function planFor(engine: Engine, statements: Policy['statements']): Filter {
  const policy = { name: 'p', description: '', deny: false, invert: false, engine, statements };
  const compiled = compileDomain({ domainId: 'd', version: 1, policies: [policy] });
  const known = new Map<string, string | string[]>([
    ['subject', 'bob'],
    ['group', ['x-red', 'x-blue']],
  ]);
  const { filter } = toEnd(combineDomains([compiled]).plan(known));
  compiled.free();
  return filter;
}

const isOne = { kind: 'single', key: 'owner' };
const is = (text: string) => ({ kind: 'match', test: 'equals', key: 'owner', parts: [text] });

describe('a plan', () => {
  it('the predicate of a plan decides on every resource as its check, for every policy set and context', () => {
    covers('AUTHZ-V.7');
    const rows = objects.map((each) => Object.fromEntries(each) as ResourceValues);
    const seen = { allowed: 0, denied: 0, constant: 0, plans: 0 };
    fc.assert(
      fc.property(policyDomains, searchContexts, (domains, contexts) => {
        forEachPlan(domains, contexts, objects, (filter, allowed) => {
          const holds = filterPredicate(filter, matchesRegex);
          expect(rows.map(holds)).toEqual(allowed);
          seen.plans += 1;
          if (filter.kind === 'constant') seen.constant += 1;
          seen.allowed += allowed.filter(Boolean).length;
          seen.denied += allowed.filter((each) => !each).length;
        });
      }),
      { numRuns: soak(600, 150), endOnFailure: true },
    );
    expect(seen.constant).toBeLessThan(seen.plans * 0.75);
    expect(Math.min(seen.allowed, seen.denied) * 20).toBeGreaterThan(seen.allowed + seen.denied);
  });

  it('a plan asks for the owner where a rule of a key that is known names the owner', () => {
    covers('AUTHZ-V.7');
    const planOf = (engine: Engine, rules: Record<string, string>) => planFor(engine, [{ rules }]);
    const owner = { attribute: 'owner' };
    const compared = (test: string, text: string, parts: unknown[]) => ({
      kind: 'compared',
      test,
      text,
      parts,
    });
    const given = (...of: unknown[]) => ({ kind: 'all', of: [isOne, ...of] });
    expect(planOf('fixed', { subject: '$resource_owner()' })).toEqual(given(is('bob')));
    expect(planOf('fixed', { group: 'x-$resource_owner()' })).toEqual(
      given({ kind: 'any', of: [is('red'), is('blue')] }),
    );
    expect(planOf('fixed', { action: '$resource_owner()' })).toEqual({ kind: 'constant', value: false });
    expect(planOf('prefix', { subject: '$resource_owner()' })).toEqual(
      given(compared('starts_with', 'bob', [owner])),
    );
    expect(planOf('glob', { subject: '*$resource_owner()' })).toEqual(
      given(compared('glob', 'bob', ['*', owner])),
    );
    expect(planOf('regex', { subject: '^$resource_owner()+$' })).toEqual(
      given(compared('regex', 'bob', ['^', owner, '+$'])),
    );
    // Where the subject has to be the owner as well, the one stands for the other.
    expect(planOf('glob', { subject: '*$resource_owner()', owner: '$current_user()' })).toEqual(
      given(is('bob'), { kind: 'match', test: 'glob', key: 'owner', parts: ['bob'] }),
    );
  });

  it('no part of a plan asks twice for the same', () => {
    covers('AUTHZ-V.23');
    const statement = { rules: { subject: '$current_user()', owner: '$resource_owner()' } };
    const twice = { rules: { ...statement.rules, object: 'svc://d/x' } };
    expect(planFor('fixed', [statement, statement, twice])).toEqual({
      kind: 'any',
      of: [
        { kind: 'all', of: [isOne, is('bob')] },
        {
          kind: 'all',
          of: [isOne, is('bob'), { kind: 'match', test: 'equals', key: 'object', parts: ['svc://d/x'] }],
        },
      ],
    });
    const askedTwice = (filter: Filter): Filter[] => {
      if (filter.kind === 'not') return askedTwice(filter.of);
      if (filter.kind !== 'all' && filter.kind !== 'any') return [];
      const isRepeated = filter.of.some((one, at) =>
        filter.of.slice(0, at).some((other) => isDeepStrictEqual(one, other)),
      );
      return [...(isRepeated ? [filter] : []), ...filter.of.flatMap(askedTwice)];
    };
    const plans: Filter[] = [];
    fc.assert(
      fc.property(policyDomains, searchContexts, (domains, contexts) =>
        forEachPlan(domains, contexts, [], (filter) => plans.push(filter)),
      ),
      { numRuns: soak(600, 150), endOnFailure: true },
    );
    expect(plans.flatMap(askedTwice).slice(0, 1)).toEqual([]);
  });

  it('a predicate without a test for regexes throws where it comes to one', () => {
    covers('AUTHZ-V.7');
    const filter: Filter = { kind: 'match', test: 'regex', key: 'object', parts: ['x'] };
    expect(() => filterPredicate(filter)({ object: 'x' })).toThrow('the filter has a regex');
  });

  describe('in SQL', () => {
    const single = objects.filter((each) => [...each.values()].every((value) => typeof value === 'string'));
    let database: Database;
    beforeAll(async () => {
      database = await openDatabase('pglite:memory://', { embeddedFolder: '' });
      await database.query(
        'CREATE TABLE items (n int PRIMARY KEY, path text NOT NULL, owner text, status text)',
        [],
      );
      for (const [n, each] of single.entries()) {
        const path = (each.get('object') as string).slice('svc://d/'.length);
        await database.query('INSERT INTO items VALUES ($1, $2, $3, $4)', [
          n,
          path,
          each.get('owner') ?? null,
          each.get('resource.status') ?? null,
        ]);
      }
    });
    afterAll(() => database?.close());

    it('the SQL of a plan selects the rows that checks allow, and more only where it says so', async () => {
      covers('AUTHZ-V.8');
      const seen = { exact: 0, wide: 0 };
      await fc.assert(
        fc.asyncProperty(policyDomains, searchContexts, async (domains, contexts) => {
          const plans: [Filter, readonly boolean[]][] = [];
          forEachPlan(domains, contexts, single, (filter, allowed) => plans.push([filter, allowed]));
          for (const [filter, allowed] of plans) {
            const { text, values, isExact } = filterSql(
              filter,
              {
                object: { sql: 'path', prefix: 'svc://d/' },
                owner: { sql: 'owner' },
                'resource.status': { sql: 'status' },
              },
              2,
            );
            const { rows } = await database.query<{ n: number }>(
              `SELECT n FROM items WHERE n >= $1::int AND ${text} ORDER BY n`,
              [0, ...values],
            );
            const selected = rows.map(({ n }) => n);
            const expected = single.flatMap((_each, n) => (allowed[n] ? [n] : []));
            if (isExact) expect(selected).toEqual(expected);
            else expect(expected.filter((n) => !selected.includes(n))).toEqual([]);
            seen[isExact ? 'exact' : 'wide'] += 1;
          }
        }),
        { numRuns: soak(300, 60), endOnFailure: true },
      );
      expect(seen.exact).toBeGreaterThan(seen.wide / 10);
    });
  });
});
