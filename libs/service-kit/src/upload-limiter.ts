import type { IncomingMessage } from 'node:http';
import { DomainError, RETRY_AFTER_SECONDS } from '@platform/error-contracts';
import { readBody } from './body.ts';

/** The first bytes of every body need no room, so that small bodies always find it. */
const FREE_BYTES = 64 * 1024;
/** One owner holds at most this part of the room. */
const OWNER_SHARE = 1 / 4;
/** Slowest rate that a body may arrive at on average, once GRACE_MS have passed. */
const BYTES_PER_SECOND_MIN = 8 * 1024;
const GRACE_MS = 10_000;
/** How often the rate of the bodies that are arriving is checked. Milliseconds. */
const TICK_MS = 1_000;
const FULL = 'too many large requests at once, try again later';

export interface UploadLimiterOptions {
  /** Room for bodies, in bytes: those that are arriving and those that are worked on. */
  readonly roomBytes: number;
  /** Largest body, in bytes. */
  readonly bodyBytesMax: number;
  /** Longest that a body may take to arrive. Milliseconds; default: only the minimum rate counts. */
  readonly arrivalMaxMs?: number;
  /** Default GRACE_MS and TICK_MS. */
  readonly graceMs?: number;
  readonly tickMs?: number;
}

/** A body that has arrived; it holds its room until `release`. */
export interface Upload {
  readonly bytes: Uint8Array<ArrayBuffer>;
  release(): void;
}

/**
 * Bounds the memory that request bodies take. Room is reserved as bytes arrive, never by the declared length,
 * so a client holds only what it has sent. One owner holds at most a quarter of the room (or one largest
 * body); when the room is full, the newest arriving body of the owner that holds most makes room for an owner
 * that holds less.
 */
export interface UploadLimiter {
  /**
   * Reads the body of `req`, of `bodyBytesMax` bytes unless `bytesMax` says less, for `owner`. Errors:
   * `payload_too_large`, `rate_limited` when the owner fills their part, `unavailable` when there is no room,
   * `request_timeout` for a sender that is too slow, `invalid_argument` for one that stops half-way.
   */
  receive(req: IncomingMessage, owner: string, bytesMax?: number): Promise<Upload>;
  /** Bodies that are arriving, and the room that is taken, in bytes. */
  load(): { readonly arriving: number; readonly bytes: number };
}

interface Arriving {
  readonly owner: string;
  received: number;
  /** Room that it takes. */
  held: number;
  /** Times that its rate was checked. */
  ticks: number;
  refuse(error: DomainError): void;
}

export function createUploadLimiter(options: UploadLimiterOptions): UploadLimiter {
  const { roomBytes, bodyBytesMax, arrivalMaxMs = Infinity, graceMs = GRACE_MS, tickMs = TICK_MS } = options;
  const ownerMax = Math.max(roomBytes * OWNER_SHARE, bodyBytesMax);
  /** In the order in which they began. */
  const arriving = new Set<Arriving>();
  const heldBy = new Map<string, number>();
  let total = 0;
  let timer: NodeJS.Timeout | undefined;

  function hold(body: Arriving, bytes: number): void {
    body.held += bytes;
    total += bytes;
    const held = (heldBy.get(body.owner) ?? 0) + bytes;
    if (held === 0) heldBy.delete(body.owner);
    else heldBy.set(body.owner, held);
  }

  function admit(body: Arriving, length: number): void {
    body.received += length;
    const needed = Math.max(0, body.received - FREE_BYTES) - body.held;
    if (needed === 0) return;
    const held = (heldBy.get(body.owner) ?? 0) + needed;
    // Refused for what the owner sends themselves, so it is not a failure of the service.
    if (held > ownerMax)
      throw noRoom('rate_limited', 'too many large requests of this tenant at once, try again later');
    while (total + needed > roomBytes) {
      const displaced = newestOfLargest(held);
      if (displaced === undefined) throw noRoom('unavailable', FULL);
      hold(displaced, -displaced.held);
      arriving.delete(displaced);
      displaced.refuse(noRoom('unavailable', FULL));
    }
    hold(body, needed);
  }

  /** The newest arriving body of the owner that holds most, if that is more than `bytes`. */
  function newestOfLargest(bytes: number): Arriving | undefined {
    let found: Arriving | undefined;
    let most = bytes;
    for (const body of arriving) {
      const held = heldBy.get(body.owner) ?? 0;
      if (body.held === 0 || held < most || (held === most && body.owner !== found?.owner)) continue;
      [found, most] = [body, held];
    }
    return found;
  }

  /** Counts ticks, not time: while this process is busy itself, a sender is not to blame. */
  function checkRates(): void {
    for (const body of arriving) {
      const elapsedMs = ++body.ticks * tickMs;
      const due = (BYTES_PER_SECOND_MIN * (elapsedMs - graceMs)) / 1000;
      if (body.received >= due && elapsedMs <= arrivalMaxMs) continue;
      body.refuse(new DomainError('request_timeout', 'the request did not arrive in time'));
    }
  }

  return {
    async receive(req, owner, bytesMax = bodyBytesMax) {
      const stop = new AbortController();
      const body: Arriving = { owner, received: 0, held: 0, ticks: 0, refuse: (error) => stop.abort(error) };
      arriving.add(body);
      timer ??= setInterval(checkRates, tickMs).unref();
      try {
        const bytes = await readBody(req, {
          bytesMax,
          onBytes: (length) => admit(body, length),
          signal: stop.signal,
        });
        return { bytes, release: () => hold(body, -body.held) };
      } catch (error) {
        hold(body, -body.held);
        throw error;
      } finally {
        arriving.delete(body);
        if (arriving.size === 0) {
          clearInterval(timer);
          timer = undefined;
        }
      }
    },
    load: () => ({ arriving: arriving.size, bytes: total }),
  };
}

function noRoom(kind: 'rate_limited' | 'unavailable', message: string): DomainError {
  return new DomainError(kind, message, { retryAfterSeconds: RETRY_AFTER_SECONDS.longQueue });
}
