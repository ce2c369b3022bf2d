import type { Sql } from '@platform/database';
import type { Logger } from 'pino';
import { readCounterKey } from '../admission/admission.ts';
import type { Gate } from './gate.ts';

/** Brings counters from the gate to the store, so that a gate that lost its memory forgets a second at most. */
export interface QuotaFlush {
  /** The gate, with every counter taken from noted for the next flush. */
  observing(gate: Gate): Gate;
  flush(): Promise<void>;
  /** Flushes once more and stops. */
  close(): Promise<void>;
}

const FLUSH_MS = 1_000;
/** Counters of one statement. */
const CHUNK = 1_000;

export function createQuotaFlush(gate: Gate, database: Sql, logger: Logger): QuotaFlush {
  let dirty = new Set<string>();
  let running: Promise<void> = Promise.resolve();

  async function flushDirty(): Promise<void> {
    const keys = [...dirty];
    dirty = new Set();
    for (let at = 0; at < keys.length; at += CHUNK) {
      const chunk = keys.slice(at, at + CHUNK);
      try {
        await store(chunk);
      } catch (err) {
        chunk.forEach((key) => dirty.add(key));
        logger.warn({ err }, 'quota counters not flushed');
      }
    }
  }

  async function store(keys: string[]): Promise<void> {
    const usages = await gate.usage(keys);
    // The shared counters may still be there when it is back; what this replica counts meanwhile is added to them then.
    if (gate.isAway()) {
      keys.forEach((key) => dirty.add(key));
      return;
    }
    const rows = keys.flatMap((key, index) => {
      const usage = usages[index];
      return usage == null ? [] : [{ ...readCounterKey(key), ...usage }];
    });
    // Several replicas flush one counter; within an epoch it only grows, so the larger figure is the later one.
    await database.query(
      `UPDATE quotas q SET epoch = n.epoch, used = CASE WHEN q.epoch = n.epoch THEN GREATEST(q.used, n.used) ELSE n.used END
       FROM unnest($1::uuid[], $2::text[], $3::int8[], $4::int8[]) AS n(owner_id, plane, used, epoch)
       WHERE q.owner_id = n.owner_id AND q.plane = n.plane AND q.epoch <= n.epoch`,
      [
        rows.map(({ ownerId }) => ownerId),
        rows.map(({ plane }) => plane),
        rows.map(({ used }) => used),
        rows.map(({ epoch }) => epoch),
      ],
    );
  }

  function flush(): Promise<void> {
    running = running.then(flushDirty);
    return running;
  }

  const timer = setInterval(() => {
    if (dirty.size > 0) void flush();
  }, FLUSH_MS);
  timer.unref();

  return {
    observing: (inner) => ({
      ...inner,
      async enter(request) {
        const reply = await inner.enter(request);
        if (reply.kind === 'entered') for (const { key } of request.takes) dirty.add(key);
        return reply;
      },
    }),
    flush,
    async close() {
      clearInterval(timer);
      await flush();
    },
  };
}
