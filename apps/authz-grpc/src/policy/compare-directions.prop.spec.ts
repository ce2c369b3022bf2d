import { describe, expect, it } from '@jest/globals';
import { decideByReference } from '@platform/decide/reference';
import { covers } from '@platform/testing/covers';
import { SEED } from '@platform/testing/seed';
import { soak } from '@platform/testing/soak';
import fc from 'fast-check';
import { compareSets, type ComparedFact } from './compare-sets.ts';
import type { DomainPolicies, Engine, Policy, RequestContext } from './types.ts';

fc.configureGlobal({ seed: SEED });

const DOMAIN = '11111111-1111-4111-8111-111111111111';
const ABOVE = '22222222-2222-4222-8222-222222222222';
const BELOW = '33333333-3333-4333-8333-333333333333';

/** Values that policies name, and one beside them. */
const NAMED: Readonly<Record<string, readonly string[]>> = {
  subject: ['ann', 'bob'],
  action: ['list', 'lift'],
  object: [`svc://${DOMAIN}/x`, `svc://${DOMAIN}/x/y`, `svc://${BELOW}/x`],
  group: ['red', 'blue'],
};
const BESIDE = [`svc://${DOMAIN}/z`, `svc://${BELOW}/z`];

/** Every request of a small world. */
const universe: RequestContext[] = ['ann', 'bob', 'zoe'].flatMap((subject) =>
  ['list', 'lift', 'zap'].flatMap((action) =>
    [...(NAMED['object'] as string[]), ...BESIDE].flatMap((object) =>
      [null, 'red', 'blue', 'zinc', ['red', 'blue']].map(
        (group) =>
          new Map<string, string | readonly string[]>([
            ['subject', subject],
            ['action', action],
            ['object', object],
            ...(group === null ? [] : [['group', group] as const]),
          ]),
      ),
    ),
  ),
);

function patternsOf(engine: Engine, key: string): string[] {
  const names = NAMED[key] as readonly string[];
  const part = (name: string) => name.slice(0, key === 'object' ? -1 : 2);
  switch (engine) {
    case 'fixed':
      return [...names];
    case 'prefix':
      return [...names, ...names.map(part), ''];
    case 'glob':
      return [...names, ...names.map((name) => `${part(name)}*`), key === 'object' ? '**' : '*'];
    case 'regex':
      return [...names.map((name) => `^${name}$`), ...names.map((name) => `^${part(name)}`), '.*'];
  }
}

const rules = (engine: Engine) =>
  fc
    .subarray(Object.keys(NAMED), { minLength: 1, maxLength: 2 })
    .chain((keys) =>
      fc.tuple(...keys.map((key) => fc.tuple(fc.constant(key), fc.constantFrom(...patternsOf(engine, key))))),
    )
    .map((pairs) => ({ rules: Object.fromEntries(pairs) as Record<string, string> }));

const engines: readonly Engine[] = ['fixed', 'prefix', 'glob', 'regex'];

const policiesOf = (max: number) =>
  fc.array(
    fc
      .tuple(fc.boolean(), fc.boolean(), fc.constantFrom(...engines, 'fixed' as const, 'prefix' as const))
      .chain(([deny, invert, engine]) =>
        fc
          .array(rules(engine), { minLength: 1, maxLength: 2 })
          .map((statements): Policy => ({ name: '', description: '', deny, invert, engine, statements })),
      ),
    { maxLength: max },
  );

const toSet = (domainId: string, policies: readonly Policy[]): DomainPolicies => ({
  domainId,
  version: 1,
  policies: policies.map((policy, index) => ({ ...policy, name: `${index}` })),
});

const isExact = (policies: readonly Policy[]) =>
  policies.every(
    ({ engine, invert, statements }) =>
      (engine === 'fixed' || engine === 'prefix') &&
      !(invert && statements.some((one) => 'group' in one.rules)),
  );

/** Whether the change allows more where it applies. */
const isGain = ({ kind, deny }: { kind: ComparedFact['kind']; deny: boolean }) =>
  deny === (kind === 'removed');

describe('the directions of a comparison', () => {
  it('a gain or a loss of any request is shown by a statement with a witness of that direction', () => {
    covers('AUTHZ-C.11');
    const seen = { gain: 0, loss: 0, both: 0, notDecided: 0 };
    fc.assert(
      fc.property(policiesOf(3), policiesOf(3), policiesOf(1), policiesOf(1), (one, other, above, below) => {
        const [before, after] = [toSet(DOMAIN, one), toSet(DOMAIN, other)];
        const others = new Map([
          [ABOVE, toSet(ABOVE, above)],
          [BELOW, toSet(BELOW, below)],
        ]);
        const scopes = [
          [DOMAIN, ABOVE],
          [BELOW, DOMAIN, ABOVE],
        ];
        const facts = compareSets({ before, after, others, scopes });
        const decide = (set: DomainPolicies, context: RequestContext) => {
          const scope = scopes[String(context.get('object')).includes(BELOW) ? 1 : 0] as readonly string[];
          const sets = scope.map((id) => (id === DOMAIN ? set : (others.get(id) as DomainPolicies)));
          return decideByReference(sets, context).allowed;
        };
        const policyOf = ({ kind, policy }: ComparedFact) =>
          (kind === 'added' ? after : before).policies[Number(policy)] as Policy;
        const differing = universe.flatMap((context) => {
          const [was, is] = [decide(before, context), decide(after, context)];
          return was === is ? [] : [{ context, isGained: is }];
        });
        const exact = isExact([...one, ...other, ...above, ...below]);
        for (const fact of facts) {
          const { deny, ...policy } = policyOf(fact);
          const way = isGain({ kind: fact.kind, deny });
          // Every witness has the statement's own direction, and the statement's policy matches it.
          const isMatched = (by: Omit<Policy, 'deny'>, context: RequestContext) =>
            decideByReference([toSet(DOMAIN, [{ ...by, deny: false }])], context).allowed;
          const matchesIt = (context: RequestContext) => isMatched(policy, context);
          // What another domain says anyway is not the statement's doing.
          const isSaidElsewhere = (context: RequestContext) =>
            [...above, ...below].some((by) => by.deny === deny && isMatched(by, context));
          if (fact.witness !== null) {
            expect(fact.witness.after.allowed).toBe(way);
            expect(matchesIt(fact.witness.context)).toBe(true);
          }
          // A statement of several is not told apart by its policy.
          if (policy.statements.length > 1 && !policy.invert) continue;
          const isShown = differing.some(
            ({ context, isGained }) => isGained === way && matchesIt(context) && !isSaidElsewhere(context),
          );
          if (isShown) expect(fact.outcome).not.toBe('no_effect');
          if (isShown && exact) expect(fact.outcome).toBe('witnessed');
        }
        for (const gained of [true, false]) {
          if (!differing.some(({ isGained }) => isGained === gained)) continue;
          seen[gained ? 'gain' : 'loss'] += 1;
          const ofWay = facts.filter(
            (fact) => isGain({ kind: fact.kind, deny: policyOf(fact).deny }) === gained,
          );
          const outcomes = new Set(ofWay.map(({ outcome }) => outcome));
          if (!outcomes.has('witnessed')) seen.notDecided += 1;
          expect(outcomes.has('witnessed') || (!exact && outcomes.has('not_decided'))).toBe(true);
        }
        if (new Set(differing.map(({ isGained }) => isGained)).size === 2) seen.both += 1;
      }),
      { numRuns: soak(2_000) },
    );
    expect(seen.both).toBeGreaterThan(soak(100));
    expect(seen.notDecided).toBeLessThan(seen.both / 10);
  });
});
