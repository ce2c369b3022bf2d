import { setTimeout as sleep } from 'node:timers/promises';
import type { Direction, Severable } from '@platform/testing';
import type { ServiceName, Worker } from '../platform/index.ts';
import type { AuditDisk } from './audit-disk.ts';
import { execute, type OwnRedis, type OwnServer } from './servers.ts';

export const SERVICES = ['authz-grpc', 'docstore-api', 'investigation-api'] as const satisfies ServiceName[];

/** Creates a database of each service on the server, and returns their URLs. */
export async function createDatabases(url: string): Promise<Record<ServiceName, string>> {
  const databases = {} as Record<ServiceName, string>;
  for (const name of SERVICES) {
    const database = name.replaceAll('-', '_');
    await execute(url, `CREATE DATABASE ${database}`);
    databases[name] = Object.assign(new URL(url), { pathname: `/${database}` }).href;
  }
  return databases;
}

/** Keeps all workers busy, each with a pause after a step, until `isOver`. */
export const keepBusy = (workers: readonly Worker[], isOver: () => boolean) =>
  Promise.all(
    workers.map(async (step) => {
      while (!isOver()) {
        await step();
        await sleep(10);
      }
    }),
  );

/** Something that fails for a while. */
export interface Fault {
  readonly name: string;
  readonly how: string;
  readonly holdMs: number;
  /** Whose readiness must fail while it lasts; the others stay ready. Null: a service itself ends. */
  readonly unready: readonly ServiceName[] | null;
  /** How requests may end besides well and as unavailable. */
  readonly alsoEnds?: readonly string[];
  /** Longest recovery from its end, in milliseconds, where it is another than that of most. */
  readonly recoveryMaxMs?: number;
  begin(): Promise<unknown>;
  end(): Promise<unknown>;
  /** Brings back what the services could do without, once they have recovered. */
  repair?(): Promise<unknown>;
}

/** What the faults of every run act on. */
export interface FaultTargets {
  readonly authzDatabase: string;
  readonly redis: OwnRedis;
  /** The ways to Postgres, to Redis, and from the other services to authz-grpc. */
  readonly ways: Readonly<Record<'Postgres' | 'Redis' | 'authz-grpc', Severable>>;
  /** Ends a service by `signal`. */
  end(name: ServiceName, signal: 'SIGTERM' | 'SIGKILL'): Promise<unknown>;
  start(name: ServiceName): Promise<unknown>;
  /** Sets the clocks of the services ahead, or back again. */
  jumpClocks(): Promise<unknown>;
  /** Lets Redis be lost by `lose`, and notes when. */
  losingRedis(lose: () => unknown): Promise<unknown>;
  /** In [0, 1). */
  random(): number;
}

const SILENT_MS = 8_000;
/** One way: requests still succeed, or every time limit passes before a response. */
const DELAYS_MS = { slow: 100, 'too slow': 10_000 } as const;

