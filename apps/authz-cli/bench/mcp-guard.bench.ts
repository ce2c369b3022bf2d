import { loadavg } from 'node:os';
import { startPostgres, type BenchRow } from '@platform/testing';
import { requestContext } from '@platform/authz-client';
import { startAuthority, startGuarded } from '../e2e/guard.fixture.ts';

const ROUNDS = 500;
const WARM_UP = 100;
const TARGET_MS = 1;

/**
 * What the guard adds to a call of a tool over stdio, with a strict audit on Postgres: the same call with and
 * without it in turns, and the bare check beside them.
 */
export async function run(): Promise<BenchRow[]> {
  const postgres = await startPostgres();
  const authority = await startAuthority({
    DATABASE_URL: await postgres.createDatabase(),
    AUTHZ_MIGRATE_ON_START: 'true',
  });
  const { owner, clients, domainId } = authority;
  const guarded = startGuarded(authority, ['--name', 'files'], { token: owner.token });
  const direct = startGuarded(authority, [], { direct: true });
  const call = { name: 'echo', arguments: { path: '/desk/plan' } };
  const context = requestContext({
    subject: owner.id,
    action: 'call',
    object: `svc://${domainId}/mcp/files/tools/echo`,
  });
  const ways = {
    direct: () => direct.request('tools/call', call),
    guarded: () => guarded.request('tools/call', call),
    check: () => clients.authorization.checkAuthorization({ context }, { token: owner.token }),
  };
  const times = { direct: [] as number[], guarded: [] as number[], check: [] as number[] };
  for (let round = -WARM_UP; round < ROUNDS; round++) {
    for (const way of ['direct', 'guarded', 'check'] as const) {
      const begun = performance.now();
      await ways[way]();
      if (round >= 0) times[way].push(performance.now() - begun);
    }
  }
  await guarded.end();
  await direct.end();
  await authority.stop();
  await postgres.stop();
  const quantile = (way: keyof typeof times, q: number) =>
    times[way].sort((a, b) => a - b)[Math.floor(q * ROUNDS)] as number;
  const added = quantile('guarded', 0.5) - quantile('direct', 0.5);
  const own = added - quantile('check', 0.5);
  const said = (way: keyof typeof times) =>
    `${way} ${quantile(way, 0.5).toFixed(2)} ms (p99 ${quantile(way, 0.99).toFixed(2)})`;
  const detail = `${ROUNDS} calls each in turns, strict audit on Postgres, load average ${loadavg()[0]?.toFixed(1)}: ${said('direct')}, ${said('guarded')}, bare ${said('check')}`;
  return [
    {
      name: 'added to a call of a tool by the guard over stdio, p50',
      value: added,
      unit: 'ms',
      target: `≤ ${TARGET_MS}`,
      pass: added <= TARGET_MS,
      detail,
    },
    {
      name: 'of which beyond a bare check over gRPC, p50',
      value: own,
      unit: 'ms',
      target: '',
      pass: true,
      detail: 'reading, attributes and two more pipes',
    },
  ];
}
