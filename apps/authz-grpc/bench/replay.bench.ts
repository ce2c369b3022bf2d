/**
 * ReplayPolicies over recorded checks: the service in this process with its policy worker, real Postgres.
 * The rows are made by Postgres, for a million checks over the wire would take minutes; what a replay reads
 * of them is as a check writes it.
 */
import { loadavg } from 'node:os';
import { openDatabase } from '@platform/database';
import type { BenchRow } from '@platform/testing';
import { createTenancy, policy, startFleet } from '../e2e/service.fixture.ts';
import { processorMicros } from './processor-time.ts';

const ROWS = 500_000;
const POLICIES = 1_000;
const SUBJECTS = 5_000;
const OBJECTS = 20_000;
const ROUNDS = 3;
/** Ten million in a minute. */
const ROWS_PER_SECOND_MIN = 167_000;
/** The processor time that two cores have for one of these. */
const MICROS_MAX = 12;

/** Checks of the last hour, `$4` subjects on `$5` objects, no pair twice. */
const FILL = `INSERT INTO audit_events (id, time, tenant_id, sequence, domain_id, subject, action, object,
    decision, matched_policy, caller_id, latency_micros, policy_version, hash, detail)
  SELECT gen_random_uuid(), now() - interval '1 hour' + n * interval '1 millisecond', $1::uuid, 1000000 + n, $2::uuid,
    'user-' || (n::int8 * 7919 % $4::int), 'read', 'svc://' || $2 || '/docs/' || ((n::int8 * 104729 + n / $5::int) % $5::int) || '/report',
    true, 'p', $1::uuid, 900, 1, '\\x00',
    '{"context":{"ip_address":"192.0.2.17"},"versions":{"' || $2 || '":1}}'
  FROM generate_series(1, $3::int) n`;

/** Rows replayed a second. */
export async function run(): Promise<BenchRow[]> {
  const fleet = await startFleet('postgres and redis');
  const database = await openDatabase(fleet.databaseUrl as string, { embeddedFolder: '' });
  try {
    const { clients } = fleet;
    const { tenantId, rootDomainId: domainId, token } = await createTenancy(clients);
    const place = { tenantId, domainId };
    const { policies: starters } = await clients.domains.getDomainPolicies(place, { token });
    const readers = Array.from({ length: POLICIES }, (_, n) =>
      policy(`p${n}`, { subject: `user-${n}`, object: `svc://${domainId}/docs/${n}/report` }),
    );
    const policies = [...starters, ...readers];
    await clients.domains.putDomainPolicies({ ...place, policies }, { token });
    await database.query(FILL, [tenantId, domainId, ROWS, SUBJECTS, OBJECTS]);
    await database.query('ANALYZE audit_events', []);
    const changed = policies.filter((_, n) => n % 10 !== 9);
    const times: number[] = [];
    const ours: number[] = [];
    const theirs: number[] = [];
    let replayed = 0;
    for (let round = 0; round < ROUNDS; round += 1) {
      const [from, spent, others] = [performance.now(), process.cpuUsage(), spentByOthers()];
      const { checks, reached } = await clients.policySets.replayPolicies(
        { ...place, policies: changed, since: new Date(Date.now() - 86_400_000), until: undefined },
        { token, timeoutMs: 120_000 },
      );
      times.push(performance.now() - from);
      replayed = Number(checks);
      const { user, system } = process.cpuUsage(spent);
      ours.push((user + system) / replayed);
      theirs.push((spentByOthers() - others) / replayed);
      if (reached !== undefined) console.log(`reached ${reached.toISOString()}`);
    }
    const [milliseconds, own, postgres] = [middle(times), middle(ours), middle(theirs)];
    const rate = (replayed * 1_000) / milliseconds;
    return [
      {
        name: 'recorded checks replayed a second',
        value: rate,
        unit: 'checks/s',
        target: `≥ ${ROWS_PER_SECOND_MIN.toLocaleString('en-US')}`,
        pass: rate >= ROWS_PER_SECOND_MIN,
        detail:
          `${replayed.toLocaleString('en-US')} checks of ${SUBJECTS.toLocaleString('en-US')} subjects on ` +
          `${OBJECTS.toLocaleString('en-US')} objects, ${POLICIES.toLocaleString('en-US')} policies; median of ` +
          `${ROUNDS}; load average ${(loadavg()[0] as number).toFixed(1)}`,
      },
      {
        name: 'processor time of a replayed check, all processes',
        value: own + postgres,
        unit: 'µs',
        target: `≤ ${MICROS_MAX}`,
        pass: own + postgres <= MICROS_MAX,
        detail: `${own.toFixed(1)} in the service, ${postgres.toFixed(1)} in Postgres`,
      },
    ];
  } finally {
    await database.close();
    await fleet.stop();
  }
}

function spentByOthers(): number {
  return [...processorMicros().values()].reduce((sum, one) => sum + one, 0);
}

function middle(values: readonly number[]): number {
  return values.toSorted((a, b) => a - b)[values.length >> 1] as number;
}
