import { afterAll, describe, expect, it } from '@jest/globals';
import type { Filter } from '@platform/authz-client/filter';
import { covers } from '@platform/testing/covers';
import { turnsOf } from '@platform/testing/event-loop';
import { writePlan } from '../grpc/plan-messages.ts';
import { combineDomains, compileDomain } from '../policy/compile.ts';
import { toEnd } from '../policy/to-end.ts';
import { createPlanLimit, planResources } from './plan-resources.ts';

type Deps = Parameters<typeof planResources>[0];
type Caller = Parameters<typeof planResources>[1];

const domainId = '018f0000-0000-7000-8000-000000000000';
const compiledOf = (count: number) =>
  compileDomain({
    domainId,
    version: 1,
    policies: Array.from({ length: count }, (_, i) => ({
      name: `p${i}`,
      description: '',
      deny: i % 2 === 1,
      invert: false,
      engine: 'glob' as const,
      statements: Array.from({ length: 3 }, (__, j) => ({
        rules: {
          object: `svc://${domainId}/a${i}/*/b${j}/**`,
          'resource.k': `v${i}-${j}*`,
          owner: `o${i}?`,
        },
      })),
    })),
  });
const large = compiledOf(3_000);
const small = compiledOf(2);
afterAll(() => [large, small].forEach((domain) => domain.free()));

const context = new Map([
  ['subject', 'a'],
  ['action', 'read'],
]);
const [calm, busy] = [{ id: 'calm' }, { id: 'busy' }];
const plans = createPlanLimit();
let rows = 0;

/** The bytes of a plan of the tenant, which entered with this set. */
function plan(
  tenant: { readonly id: string },
  domain: typeof large,
  { isGone, write = writePlan }: { isGone?: () => boolean; write?: typeof writePlan } = {},
): Promise<Buffer> {
  const policies = combineDomains([domain]);
  toEnd(policies.prepare());
  const entered = {
    tenant,
    domain: { id: domainId },
    versions: new Map(),
    policies,
    compiled: [domain],
    shadows: [],
    context: { values: context, object: '', subject: 'a', action: 'read', domainId },
    joined: context,
  };
  const deps = {
    plans,
    decisions: { runDecision: () => Promise.resolve(entered) },
    audit: { record: () => Promise.resolve((rows += 1)) },
    now: () => new Date(),
    newCheckId: () => 'id',
  } as unknown as Deps;
  const arrival = { startedAt: 0, address: '', ...(isGone && { isGone }) };
  return planResources(deps, {} as Caller, { context, domainId }, arrival, write);
}

describe('plans of a large set', () => {
  it('a plan is made and written over several turns of the event loop', async () => {
    covers('AUTHZ-V.25');
    let [writtenFrom, end] = [0, 0];
    await turnsOf(async (turn) => {
      const write = (filter: Filter) => {
        writtenFrom = turn();
        return writePlan(filter);
      };
      await plan(busy, large, { write });
      end = turn();
    });
    expect(writtenFrom).toBeGreaterThan(2);
    expect(end - writtenFrom).toBeGreaterThan(2);
  });

  it('plans of one tenant wait for one another, and those of other tenants do not wait for them', async () => {
    covers('AUTHZ-V.26');
    const ended: string[] = [];
    let [writing, atOnce] = [0, 0];
    function* write(filter: Filter): Generator<void, Buffer> {
      writing += 1;
      atOnce = Math.max(atOnce, writing);
      const written = yield* writePlan(filter);
      writing -= 1;
      return written;
    }
    const many = Array.from({ length: 3 }, () => plan(busy, large, { write }).then(() => ended.push('busy')));
    await Promise.all([...many, plan(calm, small).then(() => ended.push('calm'))]);
    expect(ended).toEqual(['calm', 'busy', 'busy', 'busy']);
    expect(atOnce).toBe(1);
  });

  it('a plan whose caller is gone is not made to its end, and leaves no row', async () => {
    covers('AUTHZ-V.27');
    const before = rows;
    let asked = 0;
    const isGone = () => (asked += 1) > 2;
    await expect(plan(busy, large, { isGone })).rejects.toMatchObject({ kind: 'request_timeout' });
    expect(asked).toBe(3);
    expect(rows).toBe(before);
  });
});
