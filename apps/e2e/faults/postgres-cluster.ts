import { execFile, spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { mkdir, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { promisify } from 'node:util';
import { findProgram, freePort, killOnExit } from '@platform/testing';
import { debianRoot } from './debian-root.ts';
import { execute } from './servers.ts';

const run = promisify(execFile);

/** The network of a run: the host, with etcd and HAProxy, has the first address, and each node its own. */
const BRIDGE = 'platform-ha';
const HOST = '10.213.77.1';
const NODES = [
  { name: 'one', address: '10.213.77.11' },
  { name: 'two', address: '10.213.77.12' },
] as const;
type Node = (typeof NODES)[number];

const ETCD_PORT = 2379;
const POSTGRES_PORT = 5432;
const PATRONI_PORT = 8008;
/** Patroni takes the leader for dead this long after it last renewed its lease; 20 is its least. */
const LEASE_SECONDS = 20;
const WAIT_MS = 120_000;

/** Two Postgres servers, one of them the synchronous standby, under Patroni, behind HAProxy. */
export interface PostgresCluster {
  /** Leads to whichever server is the leader. */
  readonly url: string;
  /** Ends every process of the leader's machine at once, by SIGKILL. */
  killLeader(): Promise<void>;
  /** Takes the leader off the network: neither its clients nor etcd nor the standby reach it. */
  cutLeader(): Promise<void>;
  /** Has leader and standby change places, as an operator does before maintenance. */
  switchOver(): Promise<void>;
  /** Waits until another server leads than the one that the last of the acts above met. */
  newLeader(): Promise<void>;
  /** Brings back what was killed or cut, and waits until the cluster has a synchronous standby again. */
  repair(): Promise<void>;
  destroy(): Promise<void>;
}

/**
 * Opens a cluster of this run alone on a Debian root of its own, which is made once on a machine. The nodes
 * have a process and a network namespace each, so that a machine can die and a cable be pulled. Errors: not
 * run as root, no `debootstrap` or `ip` on this machine, what a server wrote last when it does not start.
 */
export async function openPostgresCluster(): Promise<PostgresCluster> {
  const root = await debianRoot();
  if (findProgram(['ip']) === null) throw new Error('no `ip` on this machine: apt-get install iproute2');
  /** Below the root, where the servers see it as `/srv/ha`. */
  const folder = join(root, 'srv/ha');
  await removeNetwork();
  await rm(folder, { recursive: true, force: true });
  await mkdir(folder, { recursive: true });
  const { stdout: owner } = await run('chroot', [root, 'id', '-u', 'postgres']);
  await run('chown', [owner.trim(), folder]);
  await makeNetwork();

  const processes = new Map<string, ChildProcess>();
  const logs = new Map<string, string>();
  /**
   * Starts a program of the root in a process namespace of its own. Its first process, a shell that stays
   * root, is killed with `unshare`, and with it go all others.
   */
  function start(name: string, program: readonly string[], namespace?: string): void {
    const inRoot = `chroot --userspec=postgres:postgres ${root} ${program.join(' ')}`;
    const script = `mount -t tmpfs tmpfs ${root}/dev/shm && ${inRoot}; exit $?`;
    const isolated = ['unshare', '--mount', '--pid', '--fork', '--kill-child', `--mount-proc=${root}/proc`];
    const within = namespace === undefined ? [] : ['ip', 'netns', 'exec', namespace];
    const command = [...within, ...isolated, 'sh', '-c', script];
    const child = spawn('env', command, { stdio: ['ignore', 'pipe', 'pipe'] });
    killOnExit(child);
    const collect = (chunk: Buffer) =>
      void logs.set(name, ((logs.get(name) ?? '') + chunk.toString()).slice(-1_000));
    child.stdout.on('data', collect);
    child.stderr.on('data', collect);
    processes.set(name, child);
  }
  async function kill(name: string): Promise<void> {
    const child = processes.get(name);
    processes.delete(name);
    if (child === undefined || child.exitCode !== null || child.signalCode !== null) return;
    const exited = once(child, 'exit');
    child.kill('SIGKILL');
    await exited;
  }
  async function until(what: string, isSo: () => Promise<boolean>): Promise<void> {
    for (const endsAt = performance.now() + WAIT_MS; !(await isSo()); await sleep(50))
      if (performance.now() > endsAt)
        throw new Error(
          `${what}: not within ${WAIT_MS / 1_000} s\n${[...logs].map((log) => log.join(': ')).join('\n')}`,
        );
  }
  const startNode = ({ name }: Node) => start(name, ['patroni', `/srv/ha/${name}.yml`], netnsOf(name));

  start('etcd', etcdCommand());
  for (const node of NODES) {
    await writeFile(join(folder, `${node.name}.yml`), patroniConfig(node));
    startNode(node);
  }
  const port = await freePort();
  await writeFile(join(folder, 'haproxy.cfg'), haproxyConfig(port));
  start('haproxy', ['haproxy', '-db', '-f', '/srv/ha/haproxy.cfg']);
  const url = `postgres://postgres:secret@127.0.0.1:${port}/postgres`;
  const isWhole = async () => {
    const leader = await findLeader();
    return leader !== null && (await is(otherThan(leader), 'synchronous'));
  };
  const isReachable = () =>
    execute(url, 'SELECT 1').then(
      () => true,
      () => false,
    );
  await until('a leader with a synchronous standby', async () => (await isWhole()) && (await isReachable()));

  let struck: Node | null = null;
  async function strike(act: (leader: Node) => Promise<unknown>): Promise<void> {
    struck = await findLeader();
    if (struck === null) throw new Error('the cluster has no leader');
    await act(struck);
  }
  return {
    url,
    killLeader: () => strike(({ name }) => kill(name)),
    cutLeader: () => strike(({ name }) => run('ip', ['link', 'set', vethOf(name), 'down'])),
    switchOver: () =>
      strike(async (leader) => {
        const candidate = otherThan(leader);
        const response = await fetch(`http://${leader.address}:${PATRONI_PORT}/switchover`, {
          method: 'POST',
          body: JSON.stringify({ leader: leader.name, candidate: candidate.name }),
        });
        if (!response.ok) throw new Error(`switchover: ${response.status} ${await response.text()}`);
      }),
    async newLeader() {
      const other = otherThan(struck!);
      await until(`${other.name} leads`, () => is(other, 'primary'));
    },
    async repair() {
      for (const node of NODES) {
        await run('ip', ['link', 'set', vethOf(node.name), 'up']);
        if (!processes.has(node.name)) startNode(node);
      }
      await until('a synchronous standby again', isWhole);
    },
    async destroy() {
      await Promise.all([...processes.keys()].map(kill));
      await removeNetwork();
      await rm(folder, { recursive: true, force: true });
    },
  };
}

/** Whether Patroni says that the node has this role. */
async function is({ address }: Node, role: 'primary' | 'synchronous'): Promise<boolean> {
  const url = `http://${address}:${PATRONI_PORT}/${role}`;
  return fetch(url, { signal: AbortSignal.timeout(1_000) }).then(
    ({ status }) => status === 200,
    () => false,
  );
}

async function findLeader(): Promise<Node | null> {
  for (const node of NODES) if (await is(node, 'primary')) return node;
  return null;
}

const otherThan = (node: Node): Node => NODES.find((one) => one !== node)!;
const netnsOf = (name: string) => `${BRIDGE}-${name}`;
/** The host's end of a node's cable; names of interfaces have at most 15 characters. */
const vethOf = (name: string) => `ha-${name}`;

/** A bridge on the host, and for each node a network namespace with a cable to it. */
async function makeNetwork(): Promise<void> {
  await run('ip', ['link', 'add', BRIDGE, 'type', 'bridge']);
  await run('ip', ['addr', 'add', `${HOST}/24`, 'dev', BRIDGE]);
  await run('ip', ['link', 'set', BRIDGE, 'up']);
  for (const { name, address } of NODES) {
    const netns = netnsOf(name);
    await run('ip', ['netns', 'add', netns]);
    await run('ip', ['link', 'add', vethOf(name), 'type', 'veth', 'peer', 'name', 'eth0', 'netns', netns]);
    await run('ip', ['link', 'set', vethOf(name), 'master', BRIDGE, 'up']);
    await run('ip', ['-n', netns, 'addr', 'add', `${address}/24`, 'dev', 'eth0']);
    await run('ip', ['-n', netns, 'link', 'set', 'eth0', 'up']);
    await run('ip', ['-n', netns, 'link', 'set', 'lo', 'up']);
  }
}

async function removeNetwork(): Promise<void> {
  // What is not there cannot be removed.
  for (const { name } of NODES) {
    await run('ip', ['link', 'del', vethOf(name)]).catch(() => undefined);
    await run('ip', ['netns', 'del', netnsOf(name)]).catch(() => undefined);
  }
  await run('ip', ['link', 'del', BRIDGE]).catch(() => undefined);
}

function etcdCommand(): string[] {
  const url = `http://${HOST}:${ETCD_PORT}`;
  return ['etcd', '--data-dir', '/srv/ha/etcd', '--listen-client-urls', url, '--advertise-client-urls', url];
}

/** Patroni reads YAML, of which JSON is a part. */
function patroniConfig({ name, address }: Node): string {
  return JSON.stringify({
    scope: 'platform',
    name,
    restapi: { listen: `${address}:${PATRONI_PORT}`, connect_address: `${address}:${PATRONI_PORT}` },
    etcd3: { hosts: [`${HOST}:${ETCD_PORT}`] },
    bootstrap: {
      dcs: {
        ttl: LEASE_SECONDS,
        loop_wait: 2,
        retry_timeout: 5,
        synchronous_mode: true,
        postgresql: { use_pg_rewind: true, parameters: { max_connections: 200 } },
      },
      initdb: [{ encoding: 'UTF8' }, { locale: 'C' }, 'data-checksums'],
    },
    postgresql: {
      listen: `${address}:${POSTGRES_PORT}`,
      connect_address: `${address}:${POSTGRES_PORT}`,
      data_dir: `/srv/ha/${name}`,
      bin_dir: '/usr/lib/postgresql/17/bin',
      pgpass: `/srv/ha/${name}.pgpass`,
      pg_hba: ['local all all trust', 'host all all 0.0.0.0/0 trust', 'host replication all 0.0.0.0/0 trust'],
      parameters: { unix_socket_directories: '/srv/ha' },
      authentication: {
        superuser: { username: 'postgres', password: 'secret' },
        replication: { username: 'replicator', password: 'secret' },
        rewind: { username: 'rewinder', password: 'secret' },
      },
    },
  });
}

function haproxyConfig(port: number): string {
  const servers = NODES.map(
    ({ name, address }) => `  server ${name} ${address}:${POSTGRES_PORT} check port ${PATRONI_PORT}`,
  );
  return `defaults
  mode tcp
  timeout connect 2s
  timeout client 30m
  timeout server 30m
  timeout check 1s
listen postgres
  bind 127.0.0.1:${port}
  option httpchk OPTIONS /primary
  http-check expect status 200
  default-server inter 500ms fall 2 rise 1 on-marked-down shutdown-sessions
${servers.join('\n')}
`;
}
