import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { covers } from '@platform/testing/covers';
import { SEED } from '@platform/testing/seed';
import { soak } from '@platform/testing/soak';
import { contestedInvestigations } from '../fixtures/contested.arbitrary.fixture.ts';
import { investigations } from '../fixtures/investigation.arbitrary.fixture.ts';
import { NOW } from '../fixtures/investigation.fixture.ts';
import { auditClaims } from '../explain/audit-claims.ts';
import { staleCounts } from './stale-counts.ts';

fc.configureGlobal({ seed: SEED });

const HALF_LIVES = [7, 180, 1_825, 73_000];

describe('the stale claims of a half-life that is not chosen yet', () => {
  it('as many claims are counted as stale for a half-life as judging with it finds', () => {
    covers('INV-B.85');
    fc.assert(
      fc.property(
        fc.oneof(investigations(), contestedInvestigations()),
        fc.constantFrom('declared', 'detected'),
        (investigation, dependence) => {
          const input = { ...investigation, dependence };
          const audits = HALF_LIVES.map((decay_half_life_days) =>
            auditClaims({ ...input, decay_half_life_days }, { now: NOW }),
          );
          expect(staleCounts(input, HALF_LIVES, { now: NOW })).toEqual({
            claims: audits[0]!.length,
            stale: audits.map((claims) => claims.filter(({ decay }) => decay.is_stale).length),
          });
        },
      ),
      { numRuns: soak(300, 60) },
    );
  });
});
