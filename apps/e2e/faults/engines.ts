import { freePort } from '@platform/testing';
import { startService } from '../platform/index.ts';
import { openAuditDisk, type DiskKind } from './audit-disk.ts';
import { checkEmbeddedDisks } from './embedded-disk.ts';
import { listFaults, type Fault, type FaultTargets } from './faults.ts';
import type { Invariant } from './invariant.ts';
import { openPostgresCluster } from './postgres-cluster.ts';
import type { Loss } from './quotas-held.ts';
import { openRedisCluster, redisProgram, valkeyProgram } from './redis-cluster.ts';
import { ownPostgres } from './servers.ts';
import { watchStaleness } from './stale-watch.ts';

/** The Postgres of a run, and what fails in it. */
export interface Engines {
  readonly postgresUrl: string;
  /** Settings of the services that differ from those of other runs. */
  readonly settings?: Readonly<Record<string, string>>;
  /** The faults of a run, in the order in which they happen. */
  listFaults(targets: FaultTargets): Promise<readonly Fault[]>;
  /** Begins a load of the run's own; its end tells what was compared. */
  watch?(options: WatchOptions): Promise<() => Promise<readonly Invariant[]>>;
  /** What is checked after the load. */
  checkMore(tell: (line: string) => void): Promise<readonly Invariant[]>;
  destroy(): Promise<void>;
}

export interface WatchOptions {
  /** The settings of authz-grpc. */
  readonly settings: Readonly<Record<string, string>>;
  readonly rootPassword: string;
  readonly grantsMax: number;
  /** Losses of Redis until now. */
  readonly redisLosses: readonly Loss[];
}

export type OpenEngines = () => Promise<Engines>;

/** One Postgres server of this run; `disk` says what a full disk is. */
export async function openServer(disk: DiskKind): Promise<Engines> {
  const postgres = await ownPostgres();
  await postgres.start();
  let destroyDisk = () => {};
  return {
    postgresUrl: postgres.url,
    async listFaults(targets) {
      const auditDisk = await openAuditDisk(targets.authzDatabase, disk);
      destroyDisk = auditDisk.destroy;
      return listFaults(targets, { postgres, disk: auditDisk });
    },
    async checkMore(tell) {
      // Where mounting is not allowed, there is no disk of their own to fill.
      if (disk === 'trigger') return [];
      tell('filling the disks of embedded databases');
      return [await checkEmbeddedDisks()];
    },
    async destroy() {
      destroyDisk();
      await postgres.destroy();
    },
  };
}

/** Writes work again this long after a new leader is there. */
const FAILOVER_MAX_MS = 5_000;

/**
 * Two Postgres servers under Patroni, each commit on both before it is acknowledged. A fault ends when the
 * other server leads, and what was lost comes back once the services have recovered.
 */
export async function openCluster(): Promise<Engines> {
  const cluster = await openPostgresCluster();
  const failover = { holdMs: 0, unready: null, recoveryMaxMs: FAILOVER_MAX_MS };
  const { newLeader: end, repair } = cluster;
  return {
    postgresUrl: cluster.url,
    listFaults: async () => [
      {
        ...failover,
        name: 'leader killed',
        how: 'SIGKILL to Postgres and Patroni at once, until the standby leads; started again later',
        begin: cluster.killLeader,
        end,
        repair,
      },
      {
        ...failover,
        name: 'switchover',
        how: 'leader and standby change places by Patroni',
        begin: cluster.switchOver,
        end,
        repair,
      },
      {
        ...failover,
        name: 'leader off the network',
        how: 'the cable of the leader is pulled, until the standby leads; plugged in again later',
        begin: cluster.cutLeader,
        end,
        repair,
      },
    ],
    checkMore: async () => [],
    destroy: cluster.destroy,
  };
}

/** A replica's own count is in Postgres this long after a call at the latest, and Redis found lost. */
const FLUSHED_MS = 1_500;
/** Far beyond the calls of a run: it is the quotas of tenants that are looked at. */
const USER_CALLS = '1000000000';

/**
 * A cluster of three primaries with a replica each, and two replicas of authz-grpc over it. What is written
 * at one of them is asked for at both.
 */
export async function openRedisClusterRun(server: 'redis' | 'valkey'): Promise<Engines> {
  const program = server === 'redis' ? redisProgram() : await valkeyProgram();
  const postgres = await ownPostgres();
  await postgres.start();
  const cluster = await openRedisCluster(program);
  const calm = { holdMs: 0, unready: [], end: () => Promise.resolve() };
  return {
    postgresUrl: postgres.url,
    settings: {
      REDIS_URL: cluster.url,
      REDIS_CLUSTER: 'true',
      AUTHZ_REPLICAS: '2',
      AUTHZ_QUOTA_USER_PLANE: USER_CALLS,
    },
    listFaults: async ({ losingRedis }) => [
      {
        ...calm,
        name: 'primaries changed',
        how: 'CLUSTER FAILOVER at every replica, one after another',
        begin: cluster.failOverAll,
      },
      {
        ...calm,
        name: 'slots moved',
        how: 'every slot with keys to the next primary, key by key',
        begin: cluster.moveSlots,
      },
      {
        ...calm,
        name: 'primary killed',
        how: 'SIGKILL, until its replica has the slots; started again empty later',
        begin: () => losingRedis(cluster.killPrimary),
        end: cluster.failedOver,
        repair: cluster.repair,
      },
    ],
    async watch({ settings, rootPassword, grantsMax, redisLosses }) {
      const port = await freePort();
      const other = await startService('authz-grpc', { ...settings, AUTHZ_GRPC_PORT: String(port) });
      const watch = await watchStaleness({
        replicas: [`127.0.0.1:${settings['AUTHZ_GRPC_PORT']}`, `127.0.0.1:${port}`],
        rootPassword,
        grantsMax,
        mayForget: (from, to) => redisLosses.some((loss) => loss.to + FLUSHED_MS >= from && loss.from <= to),
      });
      return async () => {
        const found = await watch.stop();
        await other.stop();
        return found;
      };
    },
    checkMore: async () => [],
    async destroy() {
      await cluster.destroy();
      await postgres.destroy();
    },
  };
}
