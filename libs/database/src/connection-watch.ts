import pg from 'pg';
import { UnbreakableClient } from './unbreakable-client.ts';

/** How long a query may stay without a response before the server is asked whether it works on it. */
const WATCH_AFTER_MS = 1_000;
const TICK_MS = 500;
/** Longest that the server may take to say what it works on. */
const PROBE_MAX_MS = 2_000;
/** A timer this late shows that this process was busy itself, so it says nothing about the server. */
const LATE_MS = 200;

/**
 * SQLSTATE after which a connection is of no use: read-only or stopping server, no resources, broken
 * connection.
 */
const DROP_CODE = /^(25006|57P0\d|53\d\d\d|08...)$/;

const ACTIVE = `
SELECT pid, CASE WHEN wait_event_type = 'Lock' AND clock_timestamp() - xact_start > $2::float8 * interval '1 ms'
  THEN pg_cancel_backend(pid) END
FROM pg_stat_activity WHERE pid = ANY($1::int[]) AND state = 'active'`;

/** What callers of a server that does not respond get; `isUnreachable` knows its first words. */
const NO_RESPONSE = 'Connection terminated: the server does not respond';

/**
 * Ends connections whose response will not come, so that a server that hangs, or a network that drops
 * packets, costs the queries that waited and nothing after them. A timeout alone would also end long queries
 * that the server works on; so a query that waits is looked up in pg_stat_activity over a connection of its
 * own. When the server does not work on the query, the connection is destroyed: its query rejects with
 * "Connection terminated". When the server does not respond at all, that holds for every query, and callers
 * are refused at once until it responds: otherwise each would wait for as long as the first, and one that
 * asks several times that often.
 */
export interface ConnectionWatch {
  /**
   * A pool whose connections are watched. It drops those that broke or that an error has made useless once
   * they are released.
   */
  openPool(config: pg.PoolConfig): pg.Pool;
  stop(): void;
}

type Connected = (
  error: Error | undefined,
  client: pg.PoolClient | undefined,
  done: (release?: boolean | Error) => void,
) => void;

interface Busy {
  readonly since: number;
  /** The server was seen not to work on the query; its response may be on the way. */
  isSuspect: boolean;
}

/**
 * `connect` opens the connection that asks the server. A transaction that is older than `lockMaxMs` and waits
 * for a lock is canceled (57014): `lock_timeout` counts each wait by itself, and Postgres has a statement
 * wait for its turn at a row and then for the holder of the row.
 */
