/**
 * The first page of the list of sessions under policies: of who may read the oldest few, which the default
 * order lists last, by their names, and by an expression without a beginning, of which a plan says nothing,
 * so that each session in between is asked about. Both services as processes over real Postgres. Needs the
 * built services: `nx run-many -t build -p authz-grpc investigation-api`.
 */
import { loadavg } from 'node:os';
import { EvaluationEngine } from '@platform/proto/authz/v1/policy';
import { migratedDatabase, startPostgres, type BenchRow } from '@platform/testing';
import { addMember, addPolicies, createTenant, startAuthz } from '../e2e/authz.fixture.ts';
import { startBuilt } from '../e2e/built-service.fixture.ts';
import { client } from '../e2e/client.fixture.ts';

const SESSIONS = 2_000;
const READABLE = 50;
const AT_ONCE = 20;
const RUNS = 15;

export async function run(): Promise<BenchRow[]> {
  const postgres = await startPostgres();
  const authz = await startAuthz(await postgres.createDatabase(), {
    env: { AUTHZ_QUOTA_USER_PLANE: '1000000000' },
  });
  const service = await startBuilt({
    DATABASE_URL: await migratedDatabase(postgres, 'investigation-api'),
    INVESTIGATION_AUTHZ_URL: `dns:///${authz.target}`,
    INVESTIGATION_JWT_PUBLIC_KEY: '',
  });
  try {
    const tenant = await createTenant(authz);
    const owner = client(service.url, tenant.owner.token);
    const [byName, byExpression] = [await addMember(authz, tenant), await addMember(authz, tenant)];
    const objectOf = (n: number) => `svc://${tenant.rootDomainId}/investigations/s-${n}`;
    await addPolicies(authz, tenant, [
      ...Array.from({ length: READABLE }, (_, n) => ({
        engine: EvaluationEngine.FIXED,
        rules: { subject: byName.userId, action: 'read', object: objectOf(n) },
      })),
      {
        engine: EvaluationEngine.REGEX,
        rules: { subject: byExpression.userId, action: 'read', object: '/s-[1-4]?[0-9]$' },
      },
    ]);
    for (let from = 0; from < SESSIONS; from += AT_ONCE)
      await Promise.all(
        Array.from({ length: AT_ONCE }, (_, n) =>
          owner('POST', '/api/v1/sessions', { name: `s ${from + n}`, session_id: `s-${from + n}` }),
        ),
      );
    const readers = { byName, byExpression };
    const times: Record<keyof typeof readers, number[]> = { byName: [], byExpression: [] };
    const shown: Record<keyof typeof readers, number> = { byName: 0, byExpression: 0 };
    for (let round = 0; round <= RUNS; round += 1) {
      for (const who of ['byName', 'byExpression'] as const) {
        const from = performance.now();
        const { status, text, json } = await client(service.url, readers[who].token)(
          'GET',
          `/api/v1/sessions?limit=${READABLE}`,
        );
        // The first one is for caches and compilers.
        if (round > 0) times[who].push(performance.now() - from);
        if (status !== 200) throw new Error(text);
        shown[who] = (json as unknown[]).length;
      }
    }
    const [planned, asked] = [middle(times.byName), middle(times.byExpression)];
    return [
      {
        name: `sessions on the first page of who may read the oldest ${READABLE} of ${SESSIONS.toLocaleString('en-US')} by their names`,
        value: shown.byName,
        unit: '',
        target: `= ${READABLE}`,
        pass: shown.byName === READABLE,
        detail: `limit=${READABLE}, latest first; by an expression without a beginning: ${shown.byExpression}`,
      },
      {
        name: 'that page ÷ the same page when each session is asked about',
        value: planned / asked,
        unit: '×',
        target: '≤ 0.5',
        pass: planned / asked <= 0.5,
        detail: `p50 of ${RUNS} in turns: ${planned.toFixed(1)} ms and ${asked.toFixed(1)} ms; load average ${loadavg()[0]!.toFixed(0)}`,
      },
    ];
  } finally {
    await service.stop();
    await authz.kill();
    await postgres.stop();
  }
}

function middle(values: readonly number[]): number {
  return values.toSorted((a, b) => a - b)[values.length >> 1]!;
}
