import { setTimeout as delay } from 'node:timers/promises';
import { withTimeout, REDIS_TIMES } from './with-timeout.ts';

/** A node of the cluster, as the map of slots names it. */
interface ClusterNode {
  readonly host: string;
  readonly port: number;
}

/** What is asked of a client of node-redis for clusters. */
interface ClusterClient<Node extends ClusterNode> {
  /** The primaries of the map of slots. */
  readonly masters: readonly Node[];
  nodeClient(node: Node): Promise<{ ping(): Promise<unknown> }>;
  on(event: string, listener: (error: Error) => void): unknown;
  connect(): Promise<unknown>;
  close(): Promise<unknown>;
  destroy(): void;
}

/** Options of `createCluster`, for every map of slots that is read. */
export interface ClusterOptions {
  rootNodes: { socket: { host: string; port: number } }[];
  defaults: object;
  minimizeConnections: true;
  commandOptions: { timeout: 0 };
}

/** The connection to a Redis Cluster, over changes of its map of slots. */
export interface ClusterConnection<Client> {
  /**
   * The reply to what `send` sends, once. Scripts over keys of a slot that is being moved wait until all of
   * its keys are in one place. Errors: those of the reply, NoReply, no connection.
   */
  once<T>(send: (client: Client) => Promise<T>): Promise<T>;
  /**
   * The reply to what `send` sends, again with a new map of slots when the cluster did not take it, for a
   * second at least. For what may be done twice.
   */
  repeated<T>(send: (client: Client) => Promise<T>): Promise<T>;
  /** Whether every primary responded when the map of slots was last read, and none was lost since. */
  isReady(): boolean;
  /** Resolves when it is ready for the first time. */
  readonly opened: Promise<void>;
  close(): Promise<void>;
}

const MAP_MAX_MS = 2_000;
const SEARCH_PAUSE_MAX_MS = 200;
/** How long a script waits for a slot that is being moved; the slot's other scripts do the same. */
const MOVING_MAX_MS = 4_000;
const MOVING_PAUSE_MAX_MS = 50;
const REPEATED_MIN_MS = 1_000;
const CLOSE_MAX_MS = 1_000;

/** An error that Redis replied: a word in capitals first. */
const ERROR_REPLY = /^[A-Z]{2,} /;
const isMoving = (error: unknown) => (error as Error).message.startsWith('TRYAGAIN');
/** The cluster did not take the command, or it is not known whether it did. */
const isLost = (error: unknown) => {
  const { message } = error as Error;
  return message.startsWith('CLUSTERDOWN') || !ERROR_REPLY.test(message);
};

/**
 * Keeps a client of a Redis Cluster whose primaries all respond. As soon as a connection is lost or a reply
 * does not come, the map of slots is read again, by a new client, from the nodes of `url` (URLs separated by
 * commas) and those known since; the old client goes once every primary of the new map has responded. The
 * client's own search waits for nodes that are gone. `create` makes a client that is not connected.
 */
export function createClusterConnection<
  Node extends ClusterNode,
  Client extends ClusterClient<Node>,
