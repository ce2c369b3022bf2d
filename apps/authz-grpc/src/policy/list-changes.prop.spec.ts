import { expect, it } from '@jest/globals';
import { covers } from '@platform/testing/covers';
import { SEED } from '@platform/testing/seed';
import fc from 'fast-check';
import type { ComparedFact } from './compare-sets.ts';
import { listChanges } from './list-changes.ts';

fc.configureGlobal({ seed: SEED });

const decision = (allowed: boolean) => ({ allowed, matched: null, problems: [] });

const fact = fc
  .record({
    outcome: fc.constantFrom<ComparedFact['outcome']>('witnessed', 'no_effect', 'no_effect', 'not_decided'),
    isGain: fc.boolean(),
  })
  .map(({ outcome, isGain }): ComparedFact => {
    const witness = { context: new Map(), before: decision(!isGain), after: decision(isGain) };
    const told = { kind: 'added', policy: 'p', words: 'allows', reason: '', outcome } as const;
    return { ...told, witness: outcome === 'witnessed' ? witness : null };
  });

it('the counts of a plan are those of all changes, and its list shows each direction that there is', () => {
  covers('AUTHZ-CLI.74', 'AUTHZ-C.11');
  fc.assert(
    fc.property(fc.array(fact, { maxLength: 40 }), fc.integer({ min: 2, max: 45 }), (facts, max) => {
      const { changes, count } = listChanges(facts, max);
      const whole = listChanges(facts, Infinity);
      expect(count).toEqual(whole.count);
      expect(whole.changes).toHaveLength(facts.length);
      expect(changes).toHaveLength(Math.min(max, facts.length));
      const of = (some: readonly ComparedFact[], outcome: ComparedFact['outcome']) =>
        some.filter((one) => one.outcome === outcome).length;
      expect(of(whole.changes, 'no_effect')).toBe(count.no_effect);
      expect(of(changes, 'witnessed')).toBe(Math.min(max, count.witnessed));
      for (const isGain of [true, false]) {
        const shows = (some: readonly ComparedFact[]) =>
          some.some(({ witness }) => witness?.after.allowed === isGain);
        expect(shows(changes)).toBe(shows(facts));
      }
    }),
  );
});
