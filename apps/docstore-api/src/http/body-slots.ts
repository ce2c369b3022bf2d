import type { IncomingMessage } from 'node:http';
import { DomainError } from '@platform/error-contracts';
import { MiB } from '../rules/limits.ts';
import { createTurns } from '../limits/turns.ts';

/** A body is small up to this length: such ones never wait. Bytes. */
const SMALL_BODY_BYTES = 1 * MiB;

export interface BodySlotsOptions {
  /** Large bodies read and worked on at a time. */
  readonly slots: number;
  /** Longest wait for a slot, after which the request is told to come again. Milliseconds. */
  readonly waitMaxMs: number;
}

/**
 * Bounds the memory that large bodies take: of an 8 MiB body some ten copies exist on its way into the database, so only a
 * few are let in at a time. The others wait unread, in the sockets, and owners take turns.
 */
export interface BodySlots {
  /**
   * Resolves when the body of `req`, of `length` bytes (NaN = not declared), may be read, to what must be called when its
   * work is done. Whoever hangs up while he waits gives his place up. Errors: `unavailable` after the longest wait,
   * `invalid_argument` for a client that is gone.
   */
  acquire(req: IncomingMessage, length: number, owner: string): Promise<() => void>;
  /** Slots taken, and requests that wait for one. */
  load(): { readonly inUse: number; readonly waiting: number };
}

export function createBodySlots({ slots, waitMaxMs }: BodySlotsOptions): BodySlots {
  let free = slots;
  const waiting = createTurns<() => void>();
  const release = () => {
    const next = waiting.take();
    if (next) next();
    else free++;
  };
  /** Each holder gives back once, however often it is asked to. */
  const once = () => {
    let isHeld = true;
    return () => {
      if (isHeld) release();
      isHeld = false;
    };
  };
  const wait = (req: IncomingMessage, owner: string) =>
    new Promise<void>((resolve, reject) => {
      const leave = () => {
        clearTimeout(timer);
        req.off('close', onGone);
        waiting.remove(owner, granted);
      };
      const granted = () => {
        leave();
        resolve();
      };
      const onGone = () => {
        leave();
        reject(new DomainError('invalid_argument', 'the client hung up before its body was read'));
      };
      const timer = setTimeout(() => {
        leave();
        reject(new DomainError('unavailable', 'too many large uploads at once', { retryAfterSeconds: 1 }));
      }, waitMaxMs);
      if (req.destroyed) return onGone();
      req.once('close', onGone);
      waiting.push(owner, granted);
    });
  return {
    async acquire(req, length, owner) {
      if (length <= SMALL_BODY_BYTES) return () => undefined;
      if (free > 0) free--;
      else await wait(req, owner);
      return once();
    },
    load: () => ({ inUse: slots - free, waiting: waiting.size }),
  };
}