>(options: {
  readonly url: string;
  readonly timeoutMs: number;
  readonly create: (options: ClusterOptions) => Client;
  readonly onError: (error: unknown) => void;
  /** Called whenever it is ready after it was not. */
  readonly onReady?: () => void;
}): ClusterConnection<Client> {
  const { timeoutMs, create, onError, onReady } = options;
  const { roots, defaults } = readClusterUrl(options.url);
  let known: ClusterNode[] = [];
  let current: Client | null = null;
  let isReady = false;
  let searching: Promise<void> | null = null;
  let isClosed = false;
  const opened = search();

  function search(): Promise<void> {
    isReady = false;
    searching ??= find().finally(() => (searching = null));
    return searching;
  }

  async function find(): Promise<void> {
    for (let pause = 10; !isClosed; pause = Math.min(2 * pause, SEARCH_PAUSE_MAX_MS)) {
      const client = open();
      try {
        await withTimeout(client.connect(), MAP_MAX_MS);
        await withTimeout(pingAll(client), Math.max(timeoutMs, MAP_MAX_MS));
        known = client.masters.map(({ host, port }) => ({ host, port }));
        return replaceBy(client);
      } catch (error) {
        client.destroy();
        if (!isClosed) onError(error);
      }
      await delay(pause, undefined, { ref: false });
    }
  }

  function open(): Client {
    const nodes = [...known, ...roots].map(({ host, port }) => ({ socket: { host, port } }));
    const client = create({
      rootNodes: nodes,
      defaults,
      minimizeConnections: true,
      commandOptions: { timeout: 0 },
    });
    client.on('error', (error) => isClosed || onError(error));
    client.on('node-error', (error) => {
      if (isClosed) return;
      onError(error);
      if (client === current) void search();
    });
    return client;
  }

  function replaceBy(client: Client): void {
    const old = current;
    if (isClosed) return client.destroy();
    current = client;
    isReady = true;
    if (old !== null) void end(old);
    onReady?.();
  }

  async function once<T>(send: (client: Client) => Promise<T>): Promise<T> {
    const endsAt = performance.now() + MOVING_MAX_MS;
    for (let pause = 2; ; pause = Math.min(2 * pause, MOVING_PAUSE_MAX_MS)) {
      if (current === null) throw new Error('no connection to the Redis Cluster');
      try {
        return await withTimeout(send(current), timeoutMs);
      } catch (error) {
        if (!isMoving(error) || performance.now() > endsAt) {
          if (isLost(error) && !isClosed) void search();
          throw error;
        }
      }
      await delay(pause);
    }
  }

  return {
    once,
    async repeated(send) {
      const endsAt = performance.now() + Math.max(REPEATED_MIN_MS, 2 * timeoutMs);
      for (;;) {
        try {
          return await once(send);
        } catch (error) {
          const left = endsAt - performance.now();
          if (left <= 0 || isClosed || !isLost(error)) throw error;
          const waited = new AbortController();
          await Promise.race([searching, delay(left, undefined, { signal: waited.signal }).catch(() => {})]);
          waited.abort();
          await delay(Math.min(left, MOVING_PAUSE_MAX_MS));
        }
      }
    },
    isReady: () => isReady,
    opened,
    async close() {
      isClosed = true;
      isReady = false;
      const old = current;
      current = null;
      if (old !== null) await end(old);
      await searching;
    },
  };
}

async function pingAll<Node extends ClusterNode>(client: ClusterClient<Node>): Promise<void> {
  await Promise.all(client.masters.map(async (node) => (await client.nodeClient(node)).ping()));
}

/** Lets a client end once the replies to what was sent are there. */
async function end<Node extends ClusterNode>(client: ClusterClient<Node>): Promise<void> {
  await withTimeout(client.close(), CLOSE_MAX_MS).catch(() => undefined);
  client.destroy();
}

/** The nodes that `url` names, and what holds for the connections to all nodes. */
function readClusterUrl(url: string): { roots: ClusterNode[]; defaults: object } {
  const urls = url.split(/,\s*(?=rediss?:)/).map((one) => new URL(one.trim()));
  const { protocol, username, password } = urls[0] as URL;
  return {
    roots: urls.map(({ hostname, port }) => ({
      host: hostname.replace(/^\[|\]$/g, ''),
      port: Number(port || 6379),
    })),
    defaults: {
      ...(username === '' ? {} : { username: decodeURIComponent(username) }),
      ...(password === '' ? {} : { password: decodeURIComponent(password) }),
      disableOfflineQueue: true,
      pingInterval: REDIS_TIMES.pingInterval,
      socket: {
        ...REDIS_TIMES.socket,
        ...(protocol === 'rediss:' ? { tls: true } : {}),
        // A connection that is lost is a reason to read the map of slots again.
        reconnectStrategy: false,
      },
    },
  };
}
