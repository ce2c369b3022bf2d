import { execFile } from 'node:child_process';
import { setTimeout as sleep } from 'node:timers/promises';
import { promisify } from 'node:util';
import { aptInstall, findProgram, freePort, startProgram, temporaryFolder, type Started } from './program.ts';
import { reachRedis, redisArguments } from './redis.ts';
import { takeFirst } from './tier.ts';

const run = promisify(execFile);
const HOST = '127.0.0.1';
const NODE_TIMEOUT_MS = 2_000;
const PACKAGES = ['redis-server', 'redis-tools'];

/** A real Redis Cluster of this process alone. */
export interface RedisCluster {
  /** URLs of its nodes, separated by commas. */
  readonly url: string;
  stop(): Promise<void>;
}

/** Arguments of a node of a cluster on `port`; whatever it writes goes to `folder`. */
export async function clusterNodeArguments(port: number, folder: string): Promise<string[]> {
  const settings = {
    'cluster-enabled': 'yes',
    'cluster-config-file': 'nodes.conf',
    'cluster-node-timeout': String(NODE_TIMEOUT_MS),
    'cluster-port': String(await freePort()),
  };
  return [
    ...redisArguments(port, folder),
    ...Object.entries(settings).flatMap(([name, value]) => [`--${name}`, value]),
  ];
}

/**
 * Makes a cluster of nodes that run and know nothing of each other, each primary with `replicas` replicas,
 * and waits until all of them serve it. Errors: those of `redis-cli`, with what it wrote.
 */
export async function formCluster(ports: readonly number[], replicas: number): Promise<void> {
  const nodes = ports.map((port) => `${HOST}:${port}`);
  const options = ['--cluster-replicas', String(replicas), '--cluster-yes'];
  await run('redis-cli', ['--cluster', 'create', ...nodes, ...options]);
  for (const port of ports) {
    const isServed = async () =>
      (await run('redis-cli', ['-p', String(port), 'cluster', 'info'])).stdout.includes('cluster_state:ok');
    while (!(await isServed())) await sleep(50);
  }
}

/**
 * A Redis Cluster of three primaries on free ports: by the machine's own `redis-server` or, as root on
 * Debian, after `apt-get install`. Errors: PartUnavailable, saying how to get one.
 */
export function startRedisCluster(): Promise<RedisCluster> {
  return takeFirst<RedisCluster>(
    'redis cluster',
    [
      { name: 'programs on this machine', get: fromPrograms },
      {
        name: `apt-get install ${PACKAGES.join(' ')}`,
        get: async () => ((await aptInstall(...PACKAGES)) ? fromPrograms() : null),
      },
    ],
    `install it: apt-get install ${PACKAGES.join(' ')}`,
  );
}

async function fromPrograms(): Promise<RedisCluster | null> {
  const command = findProgram(['redis-server']);
  if (command === null || findProgram(['redis-cli']) === null) return null;
  const ports = [await freePort(), await freePort(), await freePort()];
  const nodes: Started[] = [];
  const stop = async () => void (await Promise.all(nodes.map((node) => node.stop())));
  try {
    for (const port of ports) {
      const folder = await temporaryFolder('redis-cluster-');
      nodes.push(
        await startProgram({
          command,
          args: await clusterNodeArguments(port, folder),
          folder,
          stopSignal: 'SIGKILL',
          probe: () => reachRedis({ host: HOST, port }),
        }),
      );
    }
    await formCluster(ports, 0);
  } catch (error) {
    await stop();
    throw error;
  }
  return { url: ports.map((port) => `redis://${HOST}:${port}`).join(','), stop };
}
