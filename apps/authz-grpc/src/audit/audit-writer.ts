import { AuthzError } from '@platform/error-contracts';
import type { Logger } from 'pino';
import type { AuditEvent } from './audit-event.ts';
import type { AuditStore } from './audit-store.ts';

export interface AuditWriter {
  /**
   * Takes the events of one answer. Strict: resolves when they are durable. Buffered: resolves at once, or when the
   * queue has room again. Throws DEPENDENCY_UNAVAILABLE when strict cannot write, or has too much waiting already.
   */
  record(events: readonly AuditEvent[]): Promise<void>;
  /** Events that buffered mode gave up, since the start. */
  readonly lost: number;
  /** Events waiting. */
  readonly waiting: number;
  /** Writes what waits, then takes no more. */
  close(): Promise<void>;
}

interface Entry {
  readonly events: readonly AuditEvent[];
  readonly resolve: () => void;
  readonly reject: (error: unknown) => void;
}

export interface AuditWriterOptions {
  readonly mode: 'strict' | 'buffered';
  readonly queueRowsMax: number;
  readonly logger: Logger;
  /** Rows of one group commit. */
  readonly batchRowsMax?: number;
  /** Pause before a failed buffered batch is tried again. Milliseconds. */
  readonly retryMs?: number;
}

const BATCH_ROWS = 2_000;
const RETRY_MS = 250;
/** Tries of a buffered batch before its events count as lost: a minute of a store that is away. */
const BUFFERED_TRIES_MAX = 240;

/**
 * Group commit: while one batch becomes durable the next one gathers, so the cost of a commit is shared by everything
 * that arrived meanwhile, and a lone event waits for nothing.
 */
export function createAuditWriter(store: AuditStore, options: AuditWriterOptions): AuditWriter {
  const { mode, queueRowsMax, logger } = options;
  const batchRowsMax = options.batchRowsMax ?? BATCH_ROWS;
  let queue: Entry[] = [];
  let waiting = 0;
  let lost = 0;
  let running: Promise<void> | null = null;
  let room: (() => void)[] = [];

  function start(): void {
    running ??= drain().finally(() => {
      running = null;
      if (queue.length > 0) start();
    });
  }

  async function drain(): Promise<void> {
    // Everything of this turn of the event loop joins the first batch.
    await new Promise<void>((resolve) => setImmediate(resolve));
    while (queue.length > 0) {
      const batch = takeBatch();
      const events = batch.flatMap((entry) => entry.events);
      try {
        await (mode === 'strict' ? store.append(events) : appendPatiently(events));
        for (const entry of batch) entry.resolve();
      } catch (error) {
        const refused = new AuthzError(
          'DEPENDENCY_UNAVAILABLE',
          'the audit log cannot be written, try again',
          {
            retryAfterSeconds: 1,
            cause: error,
          },
        );
        for (const entry of batch) entry.reject(refused);
      }
      waiting -= events.length;
      const woken = room;
      room = [];
      for (const wake of woken) wake();
    }
  }

  function takeBatch(): Entry[] {
    let rows = 0;
    let count = 0;
    for (const entry of queue) {
      if (count > 0 && rows + entry.events.length > batchRowsMax) break;
      rows += entry.events.length;
      count += 1;
    }
    const batch = queue.slice(0, count);
    queue = queue.slice(count);
    return batch;
  }

  async function appendPatiently(events: readonly AuditEvent[]): Promise<void> {
    for (let attempt = 1; ; attempt += 1) {
      try {
        return await store.append(events);
      } catch (error) {
        if (attempt < BUFFERED_TRIES_MAX && !isClosing) {
          await new Promise((resolve) => setTimeout(resolve, options.retryMs ?? RETRY_MS));
          continue;
        }
        lost += events.length;
        logger.error({ err: error, lost: events.length }, 'audit events lost');
        return;
      }
    }
  }

  let isClosing = false;
  return {
    async record(events) {
      if (mode === 'strict') {
        if (waiting + events.length > queueRowsMax) {
          throw new AuthzError('DEPENDENCY_UNAVAILABLE', 'too many audit rows are waiting, try again', {
            retryAfterSeconds: 1,
          });
        }
        waiting += events.length;
        return new Promise<void>((resolve, reject) => {
          queue.push({ events, resolve, reject });
          start();
        });
      }
      while (waiting > 0 && waiting + events.length > queueRowsMax) {
        await new Promise<void>((resolve) => room.push(resolve));
      }
      waiting += events.length;
      queue.push({ events, resolve: () => undefined, reject: () => undefined });
      start();
    },
    get lost() {
      return lost;
    },
    get waiting() {
      return waiting;
    },
    async close() {
      isClosing = true;
      while (running !== null) await running;
    },
  };
}
