import { afterEach, describe, expect, it } from '@jest/globals';
import { covers } from '@platform/testing/covers';
import type { UncheckedPolicy } from '../src/policy/types.ts';
import { createPolicyWorker, type PolicyWorker } from '../src/worker/policy-worker-pool.ts';
import { POLICY_WORKER } from './policy-worker.fixture.ts';

const policyOf = (name: string, pattern: string): UncheckedPolicy => ({
  name,
  description: '',
  invert: false,
  deny: false,
  engine: 'regex',
  statements: [{ rules: { subject: pattern } }],
});

/** Takes minutes to compile, on any machine. */
const HOSTILE = Array.from({ length: 5_000 }, (_, i) => policyOf(`hostile-${i}`, `^\\w{100}${i}$`));
const FINE = [policyOf('fine', '^alice$')];

describe('a policy set behind a hostile one', () => {
  let worker: PolicyWorker;
  afterEach(() => worker.close());

  const tooLong = {
    reason: 'RATE_LIMITED',
    message: 'the policies took longer than 2 s to check: try again, or with fewer',
  };

  it('a policy set behind a hostile one is checked, and its time in the queue does not count', async () => {
    covers('AUTHZ-P.PutDomainPolicies');
    worker = createPolicyWorker(POLICY_WORKER, { threads: 1, workMs: 2_000 });
    const [hostile, fine] = await Promise.allSettled([
      worker.validate(HOSTILE, 'a'),
      worker.validate(FINE, 'b'),
    ]);
    expect(hostile).toMatchObject({ status: 'rejected', reason: tooLong });
    expect(fine).toEqual({ status: 'fulfilled', value: { errors: [], warnings: [] } });
  });

  it('a policy set behind a hostile one does not wait for the sets of another owner', async () => {
    worker = createPolicyWorker(POLICY_WORKER, { workMs: 2_000 });
    const ends: string[] = [];
    const hostile = Array.from({ length: 3 }, (_, i) =>
      worker.validate(HOSTILE, 'a').catch(() => ends.push(`hostile ${i}`)),
    );
    await worker.validate(FINE, 'b').then(() => ends.push('fine'));
    await Promise.all(hostile);
    expect(ends).toEqual(['fine', 'hostile 0', 'hostile 1', 'hostile 2']);
  });

  it('a policy set behind a hostile one gets a delay to retry after when its turn does not come', async () => {
    covers('AUTHZ-E.2');
    worker = createPolicyWorker(POLICY_WORKER, { threads: 1, workMs: 2_000, waitMs: 1_000 });
    const [hostile, fine] = await Promise.allSettled([
      worker.validate(HOSTILE, 'a'),
      worker.validate(FINE, 'b'),
    ]);
    expect(hostile).toMatchObject({ status: 'rejected', reason: tooLong });
    expect(fine).toMatchObject({
      status: 'rejected',
      reason: { reason: 'DEPENDENCY_UNAVAILABLE', retryAfterSeconds: 5 },
    });
    expect(await worker.validate(FINE, 'b')).toEqual({ errors: [], warnings: [] });
  });
});
