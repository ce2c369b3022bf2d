/**
 * Processor time that a shadow set adds to a check: domains with one and domains without take turns within
 * one run, on one service over real Postgres and Redis, with strict audit. Needs the built service:
 * `nx build authz-grpc`.
 */
import { loadavg } from 'node:os';
import { openAuthzClients, type AuthzClients } from '@platform/authz-client';
import type { BenchRow } from '@platform/testing';
import { allowedContext, openStage, PASSWORD, type Stage, type Tenancy } from './check-fixtures.ts';
import { load } from './load.ts';

const ROUNDS = 41;
const CALLS = 2_000;
const IN_FLIGHT = 64;
const RATIO_MAX = 1.05;

/** The ratio of the processor time of a check with a shadow set to that of one without. */
export async function run(): Promise<BenchRow[]> {
  const stage = await openStage(false);
  const clients = openAuthzClients(stage.service.grpc);
  try {
    const half = stage.tenancies.length / 2;
    const [shadowed, plain] = [stage.tenancies.slice(0, half), stage.tenancies.slice(half)];
    const root = await clients.sessions.login({ username: 'root', password: PASSWORD });
    for (const tenancy of shadowed) await putShadow(clients, tenancy, root);
    await cpuOf(stage, clients, shadowed);
    await cpuOf(stage, clients, plain);
    const ratios: number[] = [];
    for (let round = 0; round < ROUNDS; round += 1) {
      // The order alternates, so that a machine that becomes slower or faster favors neither.
      const order = round % 2 === 0 ? [plain, shadowed] : [shadowed, plain];
      const cpu = new Map<readonly Tenancy[], number>();
      for (const some of order) cpu.set(some, await cpuOf(stage, clients, some));
      ratios.push(cpu.get(shadowed)! / cpu.get(plain)!);
    }
    let decided = 0n;
    for (const tenancy of shadowed) decided += await decidedBy(clients, tenancy, root);
    const sorted = ratios.toSorted((a, b) => a - b);
    const [least, quarter, ratio, threeQuarters, most] = [0, 0.25, 0.5, 0.75, 1].map(
      (share) => sorted[Math.round((ROUNDS - 1) * share)]!,
    ) as [number, number, number, number, number];
    const spread = [least, quarter, threeQuarters, most].map((one) => one.toFixed(2)).join(', ');
    const isAll = decided === BigInt(CALLS * (ROUNDS + 1));
    return [
      {
        name: 'processor time of a gRPC check with a shadow set ÷ without',
        value: ratio,
        unit: '×',
        target: `≤ ${RATIO_MAX}`,
        pass: ratio <= RATIO_MAX && isAll,
        detail:
          `median of ${ROUNDS} pairs of rounds; least, quartiles and most ${spread}; ${decided} checks ` +
          `decided by the shadow sets; load average ${loadavg()[0]!.toFixed(0)}`,
      },
    ];
  } finally {
    clients.close();
    await stage.stop();
  }
}

/** Seconds of the service for one round of checks. */
async function cpuOf(stage: Stage, clients: AuthzClients, tenancies: readonly Tenancy[]): Promise<number> {
  const before = await stage.cpuSeconds();
  let next = 0;
  const call = async () => {
    const { domainId, token } = tenancies[next++ % tenancies.length]!;
    await clients.authorization.checkAuthorization(allowedContext(domainId, 0), { token });
  };
  await load(call, CALLS, IN_FLIGHT);
  return (await stage.cpuSeconds()) - before;
}

interface Credential {
  readonly token: string;
}

/** By the system root: the policies of the benchmark let nobody of the tenant manage it. */
async function putShadow(
  { domains, policySets }: AuthzClients,
  tenancy: Tenancy,
  { token }: Credential,
): Promise<void> {
  const place = placeOf(tenancy);
  const { policies } = await domains.getDomainPolicies(place, { token });
  await policySets.putShadowPolicies({ ...place, policies }, { token });
}

async function decidedBy(
  { policySets }: AuthzClients,
  tenancy: Tenancy,
  { token }: Credential,
): Promise<bigint> {
  const found = await policySets.getShadowPolicies(placeOf(tenancy), { token });
  return found.agree + found.wouldGain + found.wouldLose;
}

function placeOf({ token, domainId }: Tenancy) {
  const claims = JSON.parse(Buffer.from(token.split('.')[1]!, 'base64url').toString()) as {
    tenant_id: string;
  };
  return { tenantId: claims.tenant_id, domainId };
}
