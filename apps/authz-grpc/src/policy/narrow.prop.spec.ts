import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { covers } from '@platform/testing/covers';
import { SEED } from '@platform/testing/seed';
import { soak } from '@platform/testing/soak';
import { combineDomains, compileDomain } from './compile.ts';
import { objects, policyDomains, searchContexts } from './policies.fixture.ts';
import {
  beginningWith,
  behindText,
  compareTexts,
  exactly,
  intersect,
  subtract,
  textOf,
  union,
} from './ranges.ts';
import type { Range } from './ranges.ts';
import type { DomainPolicies, SearchableSet } from './types.ts';

fc.configureGlobal({ seed: SEED });

const holds = (ranges: readonly Range[], text: string) =>
  ranges.some(({ from, to }) => compareTexts(from, text) <= 0 && compareTexts(text, to) < 0);

function withSet<T>(domains: readonly DomainPolicies[], use: (set: SearchableSet) => T): T {
  const compiled = domains.map((domain) => compileDomain(domain));
  try {
    return use(combineDomains(compiled));
  } finally {
    for (const domain of compiled) domain.free();
  }
}

describe('the narrowing of a search', () => {
  it('narrowing leaves every object that a check allows, for every policy set and context', () => {
    covers('AUTHZ-V.1');
    const seen = { objects: 0, allowed: 0, left: 0 };
    fc.assert(
      fc.property(policyDomains, searchContexts, (domains, contexts) => {
        withSet(domains, (set) => {
          for (const context of contexts) {
            const known = new Map(context);
            known.delete('object');
            const ranges = set.narrow(known);
            for (const each of objects) {
              const isLeft = holds(ranges, each.get('object') as string);
              const { allowed } = set.evaluate(new Map([...known, ...each]));
              if (allowed && !isLeft) expect([...each, ranges]).toEqual('left to the search');
              seen.objects += 1;
              if (allowed) seen.allowed += 1;
              if (isLeft) seen.left += 1;
            }
          }
        });
      }),
      { numRuns: soak(600, 150), endOnFailure: true },
    );
    expect(seen.allowed).toBeGreaterThan(seen.objects / 50);
    // Ranges that leave everything would pass as well.
    expect(seen.left).toBeLessThan(seen.objects * 0.95);
  });

  it('the reach holds every object that a check allows, and none of its ranges comes from a deny', () => {
    covers('AUTHZ-V.10');
    const seen = { allowed: 0, left: 0, objects: 0 };
    fc.assert(
      fc.property(policyDomains, searchContexts, (domains, contexts) => {
        const withoutDenies = domains.map((domain) => ({
          ...domain,
          policies: domain.policies.filter(({ deny }) => !deny),
        }));
        for (const context of contexts) {
          const known = new Map(context);
          known.delete('object');
          const reach = withSet(domains, (set) => set.reach(known));
          for (const range of reach) {
            const { text, isWhole } = textOf(range);
            expect(range).toEqual(isWhole ? exactly(text) : beginningWith(text));
          }
          expect(withSet(withoutDenies, (set) => set.reach(known))).toEqual(
            expect.arrayContaining([...reach]),
          );
          withSet(domains, (set) => {
            for (const each of objects) {
              const isLeft = holds(reach, each.get('object') as string);
              const { allowed } = set.evaluate(new Map([...known, ...each]));
              if (allowed && !isLeft) expect([...each, reach]).toEqual('in the reach');
              seen.objects += 1;
              if (allowed) seen.allowed += 1;
              if (isLeft) seen.left += 1;
            }
          });
        }
      }),
      { numRuns: soak(400, 100), endOnFailure: true },
    );
    expect(seen.allowed).toBeGreaterThan(seen.objects / 50);
    expect(seen.left).toBeLessThan(seen.objects * 0.95);
  });

  it('narrowing leaves nothing of what an exact or prefix deny covers, nor of what nothing allows', () => {
    const policy = (
      name: string,
      deny: boolean,
      engine: 'fixed' | 'prefix',
      rules: Record<string, string>,
    ) => ({
      name,
      description: '',
      deny,
      invert: false,
      engine,
      statements: [{ rules }],
    });
    const domain = {
      domainId: 'd',
      version: 1,
      policies: [
        policy('docs', false, 'prefix', { subject: 'alice', object: 'svc://d/docs/' }),
        policy('secret', true, 'prefix', { object: 'svc://d/docs/secret/' }),
        policy('plan', true, 'fixed', { object: 'svc://d/docs/plan' }),
        policy('others', false, 'fixed', { subject: 'bob', object: 'svc://d/x' }),
      ],
    };
    withSet([domain], (set) => {
      const ranges = set.narrow(new Map([['subject', 'alice']]));
      expect(holds(ranges, 'svc://d/docs/a')).toBe(true);
      for (const object of ['svc://d/docs/secret/a', 'svc://d/docs/plan', 'svc://d/x', 'svc://d/docs'])
        expect(holds(ranges, object)).toBe(false);
      expect(set.narrow(new Map([['subject', 'carol']]))).toEqual([]);
    });
  });
});

describe('ranges of texts', () => {
  const text = fc.string({ unit: fc.constantFrom('a', 'b', '/', '\u{e000}', '😀', 'é'), maxLength: 4 });
  const range = fc
    .tuple(text, fc.boolean())
    .map(([of, isPrefix]) => (isPrefix ? beginningWith(of) : exactly(of)));
  const ranges = fc.array(range, { maxLength: 6 });

  it('texts are compared as their UTF-8 bytes', () => {
    fc.assert(
      fc.property(text, text, (a, b) => {
        expect(Math.sign(compareTexts(a, b))).toBe(Buffer.compare(Buffer.from(a), Buffer.from(b)));
      }),
    );
  });

  it('union, intersection, difference and the rest behind a text hold what their names say', () => {
    fc.assert(
      fc.property(ranges, ranges, text, text, (some, others, probe, after) => {
        const [a, b] = [holds(some, probe), holds(others, probe)];
        const [left, right] = [union(some), union(others)];
        expect(holds(left, probe)).toBe(a);
        expect(holds(intersect(left, right), probe)).toBe(a && b);
        expect(holds(subtract(left, right), probe)).toBe(a && !b);
        expect(holds(behindText(left, after), probe)).toBe(a && compareTexts(probe, after) > 0);
      }),
    );
  });
});
