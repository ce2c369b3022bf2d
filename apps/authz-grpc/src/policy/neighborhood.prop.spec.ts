import { describe, expect, it } from '@jest/globals';
import { covers } from '@platform/testing/covers';
import { SEED } from '@platform/testing/seed';
import { soak } from '@platform/testing/soak';
import fc from 'fast-check';
import { FactReader, macrosOf, truthOf } from './facts.ts';
import { neighborhoodOf } from './neighborhood.ts';
import type { Engine, Policy } from './types.ts';

fc.configureGlobal({ seed: SEED });

const text = fc.string({ unit: fc.constantFrom('a', 'b', '/'), maxLength: 3 });
const patterns: Readonly<Record<Engine, fc.Arbitrary<string>>> = {
  fixed: text,
  prefix: text,
  glob: fc.string({ unit: fc.constantFrom('a', 'b', '/', '*', '**'), maxLength: 3 }),
  regex: fc.string({ unit: fc.constantFrom('^', 'a', 'b', '.', '[ab]'), maxLength: 4 }),
};
const policies: fc.Arbitrary<Policy> = fc
  .constantFrom<Engine>('fixed', 'prefix', 'glob', 'regex')
  .chain((engine) => {
    const of = patterns[engine];
    const rules = fc.dictionary(fc.constantFrom('subject', 'action', 'object', 'color'), of, { minKeys: 1 });
    const statements = fc.array(fc.record({ rules }), { minLength: 1, maxLength: 2 });
    return fc.record({
      name: fc.uuid(),
      description: fc.constant(''),
      invert: fc.nat(9).map((n) => n === 0),
      deny: fc.boolean(),
      engine: fc.constant(engine),
      statements,
    });
  });
const requests = fc
  .tuple(text, text, text)
  .map(
    ([subject, action, object]) =>
      new Map<string, string | null>(Object.entries({ subject, action, object, color: 'a' })),
  );

describe('the neighborhood of a fact', () => {
  it('every fact that matches a request is a neighbor of the others that match it', () => {
    covers('AUTHZ-C.7');
    let met = 0;
    let left = 0;
    fc.assert(
      fc.property(
        fc.array(policies, { minLength: 40, maxLength: 80 }),
        fc.array(requests, { minLength: 5, maxLength: 5 }),
        (set, contexts) => {
          const reader = new FactReader();
          try {
            const holders = Array.from(reader.read(set).values(), (fact) => ({ fact }));
            reader.build();
            const near = neighborhoodOf(holders);
            left += holders.reduce((sum, holder) => sum + holders.length - near(holder).length, 0);
            for (const context of contexts) {
              const matching = holders.filter(
                ({ fact }) => truthOf(fact, context, macrosOf(context)) === true,
              );
              met += matching.length;
              for (const one of matching) {
                const neighbors = new Set(near(one));
                const missed = matching.filter((other) => other !== one && !neighbors.has(other));
                expect([missed, neighbors.has(one)]).toEqual([[], false]);
              }
            }
          } finally {
            reader.free();
          }
        },
      ),
      { numRuns: soak(200) },
    );
    // The property says something: facts did meet, and facts that cannot were left out.
    expect(Math.min(met, left)).toBeGreaterThan(100);
  });
});
