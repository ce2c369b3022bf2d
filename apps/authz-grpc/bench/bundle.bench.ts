/**
 * How long after a write of policies has returned a holder of the domain's bundle still decides by the set
 * before: the service in this process, real Postgres and Redis, over HTTP.
 */
import { loadavg } from 'node:os';
import { openDecider } from '@platform/decide';
import type { BenchRow } from '@platform/testing';
import { createTenancy, policy, startFleet } from '../e2e/service.fixture.ts';

const ROUNDS = 40;
const MILLISECONDS_MAX = 1_000;
/** Between two looks of the holder. */
const LOOK_MS = 2;

/** Delay of a revocation that reaches a holder which is online. */
export async function run(): Promise<BenchRow[]> {
  const fleet = await startFleet('postgres and redis');
  try {
    const { clients } = fleet;
    const { tenantId, token } = await createTenancy(clients);
    const { id: domainId } = await clients.domains.createDomain(
      { tenantId, name: 'bench', superiorDomainIds: [], detached: true },
      { token },
    );
    const put = (subject: string) =>
      clients.domains.putDomainPolicies(
        {
          tenantId,
          domainId,
          policies: [policy('readers', { subject, action: 'read' })],
          allowLockout: true,
        },
        { token },
      );
    await put('alice');
    const decider = await openDecider({
      url: fleet.httpUrl,
      domainId,
      token: () => token,
      record: false,
    });
    const isAllowed = () =>
      decider.check({ subject: 'alice', action: 'read', object: `svc://${domainId}/a` }).allowed;
    const until = async (allowed: boolean) => {
      while (isAllowed() !== allowed) await new Promise((resolve) => setTimeout(resolve, LOOK_MS));
    };
    const times: number[] = [];
    for (let round = 0; round < ROUNDS; round += 1) {
      await put('alice');
      await until(true);
      await put('bob');
      const from = performance.now();
      await until(false);
      times.push(performance.now() - from);
    }
    await decider.close();
    times.sort((a, b) => a - b);
    const longest = times.at(-1) as number;
    return [
      {
        name: 'a revocation reaches a holder of the bundle that is online, longest',
        value: longest,
        unit: 'ms',
        target: `≤ ${MILLISECONDS_MAX.toLocaleString('en-US')}`,
        pass: longest <= MILLISECONDS_MAX,
        detail: `of ${ROUNDS}, p50 ${(times[ROUNDS >> 1] as number).toFixed(0)} ms; load average ${(loadavg()[0] as number).toFixed(1)}`,
      },
    ];
  } finally {
    await fleet.stop();
  }
}
