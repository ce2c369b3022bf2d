import { loadavg } from 'node:os';
import { startPostgres, type BenchRow } from '@platform/testing';
import { requestContext } from '@platform/authz-client';
import { startAuthority, startGuarded } from '../e2e/guard.fixture.ts';

/** Calls until the code of client, guard and service is compiled: the first ones take half as long again. */
const WARM_UP = 2_000;
const ROUNDS = 1_000;
/** Calls of each kind right after the start, told beside the others. */
const FIRST = 500;
const TARGET_MS = 1;

/**
 * What the guard adds to a call of a tool over stdio, with a strict audit on Postgres: the same call with and
 * without it in turns, and the bare check beside them, once the processes are warm.
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
  for (let round = 0; round < WARM_UP + ROUNDS; round++) {
    for (const way of ['direct', 'guarded', 'check'] as const) {
      const begun = performance.now();
      await ways[way]();
      times[way].push(performance.now() - begun);
    }
  }
  await guarded.end();
  await direct.end();
  await authority.stop();
  await postgres.stop();
  const warm = quantilesOf(times, WARM_UP, ROUNDS);
  const first = quantilesOf(times, 0, FIRST);
  const added = warm('guarded', 0.5) - warm('direct', 0.5);
  const own = added - warm('check', 0.5);
  const addedFirst = first('guarded', 0.5) - first('direct', 0.5);
  const said = (way: keyof typeof times) =>
    `${way} ${warm(way, 0.5).toFixed(2)} ms (p99 ${warm(way, 0.99).toFixed(2)})`;
  const detail = `${ROUNDS} calls each in turns after ${WARM_UP}, strict audit on Postgres, load average ${loadavg()[0]?.toFixed(1)}: ${said('direct')}, ${said('guarded')}, bare ${said('check')}; in the first ${FIRST} calls ${addedFirst.toFixed(2)} ms were added`;
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

function quantilesOf<Way extends string>(times: Record<Way, readonly number[]>, from: number, count: number) {
  return (way: Way, q: number): number =>
    times[way].slice(from, from + count).sort((a, b) => a - b)[Math.floor(q * count)] as number;
}
