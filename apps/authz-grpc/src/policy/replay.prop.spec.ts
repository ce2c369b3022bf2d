import { expect, it } from '@jest/globals';
import { decideByReference } from '@platform/decide/reference';
import { covers } from '@platform/testing/covers';
import { inRounds } from '@platform/testing/rounds';
import { SEED } from '@platform/testing/seed';
import { soak } from '@platform/testing/soak';
import fc from 'fast-check';
import { objects, policyDomains, searchContexts } from './policies.fixture.ts';
import { createReplay } from './replay.ts';
import type { DomainPolicies, RequestContext } from './types.ts';

fc.configureGlobal({ seed: SEED });

it('a replay counts every check that two sets decide differently, and no other', () => {
  covers('AUTHZ-C.5');
  const seen = { lost: 0, gained: 0, same: 0 };
  const replayed = fc.property(
    policyDomains,
    policyDomains,
    searchContexts,
    fc.nat(),
    (one, other, contexts, pick) => {
      const own = one[0]?.policies ?? [];
      const at = own.length === 0 ? 0 : pick % own.length;
      const set = (policies: DomainPolicies['policies'], version: number) => ({
        domainId: 'd',
        version,
        policies,
      });
      const before = set(own, 1);
      const replaced = [...own.slice(at + 1), ...(other[0]?.policies ?? []).slice(0, pick % 3)];
      const after = set([...replaced, ...own.slice(0, at)], 2);
      const above = { ...set(one[1]?.policies ?? [], 1), domainId: 'above' };
      const others = new Map([['above', above]]);
      const replay = createReplay({ before, after, others, scopes: [['d', 'above']] });
      const asked = contexts.flatMap((context) =>
        objects.map((object): RequestContext => new Map([...context, ...object])),
      );
      const { checks, notReplayed, lost, gained } = replay.decide(
        asked.map((context) => ({ domainId: 'd', context, decidedBy: null })),
      );
      replay.free();
      const decided = asked.map((context) =>
        [before, after].map((own) => decideByReference([own, above], context).allowed),
      );
      const count = (...sides: boolean[]) => decided.filter((each) => each.join() === sides.join()).length;
      expect([checks, notReplayed, lost.checks, gained.checks]).toEqual([
        asked.length,
        0,
        count(true, false),
        count(false, true),
      ]);
      seen.lost += lost.checks;
      seen.gained += gained.checks;
      seen.same += count(true, true) + count(false, false);
    },
  );
  inRounds(
    () => Math.min(seen.lost, seen.gained) > 100,
    (seed) => fc.assert(replayed, { seed, numRuns: soak(200, 20), endOnFailure: true }),
  );
  expect(seen.same).toBeGreaterThan(seen.lost);
});
