import { afterAll, expect, it } from '@jest/globals';
import { covers } from '@platform/testing/covers';
import { SEED } from '@platform/testing/seed';
import { soak } from '@platform/testing/soak';
import fc from 'fast-check';
import { FactReader, truthOf, type Fact } from './facts.ts';
import { subsumes } from './subsumes.ts';
import type { Engine, Policy } from './types.ts';

fc.configureGlobal({ seed: SEED });

const readers: FactReader[] = [];
afterAll(() => readers.forEach((reader) => reader.free()));

/** Patterns of few letters, so that they often meet. */
const patterns = fc
  .tuple(
    fc.constantFrom('', '', '^'),
    fc.constantFrom('', 'a', 'b', 'ab'),
    fc.constantFrom('', '', '.*', '*', '(a|b)', 'a+', '$current_user()', '$resource_owner()'),
    fc.constantFrom('', 'b'),
    fc.constantFrom('', '', '$'),
  )
  .map((pieces) => pieces.join(''));
const policies = fc
  .record({
    engine: fc.constantFrom<Engine>('fixed', 'prefix', 'glob', 'regex'),
    deny: fc.boolean(),
    invert: fc.integer({ max: 9 }).map((of) => of === 0),
    rules: fc.dictionary(fc.constantFrom('action', 'team'), patterns, { minKeys: 1, maxKeys: 2 }),
  })
  .map(({ rules, ...rest }): Policy => ({ name: 'p', description: '', statements: [{ rules }], ...rest }));
const values = fc.string({ unit: fc.constantFrom('a', 'b', 'a', 'b', '\n'), maxLength: 5 });
const contexts = fc.record({
  action: values,
  team: fc.oneof(values, fc.array(values, { maxLength: 3 })),
  subject: fc.constantFrom('a', 'b'),
  owner: fc.constantFrom('a', 'b', 'ab'),
});

it('a statement is called covered only by one that matches every request that it matches', () => {
  covers('AUTHZ-C.12');
  let covered = 0;
  let told = 0;
  const some = fc.array(contexts, { minLength: 30, maxLength: 30 });
  fc.assert(
    fc.property(fc.array(policies, { minLength: 12, maxLength: 12 }), some, (set, requests) => {
      const reader = new FactReader();
      readers.push(reader);
      const facts = [...reader.read(set).values()];
      reader.build();
      for (const one of facts) {
        for (const other of facts) {
          if (one === other || !subsumes(other, one)) continue;
          covered += 1;
          expect([one.deny && !other.deny, one.invert, other.invert]).toEqual([false, false, false]);
          for (const request of requests) {
            const macros = { user: request.subject, owner: request.owner };
            const holds = (fact: Fact) => truthOf(fact, new Map(Object.entries(request)), macros);
            if (holds(one) !== true) continue;
            told += 1;
            expect([one.patterns, other.patterns, holds(other)]).toEqual([
              one.patterns,
              other.patterns,
              true,
            ]);
          }
        }
      }
    }),
    { numRuns: soak(2_000) },
  );
  expect(Math.min(covered, told)).toBeGreaterThan(soak(100));
});
