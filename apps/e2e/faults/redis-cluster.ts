import { execFile } from 'node:child_process';
import { mkdir, mkdtemp } from 'node:fs/promises';
import { join, relative } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { promisify } from 'node:util';
import {
  clusterNodeArguments,
  findProgram,
  formCluster,
  freePort,
  reachRedis,
  temporaryFolder,
} from '@platform/testing';
import { debianRoot } from './debian-root.ts';
import { ownServer, type OwnServer } from './servers.ts';

const run = promisify(execFile);
const PRIMARIES = 3;
const REPLICAS_EACH = 1;
const WAIT_MS = 30_000;

interface Node extends OwnServer {
  readonly port: number;
}

/** Three primaries with a replica each, every one of which may be lost. */
export interface OwnRedisCluster {
  /** URLs of the nodes, separated by commas. */
  readonly url: string;
  /** Ends a primary, by SIGKILL; `failedOver` waits until its replica has its slots. */
  killPrimary(): Promise<void>;
  failedOver(): Promise<void>;
  /** Starts what was killed again, empty, and waits until it is a replica with all data. */
  repair(): Promise<void>;
  /** Every primary changes places with its replica, one after another. */
  failOverAll(): Promise<void>;
  /** Moves every slot that holds keys, key by key, to the next primary; how many they are. */
  moveSlots(): Promise<number>;
  destroy(): Promise<void>;
}

/** Where the server of a node is, and how its folder is called there. */
interface ServerProgram {
  readonly command: readonly [string, ...string[]];
  /** A new folder, and its path as the server sees it. */
  makeFolder(): Promise<{ readonly folder: string; readonly seen: string }>;
}

/** The machine's own Redis. Errors: no `redis-server`. */
export function redisProgram(): ServerProgram {
  const command = findProgram(['redis-server']);
  if (command === null) throw new Error('no Redis on this machine: apt-get install redis-server');
  return {
    command: [command],
    async makeFolder() {
      const folder = await temporaryFolder('faults-redis-');
      return { folder, seen: folder };
    },
  };
}

/** Valkey of a Debian root. Errors: those of `debianRoot`. */
export async function valkeyProgram(): Promise<ServerProgram> {
  const root = await debianRoot();
  return {
    // `chroot` becomes the server, so a signal to it is one to the server.
    command: ['chroot', root, 'valkey-server'],
    async makeFolder() {
      const parent = join(root, 'srv');
      await mkdir(parent, { recursive: true });
      const folder = await mkdtemp(join(parent, 'valkey-'));
      return { folder, seen: `/${relative(root, folder)}` };
    },
  };
}

/** Errors: no `redis-cli`, which speaks to Valkey as well. */
export async function openRedisCluster({ command, makeFolder }: ServerProgram): Promise<OwnRedisCluster> {
  const [program, ...before] = command;
  const nodes: Node[] = [];
  for (let count = 0; count < PRIMARIES * (1 + REPLICAS_EACH); count++) {
    const port = await freePort();
    const url = `redis://127.0.0.1:${port}`;
    const probe = () => reachRedis({ host: '127.0.0.1', port });
    const { folder, seen } = await makeFolder();
    const args = [...before, ...(await clusterNodeArguments(port, seen))];
    const node = { ...ownServer({ url, command: program, args, folder, probe }), port };
    await node.start();
    nodes.push(node);
  }
  const ports = nodes.map(({ port }) => port);
  await formCluster(ports, REPLICAS_EACH);

  const dead = new Set<Node>();
  let lost: Node | undefined;
  const ask = async (node: Node, ...command: readonly string[]) =>
    (await run('redis-cli', ['-p', String(node.port), ...command], { timeout: 5_000 })).stdout;
  const living = () => nodes.filter((node) => !dead.has(node));
  const replication = (node: Node) => ask(node, 'info', 'replication');
  const isPrimary = async (node: Node) => (await replication(node)).includes('role:master');
  const primaries = async () => {
    const found: Node[] = [];
    for (const node of living()) if (await isPrimary(node)) found.push(node);
    return found;
  };
  async function until(what: string, isSo: () => Promise<boolean>): Promise<void> {
    for (const endsAt = performance.now() + WAIT_MS; !(await isSo()); await sleep(25))
      if (performance.now() > endsAt) throw new Error(`${what}: not within ${WAIT_MS / 1_000} s`);
  }
  const isServed = async () => {
    for (const node of living())
      if (!(await ask(node, 'cluster', 'info')).includes('cluster_state:ok')) return false;
    return (await primaries()).length === PRIMARIES;
  };
  const isCopied = async () => {
    for (const node of nodes) {
      const told = await replication(node);
      const isWhole = told.includes('role:master')
        ? told.includes(`connected_slaves:${REPLICAS_EACH}`)
        : told.includes('master_link_status:up');
      if (!isWhole) return false;
    }
    return true;
  };
  await until('every replica has its data', isCopied);

  let turn = 0;
  return {
    url: nodes.map(({ url }) => url).join(','),
    async killPrimary() {
      const all = await primaries();
      lost = all[turn++ % all.length]!;
      dead.add(lost);
      await lost.end('SIGKILL');
    },
    failedOver: () => until('the replica has the slots', isServed),
    async repair() {
      if (lost === undefined) return;
      await lost.start();
      dead.delete(lost);
      lost = undefined;
      await until('every replica has its data', async () => (await isServed()) && isCopied());
    },
    async failOverAll() {
      const before = await primaries();
      for (const node of nodes.filter((one) => !before.includes(one))) {
        await ask(node, 'cluster', 'failover');
        await until('the replica leads', () => isPrimary(node));
        await until('the cluster serves', isServed);
        await until('every replica has its data', isCopied);
      }
    },
    async moveSlots() {
      const all = await primaries();
      const ids = await Promise.all(all.map(async (node) => (await ask(node, 'cluster', 'myid')).trim()));
      let moved = 0;
      for (const [at, source] of (await Promise.all(all.map(slotsWithKeys))).entries()) {
        const [owner, next] = [ids[at]!, (at + 1) % all.length];
        const target = all[next]!;
        for (const slot of source) {
          await ask(target, 'cluster', 'setslot', slot, 'importing', owner);
          await ask(all[at]!, 'cluster', 'setslot', slot, 'migrating', ids[next]!);
          for (;;) {
            const keys = (await ask(all[at]!, 'cluster', 'getkeysinslot', slot, '50')).trim();
            if (keys === '') break;
            const address = ['127.0.0.1', String(target.port), '', '0', '5000'];
            await ask(all[at]!, 'migrate', ...address, 'KEYS', ...keys.split('\n'));
          }
          for (const node of [target, ...all.filter((one) => one !== target)])
            await ask(node, 'cluster', 'setslot', slot, 'node', ids[next]!);
          moved += 1;
        }
      }
      return moved;
    },
    async destroy() {
      await Promise.all(nodes.map(async (node) => (dead.has(node) ? undefined : node.destroy())));
    },
  };

  async function slotsWithKeys(node: Node): Promise<string[]> {
    const keys = (await ask(node, '--scan')).trim().split('\n');
    const tags = new Set(keys.map((key) => /\{.+?\}/.exec(key)?.[0] ?? key));
    const slots = await Promise.all([...tags].map((tag) => ask(node, 'cluster', 'keyslot', tag)));
    return [...new Set(slots.map((slot) => slot.trim()))];
  }
}
