import { openAuditDisk, type DiskKind } from './audit-disk.ts';
import { checkEmbeddedDisks } from './embedded-disk.ts';
import { listFaults, type Fault, type FaultTargets } from './faults.ts';
import type { Invariant } from './invariant.ts';
import { openPostgresCluster } from './postgres-cluster.ts';
import { ownPostgres } from './servers.ts';

/** The Postgres of a run, and what fails in it. */
export interface Engines {
  readonly postgresUrl: string;
  /** The faults of a run, in the order in which they happen. */
  listFaults(targets: FaultTargets): Promise<readonly Fault[]>;
  /** What is checked after the load. */
  checkMore(tell: (line: string) => void): Promise<readonly Invariant[]>;
  destroy(): Promise<void>;
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