export function createConnectionWatch(connect: () => UnbreakableClient, lockMaxMs?: number): ConnectionWatch {
  const clients = new Set<WatchedClient>();
  const busy = new Map<WatchedClient, Busy>();
  let timer: NodeJS.Timeout | undefined;
  let isProbing = false;
  /** When anything came back from the server. */
  let heardAt = performance.now();
  let isUnresponsive = false;
  /** Those that wait for the server. */
  const waiting = new Set<(error: Error) => void>();

  class WatchedClient extends UnbreakableClient {
    isUseless = false;

    constructor(config?: string | pg.ClientConfig) {
      super(config);
      clients.add(this);
      this.on('error', () => (this.isUseless = true));
      this.once('end', () => {
        clients.delete(this);
        busy.delete(this);
      });
    }

    // oxlint-disable-next-line no-explicit-any -- pg's own overloads take a query, a config or an object of its own
    override query(...args: any[]): any {
      const end = (error?: unknown) => {
        busy.delete(this);
        const code = (error as { code?: unknown } | null | undefined)?.code;
        if (error === null || error === undefined || typeof code === 'string') heardAt = performance.now();
        if (typeof code === 'string' && DROP_CODE.test(code)) this.isUseless = true;
      };
      begin(this);
      const callback: unknown = args.at(-1);
      if (typeof callback === 'function') {
        args[args.length - 1] = (error: unknown, result: unknown) => {
          end(error);
          callback(error, result);
        };
        return super.query(...(args as [string]));
      }
      const response = super.query(...(args as [string])) as Promise<unknown>;
      response.then(() => end(), end);
      return response;
    }
  }

  class WatchedPool extends pg.Pool {
    override connect(): Promise<pg.PoolClient>;
    override connect(callback: Connected): void;
    override connect(callback?: Connected): Promise<pg.PoolClient> | void {
      const connected = this.#connectInTime();
      if (callback === undefined) return connected;
      connected.then(
        (client) => callback(undefined, client, (error) => client.release(error)),
        (error: Error) => callback(error, undefined, () => undefined),
      );
    }

    /** A connection, or an error as soon as the server is known not to respond. */
    async #connectInTime(): Promise<pg.PoolClient> {
      if (isUnresponsive) throw new Error(NO_RESPONSE);
      let refuse: (error: Error) => void = () => undefined;
      const refused = new Promise<never>((_resolve, reject) => waiting.add((refuse = reject)));
      const connecting = super.connect();
      try {
        return await Promise.race([connecting, refused]);
      } catch (error) {
        // One that comes all the same goes back.
        connecting.then((client) => client.release()).catch(() => undefined);
        throw error;
      } finally {
        waiting.delete(refuse);
      }
    }
  }

  function begin(client: WatchedClient): void {
    busy.set(client, { since: performance.now(), isSuspect: false });
    timer ??= setInterval(() => void check(), TICK_MS).unref();
  }

  async function check(): Promise<void> {
    // What the server is being asked decides whether it must be asked again.
    if (isProbing) return;
    if (busy.size === 0 && !isUnresponsive) {
      clearInterval(timer);
      timer = undefined;
      return;
    }
    const now = performance.now();
    const late = [...busy].filter(([, { since }]) => now - since >= WATCH_AFTER_MS);
    if (late.length === 0 && !isUnresponsive) return;
    isProbing = true;
    try {
      const active = await activeBackends(late.map(([client]) => backendOf(client)));
      if (active === 'unreachable') return giveUp();
      if (active === 'unknown') return;
      isUnresponsive = false;
      for (const [client, query] of late) {
        if (busy.get(client) !== query) continue;
        if (active.has(backendOf(client))) query.isSuspect = false;
        else if (query.isSuspect) destroy(client);
        else query.isSuspect = true;
      }
    } finally {
      isProbing = false;
    }
  }

  /** Ends every wait for a server that does not respond; it is asked again until it does. */
  function giveUp(): void {
    isUnresponsive = true;
    for (const client of busy.keys()) destroy(client);
    for (const refuse of waiting) refuse(new Error(NO_RESPONSE));
    waiting.clear();
  }

  async function activeBackends(pids: number[]): Promise<ReadonlySet<number> | 'unreachable' | 'unknown'> {
    const client = connect();
    let isLate = false;
    const askedAt = performance.now();
    const due = askedAt + PROBE_MAX_MS;
    const limit = setTimeout(() => {
      isLate = performance.now() - due > LATE_MS;
      void client.end();
    }, PROBE_MAX_MS);
    const never = new Promise<never>((_resolve, reject) => {
      client.once('end', () => reject(new Error('the server did not say what it works on')));
      setTimeout(() => reject(new Error('timed out')), PROBE_MAX_MS + LATE_MS).unref();
    });
    never.catch(() => undefined);
    try {
      await Promise.race([client.connect(), never]);
      const asked = client.query<{ pid: number }>(ACTIVE, [pids, lockMaxMs ?? null]);
      const { rows } = await Promise.race([asked, never]);
      return new Set(rows.map(({ pid }) => pid));
    } catch (error) {
      // A server that has no connection left, or that serves others, is there.
      const isFull = String((error as { code?: unknown }).code).startsWith('53');
      if (isFull) isUnresponsive = false;
      return isLate || isFull || heardAt > askedAt ? 'unknown' : 'unreachable';
    } finally {
      clearTimeout(limit);
      void client.end().catch(() => undefined);
    }
  }

  /** Ends a connection that is lost, and those that idle: they lead to where it was lost. */
  function destroy(lost: WatchedClient): void {
    busy.delete(lost);
    void lost.end().catch(() => undefined);
    for (const client of clients) {
      client.isUseless = true;
      // The pool listens to the errors of idle clients, and removes them.
      if (!busy.has(client) && client !== lost)
        client.emit('error', new Error('Connection terminated: another connection to this server was lost'));
    }
  }

  return {
    openPool(config) {
      const pool = new WatchedPool({ ...config, Client: WatchedClient });
      // A client that has been ended is removed as it is released.
      pool.on('release', (_error: Error, client: pg.PoolClient) => {
        if ((client as unknown as WatchedClient).isUseless) void (client as unknown as pg.Client).end();
      });
      return pool;
    },
    stop: () => clearInterval(timer),
  };
}

/** Process id of the connection's backend. */
function backendOf(client: pg.Client): number {
  return (client as unknown as { processID: number }).processID;
}
