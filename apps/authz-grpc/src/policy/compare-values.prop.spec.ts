import { describe, expect, it } from '@jest/globals';
import { decideByReference } from '@platform/decide/reference';
import { covers } from '@platform/testing/covers';
import { SEED } from '@platform/testing/seed';
import { soak } from '@platform/testing/soak';
import fc from 'fast-check';
import { compareSets, type ComparedFact } from './compare-sets.ts';
import type { Engine, Policy, RequestContext } from './types.ts';

fc.configureGlobal({ seed: SEED });

const DOMAIN = '11111111-1111-4111-8111-111111111111';
const OBJECT = `svc://${DOMAIN}/x`;

function rule(name: string, rules: Record<string, string>, more: Partial<Policy> = {}): Policy {
  const statements = [{ rules }];
  return { name, description: '', invert: false, deny: false, engine: 'fixed', statements, ...more };
}

const toSet = (policies: readonly Policy[]) => ({ domainId: DOMAIN, version: 1, policies });

const compare = (before: readonly Policy[], after: readonly Policy[]): ComparedFact[] =>
  compareSets({ before: toSet(before), after: toSet(after), others: new Map(), scopes: [[DOMAIN]] });

const decide = (policies: readonly Policy[], context: RequestContext) =>
  decideByReference([toSet(policies)], context).allowed;

/** Whether the sets decide one of these requests differently. */
const differ = (before: readonly Policy[], after: readonly Policy[], contexts: readonly RequestContext[]) =>
  contexts.some((context) => decide(before, context) !== decide(after, context));

const requestOf = (more: Readonly<Record<string, string | readonly string[]>>): RequestContext =>
  new Map<string, string | readonly string[]>(
    Object.entries({ subject: 'ann', action: 'read', object: OBJECT, ...more }),
  );

describe('plans of statements about keys with many values', () => {
  it.each(['fixed', 'prefix'] as const)(
    'a change that only two values together show is not said to have no effect, with %s',
    (engine) => {
      covers('AUTHZ-CLI.75');
      const groups = Array.from({ length: 40 }, (_, n) => `g${n + 10}`);
      const allowed = groups.map((group) => rule(`allow ${group}`, { group }, { engine }));
      const denied = groups
        .slice(0, -1)
        .map((group) => rule(`deny ${group}`, { group }, { engine, deny: true }));
      const set = [...allowed, ...denied];
      const [fact] = compare(set, [...set, rule('blue', { group: 'blue' }, { engine, deny: true })]);
      expect(fact).toMatchObject({ outcome: 'witnessed' });
    },
  );

  const NAMES = ['blue', ...Array.from({ length: 24 }, (_, n) => `g${n + 10}`)];
  const pairs = NAMES.flatMap((one, index) => NAMES.slice(index).map((other) => [one, other]));
  const contexts = [...pairs, ...NAMES].map((group) => requestOf({ group })).concat(requestOf({}));

  const sides = fc.record({
    allowed: fc.subarray(NAMES.slice(1), { minLength: 20 }),
    open: fc.subarray(NAMES.slice(-5), { minLength: 1, maxLength: 3 }),
    changed: fc.constantFrom('blue', ...NAMES.slice(-3)),
    deny: fc.constantFrom(true, true, false),
    wide: fc.constantFrom('', 'g1', 'g2'),
    engine: fc.constantFrom<Engine>('fixed', 'prefix'),
  });

  it('no change of sets with dozens of values of a key is said to have no effect where one has', () => {
    covers('AUTHZ-CLI.75');
    let differing = 0;
    fc.assert(
      fc.property(sides, ({ allowed, open, changed, deny, wide, engine }) => {
        const denied = allowed.filter((group) => !open.includes(group));
        const set = [
          ...allowed.map((group) => rule(`allow ${group}`, { group })),
          ...denied.map((group) => rule(`deny ${group}`, { group }, { deny: true })),
        ];
        const group = engine === 'prefix' && wide !== '' ? wide : changed;
        const edited = [...set, rule('edit', { group }, { engine, deny })];
        for (const [before, after] of [
          [set, edited],
          [edited, set],
        ] as const) {
          const facts = compare(before, after);
          const isDifferent = differ(before, after, contexts);
          if (isDifferent) differing += 1;
          const outcomes = facts.map(({ outcome }) => outcome);
          if (isDifferent) expect(outcomes).toContain('witnessed');
        }
      }),
      { numRuns: soak(100) },
    );
    expect(differing).toBeGreaterThan(0);
  });

  const SUBJECTS = ['bob', 'eve', 'xbob', 'xeve', 'ann'];
  const asked = SUBJECTS.flatMap((subject) =>
    [undefined, 'bob', 'eve', 'ann'].map((owner) => requestOf({ subject, ...(owner && { owner }) })),
  );
  const ownRules = fc
    .record({
      subject: fc.constantFrom('bob', '$resource_owner()', 'x$resource_owner()'),
      owner: fc.constantFrom('', 'bob', 'eve', 'ann'),
    })
    .map(({ subject, owner }) => ({ subject, ...(owner === '' ? {} : { owner }) }));
  const statements = fc.array(fc.tuple(ownRules, fc.boolean()), { maxLength: 3 });

  it('a change of who owns has a witness where one of the named owners is one', () => {
    covers('AUTHZ-CLI.78');
    const own = rule('own', { subject: '$resource_owner()', owner: 'eve' });
    const keep = rule('keep', { subject: 'bob' });
    expect(compare([keep], [keep, own])[0]).toMatchObject({ outcome: 'witnessed' });
    fc.assert(
      fc.property(statements, ownRules, (others, rules) => {
        const set = others.map(([one, deny], n) => rule(`p${n}`, one, { deny }));
        const edited = [...set, rule('edit', rules)];
        if (!differ(set, edited, asked)) return;
        const outcomes = [...compare(set, edited), ...compare(edited, set)].map(({ outcome }) => outcome);
        expect(outcomes).toEqual(['witnessed', 'witnessed']);
      }),
      { numRuns: soak(500) },
    );
  });
});
