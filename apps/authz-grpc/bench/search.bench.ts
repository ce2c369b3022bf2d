/**
 * The first page of SearchResources over gRPC at 10,000 policies and 1,000,000 registered resources: the
 * service in this process, real Postgres and Redis, strict audit.
 */
import { loadavg } from 'node:os';
import { openDatabase } from '@platform/database';
import { requestContext } from '@platform/authz-client';
import { EvaluationEngine } from '@platform/proto/authz/v1/policy';
import type { BenchRow } from '@platform/testing';
import { createTenancy, policy, startFleet } from '../e2e/service.fixture.ts';
import { makeGrants } from './evaluator-fixtures.ts';

const POLICIES = 10_000;
const RESOURCES_EACH = 100;
const PAGE = 100;
const CALLS = 200;
const MILLISECONDS_MAX = 20;

/** A million rows, faster than calls of a thousand each. */
const FILL = `INSERT INTO resources (domain_id, path, attributes)
  SELECT $1, 'projects/' || lpad(f::text, 6, '0') || '/docs/' || lpad(d::text, 3, '0'), '{}'
  FROM generate_series(0, $2::int - 1) f, generate_series(0, $3::int - 1) d`;

/** Latency of searches next to that of a check. */
export async function run(): Promise<BenchRow[]> {
  const fleet = await startFleet('postgres and redis', { env: { AUTHZ_QUOTA_USER_PLANE: '1000000000' } });
  const database = await openDatabase(fleet.databaseUrl as string, { embeddedFolder: '' });
  try {
    const { clients } = fleet;
    const { tenantId, token, userId } = await createTenancy(clients);
    const extras = { token };
    const { id: domainId } = await clients.domains.createDomain(
      { tenantId, name: 'bench', superiorDomainIds: [], detached: true },
      extras,
    );
    const grants = makeGrants(POLICIES);
    const policies = grants.map(({ name, engine, deny, subject, action, object }) =>
      policy(
        name,
        { subject, action, object: object.replace(/^svc:\/\/[^/]*/, `svc://${domainId}`) },
        { deny, engine: engine === 'fixed' ? EvaluationEngine.FIXED : EvaluationEngine.PREFIX },
      ),
    );
    await clients.domains.putDomainPolicies(
      // One of its own in the place of the first, for a domain has no more.
      { tenantId, domainId, policies: [...policies.slice(1), policy('starter', { subject: userId })] },
      extras,
    );
    await database.query(FILL, [domainId, POLICIES, RESOURCES_EACH]);
    await database.query('ANALYZE resources', []);
    const search = async (subject: string, pageToken = '') =>
      clients.search.searchResources(
        {
          context: requestContext({ subject, action: 'read' }),
          domainId,
          prefix: '',
          resources: [],
          pageSize: PAGE,
          pageToken,
        },
        extras,
      );
    const first = performance.now();
    await search('nobody');
    const cold = performance.now() - first;
    let listed = 0;
    const times: number[] = [];
    const checks: number[] = [];
    const asked = { subject: userId, action: 'read', object: `svc://${domainId}/x` };
    for (let i = 0; i < CALLS; i += 1) {
      const before = performance.now();
      await clients.authorization.checkAuthorization({ context: requestContext(asked) }, extras);
      const from = performance.now();
      checks.push(from - before);
      const { objects } = await search(`user-${String((i * 37) % (POLICIES / 10)).padStart(6, '0')}`);
      times.push(performance.now() - from);
      listed += objects.length;
    }
    const [p50, p99] = [percentile(times, 0.5), percentile(times, 0.99)];
    const own: number[] = [];
    for (let i = 0, pageToken = ''; i < 20; i += 1) {
      const from = performance.now();
      pageToken = (await search(userId, pageToken)).nextPageToken;
      own.push(performance.now() - from);
    }
    const load = `load ${(loadavg()[0] as number).toFixed(1)}`;
    const sizes = `${POLICIES.toLocaleString('en-US')} policies, ${(POLICIES * RESOURCES_EACH).toLocaleString('en-US')} resources`;
    return [
      {
        name: `first page of SearchResources, ${sizes}`,
        value: p50,
        unit: 'ms',
        target: `≤ ${MILLISECONDS_MAX}`,
        pass: p50 <= MILLISECONDS_MAX,
        detail: `p50 of ${CALLS} users in turn, p99 ${p99.toFixed(1)} ms; a check in between ${percentile(checks, 0.5).toFixed(1)} ms; ${(listed / CALLS).toFixed(0)} items listed on average; the first search of the domain ${cold.toFixed(0)} ms; ${load}`,
      },
      {
        name: `a page of ${PAGE} of one who may read all, ${sizes}`,
        value: percentile(own, 0.5),
        unit: 'ms',
        target: '',
        pass: true,
        detail: 'p50 of twenty pages one after the other',
      },
    ];
  } finally {
    await database.close();
    await fleet.stop();
  }
}

function percentile(times: readonly number[], share: number): number {
  const sorted = [...times].sort((a, b) => a - b);
  return sorted[Math.floor(share * (sorted.length - 1))] as number;
}
