/** How late a timer may be before it says more of this process than of who was asked. Milliseconds. */
const LATE_MS = 20;
/** How often a wait may begin again: a process that is always busy must not wait for good. */
const WAITS_MAX = 3;

/** No reply came in time. */
export class NoReply extends Error {
  override readonly name = 'NoReply';
}

/**
 * The reply of a server beside this process, such as Redis, or an error once `timeoutMs` have passed in which
 * this process could have read it: while it is busy itself the wait begins again. Clients' own time-outs
 * often end when a command is written, not when its reply comes. Errors: the reply's own, "no reply within …
 * ms".
 */
export function withTimeout<T>(reply: Promise<T>, timeoutMs: number): Promise<T> {
  return new Promise((resolve, reject) => {
    let timer: NodeJS.Timeout;
    const wait = (waits: number) => {
      const due = performance.now() + timeoutMs;
      timer = setTimeout(() => {
        if (performance.now() - due > LATE_MS && waits < WAITS_MAX) wait(waits + 1);
        else reject(new NoReply(`no reply within ${timeoutMs} ms`));
      }, timeoutMs);
    };
    wait(1);
    void reply.then(resolve, reject).finally(() => clearTimeout(timer));
  });
}

/** A client whose connection can be ended and made anew. */
interface Reconnectable {
  /** The connection is there, and no attempt to make one is under way. */
  readonly isReady: boolean;
  destroy(): void;
  connect(): Promise<unknown>;
}

/** How long a connection may leave every command without a reply. Milliseconds. */
const SILENT_MAX_MS = 2_000;

/**
 * `withTimeout` for every reply of one client. A connection that breaks is noticed by the client itself; one
 * whose other end vanished without a word is not, so after two seconds without any reply it is made anew.
 */
export function createReplyWatch(
  client: Reconnectable,
  timeoutMs: number,
): <T>(reply: Promise<T>) => Promise<T> {
  let silentSince: number | null = null;
  return async (reply) => {
    const sentAt = performance.now();
    try {
      const value = await withTimeout(reply, timeoutMs);
      silentSince = null;
      return value;
    } catch (error) {
      silentSince = error instanceof NoReply ? (silentSince ?? sentAt) : null;
      if (silentSince !== null && performance.now() - silentSince >= SILENT_MAX_MS && client.isReady) {
        silentSince = null;
        client.destroy();
        // The client keeps trying in the background, and reports what fails as it does at the start.
        client.connect().catch(() => undefined);
      }
      throw error;
    }
  };
}

/**
 * Options of a Redis client: a connection on which nothing is heard, its handshake included, is ended and
 * made anew. The pings keep an idle one open.
 */
export const REDIS_TIMES = {
  pingInterval: 1_000,
  socket: { connectTimeout: 2_000, socketTimeout: 5_000 },
} as const;
