import { describe, expect, it } from '@jest/globals';
import { decideByReference } from '@platform/decide/reference';
import { covers } from '@platform/testing/covers';
import { inRounds } from '@platform/testing/rounds';
import { SEED } from '@platform/testing/seed';
import { soak } from '@platform/testing/soak';
import fc from 'fast-check';
import { compareSets, TESTS_MAX, type ComparedFact } from './compare-sets.ts';
import { policyDomains, searchContexts } from './policies.fixture.ts';
import type { DomainPolicies, Engine, Policy, RequestContext } from './types.ts';

fc.configureGlobal({ seed: SEED });

const DOMAIN = '11111111-1111-4111-8111-111111111111';
const ABOVE = '22222222-2222-4222-8222-222222222222';
const BASE = `svc://${DOMAIN}/`;

/** The same with objects that checks take. */
function withObjects<T>(value: T): T {
  const text = JSON.stringify(value).replaceAll('svc://d/', BASE).replaceAll('svc://e/', `svc://${ABOVE}/`);
  return JSON.parse(text) as T;
}

const toSet = (policies: readonly Policy[]): DomainPolicies => ({ domainId: DOMAIN, version: 1, policies });

/** Rule tests of one comparison here. */
const TESTS = 60_000;

/** A domain and one above it, and what the domain has. */
const worlds = policyDomains.map((domains) => {
  const [own, above] = withObjects(domains);
  const inherited: DomainPolicies = { domainId: ABOVE, version: 1, policies: above?.policies ?? [] };
  return { policies: own?.policies ?? [], inherited };
});

function compare(
  before: readonly Policy[],
  after: readonly Policy[],
  above: DomainPolicies,
  left = TESTS,
): ComparedFact[] {
  const others = new Map([[ABOVE, above]]);
  const change = { before: toSet(before), after: toSet(after), others, scopes: [[DOMAIN, ABOVE]] };
  return compareSets(change, { left });
}

const decide = (policies: readonly Policy[], above: DomainPolicies, context: RequestContext) =>
  decideByReference([toSet(policies), above], context).allowed;

/** Every witness is a request that the executable specification decides differently, as the witness says. */
function expectTrue(
  facts: readonly ComparedFact[],
  before: readonly Policy[],
  after: readonly Policy[],
  above: DomainPolicies,
): void {
  for (const { outcome, witness } of facts) {
    expect(witness !== null).toBe(outcome === 'witnessed');
    if (witness === null) continue;
    const { context } = witness;
    const decided = [witness.before.allowed, witness.after.allowed];
    expect(decided).toEqual([decide(before, above, context), decide(after, above, context)]);
    expect(decided[0]).not.toBe(decided[1]);
  }
}

describe('the comparison of two sets of policies', () => {
  it('no witness is invented, and no difference of any request is called none', () => {
    covers('AUTHZ-C.3');
    const seen = { witnessed: 0, no_effect: 0, not_decided: 0 };
    const contexts = searchContexts.map((some) => some.map((one) => new Map(withObjects([...one]))));
    fc.assert(
      fc.property(worlds, worlds, contexts, fc.nat(), (one, other, asked, pick) => {
        const before = one.policies;
        const at = before.length === 0 ? 0 : pick % before.length;
        const after = [
          ...before.slice(0, at),
          ...other.policies.slice(0, 1 + (pick % 2)),
          ...before.slice(at + 1),
        ];
        const facts = compare(before, after, one.inherited);
        expectTrue(facts, before, after, one.inherited);
        for (const { outcome } of facts) seen[outcome] += 1;
        if (facts.some(({ outcome }) => outcome !== 'no_effect')) return;
        for (const context of asked)
          expect(decide(after, one.inherited, context)).toBe(decide(before, one.inherited, context));
      }),
      { numRuns: soak(300) },
    );
    // Few changes of random sets are left open; by a seed they can be a little more than the witnessed ones.
    expect(2 * seen.witnessed).toBeGreaterThan(seen.not_decided);
  });

  /** A statement, and a request that it matches. */
  const planted = fc
    .record({
      engine: fc.constantFrom<Engine>('fixed', 'prefix', 'glob', 'regex'),
      name: fc.stringMatching(/^[a-z]{1,6}$/),
      deny: fc.boolean(),
      keys: fc.subarray(['subject', 'action', 'group'] as const),
    })
    .map(({ engine, name: letters, deny, keys }) => (index: number) => {
      const name = `${letters}${index}x`;
      const written: Record<Engine, (text: string) => string> = {
        fixed: (text) => text,
        prefix: (text) => text.slice(0, -1),
        glob: (text) => `${text.slice(0, -1)}*`,
        regex: (text) => `^${text.replaceAll('.', '\\.')}$`,
      };
      const values = { subject: `s-${name}`, action: `a-${name}`, group: `g-${name}` };
      const object = `${BASE}planted/${name}/file`;
      const patterns = Object.fromEntries(keys.map((key) => [key, written[engine](values[key])]));
      const rules = { ...patterns, object: written[engine](object) };
      const policy: Policy = {
        name: `planted ${index}`,
        description: '',
        invert: false,
        deny,
        engine,
        statements: [{ rules }],
      };
      const request = new Map(Object.entries({ ...values, object }));
      const open: Policy = {
        ...policy,
        name: `open ${index}`,
        deny: false,
        engine: 'prefix',
        statements: [{ rules: { object: `${BASE}planted/${name}/` } }],
      };
      return { policy, request, ground: deny ? [open] : [] };
    });

  it('each planted change that changes a decision is found, of at least 1,000 in a whole run', () => {
    covers('AUTHZ-C.3');
    const missed: unknown[] = [];
    let changes = 0;
    const garden = fc.array(planted, { minLength: 10, maxLength: 10 });
    const grown = fc.property(worlds, garden, fc.boolean(), ({ policies, inherited }, plants, isAdded) => {
      const made = plants.map((plant, index) => plant(index));
      const without = [...policies, ...made.flatMap(({ ground }) => ground)];
      const sets = [without, [...without, ...made.map(({ policy }) => policy)]];
      const [before, after] = (isAdded ? sets : sets.toReversed()) as [Policy[], Policy[]];
      const facts = compare(before, after, inherited, TESTS_MAX);
      expectTrue(facts, before, after, inherited);
      expect(facts).toHaveLength(made.length);
      for (const { policy, request } of made) {
        if (decide(before, inherited, request) === decide(after, inherited, request)) continue;
        changes += 1;
        const fact = facts.find((one) => one.policy === policy.name);
        if (fact?.outcome !== 'witnessed') missed.push({ seed: SEED, fact, before, after, inherited });
      }
    });
    inRounds(
      () => changes >= soak(1_000),
      (seed) => fc.assert(grown, { seed, numRuns: soak(100) }),
    );
    expect(missed.slice(0, 3)).toEqual([]);
  });

  it('names, order and how statements are spread over policies are no change', () => {
    covers('AUTHZ-C.3');
    fc.assert(
      fc.property(worlds, fc.nat(), ({ policies, inherited }, shift) => {
        const spread = policies.flatMap((policy) =>
          policy.invert
            ? [policy]
            : policy.statements.map((statement) => ({ ...policy, statements: [statement] })),
        );
        const at = shift % Math.max(1, spread.length);
        const after = [...spread.slice(at), ...spread.slice(0, at)].map((policy, i) => ({
          ...policy,
          name: `n${i}`,
        }));
        expect(compare(policies, after, inherited)).toEqual([]);
      }),
      { numRuns: soak(200) },
    );
  });
});