/** Every fault of a run over one server, in the order in which they happen. */
export function listFaults(
  targets: FaultTargets,
  { postgres, disk }: { postgres: OwnServer; disk: AuditDisk },
): Fault[] {
  const { redis, ways, end, start, jumpClocks, losingRedis, random } = targets;
  return [
    {
      name: 'Postgres restarted',
      how: 'SIGINT (fast shutdown), three seconds later started again',
      holdMs: 3_000,
      unready: SERVICES,
      begin: () => postgres.end('SIGINT'),
      end: () => postgres.start(),
    },
    ...faultsOfWay('Postgres', ways.Postgres, { lose: (act) => Promise.resolve(act()), isNeeded: true }),
    {
      name: 'Postgres read-only',
      how: 'default_transaction_read_only is set and taken back, as a failover leaves a demoted server',
      holdMs: 4_000,
      unready: [],
      begin: () =>
        execute(
          postgres.url,
          'ALTER SYSTEM SET default_transaction_read_only = on',
          'SELECT pg_reload_conf()',
        ),
      end: () =>
        execute(postgres.url, 'ALTER SYSTEM RESET default_transaction_read_only', 'SELECT pg_reload_conf()'),
    },
    {
      name: 'Redis restarted and flushed',
      how: 'SIGKILL, a second later started empty',
      holdMs: 1_000,
      unready: [],
      begin: () => losingRedis(() => redis.end('SIGKILL')),
      end: () => redis.start(),
    },
    {
      name: 'Redis hung',
      how: 'SIGSTOP, then SIGCONT',
      holdMs: 4_000,
      unready: [],
      begin: () => losingRedis(() => redis.signal('SIGSTOP')),
      end: async () => redis.signal('SIGCONT'),
    },
    ...faultsOfWay('Redis', ways.Redis, { lose: losingRedis, isNeeded: false }),
    {
      name: 'Redis read-only',
      how: 'REPLICAOF a server that does not exist, then REPLICAOF NO ONE, as a failover leaves a demoted one',
      holdMs: 4_000,
      unready: [],
      begin: () => losingRedis(() => redis.send('REPLICAOF 127.0.0.1 1')),
      end: () => redis.send('REPLICAOF NO ONE'),
    },
    ...faultsOfWay('authz-grpc', ways['authz-grpc'], {
      lose: (act) => Promise.resolve(act()),
      isNeeded: false,
    }),
    {
      name: 'authz-grpc restarted',
      how: 'SIGTERM, two seconds after its end started again',
      holdMs: 2_000,
      unready: null,
      begin: () => end('authz-grpc', 'SIGTERM'),
      end: () => start('authz-grpc'),
    },
    {
      name: 'audit disk full',
      how: disk.how,
      holdMs: 4_000,
      unready: [],
      begin: disk.fill,
      end: disk.clear,
    },
    {
      name: 'clock an hour ahead, then back',
      how: 'the wall clock of the three services’ main threads, not of Postgres and Redis',
      holdMs: 4_000,
      unready: [],
      alsoEnds: ['UNAUTHENTICATED', '401'],
      begin: jumpClocks,
      end: jumpClocks,
    },
    ...SERVICES.map((name) => ({
      name: `${name} killed`,
      how: 'SIGKILL at a random moment, started again at once',
      holdMs: 0,
      unready: null,
      alsoEnds: ['connection'],
      begin: async () => {
        await sleep(1_000 * random());
        await end(name, 'SIGKILL');
      },
      end: () => start(name),
    })),
  ];
}

/** How a network fails on the way to `server`; when `isNeeded`, services without it are not ready. */
function faultsOfWay(
  server: string,
  way: Severable,
  { lose, isNeeded }: { lose: (act: () => unknown) => Promise<unknown>; isNeeded: boolean },
): Fault[] {
  const later = 'connections of that time stay so for good, and their ends are lost, too';
  const silences: [name: string, how: string, direction?: Direction][] = [
    ['silent', `a proxy drops every packet, on new connections too; ${later}`],
    ['half open, requests lost', `only what comes from the server passes; ${later}`, 'requests'],
    ['half open, responses lost', `only what goes to the server passes; ${later}`, 'responses'],
  ];
  return [
    ...silences.map(([name, how, direction]) => ({
      name: `${server} ${name}`,
      how,
      holdMs: SILENT_MS,
      unready: isNeeded ? SERVICES : [],
      begin: () => lose(() => way.silence(direction)),
      end: async () => way.speak(),
    })),
    ...Object.entries(DELAYS_MS).map(([name, delayMs]) => ({
      name: `${server} ${name}`,
      how: `every packet arrives ${delayMs} ms later, each way`,
      holdMs: SILENT_MS,
      unready: isNeeded && name === 'too slow' ? SERVICES : [],
      begin: () => lose(() => way.slow(delayMs)),
      end: async () => way.slow(0),
    })),
  ];
}
