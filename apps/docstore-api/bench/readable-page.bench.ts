/**
 * The first page of a list under policies: of who may read all of a tenant's documents, and of who may read
 * the oldest few, which the default order lists last. Both services as processes over real Postgres. Needs
 * the built services: `nx run-many -t build -p authz-grpc docstore-api`.
 */
import { loadavg } from 'node:os';
import { openAuthzClients } from '@platform/authz-client';
import { EvaluationEngine, type Policy } from '@platform/proto/authz/v1/policy';
import { median, freePort, type BenchRow } from '@platform/testing';
import { migrateAuthz, startAuthz } from '../e2e/authz-process.fixture.ts';
import { send, startBenchService } from './bench-service.ts';
import { seedDocuments } from './seed.ts';

const DOCUMENTS = 10_000;
const READABLE = 50;
const RUNS = 60;
const RATIO_MAX = 3;
const PASSWORD = 'a password of the benchmark 5519';

export async function run(): Promise<BenchRow[]> {
  const grpcPort = await freePort();
  const service = await startBenchService({ DOCSTORE_AUTHZ_URL: `dns:///127.0.0.1:${grpcPort}` });
  const authzUrl = await service.createDatabase();
  await migrateAuthz(authzUrl);
  const authz = await startAuthz(authzUrl, grpcPort, { AUTHZ_QUOTA_USER_PLANE: '1000000000' });
  const clients = openAuthzClients(`127.0.0.1:${grpcPort}`);
  try {
    const username = 'founder';
    await clients.users.createUser({ username, email: 'f@example.org', password: PASSWORD });
    const plain = await clients.sessions.login({ username, password: PASSWORD });
    const tenant = await clients.tenants.createTenant({ name: 'acme', description: '' }, plain);
    const tenantId = tenant.id;
    const founder = await clients.sessions.refreshLoginWithTenant({ tenantId }, plain);
    const reader = await clients.serviceAccounts.createServiceAccount(
      { name: 'reader', description: '', tenantId },
      founder,
    );
    const domainId = tenant.domains[0]!.id;
    const place = { tenantId, domainId };
    const { policies } = await clients.domains.getDomainPolicies(place, founder);
    const readers = Array.from({ length: READABLE }, (_, n): Policy => ({
      name: `reader-${n}`,
      description: '',
      invert: false,
      deny: false,
      engine: EvaluationEngine.FIXED,
      statements: [
        {
          rules: new Map([
            ['subject', reader.serviceAccountId],
            ['object', `svc://${domainId}/documents/notes/${String(n + 1).padStart(8, '0')}`],
          ]),
        },
      ],
    }));
    await clients.domains.putDomainPolicies({ ...place, policies: [...policies, ...readers] }, founder);
    await seedDocuments(service.databaseUrl, tenantId, DOCUMENTS);

    const times: Record<'all' | 'few', number[]> = { all: [], few: [] };
    let shown = 0;
    for (let round = 0; round <= RUNS; round += 1) {
      for (const [who, token] of [
        ['all', founder.token],
        ['few', reader.token],
      ] as const) {
        const from = performance.now();
        const { status, body } = await send(`${service.url}/v1/file?limit=${READABLE}`, 'GET', {
          Authorization: `Bearer ${token}`,
        });
        // The first one is for caches and compilers.
        if (round > 0) times[who].push(performance.now() - from);
        if (status !== 200) throw new Error(body);
        if (who === 'few') shown = (JSON.parse(body) as { files: unknown[] }).files.length;
      }
    }
    const [all, few] = [median(times.all), median(times.few)];
    const load = `load average ${loadavg()[0]!.toFixed(0)}`;
    return [
      {
        name: `documents on the first page of who may read the oldest ${READABLE} of ${DOCUMENTS.toLocaleString('en-US')}`,
        value: shown,
        unit: '',
        target: `= ${READABLE}`,
        pass: shown === READABLE,
        detail: `by exact names; limit=${READABLE}, newest first`,
      },
      {
        name: 'that page ÷ the first page of who may read all',
        value: few / all,
        unit: '×',
        target: `≤ ${RATIO_MAX}`,
        pass: few / all <= RATIO_MAX,
        detail: `p50 of ${RUNS} in turns: ${few.toFixed(1)} ms and ${all.toFixed(1)} ms; ${load}`,
      },
    ];
  } finally {
    clients.close();
    await authz.kill();
    await service.stop();
  }
}
